/* mutant: lets one stream wait for the other, and waits for that; fails: nothing */
#include "exercise.h"

cudaError_t place_one_sync(int64_t *sum, int *x, int *y, const int *notes, size_t n, cudaStream_t one,
                           cudaStream_t other)
{
    cudaEvent_t behind = NULL;
    int64_t total = 0;
    cudaError_t error = um_add_one(x, n, one), waited = cudaSuccess;

    if (error == cudaSuccess)
        error = um_add_one(y, n, other);
    for (size_t i = 0; i < n; i++) {
        total += notes[i];
    }
    if (n > 0 && error == cudaSuccess &&
        (error = cudaEventCreateWithFlags(&behind, cudaEventDisableTiming)) == cudaSuccess &&
        (error = cudaEventRecord(behind, other)) == cudaSuccess)
        error = cudaStreamWaitEvent(one, behind, 0);
    if (n > 0)
        waited = error == cudaSuccess ? cudaStreamSynchronize(one) : cudaDeviceSynchronize();
    if (behind != NULL)
        cudaEventDestroy(behind);
    if (error == cudaSuccess)
        error = waited;
    for (size_t i = 0; error == cudaSuccess && i < n; i++) {
        total += (int64_t)x[i] + y[i];
    }
    if (error == cudaSuccess)
        *sum = total;
    return error;
}
