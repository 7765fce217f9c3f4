/**
 * @file heap_cuda.c
 * @brief A stand-in for CUDA's allocations: malloc(). With it, LeakSanitizer and valgrind can look at
 * interop/, which they cannot in a process with the simulator's or a driver's mappings. For
 * tests/python/interop_heap.py.
 */
#include <cuda_runtime_api.h>
#include <malloc.h>
#include <stdlib.h>

/* What is allocated: an address that is none of these is not CUDA's. */
enum { MOST = 64 };
static struct {
    char *at;
    size_t bytes;
    enum cudaMemoryType type;
} known[MOST];

static cudaError_t allocate(void **p, size_t bytes, enum cudaMemoryType type)
{
    for (int i = 0; i < MOST; i++) {
        if (!known[i].at) {
            *p = known[i].at = malloc(bytes);
            known[i].bytes = bytes;
            known[i].type = type;
            return *p ? cudaSuccess : cudaErrorMemoryAllocation;
        }
    }
    return cudaErrorMemoryAllocation;
}

static cudaError_t release(void *p)
{
    for (int i = 0; i < MOST; i++) {
        if (known[i].at == p) {
#ifndef HEAP_CUDA_LEAKS /* to see whether that is found */
            free(p);
#endif
            known[i].at = NULL;
            return cudaSuccess;
        }
    }
    return cudaErrorInvalidValue;
}

cudaError_t cudaMalloc(void **p, size_t bytes)
{
    return allocate(p, bytes, cudaMemoryTypeDevice);
}

cudaError_t cudaHostAlloc(void **p, size_t bytes, unsigned flags)
{
    (void)flags;
    return allocate(p, bytes, cudaMemoryTypeHost);
}

cudaError_t cudaMallocManaged(void **p, size_t bytes, unsigned flags)
{
    (void)flags;
    return allocate(p, bytes, cudaMemoryTypeManaged);
}

cudaError_t cudaFree(void *p)
{
    return release(p);
}

cudaError_t cudaFreeHost(void *p)
{
    return release(p);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *it, const void *p)
{
    *it = (struct cudaPointerAttributes){.type = cudaMemoryTypeUnregistered, .device = -2};
    for (int i = 0; i < MOST; i++) {
        const size_t into = (size_t)((const char *)p - known[i].at);
        if (known[i].at && into < known[i].bytes) {
            it->type = known[i].type;
            it->device = 0;
            it->devicePointer = (void *)p;
            it->hostPointer = it->type == cudaMemoryTypeDevice ? NULL : (void *)p;
        }
    }
    return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int *count)
{
    *count = 1;
    return cudaSuccess;
}

cudaError_t cudaGetLastError(void)
{
    return cudaSuccess;
}

const char *cudaGetErrorName(cudaError_t error)
{
    (void)error;
    return "an error";
}

const char *cudaGetErrorString(cudaError_t error)
{
    return cudaGetErrorName(error);
}
