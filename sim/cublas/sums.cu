/**
 * @file sums.cu
 * @brief cuBLAS's level 1, results of one number: dot products, norms, sums, the largest and smallest
 * elements.
 *
 * Each of BLAS_PARTS threads sums a part of the vector, in double; one thread joins them. So a result is the
 * same in each run, and differs from a GPU's in its last digits.
 */
#include "blas.h"

#include <cmath>

namespace
{
using blas::i64;

/* A part is summed by add(), kept by keep(), and joined to others by join(); result() is what the call
 * returns. */
template <class T, bool Conjugated> struct dot {
    using sum = blas::sum_t<T>;
    static const bool has_y = true;
    static __device__ void add(sum &all, i64 &, i64, T x, T y)
    {
        all += blas::to<sum>(Conjugated ? blas::conjugate(x) : x) * blas::to<sum>(y);
    }
    static __device__ sum keep(sum all)
    {
        return all;
    }
    static __device__ void join(sum &all, i64 &, const blas_part &part)
    {
        all += sum_of(part.sum, sum());
    }
    static __device__ double sum_of(blas::complex<double> a, double)
    {
        return a.re;
    }
    static __device__ blas::complex<double> sum_of(blas::complex<double> a, blas::complex<double>)
    {
        return a;
    }
    static __device__ T result(sum all, i64)
    {
        return blas::to<T>(all);
    }
};

/* Squares of doubles would overflow as doubles: x86's long double has the exponents. */
template <class T> struct nrm2 {
    using sum = long double;
    static const bool has_y = false;
    static __device__ long double square(T x)
    {
        return square_of_parts(x);
    }
    template <class R> static __device__ long double square_of_parts(R x)
    {
        return (long double)x * x;
    }
    template <class R> static __device__ long double square_of_parts(blas::complex<R> x)
    {
        return (long double)x.re * x.re + (long double)x.im * x.im;
    }
    static __device__ void add(sum &all, i64 &, i64, T x, T)
    {
        all += square(x);
    }
    static __device__ double keep(sum all)
    {
        return (double)sqrtl(all);
    }
    static __device__ void join(sum &all, i64 &, const blas_part &part)
    {
        all += (long double)part.sum.re * part.sum.re;
    }
    static __device__ blas::real_t<T> result(sum all, i64)
    {
        return (blas::real_t<T>)sqrtl(all);
    }
};

template <class T> struct asum {
    using sum = double;
    static const bool has_y = false;
    static __device__ void add(sum &all, i64 &, i64, T x, T)
    {
        all += (double)blas::size_of(x);
    }
    static __device__ sum keep(sum all)
    {
        return all;
    }
    static __device__ void join(sum &all, i64 &, const blas_part &part)
    {
        all += part.sum.re;
    }
    static __device__ blas::real_t<T> result(sum all, i64)
    {
        return (blas::real_t<T>)all;
    }
};

/* The first of the largest (smallest) elements; places count from 1, as in Fortran. */
template <class T, bool Largest, class N> struct extreme {
    using sum = double;
    static const bool has_y = false;
    static __device__ void take(sum &best, i64 &place, i64 i, double size)
    {
        if (place == 0 || (Largest ? size > best : size < best)) {
            best = size;
            place = i;
        }
    }
    static __device__ void add(sum &best, i64 &place, i64 i, T x, T)
    {
        take(best, place, i + 1, (double)blas::size_of(x));
    }
    static __device__ sum keep(sum best)
    {
        return best;
    }
    static __device__ void join(sum &best, i64 &place, const blas_part &part)
    {
        if (part.place)
            take(best, place, part.place, part.sum.re);
    }
    static __device__ N result(sum, i64 place)
    {
        return (N)place;
    }
};

template <class F, class T>
__global__ void sum_parts(i64 n, const T *x, i64 incx, const T *y, i64 incy, blas_part *parts)
{
    const i64 part = blockIdx.x, first = n / BLAS_PARTS * part + n % BLAS_PARTS * part / BLAS_PARTS,
              last = n / BLAS_PARTS * (part + 1) + n % BLAS_PARTS * (part + 1) / BLAS_PARTS;
    typename F::sum all = 0;
    i64 place = 0;
    for (i64 i = first; i < last; i++)
        F::add(all, place, i, x[i * incx], F::has_y ? y[i * incy] : T());
    parts[part] = {F::keep(all), place};
}

template <class F, class Result> __global__ void join_parts(const blas_part *parts, Result *result)
{
    typename F::sum all = 0;
    i64 place = 0;
    for (int part = 0; part < BLAS_PARTS; part++)
        F::join(all, place, parts[part]);
    *result = F::result(all, place);
}

/* Both kernels stand for one of a GPU's library, and nearly all for its time. */
template <class F, class T, class Result>
void launch_sum(cublasHandle_t handle, i64 n, const T *x, i64 incx, const T *y, i64 incy, Result *place)
{
    umsim_kernel_reads(x, (uint64_t)n * sizeof(T));
    if (F::has_y)
        umsim_kernel_reads(y, (uint64_t)n * sizeof(T));
    blas::stands_for_elements((uint64_t)n, 2 * (uint64_t)n, blas::unit_of<T>());
    sum_parts<F, T><<<BLAS_PARTS, 1, 0, handle->stream>>>(
        n, blas::first_of(x, n, incx), incx, F::has_y ? blas::first_of(y, n, incy) : y, incy, handle->parts);
    blas::stands_for_elements(BLAS_PARTS, BLAS_PARTS, blas::unit_of<T>());
    join_parts<F, Result><<<1, 1, 0, handle->stream>>>(handle->parts, place);
}

template <class F, class T, class Result>
cublasStatus_t run_sum(cublasHandle_t handle, const char *call, i64 n, const T *x, i64 incx, const T *y,
                       i64 incy, Result *result)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!result)
        return CUBLAS_STATUS_INVALID_VALUE;
    const bool on_host = handle->pointer_mode == CUBLAS_POINTER_MODE_HOST;
    const i64 count = n <= 0 || (!F::has_y && incx <= 0) ? 0 : n;
    if (!blas::reaches(call, "x", x, blas::extent(count, incx)) ||
        (F::has_y && !blas::reaches(call, "y", y, blas::extent(count, incy))) ||
        (!on_host && !blas::reaches(call, "result", result, 1)))
        return CUBLAS_STATUS_EXECUTION_FAILED;
    if (count == 0 && on_host) {
        *result = Result();
        return CUBLAS_STATUS_SUCCESS;
    }
    Result *place = on_host ? (Result *)&handle->parts[BLAS_PARTS] : result;
    launch_sum<F>(handle, count, x, incx, y, incy, place);
    if (on_host && (cudaMemcpyAsync(result, place, sizeof *result, cudaMemcpyDeviceToHost, handle->stream) !=
                        cudaSuccess ||
                    cudaStreamSynchronize(handle->stream) != cudaSuccess))
        return CUBLAS_STATUS_EXECUTION_FAILED;
    return blas::launched();
}

} // namespace

