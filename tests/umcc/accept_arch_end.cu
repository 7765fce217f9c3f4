/*
 * @file accept_arch_end.cu
 * @brief Functions chosen by __CUDA_ARCH__: between others, cut in the middle, and as the last thing of the
 * file.
 */
#include "check.h"

__device__ int last();
__global__ void at_the_end(int *o);

#if __CUDA_ARCH__ >= 300
__device__ int between()
{
    return 7;
}
__device__ int another()
{
    return 1;
}
#else
__device__ int between();
#endif

__host__ __device__ int open_braces(int x)
{
#ifdef __CUDA_ARCH__
    if (x > 0) {
#endif
        x++;
#ifdef __CUDA_ARCH__
    }
#endif
    return x;
}

__global__ void other_braces(int *o)
{
#if __CUDA_ARCH__ >= 300
    for (int i = 0; i < 3; i++) {
#else
    if (o) {
#endif
        o[0] = open_braces(o[0]);
    }
    o[1] = between() + last();
}

int main()
{
    int *o = make_managed<int>(3);
    o[0] = 4;
    other_braces<<<1, 1>>>(o);
    at_the_end<<<1, 1>>>(o + 2);
    SYNC();
    CHECK(o[0] == 7 && o[1] == 16 && o[2] == 7 && open_braces(-5) == -4);
    return finish();
}

#if __CUDA_ARCH__ >= 300
__device__ int last()
{
    return 9;
}
__global__ void at_the_end(int *o)
{
    o[0] = 7;
}
#else
__global__ void at_the_end(int *o)
{
    o[0] = 8;
}
#endif
