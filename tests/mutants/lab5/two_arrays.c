/* mutant: keeps an array for each side, both managed; fails: port_to_managed/no_copies,
 * port_to_managed/moves_once */
#include <string.h>

#include "exercise.h"

cudaError_t port_to_managed(const struct lab5_program *program)
{
    const size_t bytes = program->n * sizeof(int);
    int *h_x = NULL, *d_x = NULL;
    cudaError_t error = cudaMallocManaged((void **)&h_x, bytes, cudaMemAttachGlobal);

    if (error == cudaSuccess)
        error = cudaMallocManaged((void **)&d_x, bytes, cudaMemAttachGlobal);
    if (error == cudaSuccess) {
        program->fill(h_x, program->n, program->context);
        memcpy(d_x, h_x, bytes);
    }
    for (unsigned step = 0; step < program->steps && error == cudaSuccess; step++) {
        error = um_add_one(d_x, program->n, 0);
    }
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize();
    if (error == cudaSuccess)
        program->use(d_x, program->n, program->context);
    cudaFree(d_x);
    cudaFree(h_x);
    return error;
}
