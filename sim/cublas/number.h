/**
 * @file number.h
 * @brief The numbers that libraries of kernels (cuBLAS, cublasLt, cuSPARSE) compute with, each of CUDA's
 * under one set of operators, and what is asked of a number's type.
 *
 * cuComplex has no operators; `complex` has its layout. Half, bfloat16 and 8-bit numbers are stored, and
 * computed with in float (int).
 */
#ifndef UMSIM_NUMBER_H
#define UMSIM_NUMBER_H

#include <cstdint>
#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace blas
{
using i64 = long long;

/** A complex number, laid out as cuComplex. */
template <class R> struct complex {
    R re, im;
    __host__ __device__ complex() : re(0), im(0)
    {
    }
    __host__ __device__ complex(R a, R b = 0) : re(a), im(b)
    {
    }
    __host__ __device__ complex operator-() const
    {
        return {-re, -im};
    }
    __host__ __device__ complex operator+(complex b) const
    {
        return {re + b.re, im + b.im};
    }
    __host__ __device__ complex operator-(complex b) const
    {
        return {re - b.re, im - b.im};
    }
    __host__ __device__ complex operator*(complex b) const
    {
        return {re * b.re - im * b.im, re * b.im + im * b.re};
    }
    /* Scaled, so that it overflows only where the quotient does. */
    __host__ __device__ complex operator/(complex b) const
    {
        if (fabs(b.re) >= fabs(b.im)) {
            const R part = b.im / b.re, all = b.re + b.im * part;
            return {(re + im * part) / all, (im - re * part) / all};
        }
        const R part = b.re / b.im, all = b.re * part + b.im;
        return {(re * part + im) / all, (im * part - re) / all};
    }
    __host__ __device__ complex &operator+=(complex b)
    {
        return *this = *this + b;
    }
    __host__ __device__ complex &operator-=(complex b)
    {
        return *this = *this - b;
    }
    __host__ __device__ bool operator==(complex b) const
    {
        return re == b.re && im == b.im;
    }
    __host__ __device__ bool operator!=(complex b) const
    {
        return !(*this == b);
    }
};

/** What is asked of a type: `own` has operators; `real` is its parts'; sums are formed in `sum`. */
template <class T> struct number {
    using own = T;
    using real = T;
    using sum = double;
    static const bool is_complex = false;
};
template <class R> struct number<complex<R>> {
    using own = complex<R>;
    using real = R;
    using sum = complex<double>;
    static const bool is_complex = true;
};
template <> struct number<cuComplex> : number<complex<float>> {
};
template <> struct number<cuDoubleComplex> : number<complex<double>> {
};
template <class T> using own_t = typename number<T>::own;
template <class T> using real_t = typename number<T>::real;
template <class T> using sum_t = typename number<T>::sum;

/** A pointer to CUDA's type as one to ours. */
template <class T> inline own_t<T> *own(T *p)
{
    return (own_t<T> *)p;
}
template <class T> inline const own_t<T> *own(const T *p)
{
    return (const own_t<T> *)p;
}
template <class T> inline const own_t<T> *const *own(const T *const *p)
{
    return (const own_t<T> *const *)p;
}
template <class T> inline own_t<T> *const *own(T *const *p)
{
    return (own_t<T> *const *)p;
}

/** One number as another: of a stored one for computing, and back. */
template <class W, class T> struct conversion {
    static __host__ __device__ W of(T x)
    {
        return (W)x;
    }
};
template <class W> struct conversion<W, __half> {
    static __host__ __device__ W of(__half x)
    {
        return (W)__half2float(x);
    }
};
template <class W> struct conversion<W, __nv_bfloat16> {
    static __host__ __device__ W of(__nv_bfloat16 x)
    {
        return (W)__bfloat162float(x);
    }
};
template <> struct conversion<__half, float> {
    static __host__ __device__ __half of(float x)
    {
        return __float2half_rn(x);
    }
};
template <> struct conversion<__nv_bfloat16, float> {
    static __host__ __device__ __nv_bfloat16 of(float x)
    {
        return __float2bfloat16_rn(x);
    }
};
template <class W, class R> struct conversion<complex<W>, complex<R>> {
    static __host__ __device__ complex<W> of(complex<R> x)
    {
        return {(W)x.re, (W)x.im};
    }
};
template <class R> struct conversion<complex<R>, R> {
    static __host__ __device__ complex<R> of(R x)
    {
        return {x, 0};
    }
};
template <class W, class T> __host__ __device__ inline W to(T x)
{
    return conversion<W, T>::of(x);
}

template <class T> __host__ __device__ inline T conjugate(T x)
{
    return x;
}
template <class R> __host__ __device__ inline complex<R> conjugate(complex<R> x)
{
    return {x.re, -x.im};
}
template <class T> __host__ __device__ inline T real_part(T x)
{
    return x;
}
template <class R> __host__ __device__ inline R real_part(complex<R> x)
{
    return x.re;
}
template <class T> __host__ __device__ inline T without_imaginary(T x)
{
    return x;
}
template <class R> __host__ __device__ inline complex<R> without_imaginary(complex<R> x)
{
    return {x.re, 0};
}
/** BLAS's size of a number: of a complex one |re| + |im|. */
template <class T> __host__ __device__ inline T size_of(T x)
{
    return x < 0 ? -x : x;
}
template <class R> __host__ __device__ inline R size_of(complex<R> x)
{
    return size_of(x.re) + size_of(x.im);
}
/** |x|^2, computed in double. */
template <class T> __host__ __device__ inline double square_of(T x)
{
    return (double)x * (double)x;
}
template <class R> __host__ __device__ inline double square_of(complex<R> x)
{
    return square_of(x.re) + square_of(x.im);
}

} // namespace blas
#endif
