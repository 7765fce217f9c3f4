/* hostile: host functions that queue host functions */
#include "exercise.h"

static void CUDART_CB again(void *data)
{
    for (;;) {
    }
    (void)data;
}

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    cudaLaunchHostFunc(0, again, NULL);
    cudaDeviceSynchronize();
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
