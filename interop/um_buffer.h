/**
 * @file um_buffer.h
 * @brief Memory under a handle, for callers that a wrong pointer must not crash: Python through ctypes, and
 * other languages.
 *
 * A number names a buffer, and no number is given twice. So a stale handle is an error, and never reaches
 * somebody else's memory:
 *
 *     um_buffer x;
 *     if (um_buffer_create(UM_MEMORY_MANAGED, 4096, &x) != cudaSuccess)
 *         puts(um_error_text());
 *
 * **Lifetime.** A new buffer has one reference, its owner's. Every other user of the memory takes one more
 * with um_buffer_retain(): another library's array that shares it, or work that is being queued. The memory
 * is freed with the last reference, so either side may end first. um_buffer_free() is for an owner who wants
 * the memory back now: it is refused while another user holds the buffer.
 *
 * **Errors.** Each function returns what happened as a cudaError_t, and leaves a sentence with details in
 * um_error_text():
 * - cudaErrorInvalidResourceHandle: the handle is stale or was never given.
 * - cudaErrorInvalidValue: the range goes beyond the buffer.
 * - cudaErrorNotPermitted: the memory is in use.
 * - cudaErrorInitializationError: this process was forked after its parent had begun to use CUDA, which does
 *   not survive a fork.
 *
 * **Threads.** Any thread may call anything at any time.
 */
#ifndef UM_BUFFER_H
#define UM_BUFFER_H

#include <stdint.h>
#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A handle. 0 is no buffer. */
typedef uint64_t um_buffer;

/**
 * Which kind of memory it is, and who may touch it. The numbers are fixed, because other languages use them
 * as numbers.
 */
enum um_memory {
    UM_MEMORY_DEVICE = 0,  /**< cudaMalloc(): the device alone */
    UM_MEMORY_PINNED = 1,  /**< cudaHostAlloc(cudaHostAllocDefault): the host, and fast copies */
    UM_MEMORY_MAPPED = 2,  /**< cudaHostAlloc(cudaHostAllocMapped): the host, and kernels in place */
    UM_MEMORY_MANAGED = 3, /**< cudaMallocManaged(): both; pages move */
};

/** What is known of a buffer: plain data of fixed size, for ctypes.Structure. */
struct um_buffer_info {
    uint64_t address;        /**< in the program's address space; what other libraries are given */
    uint64_t device_address; /**< what kernels are given; 0 when the device cannot reach it */
    uint64_t bytes;
    int32_t memory;       /**< enum um_memory */
    int32_t device;       /**< CUDA's number of the device that it belongs to */
    int32_t host_visible; /**< whether the host may follow `address` */
    int32_t adopted;      /**< whether another library made it, and frees it */
    uint64_t references;
};

/**
 * Allocates `bytes` bytes of a kind of memory. Their contents are undefined, as with CUDA's own calls.
 * @param bytes at least 1
 * @param out the handle; 0 after an error
 */
cudaError_t um_buffer_create(int memory, uint64_t bytes, um_buffer *out);

/**
 * Adopts memory that another library allocated with CUDA, so that the functions here accept it. The caller is
 * responsible for its lifetime: nothing here frees it. Each time a reference is taken, the first and last
 * byte of the memory are checked again.
 * @return cudaErrorInvalidValue when CUDA does not know one of its ends: host memory that was never
 * registered, or freed
 */
cudaError_t um_buffer_adopt(const void *address, uint64_t bytes, um_buffer *out);

/** Takes one more reference. Adopted memory is checked again, and refused when it is gone. */
cudaError_t um_buffer_retain(um_buffer buffer);

/**
 * Drops one reference. The last one frees the memory and waits, as cudaFree() does, for kernels that use it.
 * In a forked child it does nothing: the memory is the parent's.
 */
cudaError_t um_buffer_release(um_buffer buffer);

/**
 * Drops the only reference that is left, and frees the memory. cudaErrorNotPermitted when there are others:
 * the text says how many.
 */
cudaError_t um_buffer_free(um_buffer buffer);

/** What is known of a buffer. */
cudaError_t um_buffer_describe(um_buffer buffer, struct um_buffer_info *out);

/** The living buffer that holds `address`, and how many bytes into it; 0 when none does. Takes no reference.
 */
um_buffer um_buffer_find(const void *address, uint64_t *offset);

/** How many buffers are alive, and the bytes they hold (adopted ones apart). For tests of leaks. */
void um_buffer_alive(uint64_t *buffers, uint64_t *bytes);

/**
 * What the last failed call of this thread reported, in a sentence or two; "" when none failed. Valid until
 * this thread's next call that fails.
 */
const char *um_error_text(void);

#ifdef __cplusplus
}
#endif
#endif
