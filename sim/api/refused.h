/**
 * @file refused.h
 * @brief Tells what was wrong with a CUDA call that returned an error.
 *
 * Every entry point returns by umsim_leave() or, where it could not begin, by UMSIM_ENTER. Both come here
 * with the call's arguments. Why the call was refused is found from these and from the error by the causes in
 * reasons.c; no entry point has a message of its own.
 *
 * Under --check each refusal is told at once (check/refusal.h). In other programs one line at the end says
 * that an error was left that nobody has asked for, unless the program itself ends with an error.
 */
#ifndef UMSIM_API_REFUSED_H
#define UMSIM_API_REFUSED_H

#include "call.h"

/** A call returns an error. A sticky one is no refusal, nor are the answers "not ready" and "this graph
 * cannot be updated so". Called without the lock: to find out where the call was made may take the loader's.
 */
void umsim_refused(const struct umsim_api_call *call, cudaError_t error);

/** A call has succeeded. If it destroyed something, the handle is noted, because it may be used again.
 * Callers hold the lock. */
void umsim_succeeded(const struct umsim_api_call *call);

/** The program asked for this thread's last error; it asked what `error` means. Called without the lock. */
void umsim_refusal_fetched(void);
void umsim_refusal_asked(cudaError_t error);

/** A library is about to go, and its source lines with it. Callers hold the lock. */
void umsim_refusals_before_unload(void);

/** UMSIM_TELL=0: no line at the end. */
void umsim_refusals_keep_quiet(void);

#endif
