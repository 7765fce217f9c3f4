/* hostile: _exit(0) in place of an answer */
#include "exercise.h"

#include <unistd.h>

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    (void)a, (void)b, (void)c, (void)n;
    _exit(0);
}
