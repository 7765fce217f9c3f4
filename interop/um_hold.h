/**
 * @file um_hold.h
 * @brief Shared by the files of interop/ only: holds a buffer while it is used, and reports errors with a
 * text.
 */
#ifndef UM_HOLD_H
#define UM_HOLD_H

#include "um_buffer.h"

#include <stdbool.h>
#include <stddef.h>

/** Stores the sentence for um_error_text(). @return error */
cudaError_t um_fail(cudaError_t error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/**
 * The same for the result of a CUDA call: stores its name, and what the error usually means. cudaSuccess is
 * passed through.
 */
cudaError_t um_called(cudaError_t error, const char *call);

/** cudaErrorInitializationError, with a text, in a process that was forked after its parent had used CUDA
 * here. */
cudaError_t um_not_forked(void);

/**
 * Takes a reference to a buffer in which [offset, offset + bytes) lies; `out` describes the buffer at that
 * moment. On success the caller calls um_buffer_release() after its CUDA call.
 */
cudaError_t um_hold(um_buffer buffer, uint64_t offset, uint64_t bytes, struct um_buffer_info *out);

#endif
