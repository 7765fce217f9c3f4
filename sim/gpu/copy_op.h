/*
 * copy_op.h: copies and memsets as operations of a stream.
 */
#ifndef UMSIM_COPY_OP_H
#define UMSIM_COPY_OP_H

#include "queue.h"
#include "../include/driver_types.h"

/** A rectangle to copy; a plain copy has one row. Bytes. */
struct umsim_copy {
    void *to;
    const void *from;
    size_t to_pitch, from_pitch, width, rows;
    enum cudaMemcpyKind kind;
    bool async; /* one of the Async calls */
};

/**
 * Checks a copy and issues it. A copy for which CUDA's rules have the host wait has run when this returns, and the
 * calling thread's clock stands behind it.
 * @return what the API call returns
 */
cudaError_t umsim_copy_issue(const struct umsim_copy *copy, struct umsim_stream *stream);

/** A rectangle to fill. */
struct umsim_set {
    void *to;
    size_t pitch, width, rows;
    int value;
    bool async;
};

cudaError_t umsim_set_issue(const struct umsim_set *set, struct umsim_stream *stream);

#endif
