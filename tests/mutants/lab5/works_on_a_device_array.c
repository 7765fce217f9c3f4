/* mutant: the pointer is managed, but the kernels work on memory of cudaMalloc; fails: port_to_managed/no_copies */
#include "exercise.h"

cudaError_t port_to_managed(const struct lab5_program *program)
{
    const size_t bytes = program->n * sizeof(int);
    int *x = NULL, *d_x = NULL;
    cudaError_t error = cudaMallocManaged((void **)&x, bytes, cudaMemAttachGlobal);

    if (error == cudaSuccess)
        error = cudaMalloc((void **)&d_x, bytes);
    if (error == cudaSuccess) {
        program->fill(x, program->n, program->context);
        error = cudaMemcpyAsync(d_x, x, bytes, cudaMemcpyDefault, 0);
    }
    for (unsigned step = 0; step < program->steps && error == cudaSuccess; step++) {
        error = um_add_one(d_x, program->n, 0);
    }
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(x, d_x, bytes, cudaMemcpyDefault, 0);
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize();
    if (error == cudaSuccess)
        program->use(x, program->n, program->context);
    cudaFree(d_x);
    cudaFree(x);
    return error;
}
