/**
 * @file copy_op.h
 * @brief Copies and memsets as operations of a stream.
 */
#ifndef UMSIM_COPY_OP_H
#define UMSIM_COPY_OP_H

#include "queue.h"
#include "../include/driver_types.h"

/** What to copy: `slices` rectangles; a plain copy is one of one row. Bytes. */
struct umsim_copy {
    void *to;
    const void *from;
    size_t to_pitch, from_pitch, width, rows;
    enum cudaMemcpyKind kind;
    bool async;                          /* one of the Async calls */
    bool in_graph;                       /* the host pays and waits for the graph, not for this */
    size_t slices, to_slice, from_slice; /* 0 slices are one; bytes from one to the next */
};

/** One rectangle. */
static inline struct umsim_copy umsim_copy_of(void *to, const void *from, size_t to_pitch, size_t from_pitch,
                                              size_t width, size_t rows, enum cudaMemcpyKind kind, bool async)
{
    return (struct umsim_copy){to, from, to_pitch, from_pitch, width, rows, kind, async, false, 0, 0, 0};
}

/**
 * Checks a copy and issues it. A copy for which CUDA's rules have the host wait has run when this returns,
 * and the calling thread's clock stands behind it.
 * @return what the API call returns
 */
cudaError_t umsim_copy_issue(const struct umsim_copy *copy, struct umsim_stream *stream);

/** What to fill: `slices` rectangles. */
struct umsim_set {
    void *to;
    size_t pitch, width, rows;
    int value;
    bool async, in_graph;
    unsigned element;     /* bytes of the value that is repeated: 1 (or 0), 2 or 4 */
    size_t slices, slice; /* as above */
};

/** One rectangle, filled byte by byte. */
static inline struct umsim_set umsim_set_of(void *to, size_t pitch, size_t width, size_t rows, int value,
                                            bool async)
{
    return (struct umsim_set){to, pitch, width, rows, value, async, false, 1, 0, 0};
}

/** @return what umsim_copy_issue() would say against it. */
cudaError_t umsim_copy_check(const struct umsim_copy *copy);

cudaError_t umsim_set_issue(const struct umsim_set *set, struct umsim_stream *stream);

#endif
