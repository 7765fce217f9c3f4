// expect: cudaErrorInvalidValue (error 1) on CUDA API call to cudaMemcpy
// expect: at main in @bug
// expect: The pointers say cudaMemcpyDeviceToHost, and the call says cudaMemcpyHostToDevice
// expect: The first pointer is where the bytes go
// twin: -DRIGHT
// A copy to the host says that it goes to the device.
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
    float *a = (float *)malloc(s), *b = (float *)malloc(s), *c = (float *)malloc(s), *da, *db, *dc;
    for (int i = 0; i < n; i++) {
        a[i] = i;
        b[i] = 2 * i;
    }
    cudaMalloc(&da, s);
    cudaMalloc(&db, s);
    cudaMalloc(&dc, s);
    cudaMemcpy(da, a, s, cudaMemcpyHostToDevice);
    cudaMemcpy(db, b, s, cudaMemcpyHostToDevice);
    add<<<4, 256>>>(da, db, dc, n);
#ifdef RIGHT
    cudaMemcpy(c, dc, s, cudaMemcpyDeviceToHost);
#else
    cudaMemcpy(c, dc, s, cudaMemcpyHostToDevice); // @bug
#endif
    printf("c[10]=%f\n", c[10]);
    cudaFree(da);
    cudaFree(db);
    cudaFree(dc);
    free(a);
    free(b);
    free(c);
}
