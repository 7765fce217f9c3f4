/**
 * @file jit_log.h
 * @brief A program's buffers for what a compiler or linker has to say (CU_JIT_ERROR_LOG_BUFFER and its kind).
 */
#ifndef UMSIM_DRIVER_JIT_LOG_H
#define UMSIM_DRIVER_JIT_LOG_H

#include <cuda.h>

/** Where they are, and where the program wants to be told how much was written; NULL: it has none. */
struct umsim_jit_logs {
    char *error, *info;
    void **error_size, **info_size;
};

/**
 * Finds them among options. Those for a compiler of PTX are passed over.
 * @param values of each option a pointer, or a number in its place; they stay the program's, which is told
 *     sizes there
 */
struct umsim_jit_logs umsim_jit_logs_of(unsigned count, const CUjit_option *options, void **values);

/** Writes what was wrong ("" for nothing) into the program's buffers, as far as there is room. */
void umsim_jit_logs_fill(const struct umsim_jit_logs *logs, const char *error);

#endif
