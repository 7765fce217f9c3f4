/* fair: both ends' kinds index a table; an error of its own is taken away only where none was waiting */
#include <stdint.h>
#include <cuda_runtime_api.h>

#include "exercise.h"

enum { FOREIGN, HOST, DEVICE, MANAGED };

/* 0 stands for "ask the stream". */
static const enum lab8_access answer[4][4] = {
    {LAB8_NOT_CUDAS, LAB8_NOT_CUDAS, LAB8_NOT_CUDAS, LAB8_NOT_CUDAS},
    {LAB8_NOT_CUDAS, 0, LAB8_COPY, 0},
    {LAB8_NOT_CUDAS, LAB8_COPY, LAB8_COPY, LAB8_COPY},
    {LAB8_NOT_CUDAS, 0, LAB8_COPY, 0},
};

static int kind(uintptr_t p)
{
    struct cudaPointerAttributes of;

    if (cudaPointerGetAttributes(&of, (const void *)p) != cudaSuccess)
        return -1;
    return of.type == cudaMemoryTypeHost      ? HOST
           : of.type == cudaMemoryTypeDevice  ? DEVICE
           : of.type == cudaMemoryTypeManaged ? MANAGED
                                              : FOREIGN;
}

static enum lab8_access by_stream(cudaStream_t stream)
{
    const cudaError_t error = cudaStreamQuery(stream);

    return error == cudaSuccess ? LAB8_LOOK : error == cudaErrorNotReady ? LAB8_WAIT : LAB8_NO_ANSWER;
}

enum lab8_access host_access(const void *p, size_t bytes, cudaStream_t stream)
{
    const cudaError_t before = cudaPeekAtLastError();
    enum lab8_access access = LAB8_NO_ANSWER;
    int first, last;

    if (bytes == 0)
        return LAB8_LOOK;
    first = kind((uintptr_t)p);
    last = first < 0 ? -1 : kind((uintptr_t)p + bytes - 1);
    if (last >= 0)
        access = answer[first][last] != 0 ? answer[first][last] : by_stream(stream);
    if (access == LAB8_NO_ANSWER && before == cudaSuccess)
        (void)cudaGetLastError();
    return access;
}
