/**
 * @file plugin.cu
 * @brief A library with kernels and variables of each kind, for programs/plugins.cu: compiled once for each
 * NUMBER, so that the libraries differ in their values and sizes.
 */
#include <cuda_runtime.h>

enum { WORDS = 700 * NUMBER };

__managed__ int count = 100 * NUMBER;
__managed__ int table[WORDS] = {NUMBER};
__device__ int kept = NUMBER;
__constant__ int factor = NUMBER;

static __global__ void work(int *sum)
{
    *sum += factor;
    kept += 1;
    count += 1;
    table[WORDS - 1] = NUMBER;
}

/** Queues the kernel, which adds NUMBER to `sum`, and does not wait. */
extern "C" cudaError_t plugin_launch(int *sum)
{
    work<<<1, 1>>>(sum);
    return cudaGetLastError();
}

/** How often its kernel has run since the library was opened, by each of its variables; -1 where these
 * disagree. */
extern "C" int plugin_runs()
{
    int kept_now = -1;
    const int runs = count - 100 * NUMBER;
    if (table[0] != NUMBER || table[WORDS - 1] != (runs ? NUMBER : 0) ||
        cudaMemcpyFromSymbol(&kept_now, kept, sizeof kept_now) != cudaSuccess)
        return -1;
    return kept_now - NUMBER == runs ? runs : -1;
}

/** Sets of one of its kernel's attributes, so that the simulator remembers the kernel. */
extern "C" cudaError_t plugin_limit(int bytes)
{
    return cudaFuncSetAttribute((const void *)work, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
}

/** The same attribute, as it is. */
extern "C" int plugin_limit_now()
{
    struct cudaFuncAttributes attributes;
    const cudaError_t error = cudaFuncGetAttributes(&attributes, (const void *)work);
    return error == cudaSuccess ? attributes.maxDynamicSharedSizeBytes : -1;
}
