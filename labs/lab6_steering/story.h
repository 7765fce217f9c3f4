/**
 * @file story.h
 * @brief What all stories of lab 6 share: hints given, rounds timed, pages drawn.
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
    um_strip(story->row->strategy, when, story->x, story->bytes);
}

/** Gives the advice, in the row's H2D phase; the rounds begin now. */
static inline cudaError_t advise(struct story *story)
{
    cudaError_t error = cudaSuccess;

    um_phase(story->row, UM_PHASE_H2D);
    for (int i = 0; i < story->plan->advices && error == cudaSuccess; i++) {
        const struct advice *advice = &story->plan->advice[i];
        error = um_advise(story->x, story->bytes, advice->what, advice->processor); /* cudaMemAdvise */
    }
    um_phase_end(story->row);
    story->before_us = story->row->total_us;
    draw(story, "host writes");
    return error;
}

/** Waits, so that the time of the move stands in this phase and not in the next. */
static inline cudaError_t bring_to(const struct story *story, int processor)
{
    cudaError_t error;

    if (!story->plan->prefetch)
        return cudaSuccess;
    error = um_prefetch(story->x, story->bytes, processor, 0); /* cudaMemPrefetchAsync */
    return error != cudaSuccess ? error : cudaDeviceSynchronize();
}

/** Ends a round, and shows its time when it is the first or the last. */
static inline void round_ends(struct story *story, int round)
{
    struct um_row *row = story->row;

    um_phase_end(row);
    if (round == 0)
        um_extra_number(row, "first_round_us", "round 1", "us", row->total_us - story->before_us, 1);
    if (round == ROUNDS - 1)
        um_extra_number(row, "last_round_us", "last round", "us", row->total_us - story->before_us, 1);
    story->before_us = row->total_us;
}

#endif
