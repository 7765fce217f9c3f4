/* fair: rows of cudaMallocPitch and asynchronous 2D copies, and one wait for an event */
#include "exercise.h"

static cudaError_t move_row(void *to, const void *from, size_t pitch, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    const size_t tight = bytes;

    return kind == cudaMemcpyHostToDevice ? cudaMemcpy2DAsync(to, pitch, from, tight, bytes, 1, kind, stream)
                                          : cudaMemcpy2DAsync(to, tight, from, pitch, bytes, 1, kind, stream);
}

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    const size_t bytes = n * sizeof *c;
    cudaEvent_t done = NULL;
    char *rows = NULL;
    size_t pitch = 0;
    cudaError_t error;

    if (n == 0)
        return cudaSuccess;
    error = cudaMallocPitch((void **)&rows, &pitch, bytes, 3);
    if (error == cudaSuccess)
        error = cudaEventCreateWithFlags(&done, cudaEventDisableTiming | cudaEventBlockingSync);
    if (error == cudaSuccess)
        error = move_row(rows, a, pitch, bytes, cudaMemcpyHostToDevice, 0);
    if (error == cudaSuccess)
        error = move_row(rows + pitch, b, pitch, bytes, cudaMemcpyHostToDevice, 0);
    if (error == cudaSuccess)
        error = um_vector_add((float *)(void *)(rows + 2 * pitch), (const float *)(const void *)rows,
                              (const float *)(const void *)(rows + pitch), n, 0);
    if (error == cudaSuccess)
        error = move_row(c, rows + 2 * pitch, pitch, bytes, cudaMemcpyDeviceToHost, 0);
    if (error == cudaSuccess)
        error = cudaEventRecord(done, 0);
    if (error == cudaSuccess)
        error = cudaEventSynchronize(done);
    if (done)
        cudaEventDestroy(done);
    cudaFree(rows);
    return error;
}
