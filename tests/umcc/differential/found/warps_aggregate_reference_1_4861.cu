/**
 * @file warps_aggregate_reference_1_4861.cu
 * @brief Kernel 4861 of seed 1, reduced: other results than --plain; transformed: fission.
 */
// barrier change:aggregate_reference family:warps store:own
#include "random.h"
struct S4861_8 {
    unsigned long long v;
    __host__ __device__ explicit S4861_8(unsigned long long x) : v(x)
    {
    }
    unsigned bits : 5;
};
struct H4861_11 {
    long long &r;
    __device__ void add(long long y) const
    {
        r += y;
    }
};
__global__ void k4861(unsigned *own)
{
    long long acc6 = 7;
    S4861_8 acc7 = S4861_8((unsigned long long)(3 % 100ll));
    {
        H4861_11 q10{acc6};
        q10.add((int)(acc7.v % 1001ull));
    }
    __syncthreads();
    own[((blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x) *
            (blockDim.x * blockDim.y * blockDim.z) +
        ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x)] =
        own[((blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x) *
                (blockDim.x * blockDim.y * blockDim.z) +
            ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x)] *
            7u +
        (unsigned long long)acc6;
}
RUN(4861)
{
    begin(0);
    k4861<<<1, dim3(16, 2, 2), 0, STREAM>>>((unsigned *)MEMORY->own);
    finish(4861, 1);
}
MAIN(4861, "k4861 8ee5cb6d352e6a15")
