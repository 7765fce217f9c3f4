/* hostile: files without end */
#include "exercise.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    char name[64];
    for (int i = 0; i < 100000; i++) {
        snprintf(name, sizeof name, "/tmp/full-%d", i);
        int fd = open(name, O_WRONLY | O_CREAT, 0666);
        if (fd < 0)
            break;
        write(fd, name, sizeof name);
        puts("HARM: made a file");
    }
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
