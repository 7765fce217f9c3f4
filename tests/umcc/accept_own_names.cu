// The built-in variables' names may be a kernel's own: a parameter's, a local variable's.
#include "check.h"

__global__ void parameter(int *o, uint3 threadIdx)
{
    o[0] = (int)threadIdx.x;
}
__global__ void parameter_and_index(int *o, int n, uint3 threadIdx)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        o[i] = 70 + (int)threadIdx.y;
}
__global__ void dimension(int *o, dim3 blockDim)
{
    o[threadIdx.x + 2] = (int)blockDim.x;
}
__global__ void local(int *o, int n)
{
    int blockIdx = n;
    o[6] = blockIdx;
}
__global__ void local_index(int *o, int n)
{
    uint3 threadIdx = {5, 6, 7};
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        o[i + 2] = i;
}

int main()
{
    int *o = make_managed<int>(16);
    parameter<<<1, 4>>>(o, make_uint3(9, 1, 1));
    parameter_and_index<<<1, 1>>>(o, 2, make_uint3(1, 2, 3));
    dimension<<<1, 2>>>(o, dim3(30));
    local<<<1, 4>>>(o, 7);
    local_index<<<1, 8>>>(o, 8);
    SYNC();
    CHECK(o[0] == 9);
    CHECK(o[1] == 72);
    CHECK(o[2] == 30 && o[3] == 30);
    CHECK(o[6] == 7);
    CHECK(o[7] == 5 && o[8] == 0 && o[9] == 0);
    return finish();
}
