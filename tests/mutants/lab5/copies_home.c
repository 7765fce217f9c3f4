/* mutant: copies x to an array of its own before it looks; fails: place_one_sync/leaves_alone, place_one_sync/errors */
#include <stdlib.h>

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
        waited = cudaDeviceSynchronize();
    if (error == cudaSuccess)
        error = waited;
    int *home = malloc(n * sizeof *home + 1);

    (void)cudaMemcpy(home, x, n * sizeof *home, cudaMemcpyDefault);
    x = home;
    for (size_t i = 0; error == cudaSuccess && i < n; i++) {
        total += (int64_t)x[i] + y[i];
    }
    if (error == cudaSuccess)
        *sum = total;
    free(home);
    return error;
}
