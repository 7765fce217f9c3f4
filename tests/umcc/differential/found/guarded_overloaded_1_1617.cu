/**
 * @file guarded_overloaded_1_1617.cu
 * @brief Kernel 1617 of seed 1, reduced: other results than --plain; transformed: guard, numbered.
 */
// family:guarded guard:overloaded guard_form:leave store:own
#include "random.h"
struct Odd1617_3 {
    long long n;
};
__device__ inline bool operator<(long long x, Odd1617_3 b)
{
    return (x & 7) < (b.n & 7);
}
__device__ inline bool operator>=(long long x, Odd1617_3 b)
{
    return !((x & 7) < (b.n & 7));
}
__global__ void k1617(unsigned long long *own, Odd1617_3 bound4)
{
    unsigned x1 = blockIdx.x * blockDim.x + threadIdx.x;
    if (x1 >= bound4)
        return;
    own[blockIdx.x * blockDim.x + threadIdx.x] = own[blockIdx.x * blockDim.x + threadIdx.x] * 31u + x1;
}
RUN(1617)
{
    begin(0);
    k1617<<<5, 100, 0, STREAM>>>((unsigned long long *)MEMORY->own, Odd1617_3{268});
    finish(1617, 1);
}
MAIN(1617, "k1617 d3c8d4aeffa41eac")
