/**
 * @file exercise.h
 * @brief Lab 8's exercises: lay out a record as C does, lend memory to another library, and decide who may
 * access it.
 *
 * Each exercise is a part of what libumlab.so and umlab.py do for this lab. You write it in C, without them.
 */
#ifndef LAB8_EXERCISE_H
#define LAB8_EXERCISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cuda_runtime_api.h>

/**
 * A field of a record: `elements` times a type of `bytes` bytes. `elements` is 1 unless the field is an
 * array, such as float[3].
 */
struct lab8_field {
    size_t bytes;     /**< sizeof one element */
    size_t alignment; /**< _Alignof one element: a power of two, and `bytes` is a multiple of it */
    size_t elements;
};

/**
 * Computes where a C compiler for this machine would put the fields of a structure, in their order, and how
 * large the structure would be. Another language has to know this before it reads records that C wrote.
 *
 * @param offsets memory for `count` numbers: the first byte of each field
 * @param record_bytes sizeof the structure, so that in an array of them each is aligned
 * @return false, and nothing written, for what C has no structure for: no field, a field without elements or
 * without bytes, an invalid alignment, bytes that are no multiple of it, more bytes than a size_t can count
 */
bool record_layout(const struct lab8_field *fields, size_t count, size_t *offsets, size_t *record_bytes);

/**
 * Memory with several users: it is freed when the last has called release(). Its maker holds the first
 * reference.
 */
struct lab8_memory {
    void *data; /**< not to be touched: it may be the device's */
    uint64_t bytes;
    int32_t device_type, device_id; /**< as DLPack counts: 1 CPU, 2 CUDA, 3 CUDA's host memory, 13 managed */
    bool read_only;
    void (*retain)(struct lab8_memory *self);
    void (*release)(struct lab8_memory *self); /**< the last release() ends *self, too */
};

#define LAB8_DIMENSIONS 4

/** How an array lies in memory: its first element at byte `offset`. */
struct lab8_view {
    uint64_t offset;
    int32_t ndim;         /**< 0 to LAB8_DIMENSIONS */
    uint8_t code, bits;   /**< the element's type, as DLPack says it; `bits` is a multiple of 8, and not 0 */
    const int64_t *shape; /**< ndim numbers, none negative */
    /** the distance to the next element, in elements, may be negative; NULL: dense, the last index fastest */
    const int64_t *strides;
};

/** DLPack's structure DLManagedTensorVersioned (version 1.0), as consumers get it. */
struct lab8_tensor {
    uint32_t major, minor;                     /**< 1, 0 */
    void *context;                             /**< the producer's own */
    void (*deleter)(struct lab8_tensor *self); /**< called once by the consumer, when it is done */
    uint64_t flags;                            /**< bit 0 (LAB8_READ_ONLY): no user may write; all others 0 */
    void *data;                                /**< the first element */
    int32_t device_type, device_id;
    int32_t ndim;
    uint8_t code, bits;
    uint16_t lanes; /**< 1 */
    int64_t *shape,
        *strides; /**< in elements; never NULL here, even for dense arrays; any contents for 0 dimensions */
    uint64_t byte_offset; /**< 0: `data` includes it already */
};
#define LAB8_READ_ONLY 1u

/**
 * Lends a view of memory to another library, without a copy. The tensor holds its own reference, so either
 * side may end first: maker and tensor each release what they hold, in any order, and the memory is freed
 * with the last of them.
 *
 * What is counted: calls of retain() (1) and release() (1, by the deleter), and the heap, which has to be as
 * it was before once the deleter has run: views are lent again and again, up to 252 at once, and the memory
 * for them is short. *view, its shape and its strides are the caller's, and may change
 * as soon as the call returns.
 *
 * @param out the tensor; NULL after an error
 * @return cudaErrorInvalidValue when an element would not lie in the memory with all its bytes (a view
 * without elements has none that could, but its offset is still at most `bytes`); then nothing is retained or
 * left allocated. cudaErrorMemoryAllocation when malloc() failed. No arithmetic may overflow on the way:
 * numbers can be as large as their types allow.
 */
cudaError_t export_view(struct lab8_memory *memory, const struct lab8_view *view, struct lab8_tensor **out);

/** What a consumer on the host has to do before it reads. */
enum lab8_access {
    LAB8_NO_ANSWER, /**< CUDA could not say */
    LAB8_NOT_CUDAS, /**< at least one end is not in memory that CUDA knows */
    LAB8_LOOK,      /**< nothing: it may follow the pointer now */
    LAB8_WAIT,      /**< wait for the stream, and then follow it */
    LAB8_COPY       /**< it can never follow it: copy, in the stream's order */
};

/**
 * Whether the host may follow `p` for `bytes` bytes, when the work that uses this memory was queued in
 * `stream`. 0 bytes may always be read, wherever `p` points. The first and the last byte decide the kind of
 * memory.
 *
 * What is counted: waits, copies, launches, faults of the host and pages that move; all have to be 0. The
 * function asks, and changes nothing.
 *
 * Errors: when CUDA does not answer, return LAB8_NO_ANSWER, and do not leave that call's error for the
 * caller's next cudaGetLastError(). An error that was pending before the call is not this function's: where
 * CUDA answers, it stays.
 */
enum lab8_access host_access(const void *p, size_t bytes, cudaStream_t stream);

#endif
