/**
 * @file um_interop.h
 * @brief What another language can do with a buffer: copy, prefetch, launch, wait, ask about an address.
 *
 * All functions take handles (um_buffer.h). They check each range before they queue anything, and hold a
 * reference until the work is queued. Errors and threads: as in um_buffer.h.
 *
 * A stream is a number: 0 is the default stream, 1 the legacy stream and 2 the calling thread's (as in the
 * CUDA array interface, and as cudaStreamLegacy and cudaStreamPerThread are numbered). Any other number is a
 * cudaStream_t of this process. A number that is no address gives cudaErrorInvalidResourceHandle. A stream
 * that was destroyed is not recognised: the driver may follow it, and crash.
 */
#ifndef UM_INTEROP_H
#define UM_INTEROP_H

#include "um_buffer.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef uint64_t um_stream;

/** A place in a buffer. */
struct um_place {
    um_buffer buffer;
    uint64_t offset; /**< bytes */
};

/** @name Copies
 * Queued in `stream`. A copy to or from memory that is not pinned may wait (cudaMemcpyAsync()). @{ */
/** Copies from buffer to buffer. */
cudaError_t um_copy(struct um_place to, struct um_place from, uint64_t bytes, um_stream stream);
/**
 * Copies from the caller's own host memory, and to it. cudaErrorInvalidValue where the host may not touch all
 * of the memory at `host`.
 */
cudaError_t um_copy_from_host(struct um_place to, const void *host, uint64_t bytes, um_stream stream);
cudaError_t um_copy_to_host(void *host, struct um_place from, uint64_t bytes, um_stream stream);
/** @} */

/** Sends the pages of managed memory to a device (its number) or to the host (-1). cudaErrorInvalidValue for
 * other memory. */
cudaError_t um_prefetch_place(struct um_place at, uint64_t bytes, int device, um_stream stream);

/**
 * @name Kernels
 * um_vector_add(), um_saxpy() and um_record_move() of kernels.h, on places. They do not wait. n = 0 is no
 * launch. cudaErrorInvalidValue for memory that is too small or that the device cannot reach,
 * cudaErrorMisalignedAddress for an offset that is no multiple of 4. @{
 */
/** c[i] = a[i] + b[i], floats. */
cudaError_t um_launch_vector_add(struct um_place c, struct um_place a, struct um_place b, uint64_t n,
                                 um_stream stream);
/** y[i] = factor * x[i] + y[i], floats. */
cudaError_t um_launch_saxpy(struct um_place y, float factor, struct um_place x, uint64_t n, um_stream stream);
/** position += velocity * time of each struct um_record. */
cudaError_t um_launch_record_move(struct um_place records, float time, uint64_t n, um_stream stream);
/** @} */

/** A field of struct um_record, so that another language can compare its own layout. */
struct um_field {
    const char *name;   /**< e.g. "position" */
    const char *format; /**< one element, as Python's struct module and numpy name it: "<f4" */
    uint64_t offset, elements, element_bytes;
};

/** The fields of struct um_record, `*count` of them, and the size of one record. Lives as long as the
 * library. */
const struct um_field *um_record_fields(uint64_t *count, uint64_t *record_bytes);

/** @name Streams @{ */
cudaError_t um_stream_create(um_stream *out);
cudaError_t um_stream_destroy(um_stream stream);
/** Waits until all that was queued in `stream` is done; an error of a kernel shows here. */
cudaError_t um_synchronize(um_stream stream);
/**
 * What is queued in `later` from now on begins after what is in `earlier` now. The host does not wait. Does
 * nothing when the two are the same.
 */
cudaError_t um_stream_order(um_stream earlier, um_stream later);
/** @} */

/** Which kind of memory an address belongs to. */
struct um_pointer_info {
    uint64_t base, bytes; /**< of the buffer that holds it; 0 when no buffer does */
    uint64_t device_address;
    um_buffer buffer;
    int32_t type;   /**< enum cudaMemoryType: 0 not CUDA's, 1 host, 2 device, 3 managed */
    int32_t device; /**< -1 when it is not CUDA's */
    /** Whether the host may read the address; for memory that is not CUDA's, whether it is mapped. */
    int32_t host_visible;
    int32_t reserved;
};

/** What CUDA and this library know of an address. Any number is allowed; the address is not followed. */
cudaError_t um_pointer_query(const void *address, struct um_pointer_info *out);

#ifdef __cplusplus
}
#endif
#endif
