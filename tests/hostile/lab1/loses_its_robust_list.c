/* hostile: a robust list of its own, and the shared state filled */
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
    long r = syscall(SYS_set_robust_list, 0L, 24L);
    void (*tell)(const void *) = dlsym(RTLD_DEFAULT, "umsim_tell");
    (void)tell;
    printf("%ld\n", r);
    void **sh = dlsym(RTLD_DEFAULT, "umsim_shared_state");
    if (sh)
        memset((char *)*sh, 0xff, 4096);
    for (size_t i = 0; i < n; i++)
        c[i] = a[i] + b[i];
    return cudaSuccess;
}
cudaError_t saxpy_chain(float *y, float factor, const float *x, size_t n, unsigned k)
{
    (void)y, (void)factor, (void)x, (void)n, (void)k;
    return cudaErrorNotSupported;
}
