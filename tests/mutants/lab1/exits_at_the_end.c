/* mutant: what runs at the end ends the process as if all were well; fails: vector_add_host/right_data */
#include <stdlib.h>
#include <unistd.h>

#include "exercise.h"

static void all_is_well(void)
{
    _exit(0);
}

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    (void)c, (void)a, (void)b, (void)n;
    atexit(all_is_well);
    return cudaSuccess;
}
