/* Lambdas for the device, which nvcc wants --extended-lambda for. */
#include "check.h"

template <class F> __global__ void for_each(int n, F f)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        f(i);
}

int main()
{
    int *p = make_managed<int>(100);
    const int factor = 3;
    for_each<<<4, 32>>>(100, [=] __device__(int i) { p[i] = factor * i; });
    SYNC();
    CHECK(p[99] == 297 && p[1] == 3);
    for_each<<<4, 32>>>(100, [=] __host__ __device__(int i) { p[i] += 1; });
    for_each<<<1, 32>>>(32, [p] __device__(int i) {
        const int mine = p[i];
        __syncthreads();
        p[31 - threadIdx.x] = mine;
    });
    SYNC();
    CHECK(p[99] == 298 && p[31] == 1 && p[0] == 94);
    return finish();
}
