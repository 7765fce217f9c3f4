/* mutant: the query's error is left for the caller; fails: host_access/no_answer */
#include <stdlib.h>
#include <string.h>

#include "exercise.h"

enum lab8_access host_access(const void *p, size_t bytes, cudaStream_t stream)
{
    enum cudaMemoryType first, last;
    cudaError_t error;

    if (bytes == 0)
        return LAB8_LOOK;
    if (!kind_of(p, &first) || !kind_of((const void *)((uintptr_t)p + bytes - 1), &last))
        return LAB8_NO_ANSWER;
    if (first == cudaMemoryTypeUnregistered || last == cudaMemoryTypeUnregistered)
        return LAB8_NOT_CUDAS;
    if (first == cudaMemoryTypeDevice || last == cudaMemoryTypeDevice)
        return LAB8_COPY;
    error = cudaStreamQuery(stream);
    if (error == cudaSuccess)
        return LAB8_LOOK;
    if (error == cudaErrorNotReady)
        return LAB8_WAIT;
    return LAB8_NO_ANSWER;
}
