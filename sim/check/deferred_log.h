/**
 * @file deferred_log.h
 * @brief What the log of deferred.h holds, and how that becomes shadow words.
 *
 * A question (one loop's accesses, in one call of the program's) stands before its rows.
 */
#ifndef UMSIM_CHECK_DEFERRED_LOG_H
#define UMSIM_CHECK_DEFERRED_LOG_H

#include <stdbool.h>
#include <stdint.h>

/* A row of the log. */
struct noted {
    uint64_t *shadow;
    uintptr_t first, chunks;
    int64_t step, inner_step, repeat_step; /* in bytes of memory */
    uint64_t site;
    uint32_t inner, loop;
    uint16_t bytes;
    bool is_write;
};

/* A question of the log, in the place of a row before its own; and questions like it that follow, each
 * `repeat_step` further on. */
struct asked {
    uint64_t stamp, next, before; /* before: smaller shadow words come before all */
    uint64_t repeat_stamp;        /* what each repetition adds to the stamp */
    uint32_t passes, count, repeats;
    uint16_t barrier;
    bool by_passes;
};

union entry {
    struct noted row;
    struct asked asked;
};

/** Stores in shadow words what the question's accesses would have left there, in their order. */
void umsim_deferred_store(const struct asked *q, const struct noted *rows);

#endif
