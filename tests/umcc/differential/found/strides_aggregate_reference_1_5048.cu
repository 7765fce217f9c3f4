/**
 * @file strides_aggregate_reference_1_5048.cu
 * @brief Kernel 5048 of seed 1, reduced: other results than --plain; transformed: loop.
 */
// change:aggregate_reference family:strides store:out stride:for stride_condition
#include "random.h"
struct H5048_8 {
    unsigned long long &r;
    __device__ void add(unsigned long long y) const
    {
        r += y;
    }
};
__global__ void k5048(int n2, unsigned long long *out)
{
    unsigned long long sum1 = 0;
    for (int i3 = blockIdx.x * blockDim.x + threadIdx.x; i3 < n2; i3 += blockDim.x * gridDim.x) {
        {
            H5048_8 q7{sum1};
            q7.add(2);
        }
        out[i3] = out[i3] * 3u + sum1;
    }
}
RUN(5048)
{
    begin(0);
    k5048<<<2, 100, 0, STREAM>>>(1024, (unsigned long long *)MEMORY->out);
    finish(5048, 1);
}
MAIN(5048, "k5048 389a2c4d36d789b7")
