/**
 * @file vectors.cu
 * @brief cuBLAS's level 1, element by element: a y and x, and rotations of both. Sums are in sums.cu.
 *
 * A negative stride goes through a vector from its end, as in BLAS.
 */
#include "blas.h"

namespace
{
using blas::i64;

/* What is done to x[i] and y[i]. */
template <class T> struct axpy {
    blas::scalar<T> alpha;
    __device__ void operator()(const T &x, T &y) const
    {
        y = alpha.get() * x + y;
    }
};
struct copy {
    template <class T> __device__ void operator()(const T &x, T &y) const
    {
        y = x;
    }
};
struct swap {
    template <class T> __device__ void operator()(T &x, T &y) const
    {
        const T before = x;
        x = y;
        y = before;
    }
};
/* By a number or, for complex x, by a real one. */
template <class S> struct scal {
    blas::scalar<S> alpha;
    template <class T> __device__ void operator()(T &x) const
    {
        x = T(alpha.get()) * x;
    }
};
template <class R, class S> struct rot {
    blas::scalar<R> c;
    blas::scalar<S> s;
    template <class T> __device__ void operator()(T &x, T &y) const
    {
        const T cosine = T(c.get()), sine = T(s.get()), before = x;
        x = cosine * x + sine * y;
        y = cosine * y - blas::conjugate(sine) * before;
    }
};
/* BLAS's modified rotation: a flag, then a matrix by columns, some of whose elements the flag implies. */
template <class T> struct rotm {
    T value[5];
    const T *place;
    __device__ void operator()(T &x, T &y) const
    {
        const T *p = place ? place : value, flag = p[0], before = x;
        if (flag == -2)
            return;
        const T h11 = flag == 0 ? 1 : p[1], h21 = flag == 1 ? -1 : p[2];
        const T h12 = flag == 1 ? 1 : p[3], h22 = flag == 0 ? 1 : p[4];
        x = h11 * x + h12 * y;
        y = h21 * before + h22 * y;
    }
};

template <class F, class T> __global__ void each_pair(i64 n, F f, T *x, i64 incx, T *y, i64 incy)
{
    const i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        f(x[i * incx], y[i * incy]);
}

template <class F, class T> __global__ void each_element(i64 n, F f, T *x, i64 incx)
{
    const i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        f(x[i * incx]);
}

/* @param writes_x whether x changes, too */
template <class F, class T>
cublasStatus_t run_pairs(cublasHandle_t handle, const char *call, i64 n, F f, T *x, i64 incx, T *y, i64 incy,
                         bool writes_x)
{
    const uint64_t bytes = (uint64_t)n * sizeof(T);
    if (!blas::reaches(call, "x", x, blas::extent(n, incx)) ||
        !blas::reaches(call, "y", y, blas::extent(n, incy)))
        return CUBLAS_STATUS_EXECUTION_FAILED;
    umsim_kernel_reads(x, bytes);
    umsim_kernel_reads(y, bytes);
    umsim_kernel_writes(y, bytes);
    if (writes_x)
        umsim_kernel_writes(x, bytes);
    blas::stands_for_elements((uint64_t)n, 2 * (uint64_t)n, blas::unit_of<T>());
    each_pair<<<blas::blocks((uint64_t)n, 256), 256, 0, handle->stream>>>(
        n, f, blas::first_of(x, n, incx), incx, blas::first_of(y, n, incy), incy);
    return blas::launched();
}

template <class T>
cublasStatus_t run_axpy(cublasHandle_t handle, const char *call, i64 n, const T *alpha, const T *x, i64 incx,
                        T *y, i64 incy)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!alpha)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (n <= 0)
        return CUBLAS_STATUS_SUCCESS;
    if (!blas::scalar_reaches(handle, call, "alpha", alpha))
        return CUBLAS_STATUS_EXECUTION_FAILED;
    const axpy<T> f = {blas::scalar_of<T>(handle, alpha)};
    return run_pairs(handle, call, n, f, const_cast<T *>(x), incx, y, incy, false);
}

template <class F, class T>
cublasStatus_t run_moves(cublasHandle_t handle, const char *call, i64 n, F f, T *x, i64 incx, T *y, i64 incy,
                         bool writes_x)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    return n <= 0 ? CUBLAS_STATUS_SUCCESS : run_pairs(handle, call, n, f, x, incx, y, incy, writes_x);
}

