/**
 * @file known.h
 * @brief The kernels that existed when grading began; no others may be launched.
 */
#ifndef UMSIM_KNOWN_H
#define UMSIM_KNOWN_H

#include "../include/umsim/abi.h"

#include <stdbool.h>

/** Host process, before the fork: adds a kernel of the program. */
void umsim_grading_know(const struct umsim_kernel *kernel);

/** Whether `kernel` is the address of such a kernel's record. */
bool umsim_grading_knows(const struct umsim_kernel *kernel);

/** GPU process: the kernel that the host names, as it was when grading began, or NULL if there was no such
 * kernel. */
const struct umsim_kernel *umsim_grading_kernel(const struct umsim_kernel *named);

#endif
