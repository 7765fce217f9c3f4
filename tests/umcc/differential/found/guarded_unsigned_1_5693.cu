/**
 * @file guarded_unsigned_1_5693.cu
 * @brief Kernel 5693 of seed 1, reduced: other results than --plain; transformed: guard.
 */
// family:guarded guard:unsigned guard_form:leave store:out
#include "random.h"
struct S5693_5 {
    long long v;
    __host__ __device__ explicit S5693_5(long long x) : v(x)
    {
    }
};
__device__ long long operator*(S5693_5 &s, long long y)
{
    s.v += y;
    return s.v;
}
__global__ void k5693(int dx1, S5693_5 zero6, long long w8, int w9, int *out)
{
    unsigned x2 = blockIdx.x * blockDim.x + threadIdx.x + dx1;
    int y3 = blockIdx.y * blockDim.y + threadIdx.y;
    S5693_5 count4 = zero6;
    if (unsigned(x2) >= (unsigned long long)w8 || (y3 >= w9 || 0 > y3))
        return;
    out[y3 * w8 + x2] = out[y3 * w8 + x2] * 3u + (unsigned long long)count4.v;
}
RUN(5693)
{
    begin(0);
    k5693<<<dim3(1, 4, 1), dim3(32, 3, 1), 0, STREAM>>>(-1, S5693_5(1), 16ll, 8, (int *)MEMORY->out);
    finish(5693, 1);
}
MAIN(5693, "k5693 8dc978b17b4ac2f8")
