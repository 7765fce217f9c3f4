/**
 * @file strides_function_constexpr_1_1863.cu
 * @brief Kernel 1863 of seed 1, reduced: other results than --plain; transformed: loop.
 */
// change:function_constexpr family:strides store:out stride:for stride_condition
#include "random.h"
constexpr void H1863_6(unsigned &x, unsigned y)
{
    x = x * 5u + y;
}
template <class T> __global__ void k1863(T *own, long long n2, unsigned short *out, const unsigned *words)
{
    unsigned acc1 = 0;
    for (long long i3 = blockIdx.x * blockDim.x + threadIdx.x; i3 < n2; i3 += blockDim.x * gridDim.x) {
        H1863_6(acc1, words[0]);
        out[i3] = out[i3] * 3u + acc1;
    }
}
RUN(1863)
{
    begin(0);
    k1863<<<1, 128, 0, STREAM>>>((unsigned *)MEMORY->own, 385ll, (unsigned short *)MEMORY->out,
                                 MEMORY->words);
    finish(1863, 1);
}
MAIN(1863, "k1863 d201e1f1e7af9619")
