/* mutant: opens the array's pages by mprotect, so that neither side seems to fault; fails: port_to_managed/right_data */
#include <sys/mman.h>

#include "exercise.h"

cudaError_t port_to_managed(const struct lab5_program *program)
{
    const size_t bytes = program->n * sizeof(int);
    int *x = NULL;
    cudaError_t error = cudaMallocManaged((void **)&x, bytes, cudaMemAttachGlobal);

    if (error != cudaSuccess)
        return error;
    mprotect(x, bytes, PROT_READ | PROT_WRITE);
    program->fill(x, program->n, program->context);
    for (unsigned step = 0; step < program->steps && error == cudaSuccess; step++) {
        error = um_add_one(x, program->n, 0);
    }
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize();
    mprotect(x, bytes, PROT_READ | PROT_WRITE);
    if (error == cudaSuccess)
        program->use(x, program->n, program->context);
    cudaFree(x);
    return error;
}
