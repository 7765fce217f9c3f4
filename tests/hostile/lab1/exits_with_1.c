/* hostile: exit(1) in its function */
#define _GNU_SOURCE
#include "exercise.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
#include <unistd.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <signal.h>
cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    exit(1);
    for (size_t i = 0; i < n; i++)
        c[i] = a[i] + b[i];
    return cudaSuccess;
}
cudaError_t saxpy_chain(float *y, float factor, const float *x, size_t n, unsigned k)
{
    (void)y, (void)factor, (void)x, (void)n, (void)k;
    return cudaErrorNotSupported;
}
