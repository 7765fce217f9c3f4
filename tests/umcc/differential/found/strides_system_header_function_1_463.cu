/**
 * @file strides_system_header_function_1_463.cu
 * @brief Kernel 463 of seed 1, reduced: other results than --plain; transformed: loop.
 */
// change:system_header_function family:strides store:out stride:for stride_condition
#include "random.h"
__global__ void k463(long long n3, unsigned long long *out)
{
    int acc1 = 7;
    for (long long i4 = blockIdx.x * blockDim.x + threadIdx.x; i4 < n3; i4 += gridDim.x * blockDim.x) {
        far_add(acc1, (int)((int)(i4 & 7)));
        out[i4] = out[i4] * 3u + (unsigned long long)(40 ^ acc1);
    }
}
RUN(463)
{
    begin(0);
    k463<<<1, 32, 0, STREAM>>>(97ll, (unsigned long long *)MEMORY->out);
    finish(463, 1);
}
MAIN(463, "k463 2b4c387383f77efa")
