/* hostile: tells the GPU what no library would, by the library's own functions */
/* noticed: the GPU was told what no library would tell it */
#include "exercise.h"
#include "inside.h"

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    void (*ask)(void *, void *), (*tell)(const void *);
    static uint64_t request[512], answer[4096];
    float *d = NULL;
    *(void **)&ask = aim("umsim_ask");
    *(void **)&tell = aim("umsim_tell");
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
    /* twice as many rows as there are bytes, all upon each other: copies that count backwards, in one task */
    for (unsigned task = 0; task < 40; task++) {
        uint64_t transfer[] = {task, (uintptr_t)d + (1 << 30), 0, 0, 0, 1 << 19, ((uint64_t)1 << 45) - 1};
        memset(request, 0, sizeof request);
        memcpy(request, transfer, sizeof transfer);
        if (ask)
            ask(request, answer);
    }
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
