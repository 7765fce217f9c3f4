// expect: on CUDA API call to cudaMemcpy
// expect: at main in @bug
// expect: 80 bytes from there are 40 too many: the allocation has 40
// expect: The size is in bytes
// errors: 2
// twin: -DRIGHT
// A copy of more than was allocated.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

int main()
{
    int h[10] = {0}, *d;
    cudaMalloc(&d, sizeof h);
#ifdef RIGHT
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
#else
    cudaMemcpy(d, h, 10 * sizeof(double), cudaMemcpyHostToDevice); // @bug
#endif
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h[9]);
    cudaFree(d);
}
