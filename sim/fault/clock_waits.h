/**
 * @file clock_waits.h
 * @brief What syscall() has to ask before it makes a call that reads a clock, or waits for one.
 */
#ifndef UMSIM_CLOCK_WAITS_H
#define UMSIM_CLOCK_WAITS_H

#include <stdbool.h>

/** Makes the call by the program's clock. @return false: it has nothing to do with clocks, and was not made
 */
bool umsim_clock_number(long number, const long *argument, long *result);

#endif
