/**
 * @file calls.h
 * @brief Constants and structures that lab 9's calls.c and checks*.c share.
 */
#ifndef LAB9_CALLS_H
#define LAB9_CALLS_H

#include <stdint.h>

/** Bytes in front of what is copied and behind it that nobody may change. */
enum { LAB9_GUARD = 4096 };

/** calls.c queues a kernel in front of a copy back: every so many bytes it writes this. */
enum { LAB9_MARK_EVERY = 4096, LAB9_MARK = 77 };

/** What the host saw of a pipelined copy; the head of the outputs. */
struct lab9_result {
    uint64_t host_bytes, host_calls; /**< of pipe->host_copy */
};

#endif
