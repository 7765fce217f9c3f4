/**
 * @file strides_function_returns_alias_5_270.cu
 * @brief Kernel 270 of seed 5, reduced: umcc refused it (quick: cannot bind non-const lvalue reference of
 * type ‘H270_10_r’ {aka).
 */
// change:function_returns_alias family:strides stride:for stride:plane
#include "random.h"
using H270_10_r = unsigned long long &;
__device__ H270_10_r H270_10(H270_10_r x)
{
    return x;
}
__global__ void k270(int w3, int h4)
{
    for (int y5 = blockIdx.y * blockDim.y + threadIdx.y; y5 < h4; y5 += gridDim.y * blockDim.y) {
        unsigned long long count6 = 0;
        for (long long x7 = blockIdx.x * blockDim.x + threadIdx.x; x7 < w3; x7 += gridDim.x * blockDim.x) {
            H270_10(count6) += 18446744073709550616;
        }
    }
}
RUN(270)
{
    begin(0);
    k270<<<dim3(1, 4, 1), dim3(5, 7, 1), 0, STREAM>>>(11, 28);
    finish(270, 1);
}
MAIN(270, "k270 d26c1d9fa899b304")
