/**
 * @file gpu.h
 * @brief The bandwidth of every path of the labs on a real GPU: what the files of this folder share.
 *
 *     build/cuda/bench/gpu [--quick] [--size 1G] [--samples N] [--seconds N] [--only TEXT]
 *
 * prints JSON, one object a line, as soon as it is known: first the conditions, then a cell for each path and
 * size. What is made of it (medians, peers, targets, the table) is bench/paths.py's business. Method:
 * docs/methods.md.
 *
 * Read in this order: this file; measure.c (how a time is taken); kernels.cu; then the paths, each file a
 * kind of them: pageable.c, engines.c, streams.c, managed.c with ways.c, homes.c; main.c.
 *
 * **Bytes are counted once**: a copy of 1 MiB counts 1 MiB. Only the stream kernels (copy, mul, add, triad,
 * dot on device memory) count each array that they read or write, as BabelStream does; a cell says so
 * ("arrays").
 *
 * **All data is gpu_value()**, whole numbers in doubles, so that each path's result is checked word by word.
 *
 * On the simulator the same program runs with modelled times: that tests its logic, and says nothing about a
 * GPU.
 */
#ifndef BENCH_GPU_H
#define BENCH_GPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cuda_runtime_api.h>

#ifdef __CUDACC__
#define GPU_BOTH __host__ __device__
#else
#define GPU_BOTH
#endif

