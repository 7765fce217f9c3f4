/**
 * @file host_memory.cu
 * @brief Kernels on host memory: mapped, and managed that stays on the host. Dense, strided, random.
 */
#include "cells.h"

#define BLOCK 256

template <class T> __global__ void read_far(const T *a, int *out, size_t n, size_t stride)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        T v = a[i * stride];
        if (*(const int *)&v == -1)
            out[0] = 1;
    }
}

template <class T> __global__ void write_far(T *a, size_t n, size_t stride, T v)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i * stride] = v;
}

__global__ void read_far_randomly(const int *a, int *out, unsigned n, unsigned mask)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, at = i * 2654435761u;
    at ^= (at & mask) >> 9;
    if (i < n && a[at & mask] == -1)
        out[0] = 1;
}

__global__ void read_far_twice(const int *a, int *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && a[i] + a[n - 1 - i] == -1)
        out[0] = 1;
}

__global__ void add_far(int *a, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i]++;
}

static void far_cells(const char *kind, int *a, size_t all)
{
    device_array<int> out(1);
    const size_t most = all / 8;
    char name[64];
    static const size_t strides[] = {1, 2, 4, 8, 16, 17, 32, 33, 64, 65, 256, 257, 1024};
    for (size_t s : strides) {
        const size_t n = std::min(most, all / s);
        snprintf(name, sizeof name, "%s/read-stride", kind);
        cell(name, (long)s, [&] { read_far<int><<<blocks_for(n, BLOCK), BLOCK>>>(a, out.p, n, s); });
        snprintf(name, sizeof name, "%s/write-stride", kind);
        cell(name, (long)s, [&] { write_far<int><<<blocks_for(n, BLOCK), BLOCK>>>(a, n, s, 1); });
    }
    snprintf(name, sizeof name, "%s/read-wide", kind);
    cell(name, [&] {
        read_far<int4><<<blocks_for(most / 4, BLOCK), BLOCK>>>((const int4 *)a, out.p, most / 4, 1);
    });
    snprintf(name, sizeof name, "%s/read-bytes", kind);
    cell(name, [&] { read_far<int><<<blocks_for(most / 4, BLOCK), BLOCK>>>(a, out.p, most / 4, 1); });
    snprintf(name, sizeof name, "%s/read-random", kind);
    const unsigned n = (unsigned)(most / 8), mask = (unsigned)all - 1;
    cell(name, [&] { read_far_randomly<<<blocks_for(n, BLOCK), BLOCK>>>(a, out.p, n, mask); });
    snprintf(name, sizeof name, "%s/read-twice", kind);
    cell(name, [&] { read_far_twice<<<blocks_for(most, BLOCK), BLOCK>>>(a, out.p, most); });
    snprintf(name, sizeof name, "%s/update", kind);
    cell(name, [&] { add_far<<<blocks_for(most, BLOCK), BLOCK>>>(a, most); });
}

void cells_of_host_memory()
{
    const size_t all = ((size_t)64 << 20) / divide; /* ints: 256 MiB */
    int *a = NULL;
    MUST(cudaMallocHost((void **)&a, all * sizeof *a));
    for (size_t i = 0; i < all; i++)
        a[i] = (int)i;
    far_cells("mapped", a, all);
    MUST(cudaFreeHost(a));
    MUST(cudaMallocManaged((void **)&a, all * sizeof *a));
    cudaMemLocation host = {}, device = {};
    host.type = cudaMemLocationTypeHost;
    device.type = cudaMemLocationTypeDevice;
    MUST(cudaMemAdvise(a, all * sizeof *a, cudaMemAdviseSetPreferredLocation, host));
    MUST(cudaMemAdvise(a, all * sizeof *a, cudaMemAdviseSetAccessedBy, device));
    for (size_t i = 0; i < all; i++)
        a[i] = (int)i;
    far_cells("remote", a, all);
    MUST(cudaFree(a));
}
