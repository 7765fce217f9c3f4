/**
 * @file barrier.h
 * @brief Finds barriers that some threads of a block do not come to, and masks that name lanes which never
 * come.
 *
 * A block's barrier is looked at when all its threads that have not ended are at one. Threads that wait on
 * different lines, or at different barriers of one line, end the kernel (device/stuck.h). Which of them it is
 * umcc numbers: the compiler copies calls, so that their addresses do not tell them apart.
 *
 * Barriers do not wait for threads that have ended. So a thread that has returned early is noted only. One
 * that came to the kernel's end without a `return` was alive all the way, and so it has passed the others'
 * barrier by: a condition that it is under, of an `if` or a loop, was another one for the two. CUDA's manual
 * allows barriers "in conditional code but only if the conditional evaluates identically across the entire
 * thread block", so that is an error, although GPUs mostly go on. A mask that names such lanes is judged in
 * the same way: all threads that it names and that have not ended must execute the same operation.
 *
 * GPU process only.
 */
#ifndef UMSIM_CHECK_BARRIER_H
#define UMSIM_CHECK_BARRIER_H

#include "../worker/message.h"
#include "../worker/worker.h"

/** All threads of the block that have not ended are at a barrier; the running thread goes on first. */
void umsim_check_barrier(const struct umsim_worker *worker);

/** Lanes of the running thread's warp have met. */
void umsim_check_meeting(const struct umsim_worker *worker, const struct umsim_warp *warp,
                         const struct umsim_meeting *meeting, const char *operation);

/** Adds `threads 16..63, 96`: those at a barrier on this line. */
void umsim_barrier_add_threads(struct umsim_message *text, const struct umsim_worker *worker, int line);

#endif
