/**
 * @file pace.h
 * @brief Threads that poll do not get ahead of real time.
 *
 * A thread's clock moves by what the thread does (devlib/cycles.c): __nanosleep(1000000) takes no time here,
 * and its clock shows a millisecond more. That is well where a thread sleeps for itself. But one that polls
 * waits for somebody, who may be a thread of the host, and the host's time is real. A kernel that asks a flag
 * each millisecond, and gives up after a minute by clock64(), would give up before the host has set it.
 *
 * So a thread that polls goes on only when as much real time has passed since its launch began as its clock
 * shows. The other threads and blocks run meanwhile; if all of a worker's poll, the worker sleeps. The
 * clock's values stay as they are, and so does what a launch takes in virtual time. It is never the other way
 * round: a clock that followed real time would let a time limit pass that a GPU's own speed does not.
 *
 * A launch takes at most as much longer by this as its threads' clocks show, which is what a GPU takes.
 *
 * GPU process only.
 */
#ifndef UMSIM_PACE_H
#define UMSIM_PACE_H

#include "../worker/worker.h"

/**
 * To be asked by the current thread, which has a fiber, at each poll.
 * @return whether its clock is ahead of real time: others have to run, and it has to ask again
 */
bool umsim_pace_is_ahead(struct umsim_worker *worker);

/**
 * None of the worker's threads can go on for now. Sleeps for up to a millisecond if all that have polled
 * since the last call are ahead of real time. Else others run on this processor.
 */
void umsim_pace_rest(struct umsim_worker *worker);

#endif
