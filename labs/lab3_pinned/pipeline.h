/**
 * @file pipeline.h
 * @brief Lab 3's pipeline: work cut into chunks (copy in, STEPS kernels of x += 1, copy out) over one or
 * more streams.
 *
 * issue() queues one chunk: these are the six lines that matter. pipeline() allocates what it needs, runs
 * all chunks, and verifies the result.
 */
#ifndef LAB3_PIPELINE_H
#define LAB3_PIPELINE_H

#include "host_memory.h"
#include "kernels.h"
#include "timeline.h"

#define STREAMS_MAX 16

extern uint64_t chunks_wanted, streams_wanted; /**< --chunks, --streams */

/**
 * Runs all chunks, over `streams` streams in turn. The row's H2D, kernel and D2H are how long each engine was
 * busy.
 */
void pipeline(struct um_run *run, enum memory kind, uint64_t streams, struct timeline *fastest);

#endif
