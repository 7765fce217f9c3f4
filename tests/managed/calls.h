/**
 * @file calls.h
 * @brief Calls that are made twice: with ordinary memory, then with managed memory whose pages are on the
 * GPU. Both have to answer the same, and leave the same bytes behind.
 *
 * tests/conformance asks an H200 about the calls that matter most. Here the other lines of
 * sim/fault/call_table.h are tried: what ordinary memory does is the answer that is wanted.
 */
#ifndef MANAGED_CALLS_H
#define MANAGED_CALLS_H

#include <stdbool.h>
#include <stddef.h>

/** Size of the buffer: several of the units in which pages change hands. Behind it is nothing. */
#define CALL_BYTES ((size_t)3 * CALL_UNIT)
#define CALL_UNIT ((size_t)65536)

struct call_case {
    const char *name;
    /** Makes the call. @return what it answered, or -errno; the same each time that it is made */
    long (*call)(char *buffer);
    /** Puts into the buffer, which is ordinary memory then, what the call reads there; NULL: all 'x'. */
    void (*fill)(char *buffer);
    /** The bytes that the call leaves are others each time: only the answer is compared. */
    bool varies;
};

/** Ended by a case without a name. */
extern const struct call_case calls_of_files[], calls_of_sockets[], calls_of_processes[], calls_at_edges[],
    calls_that_are_odd[], calls_that_the_kernel_ends[], calls_with_control_blocks[];

/** A folder of its own for the running case: empty, made and removed by the harness. */
extern char call_folder[];

/** Brings the buffer's pages to the GPU, if it is managed memory: what the case itself has put into them, or
 * looked at, has brought them to the host. @return `p` */
void *call_away(const void *p);

/** -errno where a call failed, else its result. */
long call_answer(long result);

#endif
