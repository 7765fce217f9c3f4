/**
 * @file kernels.h
 * @brief The project's CUDA kernels, callable from C, and the bytes that each moves, as data.
 *
 * `um_vector_add(c, a, b, n, stream)` queues the kernel in `stream` and returns what the launch returned; it
 * does not wait. A launcher checks nothing but the launch. It first forgets an error that an earlier call
 * left behind, unless that error is sticky. n = 0 succeeds without a launch. Pointers must be ones that the
 * device can follow: device, pinned and mapped, or managed memory. All kernels are one-dimensional with 256
 * threads a block, except where said.
 *
 * On the simulator the modelled time follows what the kernels' warps ask memory for (docs/counting.md).
 */
#ifndef UM_KERNELS_H
#define UM_KERNELS_H

#include <stddef.h>
#include <stdint.h>
#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Threads in a block of every kernel here. */
#define UM_BLOCK_THREADS 256

/** The smallest piece of memory that a GPU moves (CUDA's sector): a lone read of 4 bytes costs this many. */
#define UM_SECTOR_BYTES 32
/**
 * Bytes that a lone read fetches: a pair of sectors. An H200 fetches 64 bytes for each read of a gather, from
 * host memory over the link (16 to 256 MiB: 51 GB/s of pairs) and from device memory alike.
 */
#define UM_FETCH_BYTES 64

/** @name Dense kernels @{ */
/** x[i] += 1 */
cudaError_t um_add_one(int *x, size_t n, cudaStream_t stream);
/** c[i] = a[i] + b[i] */
cudaError_t um_vector_add(float *c, const float *a, const float *b, size_t n, cudaStream_t stream);
/** y[i] = factor * x[i] + y[i] */
cudaError_t um_saxpy(float *y, float factor, const float *x, size_t n, cudaStream_t stream);
/** x[i] = value */
cudaError_t um_fill(float *x, float value, size_t n, cudaStream_t stream);
/**
 * Copies `bytes` bytes. Both ranges may be anywhere that the device reaches, but may not overlap. A thread
 * copies 16 bytes where both addresses are multiples of 16.
 */
cudaError_t um_copy_by_kernel(void *to, const void *from, size_t bytes, cudaStream_t stream);
/** @} */

/**
 * A stencil over n / row rows of `row` floats: out[i] = in[i - row] / 4 + in[i] / 2 + in[i + row] / 4. The
 * row above the first one is `above`, that below the last one is `below`. n is a multiple of row; row 0 is
 * cudaErrorInvalidValue. The host gets the same bits by 0.25f * up + 0.5f * middle + 0.25f * down.
 */
cudaError_t um_smooth(float *out, const float *in, const float *above, const float *below, size_t n,
                      size_t row, cudaStream_t stream);

/** The partial sums for which um_sum() needs memory. */
#define UM_SUM_BLOCKS 1024

/**
 * *result = the sum of x[0] to x[n-1], in double precision: one partial sum a block (__shared__ memory and
 * barriers), then one block adds those. n = 0 leaves *result as it is.
 * @param result   one double that the device can write
 * @param partials room for UM_SUM_BLOCKS doubles, in device memory
 */
cudaError_t um_sum(double *result, double *partials, const float *x, size_t n, cudaStream_t stream);

/** @name Sparse kernels @{ */
/** x[k] += 1 for k = 0, stride, 2*stride, ... below n. stride 0 is cudaErrorInvalidValue. */
cudaError_t um_strided_touch(float *x, size_t n, size_t stride, cudaStream_t stream);
/** p[k] = value for k = 0, page_bytes, 2*page_bytes, ... below bytes: one byte a page. */
cudaError_t um_page_write(unsigned char *p, size_t bytes, size_t page_bytes, unsigned char value,
                          cudaStream_t stream);
/** out[k] = p[k * page_bytes]: reads one byte a page. `out` has room for (bytes + page_bytes - 1) /
 * page_bytes bytes. */
cudaError_t um_page_read(unsigned char *out, const unsigned char *p, size_t bytes, size_t page_bytes,
                         cudaStream_t stream);
/** out[i] = table[index[i]] */
cudaError_t um_gather(float *out, const float *table, const uint32_t *index, size_t n, cudaStream_t stream);
/** @} */

/**
 * *last = the index reached from `start` after `steps` times i = next[i]. One thread does it, and each read
 * waits for the read before: so it measures latency. steps = 0 succeeds without a launch.
 */
cudaError_t um_pointer_chase(uint64_t *last, const uint64_t *next, uint64_t start, size_t steps,
                             cudaStream_t stream);

/** A node of a linked list that host and device both follow. */
struct um_node {
    struct um_node *next;
    int64_t value;
};

/** *sum = the sum of the values of at most `limit` nodes from `head` on. One thread. limit = 0: no launch. */
cudaError_t um_list_sum(int64_t *sum, const struct um_node *head, size_t limit, cudaStream_t stream);

/** A particle, as an array of structs has it. */
struct um_record {
    float position[3];
    float velocity[3];
    float mass;
    uint32_t id;
};

/** position += velocity * time, for each record: asks for 24 of its 32 bytes, and changes 12. */
cudaError_t um_record_move(struct um_record *records, float time, size_t n, cudaStream_t stream);

/**
 * Bytes that a kernel moves for each element that it works on (of a chase: for each step). Dense kernels move
 * what they ask for. Sparse ones read UM_FETCH_BYTES a touch and write whole sectors of UM_SECTOR_BYTES. The
 * figures leave caches out: what is read twice counts twice.
 */
struct um_kernel_traffic {
    const char *name;    /**< the launcher's name */
    const char *element; /**< what is counted: "float", "page", "step" */
    size_t read_bytes;
    size_t write_bytes;
    const char *note; /**< what the figures leave out; "" when nothing */
};

/** The table, and its length in `*count` (may be NULL). Lives as long as the program. */
const struct um_kernel_traffic *um_kernel_traffic(size_t *count);

/** Bytes read and written by launcher `name` for `n` elements; 0 for an unknown name. */
double um_kernel_bytes(const char *name, size_t n);

#ifndef __cplusplus
/**
 * @name The kernels themselves
 * An `extern "C" __global__` function is an ordinary symbol to C; its address is what cudaLaunchKernel() and
 * cudaFuncGetAttributes() take. A direct call does not launch it. @{
 */
void um_add_one_kernel(int *x, size_t n);
void um_vector_add_kernel(float *c, const float *a, const float *b, size_t n);
void um_saxpy_kernel(float *y, float factor, const float *x, size_t n);
/** @} */
#endif

#ifdef __cplusplus
}
#endif
#endif
