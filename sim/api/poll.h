/**
 * @file poll.h
 * @brief Programs that ask again and again whether something is done.
 *
 * Each query takes its time (UMSIM_CALL_QUERY), so that a program which only asks gets on. But a thread may
 * be far behind what it asks for, because other threads' work had the engine meanwhile: with 200 ns a query,
 * and a microsecond of real time for it, a minute behind would be five minutes of asking. So a thread that
 * has asked UMSIM_POLLS times for the same end goes on in larger steps: by a part of the time for which it
 * has asked, and not past the end.
 */
#ifndef UMSIM_POLL_H
#define UMSIM_POLL_H

#include <stdint.h>

/** A fifth of a second of a thread's time, about a second of real time. */
#define UMSIM_POLLS (UINT32_C(1) << 20)
/** The steps are one in so many of the time that went before: so asking ends within 1.6% of it. */
#define UMSIM_POLL_STEPS 64

/** The calling thread has asked, and been told that it is not done, as that is at `end_ns`, later than now.
 * The lock is held. */
void umsim_poll_later(uint64_t end_ns);

#endif
