/**
 * @file activity.c
 * @brief Counts the kernels that were issued and that nobody has waited for yet (activity.h).
 */
#include "activity.h"
#include "clock.h"

static struct umsim_activity all_kernels;
static __thread const struct umsim_activity *still __attribute__((tls_model("initial-exec")));

static void issued(struct umsim_activity *kernels)
{
    kernels->unsettled++;
    kernels->to_run++;
}

static void settled(struct umsim_activity *kernels, uint64_t end_ns)
{
    if (kernels->end_ns < end_ns)
        kernels->end_ns = end_ns;
    kernels->unsettled--;
}

void umsim_kernel_issued(struct umsim_activity *stream)
{
    issued(stream);
    issued(&all_kernels);
}

void umsim_kernel_ran(struct umsim_activity *stream)
{
    stream->to_run--;
    all_kernels.to_run--;
}

void umsim_kernel_settled(struct umsim_activity *stream, uint64_t end_ns)
{
    settled(stream, end_ns);
    settled(&all_kernels, end_ns);
}

bool umsim_kernels_busy(const struct umsim_activity *stream)
{
    const struct umsim_activity *kernels = stream ? stream : &all_kernels;
    if (still)
        return kernels != still && kernels->to_run > (stream ? 0 : still->to_run);
    return kernels->unsettled || kernels->end_ns > umsim_clock_waited();
}

void umsim_kernels_stand_still(const struct umsim_activity *stream)
{
    still = stream;
}
