/**
 * @file story.h
 * @brief What all stories of lab 6 share: giving hints, timing rounds, drawing pages.
 */
#ifndef LAB6_STORY_H
#define LAB6_STORY_H

#include "um_lab.h"

#define ROUNDS 3
#define GPU 0

/** One call of cudaMemAdvise(). */
struct advice {
    enum cudaMemoryAdvise what;
    int processor; /**< GPU, or cudaCpuDeviceId */
};

/** What a strategy tells the driver. */
struct plan {
    bool prefetch;           /**< bring all pages to each side before its turn */
    int advices;             /**< how many of: */
    struct advice advice[2]; /**< given once, when the host has written the array */
};

/** One strategy while it runs. */
struct story {
    const struct plan *plan;
    struct um_row *row;
    void *x;
    size_t bytes;
    double before_us; /**< the row's total when the round began */
};

/** Draws where the pages are, once the step `when` has been waited for. */
static inline void draw(const struct story *story, const char *when)
{
    um_residency_bar(story->row->strategy, when, story->x, story->bytes);
}

/** Gives the advice, in the row's phase for that; the rounds begin after that. */
cudaError_t advise(struct story *story);

/** Waits, so that the time of the move counts in this phase and not in the next. */
cudaError_t bring_to(const struct story *story, int processor);

/** Ends a round, and shows its time when it is the first or the last. */
void round_ends(struct story *story, int round);

#endif
