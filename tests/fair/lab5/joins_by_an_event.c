/* fair: y first; stream `one` waits for the event of stream `other`, so waiting for `one` is enough; sums by
 * halves */
#include <stdbool.h>

#include "exercise.h"

static int64_t sum_of(const int *p, size_t n)
{
    return n == 0 ? 0 : n == 1 ? *p : sum_of(p, n / 2) + sum_of(p + n / 2, n - n / 2);
}

cudaError_t place_one_sync(int64_t *sum, int *x, int *y, const int *notes, size_t n, cudaStream_t one,
                           cudaStream_t other)
{
    cudaEvent_t y_done = NULL;
    bool is_joined = false;
    cudaError_t error, waited;
    int64_t total;

    if (n == 0) {
        *sum = 0;
        return cudaSuccess;
    }
    error = cudaEventCreateWithFlags(&y_done, cudaEventDisableTiming);
    if (error != cudaSuccess)
        return error;
    error = um_add_one(y, n, other);
    if (error == cudaSuccess)
        error = um_add_one(x, n, one);
    if (error == cudaSuccess)
        error = cudaEventRecord(y_done, other);
    if (error == cudaSuccess)
        error = cudaStreamWaitEvent(one, y_done, 0);
    is_joined = error == cudaSuccess;
    total = sum_of(notes, n);
    waited = is_joined ? cudaStreamSynchronize(one) : cudaDeviceSynchronize();
    if (error == cudaSuccess)
        error = waited;
    if (error == cudaSuccess)
        *sum = total + sum_of(x, n) + sum_of(y, n);
    cudaEventDestroy(y_done);
    return error;
}
