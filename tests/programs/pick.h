/**
 * @file pick.h
 * @brief For test programs: random numbers, the same in each run.
 */
#ifndef PROGRAMS_PICK_H
#define PROGRAMS_PICK_H

#include <stdint.h>

/** 0 to `below` - 1. xorshift64, Marsaglia 2003. */
static inline unsigned pick(unsigned below)
{
    static uint64_t state = 88172645463325252u;

    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 33) % below;
}

#endif
