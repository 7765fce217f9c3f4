/**
 * @file steps.h
 * @brief Reports a strategy step by step: a row for each step, and one over all of them.
 *
 *     struct steps steps = {.run = run, .all = um_row(run, NULL)};   // all: NULL for none
 *     steps_begin(&steps, "host writes", UM_PHASE_HOST);             // a row "managed: host writes"
 *     ...
 *     steps_begin(&steps, "kernel", UM_PHASE_KERNEL);                // ends the step before
 *     ...
 *     steps_end(&steps);
 *     steps_verified(&steps, right);
 */
#ifndef LAB5_STEPS_H
#define LAB5_STEPS_H

#include "um_lab.h"

#define STEPS_MAX 6

struct steps {
    struct um_run *run;
    struct um_row *all, *running;
    const char *what;    /* the current step */
    const void *managed; /* its pages are drawn after each step; NULL: none are */
    size_t bytes;
    struct um_row *row[STEPS_MAX];
    int count;
};

/** From now on, draws the pages of this managed memory at the end of each step. */
static inline void steps_draw(struct steps *steps, const void *managed, size_t bytes)
{
    steps->managed = managed;
    steps->bytes = bytes;
}

/**
 * Ends the current step, if any. It is added to `all`, not measured twice, because reading counters takes
 * time.
 */
void steps_end(struct steps *steps);

/** Ends the step before and begins the row "strategy: what"; at most STEPS_MAX of them. */
void steps_begin(struct steps *steps, const char *what, enum um_phase phase);

/** Sets one verdict for all steps that led to it. */
void steps_verified(const struct steps *steps, bool right);

/**
 * True, after a row that gives the reason, where this device cannot run the strategy.
 * @param without_concurrency the reason where concurrentManagedAccess is 0; NULL: the strategy can run there
 */
bool steps_skipped(struct um_run *run, const char *without_concurrency);

#endif
