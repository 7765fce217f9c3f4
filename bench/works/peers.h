/**
 * @file peers.h
 * @brief The works of bench/works.cu in plain C with OpenMP (openmp.c), and what compiles kernels.h as OpenCL
 * (opencl.c).
 */
#ifndef BENCH_WORKS_PEERS_H
#define BENCH_WORKS_PEERS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct bench_body {
    float x, y, z, mass;
};

void bench_multiply(float *c, const float *a, const float *b, int side);
void bench_multiply_tiles(float *c, const float *a, const float *b, int side);
void bench_transpose(float *out, const float *in, int side);
/** The exclusive sums. */
void bench_scan(int *out, const int *in, int n);
float bench_sum(const float *a, int n);
void bench_black_scholes(float *calls, float *puts, const float *price, const float *strike,
                         const float *years, float rate, float volatility, int n);
/** Adds to 256 totals. */
void bench_histogram(unsigned *total, const unsigned char *data, int n);
void bench_attract(struct bench_body *acceleration, const struct bench_body *body, int n);
void bench_stencil(float *out, const float *in, int width, int height);
/** A bitonic sort: the same comparisons. n: a power of two. */
void bench_bitonic(unsigned *key, unsigned n);
/** A sort as one would write it for a processor; `spare` has n elements, too. */
void bench_sort(unsigned *key, unsigned *spare, int n);
void bench_mandelbrot(unsigned char *steps, int side, int limit);

/** An argument of an OpenCL kernel: one of the buffers, or a number of four bytes. */
struct bench_argument {
    int buffer; /**< -1: the number */
    union {
        int i;
        unsigned u;
        float f;
    } number;
};

/** Compiles the kernels of the file. @return NULL, or why it cannot run here */
const char *bench_opencl_open(const char *path);
/** Buffers of as many bytes, with the contents of the arrays; the ones from before are gone. */
void bench_opencl_buffers(void *const *arrays, const size_t *bytes, int count);
void bench_opencl_write(int buffer, const void *from, size_t bytes);
void bench_opencl_read(int buffer, void *to, size_t bytes);
/** Launches; grid in blocks, in two dimensions. */
void bench_opencl_launch(const char *kernel, const unsigned *grid, const unsigned *block,
                         const struct bench_argument *arguments, int count);
void bench_opencl_wait(void);

#ifdef __cplusplus
}
#endif
#endif
