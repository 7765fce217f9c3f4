/**
 * @file steps.c
 * @brief Implementation of steps.h: rows for the steps of a strategy, and one over all of them.
 */
#include <math.h>

#include "steps.h"

/* Adds a time that a row may not have yet (NAN). */
static void steps_add_us(double *sum, double us)
{
    if (!isnan(us))
        *sum = isnan(*sum) ? us : *sum + us;
}

void steps_end(struct steps *steps)
{
    struct um_row *all = steps->all, *step = steps->running;

    steps->running = NULL;
    if (!step)
        return;
    um_phase_end(step);
    if (steps->managed)
        um_residency_bar(steps->run->strategy, steps->what, steps->managed, steps->bytes);
    if (!all)
        return;
    steps_add_us(&all->h2d_us, step->h2d_us);
    steps_add_us(&all->kernel_us, step->kernel_us);
    steps_add_us(&all->d2h_us, step->d2h_us);
    steps_add_us(&all->host_us, step->host_us);
    steps_add_us(&all->total_us, step->total_us);
    um_counters_add(&all->counters, step->counters);
}

void steps_begin(struct steps *steps, const char *what, enum um_phase phase)
{
    char name[sizeof steps->all->strategy];

    steps_end(steps);
    steps->what = what;
    snprintf(name, sizeof name, "%s: %s", steps->run->strategy, what);
    steps->running = steps->row[steps->count++] = um_row(steps->run, name);
    um_phase(steps->running, phase);
}

void steps_verified(const struct steps *steps, bool right)
{
    for (int i = 0; i < steps->count; i++)
        um_row_verified(steps->row[i], right);
    if (steps->all)
        um_row_verified(steps->all, right);
}

bool steps_skipped(struct um_run *run, const char *without_concurrency)
{
    const struct um_device *device = um_device();

    if (device->managed && (device->concurrent_managed || !without_concurrency))
        return false;
    if (!device->managed)
        um_row_skip(um_row(run, NULL), "this device has no managed memory (managedMemory is 0)");
    else
        um_row_skip(um_row(run, NULL), "concurrentManagedAccess is 0: %s", without_concurrency);
    return true;
}
