// expect: on CUDA API call to cudaLaunchKernel
// expect: at main in @bug
// expect: the grid is (0,1,1), and each of the three has to be at least 1
// expect: (n + threads - 1) / threads blocks hold all n
// twin: -DRIGHT
// A grid of no blocks.
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
    const int n = 100;
    float *d;
    cudaMalloc(&d, n * sizeof(float));
    cudaMemset(d, 0, n * sizeof(float));
#ifdef RIGHT
    add<<<(n + 255) / 256, 256>>>(d, d, d, n);
#else
    add<<<n / 256, 256>>>(d, d, d, n); // @bug
#endif
    float h = -1;
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%f\n", h);
    cudaFree(d);
}
