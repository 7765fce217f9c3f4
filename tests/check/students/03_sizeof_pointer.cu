// expect: Uninitialized __global__ read of size 4 bytes
// expect: cudaMemcpy at @bug wrote 8 of its 4000 bytes
// expect: sizeof of a pointer is 8
// errors: 2
// twin: -DRIGHT
// sizeof of a pointer where the array's was meant.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
__global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

void run(float *a, int n)
{
    float *da;
    cudaMalloc(&da, n * sizeof(float));
#ifdef RIGHT
    cudaMemcpy(da, a, n * sizeof(float), cudaMemcpyHostToDevice);
#else
    cudaMemcpy(da, a, sizeof(a), cudaMemcpyHostToDevice); // @bug
#endif
    add<<<(n + 255) / 256, 256>>>(da, da, da, n);
    cudaMemcpy(a, da, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(da);
}
int main()
{
    float a[1000];
    for (int i = 0; i < 1000; i++)
        a[i] = i;
    run(a, 1000);
    printf("a[10]=%f\n", a[10]);
}
