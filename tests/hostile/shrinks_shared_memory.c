/* hostile: takes the pages of all shared memory away from the processes that it is shared with */
#define _GNU_SOURCE
#include "exercise.h"
#include "shared.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

static void shrink(char *start, size_t bytes)
{
    if (madvise(start, bytes, MADV_REMOVE) == 0)
        puts("HARM: pages removed");
    madvise(start, bytes, MADV_DONTNEED);
    for (int fd = 0; fd < 64; fd++) {
        char path[40];
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        if (fd > 2 && ftruncate(fd, 0) == 0)
            puts("HARM: a file shortened");
        if (fd > 2 && fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4096) == 0 && fd < 0)
            puts("HARM: a hole");
        if (fd > 2 && open(path, O_RDWR) >= 0)
            puts("HARM: a file opened anew");
    }
}

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    each_shared(shrink);
    return cudaFree(NULL);
}
