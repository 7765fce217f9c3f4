/* hostile: LD_AUDIT, another simulator, resolvers and constructors before all others; build-error */
/* noticed: a constructor */
#define _GNU_SOURCE
#include "exercise.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static cudaError_t mine(void)
{
    return cudaSuccess;
}

static cudaError_t (*resolve(void))(void)
{
    return mine;
}

cudaError_t cudaDeviceSynchronize(void) __attribute__((ifunc("resolve")));

__attribute__((constructor(101))) static void first(void)
{
    setenv("LD_AUDIT", "/tmp/x.so", 1);
    setenv("UMSIM_SCHED", "eager", 1);
    setenv("UMSIM_FAIL", "", 1);
}

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    void *other = dlmopen(LM_ID_NEWLM, HOSTILE_BUILD "/lib/libumsim.so", RTLD_NOW);
    cudaError_t (*allocate)(void **, size_t);
    *(void **)&allocate = other ? dlsym(other, "cudaMalloc") : NULL;
    void *p = NULL;
    if (allocate && allocate(&p, 4096) == cudaSuccess)
        puts("HARM: a simulator of its own");
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
