/**
 * @file fiber.h
 * @brief Fibers: the GPU threads of a kernel whose threads wait for each other, and the order in which they
 * run.
 *
 * GPU process only.
 *
 * A worker runs one thread of its block at a time. Threads that can go on form a ring, together with those
 * that stand at a barrier of the block; a wait switches to the next thread in the ring. Threads that wait for
 * lanes of their warp are outside the ring (blocked) until those lanes have come. They are then put back in
 * where the last of the lanes stands. So no thread has to ask twice whether it may go on. And when a thread
 * that stands at a barrier runs again, all threads in the ring have reached that barrier.
 */
#ifndef UMSIM_FIBER_H
#define UMSIM_FIBER_H

#include "../count/count.h"
#include "../worker/worker.h"

/** Takes a thread out of the ring. */
static inline void umsim_ring_leave(struct umsim_fiber *it)
{
    it->previous->next = it->next;
    it->next->previous = it->previous;
}

/** Puts a thread into the ring behind another. */
static inline void umsim_ring_enter(struct umsim_fiber *it, struct umsim_fiber *after)
{
    it->previous = after;
    it->next = after->next;
    it->next->previous = it;
    after->next = it;
}

/** The thread is the current one, and threadIdx is its. */
static inline __attribute__((always_inline)) void umsim_fiber_make_current(struct umsim_worker *worker,
                                                                           struct umsim_fiber *next)
{
    worker->current = next;
    umsim_builtins.thread_index = next->index;
    if (__builtin_expect(worker->counting != NULL, 0))
        umsim_count_enter(worker, (size_t)(next - worker->fibers));
}

/** Switches to `next`, and returns when this thread (`me`) runs again. */
void umsim_fiber_switch(struct umsim_worker *worker, struct umsim_fiber *me, struct umsim_fiber *next);

/** @name One block on fibers
 * @{ */
/** Makes all threads of the block ready to run. */
void umsim_fibers_start_block(struct umsim_worker *worker);
/** Lets the threads run until all have ended or wait for other blocks. */
enum umsim_block_rests umsim_fibers_go_on(struct umsim_worker *worker);
/** Returns to the worker, because the running thread (which is in the ring) waits for another block. Returns
 * to the thread when the block goes on. */
void umsim_fibers_leave_block(struct umsim_worker *worker, enum umsim_block_rests why);
/** Marks all lanes of the block as alive and none as waiting. */
void umsim_fibers_prepare_warps(struct umsim_worker *worker);
/** The part of a waiting thread's stack that is in use. */
char *umsim_fiber_stack_low(const struct umsim_worker *worker, size_t thread);
char *umsim_fiber_stack_high(const struct umsim_worker *worker, size_t thread);
/** @} */

/** Called before a thread ends: its warp no longer waits for it. The thread is still in the ring. */
void umsim_warp_lane_ends(struct umsim_worker *worker, struct umsim_fiber *me);

/** Waits until no other thread in the block can go on. @return those lanes of the caller's warp that wait
 * here with the same key */
uint64_t umsim_gather(uint64_t key);

/** Called before the threads that gather go on: checks whether their wait was in vain, and fails the kernel
 * if so. */
void umsim_judge_waits(struct umsim_worker *worker);

/**
 * No thread in the ring can go on, but some are blocked: releases those that gather, and puts them behind
 * `after` in the ring. If there are none, the kernel fails, because it would hang.
 * @return the first thread that was released
 */
struct umsim_fiber *umsim_release_gathering(struct umsim_worker *worker, struct umsim_fiber *after);

#endif
