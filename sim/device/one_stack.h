/**
 * @file one_stack.h
 * @brief Threads of a block that run on one stack, in turns (worker/stacks.h).
 *
 * GPU process only, x86-64 only.
 *
 * The worker restores what a thread had on the stack and in registers, and jumps to where it went on. When
 * the thread waits, it stores its registers beside its fiber, and jumps back. A barrier of the block is the
 * common way to wait, and a function of a few instructions: it stores nothing on the stack, and no thread
 * returns from it, as a processor takes a return for one to the latest call, which may be another thread's at
 * another barrier (that costs some 5 ns). Who waits for something else names the thread that goes on.
 */
#ifndef UMSIM_ONE_STACK_H
#define UMSIM_ONE_STACK_H

#include "../worker/worker.h"

/** Lets the threads run, first this one, until all have ended or wait for other blocks. */
void umsim_one_stack_run(struct umsim_worker *worker, struct umsim_fiber *first);

/** The current thread's turn ends; `goes_on` has the next one's, or NULL. Returns when it runs again. */
void umsim_one_stack_leave(void);

/** How much of a waiting thread's stack is kept. */
size_t umsim_one_stack_bytes(const struct umsim_worker *worker, const struct umsim_fiber *thread);

/** @name What fiber.c knows of barriers
 * @{ */
/** The current thread has come to one, and the next one goes on. */
void umsim_one_stack_at_barrier(struct umsim_worker *worker, const char *file, int line);
/** The thread waits at a barrier to which all have come that can.
 * @return who goes on: that thread, or one that it has to wait for */
struct umsim_fiber *umsim_one_stack_released(struct umsim_worker *worker, struct umsim_fiber *thread);
/** umsim_syncthreads() of threads that have a stack each. */
void umsim_fiber_syncthreads(const char *file, int line);
/** @} */

#endif
