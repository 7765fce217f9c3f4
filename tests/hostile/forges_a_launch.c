/* hostile: writes a launch into the memory through which the processes talk: a block of 100,000 threads */
#include "exercise.h"

#include <dlfcn.h>
#include <linux/futex.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { WORDS = 200000 };

/* Two launches show where they stand, and where their number is; a third one is put behind them. */
static void post(uint32_t *shared)
{
    size_t seen[3] = {0}, number = 0;
    int hits = 0;
    for (size_t i = 0; i < WORDS; i++) {
        if (shared[i] == 256 && shared[i + 1] == 1 && shared[i + 2] == 1 && hits < 3)
            seen[hits++] = i;
        if (!number && shared[i] == 2 && shared[i + 1] == 2)
            number = i;
    }
    if (hits < 2 || !number || seen[0] < 64)
        return;
    const size_t size = seen[1] - seen[0];
    memcpy(&shared[seen[1] - 64 + size], &shared[seen[1] - 64], 4 * size);
    shared[seen[1] + size] = 100000;
    shared[number]++;
    syscall(SYS_futex, &shared[number], FUTEX_WAKE, 100, NULL, NULL, 0);
    puts("posted");
}

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    uint32_t **shared = dlsym(RTLD_DEFAULT, "umsim_shared_state");
    float *d = NULL;
    cudaMalloc((void **)&d, 4096);
    um_fill(d, 1, 1000, NULL);
    um_fill(d, 1, 1000, NULL);
    cudaDeviceSynchronize();
    if (shared)
        post(*shared);
    usleep(100000);
    cudaDeviceSynchronize();
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
