/**
 * @file steps.h
 * @brief A strategy told step by step: a row for each step, and one over all of them.
 *
 *     struct steps steps = {.run = run, .all = um_row(run, NULL)};   // all: NULL for none
 *     steps_begin(&steps, "host writes", UM_PHASE_H2D);              // a row "managed: host writes"
 *     ...
 *     steps_begin(&steps, "kernel", UM_PHASE_KERNEL);                // ends the step before
 *     ...
 *     steps_end(&steps);
 *     steps_verified(&steps, right);
 */
#ifndef LAB5_STEPS_H
#define LAB5_STEPS_H

#include <math.h>

#include "um_lab.h"

#define STEPS_MAX 6

struct steps {
    struct um_run *run;
    struct um_row *all, *running;
    const char *what;    /* the step that runs */
    const void *managed; /* where its pages are is drawn after each step; NULL: nothing is */
    size_t bytes;
    struct um_row *row[STEPS_MAX];
    int count;
};

/** From here on the pages of this managed memory are drawn at the end of each step. */
static inline void steps_draw(struct steps *steps, const void *managed, size_t bytes)
{
    steps->managed = managed;
    steps->bytes = bytes;
}

/** Adds a time that a row may not have yet (NAN). */
static inline void steps_add_us(double *sum, double us)
{
    if (!isnan(us))
        *sum = isnan(*sum) ? us : *sum + us;
}

/** Ends the step that runs, if any. It is added to `all`, not measured twice: reading counters takes time. */
static inline void steps_end(struct steps *steps)
{
    struct um_row *all = steps->all, *step = steps->running;

    steps->running = NULL;
    if (!step)
        return;
    um_phase_end(step);
    if (steps->managed)
        um_strip(steps->run->strategy, steps->what, steps->managed, steps->bytes);
    if (!all)
        return;
    steps_add_us(&all->h2d_us, step->h2d_us);
    steps_add_us(&all->kernel_us, step->kernel_us);
    steps_add_us(&all->d2h_us, step->d2h_us);
    steps_add_us(&all->total_us, step->total_us);
    um_counters_add(&all->counters, step->counters);
}

/** Ends the step before and begins the row "strategy: what"; at most STEPS_MAX of them. */
static inline void steps_begin(struct steps *steps, const char *what, enum um_phase phase)
{
    char name[sizeof steps->all->strategy];

    steps_end(steps);
    steps->what = what;
    snprintf(name, sizeof name, "%s: %s", steps->run->strategy, what);
    steps->running = steps->row[steps->count++] = um_row(steps->run, name);
    um_phase(steps->running, phase);
}

/** One result stands for all steps that led to it. */
static inline void steps_verified(const struct steps *steps, bool right)
{
    for (int i = 0; i < steps->count; i++)
        um_row_verified(steps->row[i], right);
    if (steps->all)
        um_row_verified(steps->all, right);
}

/**
 * True, after a row that says why, where this device cannot run the strategy.
 * @param without_concurrency why not where concurrentManagedAccess is 0; NULL: it can.
 */
static inline bool steps_skipped(struct um_run *run, const char *without_concurrency)
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

#endif
