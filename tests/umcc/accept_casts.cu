/**
 * @file accept_casts.cu
 * @brief Casts of addresses to numbers that are too small for them: nvcc takes these in device code, g++
 * nowhere.
 */
#include "check.h"

#include <cstdint>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* what umcc says of each, as nvcc does */

template <class T> __device__ T low_bits(const void *p)
{
    return (T)p;
}

__device__ int function_style(int *p)
{
    return int(p) + 1;
}

/* It ends early and waits: what umcc makes of it, g++ may refuse, and then it is compiled as it is written.
 */
__global__ void cast_all(int *p, long long *to, unsigned n)
{
    if (threadIdx.x >= n)
        return;
    to[0] = (int)p;
    to[1] = (unsigned)p + 0u;
    to[2] = (short)p;
    to[3] = (unsigned char)&p[1];
    to[4] = (long)p;
    to[5] = low_bits<unsigned short>(p + 2);
    to[6] = function_style(p);
    to[7] = (unsigned)(p);
    to[8] = (int)(p + 3) & 15;
    to[9] = (int)3.7f + (int)-2.5;
    to[10] = (bool)p;
}

int main()
{
    int *p;
    long long *to, got[11];
    CHECK(cudaMalloc(&p, 64) == cudaSuccess && cudaMalloc(&to, sizeof got) == cudaSuccess);
    cast_all<<<1, 1>>>(p, to, 1);
    CHECK(cudaMemcpy(got, to, sizeof got, cudaMemcpyDeviceToHost) == cudaSuccess);
    const intptr_t address = (intptr_t)p;
    const long long expected[] = {(int)address,
                                  (unsigned)address,
                                  (short)address,
                                  (unsigned char)(address + 4),
                                  address,
                                  (unsigned short)(address + 8),
                                  (int)address + 1,
                                  (unsigned)address,
                                  (int)(address + 12) & 15,
                                  1,
                                  1};
    for (int i = 0; i < 11; i++)
        CHECK(got[i] == expected[i]);
    CHECK(cudaFree(p) == cudaSuccess && cudaFree(to) == cudaSuccess);
    return failures != 0;
}