#ifdef __cplusplus
extern "C" {
#endif

enum { GPU_SAMPLES_MAX = 101, GPU_PAGE = 4096 };
#define GPU_MIB ((size_t)1 << 20)

/** Managed memory: the most in one allocation. There is one at a time, or a pair (homes.c). */
#define GPU_MANAGED_MOST (256 * GPU_MIB)

/* ---- data ---- */

/** Value number `i` of the sequence that `seed` names: 0 to 4095, so that sums of products of 2^28 of them
 * are exact. */
static inline GPU_BOTH double gpu_value(uint64_t seed, uint64_t i)
{
    return (double)(((i + seed * UINT64_C(0x632be59bd9b4e019) + 1) * UINT64_C(0x9e3779b97f4a7c15)) >> 52);
}

/** What stands in the first word of page `page` after a stamp: where it belongs, and who wrote last. */
static inline GPU_BOTH double gpu_stamp_value(uint32_t stamp, uint64_t page)
{
    return (double)(page * 4096 + stamp % 4096);
}

/** What a stream kernel does with its arrays; the names are BabelStream's. The scalar is GPU_SCALAR. */
enum gpu_op { GPU_COPY, GPU_MUL, GPU_ADD, GPU_TRIAD, GPU_DOT, GPU_OPS };
#define GPU_SCALAR 3.0

/** What c[i] has to be, where a[i] = gpu_value(seed, i) and b[i] = gpu_value(seed + 1, i). */
static inline GPU_BOTH double gpu_result(enum gpu_op op, uint64_t seed, uint64_t i)
{
    const double a = gpu_value(seed, i), b = gpu_value(seed + 1, i);
    return op == GPU_MUL ? GPU_SCALAR * a : op == GPU_ADD ? a + b : op == GPU_TRIAD ? a + GPU_SCALAR * b : a;
}

/* ---- kernels (kernels.cu); each launcher returns what its launch returned, and does not wait ---- */

/** How a stream kernel is laid out. Each thread moves `vectors` times 16 bytes at a time. */
struct gpu_shape {
    unsigned threads; /**< in a block: 256, 512, 1024 */
    unsigned vectors; /**< 1, 2, 4, 8: loads under way in a thread */
    unsigned blocks;  /**< on a multiprocessor, going on to the next tile; 0: a block for each tile */
    unsigned hint;    /**< enum gpu_hint */
    unsigned passes;  /**< over all of it in one launch; 0: one. Only where `blocks` is not 0 */
};
#define GPU_SHAPES_MAX 64

/** How a kernel loads and stores. */
enum gpu_hint {
    GPU_PLAIN,
    GPU_UNCACHED, /**< asks that nothing stays in caches (ld.cs, st.cs) */
    GPU_WIDE,     /**< asks for 256 bytes to come along with each load (ld.L2::256B); copies only */
    GPU_HINTS
};

/** Fills `shapes` with all that are worth trying, on mapped host memory or the device's. @return how many */
unsigned gpu_shapes(struct gpu_shape *shapes, bool mapped);

/** c = op(a, b) for `words` doubles; 2 must divide `words`. GPU_DOT leaves one sum a block in c. @param
 * blocks_out how many blocks were launched; may be NULL */
cudaError_t gpu_stream(enum gpu_op op, const struct gpu_shape *shape, double *c, const double *a,
                       const double *b, size_t words, unsigned *blocks_out, cudaStream_t stream);

/** p[i] = gpu_value(seed, i) */
cudaError_t gpu_fill(double *p, size_t words, uint64_t seed, cudaStream_t stream);

/** Adds to *wrong how many words are not gpu_result(op, seed, i). @param stamped the first word of each page
 * is left out */
cudaError_t gpu_count_wrong(const double *p, size_t words, enum gpu_op op, uint64_t seed, bool stamped,
                            unsigned long long *wrong, cudaStream_t stream);

/** Writes the stamp into each page. */
cudaError_t gpu_stamp(double *p, size_t bytes, uint32_t stamp, cudaStream_t stream);
/** Adds to *wrong how many pages lack it. */
cudaError_t gpu_count_unstamped(const double *p, size_t bytes, uint32_t stamp, unsigned long long *wrong,
                                cudaStream_t stream);

/** How a kernel walks through managed memory; gpu_touches() has those that are tried. */
struct gpu_touch {
    const char *name;
    size_t stride;    /**< a touch of 16 bytes every so many */
    size_t span;      /**< a block walks through this many bytes, then goes on; 0: one touch a thread */
    unsigned threads; /**< in a block */
    unsigned lanes;   /**< one thread in so many touches: 1, or 32 for a warp a page */
    unsigned blocks;  /**< at most; 0: as many as it takes */
    bool writes;      /**< writes the stamp instead of reading */
};

/** The list, and its length. The first is the plain one: every byte is read, a thread for each 16. */
const struct gpu_touch *gpu_touches(unsigned *count);

/** Touches all of it. @param stamp for shapes that write: what stands there already */
cudaError_t gpu_touch(const struct gpu_touch *how, double *p, size_t bytes, uint32_t stamp,
                      cudaStream_t stream);

/** Holds the stream until flags[0] is not 0; gives up after seconds, and says so in flags[1]. Both are mapped
 * memory. */
cudaError_t gpu_spin(unsigned *flags, cudaStream_t stream);

/* ---- measuring (measure.c) ---- */

/** What the command line said, and what was found. */
struct gpu_run {
    size_t largest;         /**< of all sizes */
    bool quick;             /**< fewer sizes and samples */
    unsigned samples;       /**< at most */
    double seconds, end_us; /**< for all; when that is over */
    double cell_us;         /**< samples of a cell are taken until this is over; but some in any case */
    const char *only;       /**< only paths whose name contains this, or NULL */
    int threads;            /**< of the host, for filling and touching */
    bool spin;              /**< streams can be held by gpu_spin() */
    cudaStream_t stream;
    cudaEvent_t start, stop;
    unsigned *flags;           /**< gpu_spin()'s */
    unsigned long long *wrong; /**< for counting kernels: device memory */
    int failed;                /**< cells that were wrong or ended in an error */
};

/** What is measured: path and size, and what the table says beside them. */
struct gpu_cell {
    const char *path;  /**< "pinned H2D" */
    size_t bytes;      /**< of one array or copy */
    const char *shape; /**< of the kernel, or NULL */
    unsigned arrays;   /**< bytes count so many times; 0: once */
    const char *clock; /**< "spin", "events" or "host"; gpu_time_queued() sets it */
    unsigned repeats;  /**< operations in a sample; a sample is the time of one */
    bool incomplete;   /**< the data was right, but some of it did not move: no bandwidth */
};

/** Samples of one cell: microseconds of one operation. */
struct gpu_times {
    unsigned count;
    double us[GPU_SAMPLES_MAX];
};

/** One operation, queued in the stream or done at once. */
typedef cudaError_t (*gpu_work)(void *argument, cudaStream_t stream);

/** Prepares a run: stream, events, flags; tries whether the stream can be held. @return false: said why */
bool gpu_run_open(struct gpu_run *run);
void gpu_run_close(struct gpu_run *run);

/** Whether another sample is wanted: up to run->samples, or as many as fit in run->cell_us, but some in any
 * case. */
bool gpu_more(const struct gpu_run *run, const struct gpu_times *times, double begun_us);

/** Samples of work that only queues: held by the spinning kernel, two warm-ups, start event, `cell->repeats`
 * times, stop event, released. Where the stream cannot be held, events alone. */
cudaError_t gpu_time_queued(const struct gpu_run *run, struct gpu_cell *cell, struct gpu_times *times,
                            gpu_work work, void *argument);

/** One short sample of the same, microseconds, to choose among shapes. Negative: an error. */
double gpu_trial(const struct gpu_run *run, unsigned repeats, gpu_work work, void *argument);

/** Whether a path is to be measured: --only, and time left (else the cell is told as skipped). */
bool gpu_wanted(struct gpu_run *run, const char *path, size_t bytes);
/** Prints a cell. @param verified whether its data was right; else it counts as failed */
void gpu_print(struct gpu_run *run, const struct gpu_cell *cell, const struct gpu_times *times,
               bool verified);
/** Prints why there is no figure; CUDA's refusal of memory is a skip, any other error a failure. */
void gpu_print_error(struct gpu_run *run, const struct gpu_cell *cell, cudaError_t error);
/** Prints a skip. `bytes` 0: all sizes. */
void gpu_print_skip(const char *path, size_t bytes, const char *why);

/** Middle of the samples. */
double gpu_median(const struct gpu_times *times);

/* ---- host memory, with several threads ---- */

/** The host's share of the work above. Each returns what was wrong, or 0. @{ */
void gpu_host_fill(const struct gpu_run *run, double *p, size_t words, uint64_t seed);
size_t gpu_host_wrong(const struct gpu_run *run, const double *p, size_t words, uint64_t seed);
void gpu_host_stamp(double *p, size_t bytes, uint32_t stamp, int threads);
size_t gpu_host_unstamped(const double *p, size_t bytes, uint32_t stamp, int threads);
/** @} */

/** What the kernels counted since the last call; waits. A CUDA error counts as all. */
unsigned long long gpu_take_wrong(const struct gpu_run *run);

/* ---- sizes ---- */

/** Which cells: first the sizes of the targets, then the others. */
enum gpu_pass { GPU_KEY, GPU_SWEEP };

/**
 * Walks through the sizes of a pass: `for (size_t bytes = 0; gpu_next_size(...);)`. Key: `key`, or
 * run->largest where that is less. Sweep: powers of `factor` from 4 KiB to `most`, without the key.
 */
bool gpu_next_size(const struct gpu_run *run, enum gpu_pass pass, size_t key, size_t most, unsigned factor,
                   size_t *bytes);

/* ---- the paths ---- */

void gpu_pageable(struct gpu_run *run, enum gpu_pass pass);
void gpu_engines(struct gpu_run *run, enum gpu_pass pass);
void gpu_mapped(struct gpu_run *run, enum gpu_pass pass);
void gpu_device(struct gpu_run *run, enum gpu_pass pass);
void gpu_managed(struct gpu_run *run, enum gpu_pass pass);
void gpu_homes(struct gpu_run *run, enum gpu_pass pass);

#ifdef __cplusplus
}
#endif
#endif
