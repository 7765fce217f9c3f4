/* mutant: a destructor ends the process as if all were well; fails: vector_add_host/right_data */
#include <unistd.h>

#include "exercise.h"

__attribute__((destructor)) static void all_is_well(void)
{
    _exit(0);
}

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    (void)c, (void)a, (void)b, (void)n;
    return cudaSuccess;
}
