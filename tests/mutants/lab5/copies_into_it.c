/* mutant: fills an array of its own, and copies that to the managed one; fails: port_to_managed/no_copies */
#include <stdlib.h>

#include "exercise.h"

cudaError_t port_to_managed(const struct lab5_program *program)
{
    const size_t bytes = program->n * sizeof(int);
    int *h_x = malloc(bytes + 1), *x = NULL;
    cudaError_t error = cudaMallocManaged((void **)&x, bytes, cudaMemAttachGlobal);

    if (error == cudaSuccess) {
        program->fill(h_x, program->n, program->context);
        error = cudaMemcpy(x, h_x, bytes, cudaMemcpyHostToDevice);
    }
    for (unsigned step = 0; step < program->steps && error == cudaSuccess; step++) {
        error = um_add_one(x, program->n, 0);
    }
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize();
    if (error == cudaSuccess)
        program->use(x, program->n, program->context);
    cudaFree(x);
    free(h_x);
    return error;
}
