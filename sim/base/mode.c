/**
 * @file mode.c
 * @brief Stores how this program runs, as it was set at the start (mode.h).
 */
#include "mode.h"

static bool grading;
unsigned umsim_checks;

bool umsim_is_grading(void)
{
    return grading;
}

void umsim_grading_set(void)
{
    grading = true;
}
