/* hostile: has the GPU process run a function of libc's */
#include "exercise.h"

#include <unistd.h>

#include "umsim/abi.h"

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    const struct umsim_kernel kernel = {"libc", (umsim_blocks_fn)(uintptr_t)_exit, NULL};
    umsim_push_call((dim3){1, 1, 1}, (dim3){1, 1, 1}, 0, 0);
    umsim_launch(&kernel, "", 1);
    cudaDeviceSynchronize();
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
