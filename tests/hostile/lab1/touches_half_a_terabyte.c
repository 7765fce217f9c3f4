/* hostile: reads a byte of each 2 MiB of 512 GiB: tables of pages */
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
/* read faults on PROT_READ memory: page tables, which RLIMIT_DATA does not count */
cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    size_t span = (size_t)1 << 39;
    volatile char *p = mmap(0, span, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    long t = 0;
    if (p != MAP_FAILED) {
        madvise((void *)p, span, MADV_NORMAL);
        for (size_t at = 0; at < span; at += (size_t)2 << 20)
            t += p[at];
    }
    char bf[256];
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(bf, 256, f))
        if (strstr(bf, "VmPTE") || strstr(bf, "VmRSS"))
            fputs(bf, stdout);
    printf("%ld %d\n", t, p == MAP_FAILED);
    for (size_t i = 0; i < n; i++)
        c[i] = a[i] + b[i];
    return cudaSuccess;
}
cudaError_t saxpy_chain(float *y, float factor, const float *x, size_t n, unsigned k)
{
    (void)y, (void)factor, (void)x, (void)n, (void)k;
    return cudaErrorNotSupported;
}
