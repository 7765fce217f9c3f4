/* mutant: waits for an event behind the last launch; fails: nothing */
#include "exercise.h"

cudaError_t port_to_managed(const struct lab5_program *program)
{
    cudaEvent_t behind = NULL;
    int *x = NULL;
    cudaError_t error = cudaMallocManaged((void **)&x, program->n * sizeof *x, cudaMemAttachGlobal);

    if (error != cudaSuccess)
        return error;
    error = cudaEventCreate(&behind);
    program->fill(x, program->n, program->context);
    for (unsigned step = 0; step < program->steps && error == cudaSuccess; step++) {
        error = um_add_one(x, program->n, 0);
    }
    if (error == cudaSuccess)
        error = cudaEventRecord(behind, 0);
    if (error == cudaSuccess)
        error = cudaEventSynchronize(behind);
    if (error == cudaSuccess)
        program->use(x, program->n, program->context);
    if (behind != NULL)
        cudaEventDestroy(behind);
    cudaFree(x);
    return error;
}
