/**
 * @file stacks.h
 * @brief The memory of a worker: its own stack, the stacks of a block's threads, and what lies beside them.
 *
 * The host reserves the addresses before the fork and never opens them. The GPU process opens what is used,
 * so that limits on memory count no more than that. Below each stack lies a guard: closed memory. umcc has
 * device code touch each page that its stack grows by (-fstack-clash-protection), so a stack that overflows
 * meets the guard, also in an alloca(). The kernel then fails, as on a GPU.
 *
 * A GPU gives each thread cudaLimitStackSize bytes. x86's frames are larger, so a thread with a stack of its
 * own has UMSIM_STACK_FACTOR times as much here, and never less than UMSIM_FIBER_STACK. Kernels without
 * fibers run on the worker's stack.
 *
 * Where such a kernel is counted, and this form of it could not be cut at its barriers, its threads wait for
 * each other, at barriers only, and a block or two are all that ever run so. A stack for each of 1024 threads
 * would be 1024 new pages. So they run on one stack, in turns (device/one_stack.h), and what is in use of it,
 * some hundred bytes, is kept for each while it waits. A thread finds its own variables at their addresses
 * when it runs; like on a GPU, no other thread has a use for these.
 *
 * GPU process only, except for the first two functions.
 */
#ifndef UMSIM_STACKS_H
#define UMSIM_STACKS_H

#include "worker.h"

#include <stdbool.h>
#include <stddef.h>

#define UMSIM_STACK_FACTOR 8

/** Of threads that run on one stack: what is kept of it has a place as large as it is at first, if it is no
 * larger than this, then of so many bytes, then of a whole stack. */
#define UMSIM_KEPT_STACK ((size_t)512)
#define UMSIM_KEPT_MORE ((size_t)4 << 10)

/** Host process: how many bytes of addresses a worker needs. @param few there is a limit on addresses (ulimit
 * -v): threads' stacks then cannot grow as far */
size_t umsim_worker_memory_bytes(bool few);

/** Opens the memory of worker `index` that is used at once. @return NULL when the system refuses it */
struct umsim_worker *umsim_worker_memory_open(char *memory, unsigned index);

/** Gives the block's threads their stacks. When there is no memory, one fails the kernel, the other says so.
 */
void umsim_stacks_prepare(struct umsim_worker *worker);
bool umsim_stacks_try(struct umsim_worker *worker);

/** A thread's stack: the lowest byte, and the one behind its end. Stacks at the same offset in every page
 * would compete for the same cache sets, so each begins at another one. */
static inline char *umsim_stack_low(const struct umsim_worker *worker, size_t thread)
{
    return worker->fiber_stacks + thread * worker->slot_bytes + UMSIM_STACK_GUARD;
}

static inline char *umsim_stack_high(const struct umsim_worker *worker, size_t thread)
{
    return worker->fiber_stacks + (thread + 1) * worker->slot_bytes -
           thread * UMSIM_FIBER_COLOUR % UMSIM_PAGE / 64 * 64;
}

/**
 * A fault at `address`, with the stack pointer at `top`: opens more of the worker's stack, or fails the
 * kernel if a stack has overflowed. Async-signal-safe, on the signal stack.
 * @return whether more was opened; false when it is another fault
 */
bool umsim_stack_touched(struct umsim_worker *worker, uintptr_t address, uintptr_t top);

/** Fails the kernel: alloca() was asked for `bytes`, more than a GPU's stack has. */
__attribute__((noreturn)) void umsim_stack_refuse(struct umsim_worker *worker, size_t bytes);

#endif
