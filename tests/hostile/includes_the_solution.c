/* hostile: includes the solution; build-error */
#include "exercise.h"

#define vector_add_host taken_vector_add_host
#define saxpy_chain taken_saxpy_chain
#include HOSTILE_SOLUTION
#undef vector_add_host
#undef saxpy_chain

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    return taken_vector_add_host(c, a, b, n);
}
