/* mutant: waits for each stream; fails: place_one_sync/one_wait */
#include "exercise.h"

cudaError_t place_one_sync(int64_t *sum, int *x, int *y, const int *notes, size_t n, cudaStream_t one,
                           cudaStream_t other)
{
    int64_t total = 0;
    cudaError_t error = um_add_one(x, n, one), waited = cudaSuccess;

    if (error == cudaSuccess)
        error = um_add_one(y, n, other);
    for (size_t i = 0; i < n; i++) {
        total += notes[i];
    }
    if (n > 0)
        waited = cudaStreamSynchronize(one);
    if (n > 0 && waited == cudaSuccess)
        waited = cudaStreamSynchronize(other);
    if (error == cudaSuccess)
        error = waited;
    for (size_t i = 0; error == cudaSuccess && i < n; i++) {
        total += (int64_t)x[i] + y[i];
    }
    if (error == cudaSuccess)
        *sum = total;
    return error;
}
