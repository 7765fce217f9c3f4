/**
 * @file strides_operator_shift_1_1369.cu
 * @brief Kernel 1369 of seed 1, reduced: other results than --plain; transformed: loop.
 */
// change:operator_shift family:strides store:out stride:for stride:plane
#include "random.h"
struct S1369_2 {
    int v;
    __host__ __device__ explicit S1369_2(int x) : v(x)
    {
    }
    __device__ void tick(int y) const
    {
        const_cast<S1369_2 *>(this)->v += y;
    }
};
__device__ S1369_2 &operator<<(S1369_2 &s, int y)
{
    s.v += y;
    return s;
}
__global__ void k1369(S1369_2 zero3, unsigned w4, unsigned h5, unsigned char *out, const unsigned char *bytes)
{
    S1369_2 n1 = zero3;
    for (unsigned y6 = blockIdx.y * blockDim.y + threadIdx.y; y6 < h5; y6 += gridDim.y * blockDim.y) {
        for (unsigned x7 = blockIdx.x * blockDim.x + threadIdx.x; x7 < w4; x7 += gridDim.x * blockDim.x) {
            n1 << (static_cast<int>(bytes[n1.v & 1023] / ((unsigned)n1.v | 1) >> 3 & 63));
            out[(y6 * w4 + x7)] = 0 + n1.v;
        }
    }
}
RUN(1369)
{
    begin(0);
    k1369<<<8, dim3(32, 3, 1), 0, STREAM>>>(S1369_2(0), 64u, 40u, (unsigned char *)MEMORY->out,
                                            MEMORY->bytes);
    finish(1369, 1);
}
MAIN(1369, "k1369 cd9242018f468161")
