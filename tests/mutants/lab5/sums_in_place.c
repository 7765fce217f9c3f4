/* mutant: adds the notes to x before it sums; fails: place_one_sync/right_data */
#include "exercise.h"

cudaError_t place_one_sync(int64_t *sum, int *x, int *y, const int *notes, size_t n, cudaStream_t one,
                           cudaStream_t other)
{
    int64_t total = 0;
    cudaError_t error = um_add_one(x, n, one), waited = cudaSuccess;

    if (error == cudaSuccess)
        error = um_add_one(y, n, other);
    if (n > 0)
        waited = cudaDeviceSynchronize();
    if (error == cudaSuccess)
        error = waited;
    for (size_t i = 0; error == cudaSuccess && i < n; i++) {
        x[i] += notes[i];
        total += (int64_t)x[i] + y[i];
    }
    if (error == cudaSuccess)
        *sum = total;
    return error;
}
