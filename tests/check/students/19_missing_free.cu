// expect: Leaked 1048576 bytes
// expect: allocated by cudaMalloc at 19_missing_free.cu:
// expect: and 9 more like it
// expect: cudaFree gives it back
// twin: -DRIGHT
// Each round of a loop allocates, none frees.
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
    for (int k = 0; k < 10; k++) {
        float *d;
        cudaMalloc(&d, 1 << 20);
        cudaMemset(d, 0, 1 << 20);
        add<<<4, 256>>>(d, d, d, 1000);
#ifdef RIGHT
        cudaFree(d);
    }
#else
    }
#endif
    cudaDeviceSynchronize();
}
