/**
 * @file refusal.h
 * @brief Tells that a CUDA call was refused (UMSIM_CHECK_API), at once and once for each place.
 *
 * Host process only; callers hold the simulator's lock.
 */
#ifndef UMSIM_CHECK_REFUSAL_H
#define UMSIM_CHECK_REFUSAL_H

#include "check.h"

/** Whether this place has not been told with this error yet. If it has, it is counted. */
bool umsim_refusal_is_new(struct umsim_check_asked asked, int error);

/** Prints it. @param why lines: what is wrong, what to do instead */
void umsim_refusal_tell(struct umsim_check_asked asked, int error, const char *why);

/** At the end: says which refusals came again at the same place, and how often. */
void umsim_refusals_repeated(void);

#endif
