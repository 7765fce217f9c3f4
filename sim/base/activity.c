/**
 * @file activity.c
 * @brief Counts the kernels that were issued and that nobody has waited for yet (activity.h).
 */
#include "activity.h"
#include "clock.h"

static struct umsim_activity all_kernels;

static void issued(struct umsim_activity *kernels)
{
    kernels->unsettled++;
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

void umsim_kernel_settled(struct umsim_activity *stream, uint64_t end_ns)
{
    settled(stream, end_ns);
    settled(&all_kernels, end_ns);
}

bool umsim_kernels_busy(const struct umsim_activity *stream)
{
    const struct umsim_activity *kernels = stream ? stream : &all_kernels;
    return kernels->unsettled || kernels->end_ns > umsim_clock_waited();
}
