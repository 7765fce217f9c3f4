/* fair: memory of cudaMalloc3D and copies of boxes that are one row high; the last one waits */
#include <stdint.h>
#include <driver_functions.h>

#include "exercise.h"

static struct cudaPitchedPtr row_of(const float *p, size_t n)
{
    return make_cudaPitchedPtr((void *)(uintptr_t)p, n * sizeof *p, n * sizeof *p, 1);
}

static struct cudaMemcpy3DParms way(struct cudaPitchedPtr to, struct cudaPitchedPtr from, size_t n,
                                    enum cudaMemcpyKind kind)
{
    return (struct cudaMemcpy3DParms){
        .dstPtr = to, .srcPtr = from, .extent = make_cudaExtent(n * sizeof(float), 1, 1), .kind = kind};
}

cudaError_t saxpy_chain(float *y, float factor, const float *x, size_t n, unsigned k)
{
    const struct cudaExtent extent = make_cudaExtent(n * sizeof *y, 1, 1);
    struct cudaPitchedPtr d_x = {NULL, 0, 0, 0}, d_y = {NULL, 0, 0, 0};
    cudaError_t error = cudaMalloc3D(&d_x, extent);

    if (error == cudaSuccess)
        error = cudaMalloc3D(&d_y, extent);
    const struct cudaMemcpy3DParms in_x = way(d_x, row_of(x, n), n, cudaMemcpyHostToDevice);
    const struct cudaMemcpy3DParms in_y = way(d_y, row_of(y, n), n, cudaMemcpyHostToDevice);
    const struct cudaMemcpy3DParms out_y = way(row_of(y, n), d_y, n, cudaMemcpyDeviceToHost);

    if (error == cudaSuccess)
        error = cudaMemcpy3D(&in_x);
    if (error == cudaSuccess)
        error = cudaMemcpy3DAsync(&in_y, cudaStreamLegacy);
    for (unsigned i = 0; i < k && error == cudaSuccess; i++) {
        error = um_saxpy(d_y.ptr, factor, d_x.ptr, n, cudaStreamLegacy);
    }
    if (error == cudaSuccess)
        error = cudaMemcpy3D(&out_y);
    cudaFree(d_y.ptr);
    cudaFree(d_x.ptr);
    return error;
}
