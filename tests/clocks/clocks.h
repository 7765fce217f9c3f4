/**
 * @file clocks.h
 * @brief What the parts of the program share that looks at its own clocks.
 */
#ifndef CLOCKS_H
#define CLOCKS_H

#include <chrono>
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct test_case {
    const char *name;
    void (*run)(void);
};
extern const struct test_case thread_cases[];
extern const int thread_case_count;
extern int failures;

/** The CUDA call succeeds. */
#define NEED(call)                                                                                           \
    do {                                                                                                     \
        const cudaError_t result = (call);                                                                   \
        if (result != cudaSuccess) {                                                                         \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorName(result));         \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

/** The condition holds; the rest is a printf format and its values. */
#define CHECK(condition, ...)                                                                                \
    do {                                                                                                     \
        if (condition)                                                                                       \
            break;                                                                                           \
        failures++;                                                                                          \
        fprintf(stderr, "%s:%d: ", __FILE__, __LINE__);                                                      \
        fprintf(stderr, __VA_ARGS__);                                                                        \
        fprintf(stderr, "\n");                                                                               \
    } while (0)

/** Within 5%, or 0.1 ms: what the calls around the work take. */
static inline bool agree(double a, double b)
{
    return fabs(a - b) <= 0.05 * (a > b ? a : b) + 0.1;
}

/** Kernels by events, ms. */
double gpu_ms(int launches);
/** So much modelled work, in no real time. */
void work_of_ms(double ms);
/** std::chrono::steady_clock, read in the .cu file, in a .cpp file, in a static library; omp_get_wtime(). */
double chrono_ms(void);
double elsewhere_ms(void);
double library_ms(void);
double omp_ms(void);

#endif
