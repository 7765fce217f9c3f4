// expect: host code wrote device memory
// expect: instead  copy it first: cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice)
// expect: at main in @bug
// status: -11
// twin: -DRIGHT
// The host writes to device memory.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
__global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

int main()
{
    const int n = 1000;
    float *d;
    cudaMalloc(&d, n * sizeof(float));
#ifdef RIGHT
    cudaMemset(d, 0, n * sizeof(float));
#else
    for (int i = 0; i < n; i++)
        d[i] = i; // @bug
#endif
    add<<<4, 256>>>(d, d, d, n);
    cudaFree(d);
}
