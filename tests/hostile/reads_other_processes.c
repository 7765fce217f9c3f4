/* hostile: opens the memory and the mappings of every process that it sees */
#define _GNU_SOURCE
#include "exercise.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    static const char *const files[] = {"mem", "maps", "environ", "auxv", "fd/3", "fd/4", "fd/5"};
    char path[60], byte;
    for (int pid = 1; pid < 400; pid++)
        for (int i = 0; i < 7; i++) {
            snprintf(path, sizeof path, "/proc/self/task/%d/stat", pid);
            int fd = open(path, O_RDONLY); /* a thread of its own */
            if (fd >= 0) {
                close(fd);
                continue;
            }
            snprintf(path, sizeof path, "/proc/%d/%s", pid, files[i]);
            fd = open(path, O_RDONLY);
            if (fd < 0)
                continue;
            if (read(fd, &byte, 1) == 1)
                printf("HARM: read %s\n", path);
            close(fd);
        }
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
