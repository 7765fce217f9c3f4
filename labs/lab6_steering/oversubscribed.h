/**
 * @file oversubscribed.h
 * @brief The third story of lab 6: the GPU walks through more managed memory than its own memory can hold.
 *
 * In each round a kernel adds one to each element, piece by piece from the first to the last. After each
 * piece another kernel adds one to a small table. So the table is the memory that is used most: is it also
 * the one that stays? Then the host reads all results. Simulator only: asking a real card for more memory
 * than it has can hang it.
 */
#ifndef LAB6_OVERSUBSCRIBED_H
#define LAB6_OVERSUBSCRIBED_H

#include "kernels.h"
#include "story.h"

#define TABLE ((size_t)2 << 20) /* the amount that the driver evicts at once */

/** Device memory that is free. */
static inline size_t free_on_device(void)
{
    size_t available = 0, total = 0;

    UM_CHECK(cudaMemGetInfo(&available, &total));
    return available;
}

/** The walk without a hint to the driver. */
void oversubscribed(struct um_run *run);

/** The same walk with each hint: a row for each. */
void oversubscribed_hints(struct um_run *run);

#endif
