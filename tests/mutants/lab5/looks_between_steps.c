/* mutant: waits and looks at the first element behind each launch; fails: port_to_managed/one_wait */
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
        if (error == cudaSuccess)
            error = cudaDeviceSynchronize();
        if (program->n > 0 && *(volatile int *)x == 123456789)
            break;
    }
    if (error == cudaSuccess)
        program->use(x, program->n, program->context);
    cudaFree(x);
    return error;
}
