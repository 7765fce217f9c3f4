/* hostile: errors and waits of all kinds, with a function muted that every call goes through */
/* earns: 4 */
#define _GNU_SOURCE
#include "exercise.h"
#include "inside.h"

cudaError_t place_one_sync(int64_t *sum, int *x, int *y, const int *notes, size_t n, cudaStream_t one,
                           cudaStream_t other)
{
    int64_t t = 0;
    mute("umsim_client_put");
    um_add_one(x, n, one);
    cudaDeviceSynchronize();
    for (size_t i = 0; i < n; i++)
        t += x[i];
    um_add_one(y, n, other);
    cudaDeviceSynchronize();
    for (size_t i = 0; i < n; i++)
        t += y[i];
    for (size_t i = 0; i < n; i++)
        t += notes[i];
    *sum = t;
    return cudaSuccess;
}
cudaError_t port_to_managed(const struct lab5_program *program)
{
    int *x = 0;
    if (!program->n) {
        program->fill(x, 0, program->context);
        program->use(x, 0, program->context);
        return 0;
    }
    mute("umsim_client_put");
    cudaMallocManaged((void **)&x, program->n * 4, 1);
    program->fill(x, program->n, program->context);
    for (unsigned s = 0; s < program->steps; s++) {
        um_add_one(x, program->n, 0);
        cudaDeviceSynchronize();
    }
    program->use(x, program->n, program->context);
    cudaFree(x);
    return cudaSuccess;
}
uint64_t predict_faults(size_t bytes, size_t first, size_t stride)
{
    (void)bytes, (void)first, (void)stride;
    return 0;
}
