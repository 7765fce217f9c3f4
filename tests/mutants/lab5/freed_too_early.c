/* mutant: frees the array before it is used; fails: port_to_managed/right_data */
#include "exercise.h"

cudaError_t port_to_managed(const struct lab5_program *program)
{
    int *x = NULL;
    cudaError_t error = cudaMallocManaged((void **)&x, program->n * sizeof *x, cudaMemAttachGlobal);

    if (error != cudaSuccess)
        return error;
    program->fill(x, program->n, program->context);
    for (unsigned step = 0; step < program->steps && error == cudaSuccess; step++) {
        error = um_add_one(x, program->n, 0);
    }
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize();
    cudaFree(x);
    if (error == cudaSuccess)
        program->use(x, program->n, program->context);
    return error;
}