template <class S, class T>
cublasStatus_t run_scal(cublasHandle_t handle, const char *call, i64 n, const S *alpha, T *x, i64 incx)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!alpha)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (n <= 0 || incx <= 0)
        return CUBLAS_STATUS_SUCCESS;
    if (!blas::scalar_reaches(handle, call, "alpha", alpha) ||
        !blas::reaches(call, "x", x, blas::extent(n, incx)))
        return CUBLAS_STATUS_EXECUTION_FAILED;
    umsim_kernel_reads(x, (uint64_t)n * sizeof(T));
    umsim_kernel_writes(x, (uint64_t)n * sizeof(T));
    blas::stands_for_elements((uint64_t)n, (uint64_t)n, blas::unit_of<T>());
    const scal<S> f = {blas::scalar_of<S>(handle, alpha)};
    each_element<<<blas::blocks((uint64_t)n, 256), 256, 0, handle->stream>>>(n, f, x, incx);
    return blas::launched();
}

template <class R, class S, class T>
cublasStatus_t run_rot(cublasHandle_t handle, const char *call, i64 n, T *x, i64 incx, T *y, i64 incy,
                       const R *c, const S *s)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!c || !s)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (n <= 0)
        return CUBLAS_STATUS_SUCCESS;
    if (!blas::scalar_reaches(handle, call, "c", c) || !blas::scalar_reaches(handle, call, "s", s))
        return CUBLAS_STATUS_EXECUTION_FAILED;
    const rot<R, S> f = {blas::scalar_of<R>(handle, c), blas::scalar_of<S>(handle, s)};
    return run_pairs(handle, call, n, f, x, incx, y, incy, true);
}

template <class T>
cublasStatus_t run_rotm(cublasHandle_t handle, const char *call, i64 n, T *x, i64 incx, T *y, i64 incy,
                        const T *param)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!param)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (n <= 0)
        return CUBLAS_STATUS_SUCCESS;
    rotm<T> f = {{}, param};
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_HOST) {
        f.place = nullptr;
        for (int i = 0; i < 5; i++)
            f.value[i] = param[i];
    } else if (!blas::reaches(call, "param", param, 5)) {
        return CUBLAS_STATUS_EXECUTION_FAILED;
    }
    return run_pairs(handle, call, n, f, x, incx, y, incy, true);
}

/* The rotation that makes b zero, as BLAS computes it; b becomes the number from which it can be made anew.
 */
template <class T> __host__ __device__ void find_rotation(T *a, T *b, T *c, T *s)
{
    const T size_a = blas::size_of(*a), size_b = blas::size_of(*b), scale = size_a + size_b;
    if (scale == 0) {
        *c = 1;
        *s = *a = *b = 0;
        return;
    }
    const T sign = (size_a > size_b ? *a : *b) < 0 ? T(-1) : T(1);
    const T part_a = *a / scale, part_b = *b / scale;
    const T r = sign * scale * (T)sqrt((double)(part_a * part_a + part_b * part_b));
    *c = *a / r;
    *s = *b / r;
    *b = size_a > size_b ? *s : *c != 0 ? 1 / *c : T(1);
    *a = r;
}

template <class R>
__host__ __device__ void find_rotation(blas::complex<R> *a, blas::complex<R> *b, R *c, blas::complex<R> *s)
{
    const double size_a = sqrt(blas::square_of(*a)), size_b = sqrt(blas::square_of(*b));
    if (size_a == 0) {
        *c = 0;
        *s = 1;
        *a = *b;
        return;
    }
    const R norm = (R)sqrt(size_a * size_a + size_b * size_b);
    const blas::complex<R> direction = {R(a->re / size_a), R(a->im / size_a)};
    const blas::complex<R> product = direction * blas::conjugate(*b);
    *c = (R)(size_a / norm);
    *s = {product.re / norm, product.im / norm};
    *a = {direction.re * norm, direction.im * norm};
}

template <class T, class R> __global__ void find_on_device(T *a, T *b, R *c, T *s)
{
    find_rotation(a, b, c, s);
}

template <class T, class R>
cublasStatus_t run_rotg(cublasHandle_t handle, const char *call, T *a, T *b, R *c, T *s)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!a || !b || !c || !s)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_HOST) {
        find_rotation(a, b, c, s);
        return CUBLAS_STATUS_SUCCESS;
    }
    if (!blas::reaches(call, "a", a, 1) || !blas::reaches(call, "b", b, 1) ||
        !blas::reaches(call, "c", c, 1) || !blas::reaches(call, "s", s, 1))
        return CUBLAS_STATUS_EXECUTION_FAILED;
    blas::stands_for_elements(1, 1, blas::unit_of<T>());
    find_on_device<<<1, 1, 0, handle->stream>>>(a, b, c, s);
    return blas::launched();
}

} // namespace

