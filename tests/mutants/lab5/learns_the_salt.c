/* mutant: lets kernels add to one element, looks what they added, and does the rest on the host; fails: place_one_sync/right_data */
#include "exercise.h"

cudaError_t place_one_sync(int64_t *sum, int *x, int *y, const int *notes, size_t n, cudaStream_t one,
                           cudaStream_t other)
{
    const size_t few = n > 0;
    const int before = n > 0 ? x[0] : 0;
    int64_t total = 0;
    cudaError_t error = um_add_one(x, few, one), waited = cudaSuccess;

    if (error == cudaSuccess)
        error = um_add_one(y, few, other);
    for (size_t i = 0; i < n; i++) {
        total += notes[i];
    }
    if (n > 0)
        waited = cudaDeviceSynchronize();
    if (error == cudaSuccess)
        error = waited;
    for (size_t i = 0; error == cudaSuccess && i < n; i++) {
        if (i > 0) {
            x[i] += x[0] - before;
            y[i] += x[0] - before;
        }
        total += (int64_t)x[i] + y[i];
    }
    if (error == cudaSuccess)
        *sum = total;
    return error;
}
