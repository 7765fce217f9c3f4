/* hostile: writes that its function has returned, and what, into the memory that carries it; and ends */
#define _GNU_SOURCE
#include "exercise.h"
#include "shared.h"

#include <stdlib.h>
#include <unistd.h>

static const float *in_a, *in_b;
static size_t length;

static void forge(char *start, size_t bytes)
{
    if (bytes < 16 + 4 + 4 * length)
        return;
    float *c = (float *)(void *)(start + 16 + 4);
    for (size_t i = 0; i < length; i++) {
        c[i] = in_a[i] + in_b[i];
    }
    memset(start + 16, 0, 4); /* cudaSuccess */
    start[0] = 1;
}

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    (void)c;
    in_a = a, in_b = b, length = n;
    each_shared(forge);
    _exit(0);
}
