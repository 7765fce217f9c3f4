/**
 * @file barrier.h
 * @brief Finds barriers that some threads of a block do not come to, and masks that name lanes which never
 * come.
 *
 * A block's barrier is looked at when all its threads that have not ended are at one. Threads that wait on
 * different lines end the kernel (device/stuck.h). Two barriers of one line count as one: the compiler copies
 * calls, so that their addresses do not tell them apart. Threads that have ended are noted only, because
 * barriers do not wait for them. So is a mask that names such lanes.
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
