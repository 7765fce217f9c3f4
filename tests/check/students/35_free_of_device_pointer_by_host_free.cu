// expect: host code called free() or realloc() for device memory
// expect: instead  give it back with cudaFree()
// expect: at main in @bug
// status: -11
// twin: -DRIGHT
// free() of a device pointer.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

int main()
{
    float *a;
    cudaMalloc(&a, 1000);
    cudaMemset(a, 0, 1000);
#ifdef RIGHT
    cudaFree(a);
#else
    free(a); // @bug
#endif
    printf("done\n");
}
