/**
 * @file story.c
 * @brief Implementation of story.h: hints, rounds and drawings that lab 6's stories share.
 */
#include "story.h"

cudaError_t advise(struct story *story)
{
    cudaError_t error = cudaSuccess;

    um_phase(story->row, UM_PHASE_ADVICE);
    for (int i = 0; i < story->plan->advices && error == cudaSuccess; i++) {
        const struct advice *advice = &story->plan->advice[i];
        error = um_advise(story->x, story->bytes, advice->what, advice->processor); /* cudaMemAdvise */
    }
    um_phase_end(story->row);
    story->before_us = story->row->total_us;
    draw(story, "host writes");
    return error;
}

cudaError_t bring_to(const struct story *story, int processor)
{
    cudaError_t error;

    if (!story->plan->prefetch)
        return cudaSuccess;
    error = um_prefetch(story->x, story->bytes, processor, 0); /* cudaMemPrefetchAsync */
    return error != cudaSuccess ? error : cudaDeviceSynchronize();
}

void round_ends(struct story *story, int round)
{
    struct um_row *row = story->row;

    um_phase_end(row);
    if (round == 0)
        um_extra_number(row, "first_round_us", "round 1", "us", row->total_us - story->before_us, 1);
    if (round == ROUNDS - 1)
        um_extra_number(row, "last_round_us", "last round", "us", row->total_us - story->before_us, 1);
    story->before_us = row->total_us;
}
