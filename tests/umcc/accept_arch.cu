/*
 * __CUDA_ARCH__: defined in kernels and __device__ functions, not in host code; a __host__ __device__
 * function is both.
 */
#include "check.h"
#include <cstdlib>

#ifdef __CUDA_ARCH__
#define SIDE 2
#else
#define SIDE 1
#endif

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
#else
static __inline__ __device__ double atomicAdd(double *address, double value)
{
    return 0;
}
#endif

__host__ __device__ int side()
{
#ifdef __CUDA_ARCH__
    return 10 * threadIdx.x + SIDE;
#else
    return abs(-SIDE);
#endif
}

__host__ __device__ constexpr int twice(int x)
{
#if defined(__CUDA_ARCH__)
    return x + x;
#else
    return 2 * x;
#endif
}
static_assert(twice(4) == 8, "a constant, too");

struct point {
    int x;
    __host__ __device__ point()
    {
        x = SIDE;
    }
    __host__ __device__ int where() const
    {
#ifdef __CUDA_ARCH__
        __syncthreads();
        return x + 100;
#else
        return x + 200;
#endif
    }
};

#ifdef __CUDA_ARCH__
__device__ int only_there()
{
    return __CUDA_ARCH__;
}
#endif

__device__ int version()
{
#if __CUDA_ARCH__ >= 700
    return 7;
#elif __CUDA_ARCH__ >= 600
    return 6;
#else
    return 0;
#endif
}

__host__ __device__ unsigned lane()
{
#ifdef __CUDA_ARCH__
    unsigned lane;
    asm("mov.u32 %0, %laneid;" : "=r"(lane));
    return lane;
#else
    return 99;
#endif
}
__global__ void lanes(int *p)
{
    p[threadIdx.x] = (int)lane();
}

template <class T> __global__ void k(T *p, double *sum)
{
#ifdef __CUDA_ARCH__
    p[5 * threadIdx.x] = side();
    p[5 * threadIdx.x + 1] = point().where();
    p[5 * threadIdx.x + 2] = version();
    p[5 * threadIdx.x + 3] = only_there();
    p[5 * threadIdx.x + 4] = twice(SIDE);
    atomicAdd(sum, 1.0);
#endif
}
template <class F> __global__ void call(F f, int *p)
{
    *p = f();
}

int main()
{
    int *p = make_managed<int>(10);
    double *sum = make_managed<double>(1);
    k<<<1, 2>>>(p, sum);
    SYNC();
    CHECK(p[0] == 2 && p[5] == 12 && p[1] == 102 && p[6] == 102);
    CHECK(p[2] == 7 && p[3] >= 750 && p[4] == 4 && *sum == 2.0);
    CHECK(side() == 1 && point().where() == 201 && twice(SIDE) == 2);
    call<<<1, 1>>>([] __device__() { return SIDE; }, p);
    SYNC();
    CHECK(p[0] == 2);
    lanes<<<1, 10>>>(p);
    SYNC();
    CHECK(p[0] == 0 && p[9] == 9 && lane() == 99);
#ifdef __CUDA_ARCH__
    CHECK(false);
#endif
    return finish();
}
