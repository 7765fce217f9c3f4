/**
 * @file ranks.cu
 * @brief cuBLAS's level 2, updates of a matrix by vectors: A += alpha x y', of whole matrices and of
 * triangles, also packed ones.
 */
#include "product.h"

namespace
{
using namespace blas;

template <class T> struct task {
    shape is; /* of A: GENERAL, or the triangle that changes */
    T *a;
    i64 m, n, incx, incy;
    const T *x, *y;
    scalar<T> alpha;
    bool conjugates; /* y, or for two vectors the second factor */
    bool twice;      /* adds alpha x y' and alpha' y x' */
};

template <class T> __global__ void add_vectors(task<T> t)
{
    const i64 j = blockIdx.x;
    const bool part = t.is.kind != GENERAL;
    const i64 first = part && !t.is.upper ? j : 0, last = part && t.is.upper ? j : t.m - 1;
    const T alpha = t.alpha.get(), x_j = part ? t.x[j * t.incx] : T(0), y_j = t.y[j * t.incy];
    const T by_x = alpha * (t.conjugates ? conjugate(y_j) : y_j);
    const T by_y = t.conjugates ? conjugate(alpha * x_j) : alpha * x_j;
    for (i64 i = first; i <= last; i++) {
        T &place = t.a[place_of(t.is, i, j)];
        T value = place + t.x[i * t.incx] * by_x;
        if (t.twice)
            value += t.y[i * t.incy] * by_y;
        place = t.is.kind == HERMITIAN && i == j ? without_imaginary(value) : value;
    }
}

template <class T>
cublasStatus_t run(cublasHandle_t handle, const char *call, const char *name, bool valid, task<T> t,
                   bool has_alpha, bool alpha_reached)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!valid || !has_alpha || t.is.rows < 0 || t.is.columns < 0 || t.incx == 0 || t.incy == 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    t.m = t.is.rows;
    t.n = t.is.columns;
    if (t.m == 0 || t.n == 0 || is_zero(t.alpha))
        return CUBLAS_STATUS_SUCCESS;
    const bool has_y = t.y != t.x;
    if (!alpha_reached || !reaches(call, "x", t.x, extent(t.m, t.incx)) ||
        (has_y && !reaches(call, "y", t.y, extent(t.n, t.incy))) || !reaches(call, name, t.a, extent(t.is)))
        return CUBLAS_STATUS_EXECUTION_FAILED;
    const uint64_t stored = extent(t.is);
    umsim_kernel_reads(t.x, (uint64_t)t.m * sizeof(T));
    umsim_kernel_reads(t.y, (uint64_t)t.n * sizeof(T));
    umsim_kernel_reads(t.a, stored * sizeof(T));
    umsim_kernel_writes(t.a, stored * sizeof(T));
    stands_for_elements(stored, 2 * stored * (number<T>::is_complex ? 4 : 1), unit_of<T>());
    t.x = first_of(t.x, t.m, t.incx);
    t.y = first_of(t.y, t.n, t.incy);
    if (t.n > INT32_MAX)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    add_vectors<<<(unsigned)t.n, 1, 0, handle->stream>>>(t);
    return launched();
}

template <class T, class S>
task<T> task_of(cublasHandle_t handle, shape is, T *a, const T *x, i64 incx, const T *y, i64 incy,
                const S *alpha, scalar<T> (*from)(cublasHandle_t, const S *), bool twice)
{
    return {is,
            a,
            0,
            0,
            incx,
            incy,
            x,
            y,
            handle && alpha ? from(handle, alpha) : scalar_is(T(0)),
            is.kind == HERMITIAN,
            twice};
}

bool is_triangle(cublasFillMode_t uplo)
{
    return uplo == CUBLAS_FILL_MODE_LOWER || uplo == CUBLAS_FILL_MODE_UPPER;
}

template <class S> bool alpha_reached(cublasHandle_t handle, const char *call, const S *alpha)
{
    return !handle || !alpha || scalar_reaches(handle, call, "alpha", alpha);
}

} // namespace

#define NAME(P, call, X) "cublas" #P #call #X
#define IS_UPPER (uplo == CUBLAS_FILL_MODE_UPPER)
#define GER(P, T, call, is_conjugated, N, X)                                                                 \
    extern "C" cublasStatus_t cublas##P##call##_v2##X(HANDLE, N m, N n, const T *alpha, const T *x, N incx,  \
                                                      const T *y, N incy, T *A, N lda)                       \
    {                                                                                                        \
        task<own_t<T>> t = task_of(handle, dense(AS_IS, m, n, lda), own(A), own(x), incx, own(y), incy,      \
                                   own(alpha), scalar_of<own_t<T>>, false);                                  \
        t.conjugates = is_conjugated;                                                                        \
        return run(handle, NAME(P, call, X), "A", is_leading(lda, m), t, alpha != nullptr,                   \
                   alpha_reached(handle, NAME(P, call, X), own(alpha)));                                     \
    }