#define OWN_PAIR blas::own(x), incx, blas::own(y), incy

/* P, T: the prefix and its type; R: of its parts; N, X: the sizes' type, and the suffix that goes with it. */
#define LEVEL_1(P, T, R, N, X)                                                                               \
    extern "C" cublasStatus_t cublas##P##axpy_v2##X(HANDLE, N n, const T *alpha, const T *x, N incx, T *y,   \
                                                    N incy)                                                  \
    {                                                                                                        \
        return run_axpy(handle, "cublas" #P "axpy" #X, n, blas::own(alpha), OWN_PAIR);                       \
    }                                                                                                        \
    extern "C" cublasStatus_t cublas##P##scal_v2##X(HANDLE, N n, const T *alpha, T *x, N incx)               \
    {                                                                                                        \
        return run_scal(handle, "cublas" #P "scal" #X, n, blas::own(alpha), blas::own(x), incx);             \
    }                                                                                                        \
    extern "C" cublasStatus_t cublas##P##copy_v2##X(HANDLE, N n, const T *x, N incx, T *y, N incy)           \
    {                                                                                                        \
        return run_moves(handle, "cublas" #P "copy" #X, n, copy(), blas::own(const_cast<T *>(x)), incx,      \
                         blas::own(y), incy, false);                                                         \
    }                                                                                                        \
    extern "C" cublasStatus_t cublas##P##swap_v2##X(HANDLE, N n, T *x, N incx, T *y, N incy)                 \
    {                                                                                                        \
        return run_moves(handle, "cublas" #P "swap" #X, n, swap(), OWN_PAIR, true);                          \
    }                                                                                                        \
    extern "C" cublasStatus_t cublas##P##rot_v2##X(HANDLE, N n, T *x, N incx, T *y, N incy, const R *c,      \
                                                   const T *s)                                               \
    {                                                                                                        \
        return run_rot(handle, "cublas" #P "rot" #X, n, OWN_PAIR, c, blas::own(s));                          \
    }
#define ONLY_REAL(P, T, N, X)                                                                                \
    extern "C" cublasStatus_t cublas##P##rotm_v2##X(HANDLE, N n, T *x, N incx, T *y, N incy, const T *param) \
    {                                                                                                        \
        return run_rotm(handle, "cublas" #P "rotm" #X, n, x, incx, y, incy, param);                          \
    }
#define ONLY_COMPLEX(P, T, R, N, X)                                                                          \
    extern "C" cublasStatus_t cublas##P##scal_v2##X(HANDLE, N n, const R *alpha, T *x, N incx)               \
    {                                                                                                        \
        return run_scal(handle, "cublas" #P "scal" #X, n, alpha, blas::own(x), incx);                        \
    }                                                                                                        \
    extern "C" cublasStatus_t cublas##P##rot_v2##X(HANDLE, N n, T *x, N incx, T *y, N incy, const R *c,      \
                                                   const R *s)                                               \
    {                                                                                                        \
        return run_rot(handle, "cublas" #P "rot" #X, n, OWN_PAIR, c, s);                                     \
    }
BOTH_SIZES(LEVEL_1, S, float, float)
BOTH_SIZES(LEVEL_1, D, double, double)
BOTH_SIZES(LEVEL_1, C, cuComplex, float)
BOTH_SIZES(LEVEL_1, Z, cuDoubleComplex, double)
BOTH_SIZES(ONLY_REAL, S, float)
BOTH_SIZES(ONLY_REAL, D, double)
BOTH_SIZES(ONLY_COMPLEX, Cs, cuComplex, float)
BOTH_SIZES(ONLY_COMPLEX, Zd, cuDoubleComplex, double)

#define ROTG(P, T, R)                                                                                        \
    extern "C" cublasStatus_t cublas##P##rotg_v2(HANDLE, T *a, T *b, R *c, T *s)                             \
    {                                                                                                        \
        return run_rotg(handle, "cublas" #P "rotg", blas::own(a), blas::own(b), c, blas::own(s));            \
    }
ROTG(S, float, float)
ROTG(D, double, double)
ROTG(C, cuComplex, float)
ROTG(Z, cuDoubleComplex, double)
