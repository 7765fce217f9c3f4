/* hostile: its own memcpy, malloc, send, write and exit */
#include "exercise.h"

#include <unistd.h>

ssize_t send(int fd, const void *text, size_t bytes, int flags)
{
    (void)fd, (void)text, (void)flags;
    return (ssize_t)bytes;
}

ssize_t write(int fd, const void *text, size_t bytes)
{
    (void)fd, (void)text;
    return (ssize_t)bytes;
}

int memcmp(const void *a, const void *b, size_t bytes)
{
    (void)a, (void)b, (void)bytes;
    return 0;
}

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
