/**
 * @file strides_in_while_head_1_20407.cu
 * @brief Kernel 20407 of seed 1, reduced: umcc refused it (quick: umcc: out of memory).
 */
// change:in_while_head family:strides store:out stride:for stride:plane
#include "random.h"
__global__ void k20407(const long long w3, const long long h4, unsigned char *out)
{
    unsigned acc1 = 0;
    const long long v2 = (unsigned char)(3u % 9223372036854775807ll);
    for (unsigned y5 = blockIdx.y * blockDim.y + threadIdx.y; y5 < h4; y5 += blockDim.y * gridDim.y) {
        for (unsigned x6 = blockIdx.x * blockDim.x + threadIdx.x; x6 < w3; x6 += blockDim.x * gridDim.x) {
            out[(y5 * w3 + x6)] ^= (unsigned long long)(acc1 + h4 - acc1);
            {
                int q8 = 2;
                while (q8-- > 0 && (acc1 += 1, true)) {
                }
            }
            out[(y5 * w3 + x6)] ^= y5 - acc1;
        }
    }
}
RUN(20407)
{
    begin(0);
    k20407<<<dim3(1, 4, 1), dim3(32, 8, 1), 0, STREAM>>>(32ll, 64ll, (unsigned char *)MEMORY->out);
    begin(1);
    k20407<<<dim3(1, 4, 1), dim3(16, 4, 1), 0, STREAM>>>(0ll, 0ll, (unsigned char *)MEMORY->out);
    begin(2);
    k20407<<<dim3(4, 3, 1), dim3(8, 8, 1), 0, STREAM>>>(32ll, 12ll, (unsigned char *)MEMORY->out);
    finish(20407, 3);
}
MAIN(20407, "k20407 dca22b4c301f85ea d26c1d9fa899b304 77996442ee789c11")
