/* fair: the memory begins as the host's and is attached to the stream that works on it */
#include "exercise.h"

cudaError_t port_to_managed(const struct lab5_program *program)
{
    cudaStream_t stream = NULL;
    unsigned left = program->steps;
    int *x = NULL;
    cudaError_t error;

    if (program->n == 0)
        return cudaSuccess;
    error = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    if (error != cudaSuccess)
        return error;
    error = cudaMallocManaged((void **)&x, program->n * sizeof *x, cudaMemAttachHost);
    if (error == cudaSuccess) {
        program->fill(x, program->n, program->context);
        error = cudaStreamAttachMemAsync(stream, x, 0, cudaMemAttachSingle);
    }
    while (error == cudaSuccess && left-- > 0) {
        error = um_add_one(x, program->n, stream);
    }
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(stream);
    if (error == cudaSuccess)
        program->use(x, program->n, program->context);
    cudaFree(x);
    cudaStreamDestroy(stream);
    return error;
}
