/**
 * @file copy_op.h
 * @brief Copies and memsets as operations of a stream.
 */
#ifndef UMSIM_COPY_OP_H
#define UMSIM_COPY_OP_H

#include "queue.h"
#include "../include/driver_types.h"

/** What to copy: `slices` rectangles, in bytes; a plain copy is one rectangle of one row. */
struct umsim_copy {
    void *to;
    const void *from;
    size_t to_pitch, from_pitch, width, rows;
    enum cudaMemcpyKind kind;
    bool async;                          /* one of the Async calls */
    bool names_devices;                  /* one of the Peer calls */
    bool in_graph;                       /* the host pays for the graph and waits for it, not for this copy */
    size_t slices, to_slice, from_slice; /* 0 slices mean one; then the bytes from one slice to the next */
};

/** One rectangle. */
static inline struct umsim_copy umsim_copy_of(void *to, const void *from, size_t to_pitch, size_t from_pitch,
                                              size_t width, size_t rows, enum cudaMemcpyKind kind, bool async)
{
    return (struct umsim_copy){to,    from,  to_pitch, from_pitch, width, rows, kind,
                               async, false, false,    0,          0,     0};
}

/**
 * Checks a copy and issues it. If CUDA's rules make the host wait for the copy, it has run when this returns,
 * and the calling thread's clock is at its end or later.
 * @return what the API call returns
 */
cudaError_t umsim_copy_issue(const struct umsim_copy *copy, struct umsim_stream *stream);

/** What to fill: `slices` rectangles. */
struct umsim_set {
    void *to;
    size_t pitch, width, rows;
    int value;
    bool async, in_graph;
    unsigned element;     /* bytes of the value that is repeated: 1 (or 0, which means 1), 2 or 4 */
    size_t slices, slice; /* as in struct umsim_copy */
};

/** One rectangle, filled byte by byte. */
static inline struct umsim_set umsim_set_of(void *to, size_t pitch, size_t width, size_t rows, int value,
                                            bool async)
{
    return (struct umsim_set){to, pitch, width, rows, value, async, false, 1, 0, 0};
}

/** @return the error that umsim_copy_issue() would return for it. */
cudaError_t umsim_copy_check(const struct umsim_copy *copy);

cudaError_t umsim_set_issue(const struct umsim_set *set, struct umsim_stream *stream);

#endif
