/**
 * @file phases_aggregate_reference_1_5844.cu
 * @brief Kernel 5844 of seed 1, reduced: other results than --plain; transformed: fission.
 */
// barrier change:aggregate_reference family:phases store:own
#include "random.h"
struct H5844_9 {
    long long &r;
    __device__ void add(long long y) const
    {
        r += y;
    }
};
__global__ void k5844(unsigned *own)
{
    const unsigned me1 = blockIdx.x * blockDim.x + threadIdx.x;
    long long acc6 = 0;
    {
        H5844_9 q8{acc6};
        q8.add(1);
    }
    __syncthreads();
    own[me1] = own[me1] * 31u + (acc6 ^ 0);
}
RUN(5844)
{
    begin(0);
    k5844<<<8, 96, 0, STREAM>>>((unsigned *)MEMORY->own);
    finish(5844, 1);
}
MAIN(5844, "k5844 180220aec252e853")