/* One vector or two; A dense or packed. S: of alpha, which a Hermitian update by one vector has real. */
#define ONE(P, T, call, kind, S, from, N, X)                                                                 \
    extern "C" cublasStatus_t cublas##P##call##_v2##X(HANDLE, cublasFillMode_t uplo, N n, const S *alpha,    \
                                                      const T *x, N incx, T *A, N lda)                       \
    {                                                                                                        \
        return run(handle, NAME(P, call, X), "A", is_triangle(uplo) && is_leading(lda, n),                   \
                   task_of(handle, triangle_of(kind, AS_IS, n, lda, IS_UPPER), own(A), own(x), incx, own(x), \
                           incx, own(alpha), from, false),                                                   \
                   alpha != nullptr, alpha_reached(handle, NAME(P, call, X), own(alpha)));                   \
    }
#define ONE_PACKED(P, T, call, kind, S, from, N, X)                                                          \
    extern "C" cublasStatus_t cublas##P##call##_v2##X(HANDLE, cublasFillMode_t uplo, N n, const S *alpha,    \
                                                      const T *x, N incx, T *AP)                             \
    {                                                                                                        \
        return run(handle, NAME(P, call, X), "AP", is_triangle(uplo),                                        \
                   task_of(handle, packed(kind, AS_IS, n, IS_UPPER), own(AP), own(x), incx, own(x), incx,    \
                           own(alpha), from, false),                                                         \
                   alpha != nullptr, alpha_reached(handle, NAME(P, call, X), own(alpha)));                   \
    }
#define TWO(P, T, call, kind, N, X)                                                                          \
    extern "C" cublasStatus_t cublas##P##call##_v2##X(HANDLE, cublasFillMode_t uplo, N n, const T *alpha,    \
                                                      const T *x, N incx, const T *y, N incy, T *A, N lda)   \
    {                                                                                                        \
        return run(handle, NAME(P, call, X), "A", is_triangle(uplo) && is_leading(lda, n),                   \
                   task_of(handle, triangle_of(kind, AS_IS, n, lda, IS_UPPER), own(A), own(x), incx, own(y), \
                           incy, own(alpha), scalar_of<own_t<T>>, true),                                     \
                   alpha != nullptr, alpha_reached(handle, NAME(P, call, X), own(alpha)));                   \
    }
#define TWO_PACKED(P, T, call, kind, N, X)                                                                   \
    extern "C" cublasStatus_t cublas##P##call##_v2##X(HANDLE, cublasFillMode_t uplo, N n, const T *alpha,    \
                                                      const T *x, N incx, const T *y, N incy, T *AP)         \
    {                                                                                                        \
        return run(handle, NAME(P, call, X), "AP", is_triangle(uplo),                                        \
                   task_of(handle, packed(kind, AS_IS, n, IS_UPPER), own(AP), own(x), incx, own(y), incy,    \
                           own(alpha), scalar_of<own_t<T>>, true),                                           \
                   alpha != nullptr, alpha_reached(handle, NAME(P, call, X), own(alpha)));                   \
    }
#define ALL(P, T, N, X)                                                                                      \
    ONE(P, T, syr, SYMMETRIC, T, scalar_of<own_t<T>>, N, X)                                                  \
    TWO(P, T, syr2, SYMMETRIC, N, X)
#define ONLY_REAL(P, T, N, X)                                                                                \
    GER(P, T, ger, false, N, X)                                                                              \
    ONE_PACKED(P, T, spr, SYMMETRIC, T, scalar_of<own_t<T>>, N, X)                                           \
    TWO_PACKED(P, T, spr2, SYMMETRIC, N, X)
#define ONLY_COMPLEX(P, T, R, N, X)                                                                          \
    GER(P, T, geru, false, N, X)                                                                             \
    GER(P, T, gerc, true, N, X)                                                                              \
    ONE(P, T, her, HERMITIAN, R, scalar_of_real<R>, N, X)                                                    \
    TWO(P, T, her2, HERMITIAN, N, X)                                                                         \
    ONE_PACKED(P, T, hpr, HERMITIAN, R, scalar_of_real<R>, N, X)                                             \
    TWO_PACKED(P, T, hpr2, HERMITIAN, N, X)

BOTH_SIZES(ALL, S, float)
BOTH_SIZES(ALL, D, double)
BOTH_SIZES(ALL, C, cuComplex)
BOTH_SIZES(ALL, Z, cuDoubleComplex)
BOTH_SIZES(ONLY_REAL, S, float)
BOTH_SIZES(ONLY_REAL, D, double)
BOTH_SIZES(ONLY_COMPLEX, C, cuComplex, float)
BOTH_SIZES(ONLY_COMPLEX, Z, cuDoubleComplex, double)
