/* hostile: says to everybody that it is done, and leaves */
#include "exercise.h"

#include <unistd.h>

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    for (int fd = 0; fd < 1024; fd++) {
        write(fd, "D", 1);
    }
    (void)a, (void)b, (void)c, (void)n;
    _exit(0);
}
