/**
 * @file progress.h
 * @brief Tells a person who waits that the simulated GPU has not come to a halt.
 *
 * A GPU does in a moment what takes a computer's few processors minutes, and nothing on the screen tells a
 * long launch from one that hangs. So after 10 s in which the program has waited for the GPU in all, and
 * again each time that this has tripled, a line on stderr says which kernel runs and how far it is. Only
 * where stderr is a terminal: no file and no test gets it.
 *
 * A program that repeats its work until some seconds have passed by its own clock, which counts the GPU's as
 * modelled (docs/clocks.md), repeats it a hundred times as often as one would think. So one that has read its
 * clock is told what that shows.
 *
 * Host process only.
 */
#ifndef UMSIM_PROGRESS_H
#define UMSIM_PROGRESS_H

#include <stdint.h>

/**
 * Adds what a host thread has waited for launches; what two threads wait at the same time counts once. Says
 * the line when it is due. To be called at the end of a wait, and some 20 times a second during it.
 * @param from_ns when the wait began, or the last call was, by umsim_real_ns(); set to now
 */
void umsim_progress_waited(uint64_t *from_ns);

#endif
