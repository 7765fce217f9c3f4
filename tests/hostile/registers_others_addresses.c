/* hostile: registers memory where other processes are likely to have theirs: programs, heaps, libraries,
 * stacks */
#define _GNU_SOURCE
#include "exercise.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static void try_at(unsigned long address, size_t bytes)
{
    char *p = mmap((void *)address, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return;
    memset(p, 0x5a, 4096);
    if (cudaHostRegister(p, bytes, cudaHostRegisterDefault) == cudaSuccess)
        cudaMemset(p, 0x77, 4096);
    cudaDeviceSynchronize();
    cudaHostUnregister(p);
    munmap(p, bytes);
}

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    for (unsigned long high = 0x550; high < 0x580; high++)
        try_at(high << 36, 1 << 20);
    for (unsigned long high = 0x7f00; high < 0x7fff; high += 3)
        try_at(high << 32, 1 << 20);
    for (unsigned long high = 1; high < 0x800; high += 7)
        try_at(high << 36, 64 << 20);
    try_at(0x400000, 1 << 20);
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
