/**
 * @file grading.h
 * @brief What the rest of the library asks of the process that serves graded programs
 * (include/umsim_grading.h).
 */
#ifndef UMSIM_GRADING_MODE_H
#define UMSIM_GRADING_MODE_H

#include "../include/umsim/abi.h"
#include "../include/umsim_grading.h"

/**
 * Shrinks the arenas to the grading limits. Called before the arenas are reserved.
 * @return how many of the `device_bytes` bytes the device arena is to have
 */
size_t umsim_grading_limit_arenas(size_t device_bytes);

/** Whether `kernel` is the address of the record of a kernel that there was when the server began, and
 * `bytes` the size of its parameters. */
bool umsim_grading_knows(const struct umsim_kernel *kernel, size_t bytes);

#endif
