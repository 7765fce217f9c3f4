/* mutant: brings the pages to each side before its turn; fails: nothing */
#include "exercise.h"

cudaError_t port_to_managed(const struct lab5_program *program)
{
    int *x = NULL, can = 0;
    cudaError_t error = cudaMallocManaged((void **)&x, program->n * sizeof *x, cudaMemAttachGlobal);

    if (error != cudaSuccess)
        return error;
    program->fill(x, program->n, program->context);
    error = cudaDeviceGetAttribute(&can, cudaDevAttrConcurrentManagedAccess, 0);
    if (error == cudaSuccess && can != 0 && program->n > 0)
        error = cudaMemPrefetchAsync(x, program->n * sizeof *x,
                                     (struct cudaMemLocation){cudaMemLocationTypeDevice, 0}, 0, 0);
    for (unsigned step = 0; step < program->steps && error == cudaSuccess; step++) {
        error = um_add_one(x, program->n, 0);
    }
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize();
    if (error == cudaSuccess)
        program->use(x, program->n, program->context);
    cudaFree(x);
    return error;
}
