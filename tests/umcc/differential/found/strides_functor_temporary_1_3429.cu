/**
 * @file strides_functor_temporary_1_3429.cu
 * @brief Kernel 3429 of seed 1, reduced: other results than --plain; transformed: loop.
 */
// change:functor_temporary family:strides store:out stride:for stride:plane
#include "random.h"
struct H3429_10 {
    __device__ void operator()(int &x, int y) const
    {
        x += y;
    }
};
__global__ void k3429(int w3, long long h4, unsigned *out)
{
    int c1 = 7;
    for (int y5 = blockIdx.y * blockDim.y + threadIdx.y; y5 < h4; y5 += gridDim.y * blockDim.y) {
        for (int x6 = blockIdx.x * blockDim.x + threadIdx.x; x6 < w3; x6 += blockDim.x * gridDim.x) {
            H3429_10()(c1, static_cast<int>((unsigned)c1 % 1001u));
            out[(y5 * w3 + x6)] = (unsigned)c1;
        }
    }
}
RUN(3429)
{
    begin(0);
    k3429<<<3, dim3(16, 16, 1), 0, STREAM>>>(48, 46ll, (unsigned *)MEMORY->out);
    finish(3429, 1);
}
MAIN(3429, "k3429 8c03c7371fe28d26")
