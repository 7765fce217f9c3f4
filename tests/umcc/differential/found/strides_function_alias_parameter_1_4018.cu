/**
 * @file strides_function_alias_parameter_1_4018.cu
 * @brief Kernel 4018 of seed 1, reduced: other results than --plain; transformed: loop.
 */
// change:function_alias_parameter family:strides store:out stride:for stride_condition
#include "random.h"
using H4018_7_r = long long &;
__device__ void H4018_7(H4018_7_r x, long long y)
{
    x += y;
}
__global__ void k4018(unsigned long long n2, unsigned *out)
{
    long long c1 = 1;
    for (unsigned i3 = blockIdx.x * blockDim.x + threadIdx.x + 2147473647u; i3 < n2;
         i3 += gridDim.x * blockDim.x) {
        H4018_7(c1, int(c1 & 63));
        out[i3 - 2147473647u] = (unsigned long long)c1;
    }
}
RUN(4018)
{
    begin(0);
    k4018<<<1, 96, 0, STREAM>>>(2147473936ull, (unsigned *)MEMORY->out);
    finish(4018, 1);
}
MAIN(4018, "k4018 f8e68dd993515066")
