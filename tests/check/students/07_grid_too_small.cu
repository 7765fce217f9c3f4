// expect: Uninitialized access
// expect: by cudaMemcpy source
// expect: of 928 bytes that nobody has written
// expect: are there threads for all, (n + threads - 1) / threads blocks?
// twin: -DRIGHT
// The number of blocks is rounded down.
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
    size_t s = n * sizeof(float);
    float *a = (float *)malloc(s), *c = (float *)malloc(s), *da, *dc;
    for (int i = 0; i < n; i++)
        a[i] = i;
    cudaMalloc(&da, s);
    cudaMalloc(&dc, s);
    cudaMemcpy(da, a, s, cudaMemcpyHostToDevice);
#ifdef RIGHT
    add<<<(n + 255) / 256, 256>>>(da, da, dc, n);
#else
    add<<<n / 256, 256>>>(da, da, dc, n);
#endif
    cudaMemcpy(c, dc, s, cudaMemcpyDeviceToHost);
    printf("c[999]=%f\n", c[999]);
    cudaFree(da);
    cudaFree(dc);
    free(a);
    free(c);
}
