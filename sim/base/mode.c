/**
 * @file mode.c
 * @brief Stores how this program runs, as it was set at the start (mode.h).
 */
#include "mode.h"

static bool grading, guarded, serving;
unsigned umsim_checks;

bool umsim_is_grading(void)
{
    return grading;
}

void umsim_grading_set(void)
{
    grading = true;
}

bool umsim_is_server(void)
{
    return serving;
}

void umsim_server_set(void)
{
    grading = serving = true;
}

bool umsim_has_broker(void)
{
    return grading && !serving;
}

bool umsim_supervisor_stands(void)
{
    return guarded;
}

void umsim_supervisor_set(bool stands)
{
    guarded = stands;
}
