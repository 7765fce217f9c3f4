/**
 * @file calls.h
 * @brief The requests that the grader sends to lab 8's calls.c, and the answers it gets.
 */
#ifndef LAB8_CALLS_H
#define LAB8_CALLS_H

#include <stdint.h>

#include "../exercise.h"

/** One view of memory of `bytes` bytes, and which side ends first. */
struct lab8_lending {
    uint64_t bytes, offset;
    int32_t device_type, device_id;
    int32_t read_only, dense; /**< dense: strides are NULL */
    int32_t ndim, owner_first;
    int64_t shape[LAB8_DIMENSIONS], strides[LAB8_DIMENSIONS];
    uint8_t code, bits, unused[6];
};

/** What export_view() returned, and what was counted. */
struct lab8_lent {
    int64_t error;
    int32_t made;     /**< *out was set */
    int32_t readable; /**< shape and strides could be read */
    /** as it was after the caller's shape and strides had changed; no pointer in it counts */
    struct lab8_tensor tensor;
    int64_t begins; /**< bytes from the memory's start to tensor.data */
    int64_t shape[LAB8_DIMENSIONS], strides[LAB8_DIMENSIONS];
    int32_t retained, released; /**< calls, when export_view() had returned */
    int32_t alive_between;      /**< whether the memory was still allocated after one side had ended */
    int32_t retained_at_end, released_at_end; /**< calls, by the tensor, after both had ended */
    int32_t alive_at_end, after_end;          /**< after_end: calls on memory that had already been freed */
};

/** Views that are lent side by side, at most. */
enum { LAB8_MOST = 252, LAB8_KINDS = 4 };

/**
 * What came of lending the same kinds of views again and again, and giving them up, in a process that may
 * only take `spare` bytes of memory beside the `held` that it has.
 */
struct lab8_kept {
    uint64_t held, spare;
    uint64_t wanted; /**< so many views that one word kept of each would not fit */
    uint64_t views;  /**< so many were lent with the result of the first time */
    int32_t as_asked, unused;
    int64_t first_error[LAB8_KINDS], error[LAB8_KINDS]; /**< of each kind: the first time, and the last */
};

enum lab8_kind {
    LAB8_AT_HEAP,
    LAB8_AT_DEVICE,
    LAB8_AT_PINNED,
    LAB8_AT_MANAGED,
    LAB8_AT_FREED /**< cudaMalloc's, freed */
};

/** `bytes` bytes, at `offset` in memory of `of` bytes, with a stream that is idle or has work queued. */
struct lab8_question {
    int32_t kind; /**< enum lab8_kind */
    int32_t busy;
    int64_t offset;
    uint64_t of, bytes;
};

/** The answer, and the state right after it. */
struct lab8_answer {
    int32_t access;     /**< enum lab8_access; LAB8_NOT_SET_UP where calls.c's own calls failed */
    int32_t still_busy; /**< whether the stream was at work */
    int32_t left;       /**< what cudaPeekAtLastError() returned: a cudaError_t */
    int32_t unused;
};
enum { LAB8_NOT_SET_UP = -1 };

#endif
