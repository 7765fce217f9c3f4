/**
 * @file um_pipe.h
 * @brief Copies ordinary (pageable) host memory faster than cudaMemcpy(): pipelined over several host
 * threads.
 *
 * cudaMemcpy() moves pageable memory through one pinned buffer of the driver's, with one host thread
 * copying. That thread is the limit, at a fifth of what the link carries. Here several threads copy, each
 * into small pinned buffers of its own, while the copy engine empties or fills others of them. On an H200
 * (PCIe 5.0 x16, 16 cores) 512 MiB then move at nine tenths of a pinned copy's bandwidth.
 *
 *     struct um_pipe *pipe;
 *     UM_TRY(um_pipe_create(&pipe, NULL));
 *     UM_TRY(um_pipe_copy(pipe, d_x, h_x, bytes, cudaMemcpyHostToDevice, stream));
 *     um_pipe_destroy(pipe);
 *
 * **When it is done.** A copy begins after everything that is queued in `stream`, and what is queued there
 * later begins after the copy. On return the host memory may be used again (to the device), or holds the
 * data (to the host).
 *
 * **When it is not used.** Small copies, memory that is already pinned or managed, and directions other than
 * host to device and back go to cudaMemcpyAsync() as they are, so that nothing gets slower.
 *
 * **Errors** are those of CUDA's own calls; what was copied until then is undefined, as with cudaMemcpy().
 * The pipe can be used again.
 *
 * **Threads.** A pipe makes one copy at a time: a second thread waits. The pipe's own threads sleep between
 * copies. Where no thread can be started, the caller does the work. A pipe does not survive fork().
 *
 * tests/copies and bench/gpu also use this pipe.
 */
#ifndef UM_PIPE_H
#define UM_PIPE_H

#include <stddef.h>
#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

#define UM_PIPE_THREADS_MAX 32

/** What a pipe is made of; a 0 is the value in parentheses. */
struct um_pipe_options {
    int threads; /**< at most (as many as there are cores, UM_PIPE_THREADS at most) */
    /** size of a pinned buffer; each thread has two of them, or four half ones (UM_PIPE_CHUNK) */
    size_t chunk_bytes;
    size_t small_bytes; /**< smaller copies go to cudaMemcpyAsync() (UM_PIPE_SMALL) */
};

/** @name Defaults, as measured on an H200 with 16 cores (driver 580, CUDA 13.0) @{ */
#define UM_PIPE_THREADS 10
#define UM_PIPE_CHUNK ((size_t)4 << 20)
#define UM_PIPE_SMALL ((size_t)8 << 20)
/** @} */

/**
 * A pipe: pinned buffers, and a stream for each thread. It belongs to the device that is current when it is
 * made.
 */
struct um_pipe;

/**
 * Makes a pipe. It allocates pinned memory of 2 * threads * chunk_bytes now, which takes milliseconds.
 * @param options may be NULL
 * @return cudaErrorInvalidValue for options out of range; else CUDA's own
 */
cudaError_t um_pipe_create(struct um_pipe **out, const struct um_pipe_options *options);

/** Frees the pipe. NULL does nothing. */
void um_pipe_destroy(struct um_pipe *pipe);

/** Copies `bytes` bytes as described above. */
cudaError_t um_pipe_copy(struct um_pipe *pipe, void *to, const void *from, size_t bytes,
                         enum cudaMemcpyKind kind, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
