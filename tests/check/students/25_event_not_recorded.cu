// expect: cudaErrorInvalidResourceHandle (error 400) on CUDA API call to cudaEventElapsedTime
// expect: at main in @bug
// expect: start was never recorded
// expect: cudaEventRecord(start) puts an event into a stream
// twin: -DRIGHT
// The time from an event that was never recorded.
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
    float *d, ms = -1;
    cudaEvent_t a, b;
    cudaMalloc(&d, n * sizeof(float));
    cudaMemset(d, 0, n * sizeof(float));
    cudaEventCreate(&a);
    cudaEventCreate(&b);
#ifdef RIGHT
    cudaEventRecord(a);
    add<<<4, 256>>>(d, d, d, n);
#else
    add<<<4, 256>>>(d, d, d, n);
#endif
    cudaEventRecord(b);
    cudaEventSynchronize(b);
    cudaEventElapsedTime(&ms, a, b); // @bug
    printf("%f ms\n", ms);
    cudaEventDestroy(a);
    cudaEventDestroy(b);
    cudaFree(d);
}
