/**
 * @file access.h
 * @brief Checks each access of a checked kernel, and describes it for a finding.
 *
 * GPU process only.
 */
#ifndef UMSIM_CHECK_ACCESS_H
#define UMSIM_CHECK_ACCESS_H

#include "finding.h"

#include <stdbool.h>

/** How memory is accessed. */
enum umsim_how {
    UMSIM_HOW_WRITE = 1,
    UMSIM_HOW_ATOMIC = 2,    /* with WRITE: it reads, too */
    UMSIM_HOW_STORE = 4,     /* ... it does not */
    UMSIM_HOW_UNALIGNED = 8, /* the compiler knows that it need not be aligned */
    UMSIM_HOW_VOLATILE = 16,
};

/** Checks an access before it is made.
 * @param pc the return address of gcc's call */
void umsim_access_check(uintptr_t p, size_t bytes, unsigned how, const void *pc);

/** g++ says that `p` is not aligned as the type asks that is about to be accessed there, perhaps. If 8
 * divides it, the type asks for 16, so it is no structure of two doubles. */
void umsim_access_misaligned(uintptr_t p);

/** Whether it is on a stack of the block's threads. */
bool umsim_access_is_on_stacks(uintptr_t p);

/** Whether an access to `p` by the current thread is looked at by umsim_access_check(), if g++ calls it: of a
 * thread's stack g++ does so for what has an address only. */
bool umsim_access_is_judged(uintptr_t p);

/** Reports a read through a texture object that does not exist. */
void umsim_access_no_texture(uint64_t handle, const void *pc);

/** Where the current thread has its own memory; where the threads of its block have it. */
struct umsim_worker;
struct umsim_access_own_stack {
    uintptr_t low, high;
};
struct umsim_access_own_stack umsim_access_own_stack(const struct umsim_worker *worker);
struct umsim_access_own_stack umsim_access_stacks(const struct umsim_worker *worker);

/** The current thread's number in its block. */
unsigned umsim_access_thread(void);

/** Fills in what is known of an access to `p` by the current thread: `by`, space, address, kernel. */
void umsim_access_describe(struct umsim_finding *finding, uintptr_t p, const void *pc, bool is_write);

#endif
