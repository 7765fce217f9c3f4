/* hostile: returns at once, with work queued that writes to its buffers' addresses when it is gone: copies,
 * host functions, a graph, a capture that is never ended */
#include "exercise.h"
#include <stdio.h>

static void late(void *p)
{
    (void)p;
    puts("HARM: a host function ran behind the call");
    fflush(stdout);
}

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    static float host[1 << 16];
    cudaStream_t stream = NULL, other = NULL;
    float *d = NULL, *pinned = NULL;
    for (size_t i = 0; i < n && i < sizeof host / sizeof *host; i++)
        host[i] = a[i] + b[i];
    cudaMalloc((void **)&d, 4 * n + 4);
    cudaMallocHost((void **)&pinned, 4 * n + 4);
    cudaStreamCreate(&stream);
    cudaStreamCreate(&other);
    cudaMemcpyAsync(d, host, n < 1 << 16 ? 4 * n : 4, cudaMemcpyHostToDevice, stream);
    cudaMemcpyAsync(c, d, 4 * n, cudaMemcpyDeviceToHost, stream);
    cudaLaunchHostFunc(stream, late, NULL);
    cudaHostRegister(host, sizeof host, cudaHostRegisterDefault);
    cudaStreamBeginCapture(other, cudaStreamCaptureModeGlobal);
    return cudaSuccess;
}
