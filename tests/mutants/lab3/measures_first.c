/* mutant: allocates and copies to find out; fails: should_pin/only_decides */
#include "exercise.h"

bool should_pin(size_t bytes, unsigned copies)
{
    void *d = NULL;

    if (bytes > 0 && cudaMalloc(&d, bytes < 4096 ? bytes : 4096) == cudaSuccess)
        cudaFree(d);
    return (7.5e-5 * (double)bytes - 5) * copies > 62 + 3.2e-5 * (double)bytes;
}
