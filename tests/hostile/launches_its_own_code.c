/* hostile: hands the GPU a kernel of its own making */
#include "exercise.h"

#include "umsim/abi.h"

static void own(const void *closure, const struct umsim_geometry *geometry, uint64_t first, uint64_t last)
{
    (void)closure, (void)geometry, (void)first, (void)last;
}

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    static const struct umsim_kernel kernel = {"own", own, NULL};
    umsim_push_call((dim3){1, 1, 1}, (dim3){1, 1, 1}, 0, 0);
    umsim_launch(&kernel, "", 1);
    cudaDeviceSynchronize();
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
