/**
 * @file common.h
 * @brief What several of the course's programs share: checking of CUDA calls, and the last line.
 *
 * Others have it all in one file, with macros of their own, as programs that go from hand to hand do.
 */
#ifndef COURSE_COMMON_H
#define COURSE_COMMON_H

#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

/** Ends the program when a CUDA call fails. */
#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        const cudaError_t status_ = (call);                                                                  \
        if (status_ != cudaSuccess) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n    %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorName(status_), \
                    cudaGetErrorString(status_));                                                            \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

/** Behind a launch: both what the launch itself and what the kernel came to. */
#define CHECK_KERNEL()                                                                                       \
    do {                                                                                                     \
        CHECK(cudaGetLastError());                                                                           \
        CHECK(cudaDeviceSynchronize());                                                                      \
    } while (0)

/** Blocks of `threads` that cover `n`. */
inline int blocks_for(size_t n, int threads)
{
    return (int)((n + threads - 1) / threads);
}

/** Numbers that are the same in every run. */
struct Random {
    unsigned state;
    explicit Random(unsigned seed = 1) : state(seed)
    {
    }
    unsigned next()
    {
        state = state * 1664525u + 1013904223u;
        return state >> 8;
    }
    float uniform()
    {
        return next() * (1.0f / (1 << 24));
    }
};

/** @return whether all of `a` are within `tolerance` of `b`; says which is not. */
template <class T> bool close(const std::vector<T> &a, const std::vector<T> &b, double tolerance = 1e-5)
{
    for (size_t i = 0; i < a.size(); i++) {
        if (!(std::fabs((double)a[i] - (double)b[i]) <= tolerance * (1 + std::fabs((double)b[i])))) {
            printf("element %zu is %g, not %g\n", i, (double)a[i], (double)b[i]);
            return false;
        }
    }
    return true;
}

/** The last line and the exit status. */
inline int report(bool good)
{
    printf("Test %s\n", good ? "PASSED" : "FAILED");
    return good ? 0 : 1;
}

#endif
