/* fair: prefetches and advice where the device can do that; a hint that fails is only a hint */
#include "exercise.h"
#include "um_cuda_compat.h"

static void hint(cudaError_t error)
{
    if (error != cudaSuccess)
        (void)cudaGetLastError();
}

cudaError_t port_to_managed(const struct lab5_program *program)
{
    const size_t bytes = program->n * sizeof(int);
    const int device = 0;
    int *x = NULL, concurrent = 0;
    cudaError_t error;

    if (program->n == 0)
        return cudaSuccess;
    error = cudaMallocManaged((void **)&x, bytes, cudaMemAttachGlobal);
    if (error != cudaSuccess)
        return error;
    hint(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, device));
    program->fill(x, program->n, program->context);
    if (concurrent) {
        hint(um_advise(x, bytes, cudaMemAdviseSetPreferredLocation, device));
        hint(um_prefetch(x, bytes, device, 0));
    }
    for (unsigned step = 0; step < program->steps && error == cudaSuccess; step++) {
        error = um_add_one(x, program->n, 0);
    }
    if (concurrent)
        hint(um_prefetch(x, bytes, cudaCpuDeviceId, 0));
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(0);
    if (error == cudaSuccess)
        program->use(x, program->n, program->context);
    cudaFree(x);
    return error;
}
