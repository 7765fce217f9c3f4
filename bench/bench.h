/**
 * @file bench.h
 * @brief What the benchmarks share: time, medians, and the line that bench/run.py reads. C and C++.
 *
 * A piece of work and its floor are measured in turns, so that a busy machine slows both; what is printed are
 * medians.
 *
 *     struct bench_row row = {"empty launch", "us", ours, peer, "futex round trip", 1.0, 0, 0};
 *     bench_print(&row);
 */
#ifndef BENCH_H
#define BENCH_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif
#include "um_backend.h"
#ifdef __cplusplus
}
#endif

enum { BENCH_RUNS = 15 };

/** One line of the table. A figure that does not exist is 0. */
struct bench_row {
    const char *work, *unit;
    double ours, peer;
    const char *peer_name;
    double target;       /**< of `ours`, or of ours / peer */
    int target_is_ratio; /**< bool, for C and C++ alike */
    int higher_is_better;
};

/* Real time is measured, of launches that run. */
__attribute__((constructor)) static void bench_has_all_run(void)
{
    setenv("UMSIM_RECALL", "never", 1);
}

static inline double bench_now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static inline int bench_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/** The middle one; sorts them. */
static inline double bench_median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, bench_compare);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

static inline void bench_number(const char *name, double value)
{
    if (value > 0)
        printf(", \"%s\": %.6g", name, value);
    else
        printf(", \"%s\": null", name);
}

static inline void bench_print(const struct bench_row *row)
{
    printf("{\"work\": \"%s\", \"unit\": \"%s\", \"better\": \"%s\"", row->work, row->unit,
           row->higher_is_better ? "higher" : "lower");
    bench_number("ours", row->ours);
    bench_number("peer", row->peer);
    if (row->peer > 0)
        printf(", \"peer_name\": \"%s\"", row->peer_name);
    else
        printf(", \"skipped\": \"%s\"", row->peer_name ? row->peer_name : "no floor");
    bench_number("target", row->target);
    if (row->target_is_ratio)
        printf(", \"target_is\": \"ratio\"");
    printf("}\n");
    fflush(stdout);
}

/** Ends the program with 2 on another backend: what is measured is the simulator's own work, in real time. */
static inline void bench_simulator_only(void)
{
    if (um_is_sim())
        return;
    fprintf(stderr, "this measures the simulator's own work; the backend is cuda\n");
    exit(2);
}

/** The CUDA call succeeds, or the program ends with 1. */
#define BENCH_NEED(call)                                                                                     \
    do {                                                                                                     \
        cudaError_t bench_result = (call);                                                                   \
        if (bench_result == cudaSuccess)                                                                     \
            break;                                                                                           \
        fprintf(stderr, "%s: %s\n", #call, cudaGetErrorName(bench_result));                                  \
        exit(1);                                                                                             \
    } while (0)

#endif
