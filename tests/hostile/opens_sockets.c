/* hostile: calls home */
#include "exercise.h"

#include <stdio.h>
#include <sys/socket.h>

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    for (int family = 1; family < 40; family++) {
        if (socket(family, SOCK_STREAM, 0) >= 0 || socket(family, SOCK_DGRAM, 0) >= 0)
            printf("HARM: socket %d\n", family);
    }
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
