/**
 * @file undefined_operation.h
 * @brief Operations that C++ leaves undefined, and that umcc has not defined: they end the kernel, in words.
 *
 * umcc rewrites shifts and conversions of floating-point numbers so that they give what a GPU gives, wherever
 * it sees them (umsim/undefined.h). It does not see all of them: a number may be converted where it becomes
 * an argument. g++ sees all, and compares the operands of those that are left
 * (-fsanitize=float-cast-overflow, shift-exponent; on arm64 integer-divide-by-zero). Where they are out of
 * range, it calls the functions of undefined_operation.c. In a kernel these end it: better no number than a
 * processor's, which a GPU would not give. In the host's own code nothing happens.
 */
#ifndef UMSIM_UNDEFINED_OPERATION_H
#define UMSIM_UNDEFINED_OPERATION_H

#include "../worker/launches.h"

#include <stddef.h>

/** Host process: writes what the operation was, where it stands, and what to do instead.
 * @param text gets it, of at most `size` bytes, with a line's end */
void umsim_describe_operation(const struct umsim_kernel_fault *fault, char *text, size_t size);

#endif
