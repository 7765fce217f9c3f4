/**
 * @file peers.h
 * @brief What the kernels of bench/engine.cu are measured beside: plain C with OpenMP, and OpenCL on the
 * processor (PoCL).
 *
 * All peers work on the same host arrays, in the order in which the benchmark calls them, so that a busy
 * machine slows all alike. Times are microseconds of real time, from before the start of the work until its
 * end is known.
 */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The work that is compared; bench/engine.cu and the sources in opencl.c have the same kernels. */
enum bench_work {
    BENCH_ADD,    /**< c = a + b, one thread an element */
    BENCH_SAXPY,  /**< c = 2 a + c, one thread an element */
    BENCH_STRIDE, /**< the same by a grid-stride loop */
    BENCH_MATRIX, /**< c = a b, square matrices of BENCH_SIDE, 16 x 16 tiles in shared memory */
    BENCH_REDUCE, /**< c[block] = the sum of 256 elements of a, by halving in shared memory */
    BENCH_EMPTY,  /**< BENCH_LAUNCHES launches of nothing */
    BENCH_WORKS
};

enum {
    BENCH_SIDE = 512,
    BENCH_TILE = 16,
    BENCH_BLOCK = 256,
    BENCH_STRIDE_BLOCKS = 256,
    BENCH_LAUNCHES = 400
};

/** The operands; `n` is a multiple of BENCH_BLOCK and at least BENCH_SIDE squared. */
struct bench_arrays {
    float *a, *b, *c; /* on pages of their own */
    size_t n;
};

/** Time of BENCH_ADD, or of the others as BENCH_SAXPY, in plain C with OpenMP, on all processors. */
double bench_openmp_us(enum bench_work work, const struct bench_arrays *arrays);

/** Prepares OpenCL for these arrays, which it uses where they are. Again: for other arrays, the first ones
 * are let go.
 *  @return NULL, or why it cannot run here */
const char *bench_opencl_start(const struct bench_arrays *arrays);

/** Time of a work. Only after bench_opencl_start() has returned NULL. */
double bench_opencl_us(enum bench_work work);

#ifdef __cplusplus
}
#endif
#endif
