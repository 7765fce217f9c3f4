/* hostile: tells the GPU what no library would, by the library's own functions */
#define _GNU_SOURCE
#include "exercise.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    void (*ask)(void *, void *), (*tell)(const void *);
    static uint64_t request[512], answer[4096];
    float *d = NULL;
    *(void **)&ask = dlsym(RTLD_DEFAULT, "umsim_ask");
    *(void **)&tell = dlsym(RTLD_DEFAULT, "umsim_tell");
    cudaMalloc((void **)&d, 4 * n + 4);
    for (unsigned task = 0; task < 40; task++) {
        for (int i = 1; i < 40; i++) {
            request[i] = i % 3 ? (uint64_t)(uintptr_t)d + (task << 20) : UINT64_MAX >> (n + i) % 64;
        }
        request[0] = task;
        if (ask && tell && task % 2)
            ask(request, answer);
        else if (ask && tell)
            tell(request);
    }
    /* twice as many rows as there are bytes, all upon each other: copies that count backwards */
    memset(request, 0, sizeof request);
    uint64_t transfer[] = {17, (uintptr_t)d + (1 << 30), 0, 0, 0, 1 << 19, ((uint64_t)1 << 45) - 1};
    memcpy(request, transfer, sizeof transfer);
    if (ask)
        ask(request, answer);
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
