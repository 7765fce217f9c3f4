/**
 * @file guarded_below_1_1529.cu
 * @brief Kernel 1529 of seed 1, reduced: other results than --plain; transformed: guard, numbered.
 */
// family:guarded guard:below guard_form:leave store:out
#include "random.h"
__global__ void k1529(int dx1, unsigned w4, int *out)
{
    unsigned x2 = blockIdx.x * blockDim.x + threadIdx.x + dx1;
    if (x2 >= w4)
        return;
    out[x2] ^= 31;
}
RUN(1529)
{
    begin(0);
    k1529<<<5, 100, 0, STREAM>>>(-1, 83u, (int *)MEMORY->out);
    finish(1529, 1);
}
MAIN(1529, "k1529 f470ba6b24715276")
