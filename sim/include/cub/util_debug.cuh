/**
 * @file util_debug.cuh
 * @brief CubDebug, CubDebugExit and _CubLog: checks of CUDA calls.
 */
#ifndef UMSIM_CUB_UTIL_DEBUG_CUH
#define UMSIM_CUB_UTIL_DEBUG_CUH

#include "config.cuh"

#include <cstdio>
#include <cstdlib>

namespace cub
{
/** Resets the last error. @return `__status`, or the last error if that is a success; with CUB_STDERR it is
 * printed */
inline cudaError_t Debug(cudaError_t __status, const char *__file, int __line_)
{
    const cudaError_t __last = cudaGetLastError();
    if (__status == cudaSuccess)
        __status = __last;
#ifdef CUB_STDERR
    if (__status != cudaSuccess) {
        fprintf(stderr, "CUDA error %d [%s, %d]: %s\n", (int)__status, __file, __line_,
                cudaGetErrorString(__status));
        fflush(stderr);
    }
#else
    (void)__file, (void)__line_;
#endif
    return __status;
}
} // namespace cub

/** The call's status, checked. */
#define CubDebug(e) ::cub::Debug((cudaError_t)(e), __FILE__, __LINE__)
/** Ends the program when the call failed. */
#define CubDebugExit(e)                                                                                      \
    if (::cub::Debug((cudaError_t)(e), __FILE__, __LINE__)) {                                                \
        exit(1);                                                                                             \
    }
/** printf(). */
#define _CubLog(format, ...) printf(format, __VA_ARGS__)

#endif
