/**
 * @file guarded_unsigned_1_5999.cu
 * @brief Kernel 5999 of seed 1, reduced: other results than --plain; transformed: guard.
 */
// change:aggregate_member family:guarded guard:unsigned guard_form:if store:out
#include "random.h"
struct H5999_9 {
    unsigned &r;
    __device__ void add(unsigned y) const
    {
        r += y;
    }
};
__global__ void k5999(int dx1, int w5, int out[])
{
    int x2 = blockIdx.x * blockDim.x + threadIdx.x + dx1;
    unsigned count4 = 0;
    if (unsigned(x2) < static_cast<unsigned>(w5)) {
        {
            H5999_9 q8{count4};
            q8.r += dx1;
        }
        out[x2] = (unsigned long long)(0 - count4);
    }
}
RUN(5999)
{
    begin(0);
    k5999<<<1, 256, 0, STREAM>>>(-1, 1, (int *)MEMORY->out);
    finish(5999, 1);
}
MAIN(5999, "k5999 228eeb0894c666dd")
