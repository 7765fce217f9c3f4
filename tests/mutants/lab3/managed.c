/* mutant: managed memory, no copies; fails: stream_saxpy/exact_bytes, stream_saxpy/budget */
#include <string.h>

#include "exercise.h"

cudaError_t stream_saxpy(float *y, const float *x, size_t n, size_t chunk)
{
    float *m_x = NULL, *m_y = NULL;
    cudaError_t error;

    if (chunk == 0)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;
    error = cudaMallocManaged((void **)&m_x, chunk * sizeof *x, cudaMemAttachGlobal);
    if (error == cudaSuccess)
        error = cudaMallocManaged((void **)&m_y, chunk * sizeof *y, cudaMemAttachGlobal);
    for (size_t at = 0; at < n && error == cudaSuccess; at += chunk) {
        const size_t length = n - at < chunk ? n - at : chunk;

        memcpy(m_x, x + at, length * sizeof *x);
        memcpy(m_y, y + at, length * sizeof *y);
        error = um_saxpy(m_y, LAB3_FACTOR, m_x, length, 0);
        if (error == cudaSuccess)
            error = cudaStreamSynchronize(0);
        memcpy(y + at, m_y, length * sizeof *y);
    }
    cudaFree(m_x);
    cudaFree(m_y);
    return error;
}