/* P: prefix; PR: the prefix of what has a real result; i: that of indices */
#define OF_ONE(name, P, F, T, Result, N, X)                                                                  \
    extern "C" cublasStatus_t cublas##name(HANDLE, N n, const T *x, N incx, Result *result)                  \
    {                                                                                                        \
        return run_sum<F>(handle, "cublas" P #X, n, blas::own(x), incx, blas::own(x), incx, result);         \
    }
#define SUMS(PR, i, T, R, N, X)                                                                              \
    OF_ONE(PR##nrm2_v2##X, #PR "nrm2", nrm2<blas::own_t<T>>, T, R, N, X)                                     \
    OF_ONE(PR##asum_v2##X, #PR "asum", asum<blas::own_t<T>>, T, R, N, X)                                     \
    extern "C" cublasStatus_t cublasI##i##amax_v2##X(HANDLE, N n, const T *x, N incx, N *result)             \
    {                                                                                                        \
        return run_sum<extreme<blas::own_t<T>, true, N>>(handle, "cublasI" #i "amax" #X, n, blas::own(x),    \
                                                         incx, blas::own(x), incx, result);                  \
    }                                                                                                        \
    extern "C" cublasStatus_t cublasI##i##amin_v2##X(HANDLE, N n, const T *x, N incx, N *result)             \
    {                                                                                                        \
        return run_sum<extreme<blas::own_t<T>, false, N>>(handle, "cublasI" #i "amin" #X, n, blas::own(x),   \
                                                          incx, blas::own(x), incx, result);                 \
    }
BOTH_SIZES(SUMS, S, s, float, float)
BOTH_SIZES(SUMS, D, d, double, double)
BOTH_SIZES(SUMS, Sc, c, cuComplex, float)
BOTH_SIZES(SUMS, Dz, z, cuDoubleComplex, double)

#define DOT(name, T, conjugated, N, X)                                                                       \
    extern "C" cublasStatus_t cublas##name##_v2##X(HANDLE, N n, const T *x, N incx, const T *y, N incy,      \
                                                   T *result)                                                \
    {                                                                                                        \
        return run_sum<dot<blas::own_t<T>, conjugated>>(handle, "cublas" #name #X, n, blas::own(x), incx,    \
                                                        blas::own(y), incy, blas::own(result));              \
    }
BOTH_SIZES(DOT, Sdot, float, false)
BOTH_SIZES(DOT, Ddot, double, false)
BOTH_SIZES(DOT, Cdotu, cuComplex, false)
BOTH_SIZES(DOT, Cdotc, cuComplex, true)
BOTH_SIZES(DOT, Zdotu, cuDoubleComplex, false)
BOTH_SIZES(DOT, Zdotc, cuDoubleComplex, true)
