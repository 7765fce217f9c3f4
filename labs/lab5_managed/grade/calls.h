/**
 * @file calls.h
 * @brief Constants and structures that lab 5's calls.c and checks*.c share.
 */
#ifndef LAB5_CALLS_H
#define LAB5_CALLS_H

#include <stdbool.h>
#include <stdint.h>

/** A walk of the host: the arguments of predict_faults(). */
struct lab5_walk {
    uint64_t bytes, first, stride;
    uint64_t on_device; /**< not 0: the pages are on the GPU before; 0: no side has touched them yet */
};

/**
 * Whether a walk goes on after byte `*at`; the next byte goes to `*at`. The sum of two large numbers may wrap
 * around. The function is inline because calls.c is part of a submission, and checks.c of the grader.
 */
static inline bool lab5_goes_on(const struct lab5_walk *walk, uint64_t *at)
{
    if (*at >= walk->bytes || walk->stride >= walk->bytes - *at)
        return false;
    *at += walk->stride;
    return true;
}

/** What happened to a program; it follows its n ints in the outputs. */
struct lab5_told {
    int32_t filled, used; /**< calls of fill and use */
};

#endif
