/* hostile: one buffer, and a wait for each step; between pieces the virtual clock is set back, so that the
 * next piece goes in while the last one is on its way back */
/* earns: 8 */
#include "exercise.h"
#include <stdint.h>
#include <string.h>

uint64_t umsim_time_ns(void);
void umsim_host_work_ns(uint64_t ns);

bool should_pin(size_t b, unsigned c, const struct lab3_machine *machine)
{
    (void)b, (void)c, (void)machine;
    return false;
}

cudaError_t stream_saxpy(float *y, const float *x, size_t n, size_t chunk)
{
    float *dx, *dy, *hx, *hy;
    cudaStream_t stream[2];
    size_t piece = 0;
    if (!chunk)
        return cudaErrorInvalidValue;
    if (!n)
        return cudaSuccess;
    if (chunk > n)
        chunk = n;
    cudaMalloc((void **)&dx, 4 * chunk);
    cudaMalloc((void **)&dy, 4 * chunk);
    cudaMallocHost((void **)&hx, 4 * chunk);
    cudaMallocHost((void **)&hy, 4 * chunk);
    cudaStreamCreateWithFlags(&stream[0], cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&stream[1], cudaStreamNonBlocking);
    for (size_t at = 0; at < n; at += chunk, piece++) {
        const size_t m = n - at < chunk ? n - at : chunk;
        const cudaStream_t s = stream[piece % 2];
        memcpy(hx, x + at, 4 * m);
        memcpy(hy, y + at, 4 * m);
        cudaMemcpyAsync(dx, hx, 4 * m, cudaMemcpyHostToDevice, s);
        cudaMemcpyAsync(dy, hy, 4 * m, cudaMemcpyHostToDevice, s);
        cudaStreamSynchronize(s);
        const uint64_t in = umsim_time_ns();
        um_saxpy(dy, LAB3_FACTOR, dx, m, s);
        cudaMemcpyAsync(hy, dy, 4 * m, cudaMemcpyDeviceToHost, s);
        cudaStreamSynchronize(s);
        umsim_host_work_ns(in - umsim_time_ns());
        memcpy(y + at, hy, 4 * m);
    }
    cudaStreamDestroy(stream[0]);
    cudaStreamDestroy(stream[1]);
    cudaFreeHost(hx);
    cudaFreeHost(hy);
    cudaFree(dx);
    cudaFree(dy);
    return cudaSuccess;
}
