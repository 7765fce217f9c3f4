/* fair: a stream and one device allocation of its own; the result is read by the device's address of mapped
 * memory */
#include "exercise.h"

cudaError_t gather_sum(double *sum, const float *host, const uint32_t *index, size_t m)
{
    volatile double *result = NULL;
    double *d_result = NULL, *partials = NULL;
    cudaStream_t stream = NULL;
    cudaEvent_t end = NULL;
    float *found;
    cudaError_t error;

    if (!m)
        return *sum = 0, cudaSuccess;
    if ((error = cudaHostAlloc((void **)(uintptr_t)&result, sizeof *result,
                               cudaHostAllocMapped | cudaHostAllocPortable)) ||
        (error = cudaHostGetDevicePointer((void **)&d_result, (void *)(uintptr_t)result, 0)) ||
        (error = cudaMalloc((void **)&partials, UM_SUM_BLOCKS * sizeof *partials + m * sizeof *found)) ||
        (error = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking)) ||
        (error = cudaEventCreateWithFlags(&end, cudaEventBlockingSync)))
        goto out;
    found = (float *)(void *)(partials + UM_SUM_BLOCKS);
    if ((error = um_gather(found, host, index, m, stream)) ||
        (error = um_sum(d_result, partials, found, m, stream)) || (error = cudaEventRecord(end, stream)) ||
        (error = cudaEventSynchronize(end)))
        goto out;
    *sum = *result;
out:
    if (end)
        cudaEventDestroy(end);
    if (stream)
        cudaStreamDestroy(stream);
    cudaFree(partials);
    cudaFreeHost((void *)(uintptr_t)result);
    return error;
}
