/**
 * @file openmp.c
 * @brief The peer that everybody could write: a loop with `omp parallel for`.
 */
#include "peers.h"

#include "../bench.h"

static void add(float *restrict c, const float *restrict a, const float *restrict b, size_t n)
{
#pragma omp parallel for simd schedule(static)
    for (size_t i = 0; i < n; i++)
        c[i] = a[i] + b[i];
}

static void saxpy(float *restrict y, float factor, const float *restrict x, size_t n)
{
#pragma omp parallel for simd schedule(static)
    for (size_t i = 0; i < n; i++)
        y[i] = factor * x[i] + y[i];
}

double bench_openmp_us(enum bench_work work, const struct bench_arrays *arrays)
{
    const double start = bench_now_us();
    if (work == BENCH_ADD)
        add(arrays->c, arrays->a, arrays->b, arrays->n);
    else
        saxpy(arrays->c, 2, arrays->a, arrays->n);
    return bench_now_us() - start;
}
