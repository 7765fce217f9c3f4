/* hostile: writes a launch into the memory through which the processes talk: a block of 100,000 threads */
/* noticed: the GPU was told what no library would tell it */
#include "exercise.h"
#include "inside.h"

#include <linux/futex.h>
#include <sys/syscall.h>

enum { WORDS = 200000, FEW = 1024 };

/* Two launches show where they stand in the ring, and where their number is. A third one is put behind them.
 * The block's size, by which they are found, stands less than 64 words behind the start of a launch. */
static bool post(uint32_t *ring, uint32_t *submitted)
{
    size_t seen[3] = {0}, number = 0;
    int hits = 0;
    for (size_t i = 0; i < WORDS; i++) {
        if (ring[i] == 256 && ring[i + 1] == 1 && ring[i + 2] == 1 && hits < 3)
            seen[hits++] = i;
    }
    for (size_t i = 0; i < FEW - 1 && !number; i++) {
        if (submitted[i] == 2 && submitted[i + 1] == 2)
            number = i;
    }
    if (hits < 2 || !number || seen[0] < 64)
        return false;
    const size_t size = seen[1] - seen[0];
    memmove(&ring[seen[1] - 64 + size], &ring[seen[1] - 64], 4 * (size + 64));
    ring[seen[1] + size] = 100000;
    submitted[number]++;
    syscall(SYS_futex, &submitted[number], FUTEX_WAKE, 100, NULL, NULL, 0);
    return true;
}

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    uint32_t **launches = aim("umsim_launches"), **processes = aim("umsim_processes");
    float *d = NULL;
    cudaMalloc((void **)&d, 4096);
    um_fill(d, 1, 1000, NULL);
    um_fill(d, 1, 1000, NULL);
    cudaDeviceSynchronize();
    if (launches && processes)
        puts(post(*launches, *processes) ? "posted" : "MISSED: the ring, or the number of launches");
    usleep(100000);
    cudaDeviceSynchronize();
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
