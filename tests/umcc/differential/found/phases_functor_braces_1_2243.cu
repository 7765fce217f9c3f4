/**
 * @file phases_functor_braces_1_2243.cu
 * @brief Kernel 2243 of seed 1, reduced: other results than --plain; transformed: fission.
 */
// barrier change:functor_braces family:phases store:own
#include "random.h"
struct H2243_11 {
    __device__ void operator()(int &x, int y) const
    {
        x += y;
    }
};
__global__ void k2243(unsigned *own)
{
    int sum6 = 0;
    __syncthreads();
    H2243_11{}(sum6, 372734385 % 1001);
    __syncthreads();
    own[((blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x) *
            (blockDim.x * blockDim.y * blockDim.z) +
        ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x)] =
        own[((blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x) *
                (blockDim.x * blockDim.y * blockDim.z) +
            ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x)] *
            31u +
        (0 - sum6);
}
RUN(2243)
{
    begin(0);
    k2243<<<dim3(2, 2, 2), dim3(32, 2, 2), 0, STREAM>>>((unsigned *)MEMORY->own);
    finish(2243, 1);
}
MAIN(2243, "k2243 d83275548413a912")
