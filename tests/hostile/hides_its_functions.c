/* hostile: functions that nobody else can call; build-error */
/* noticed: does not define the function vector_add_host */
#define vector_add_host hidden_one
#include "exercise.h"
#undef vector_add_host

cudaError_t hidden_one(float *c, const float *a, const float *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}

__attribute__((visibility("hidden"))) cudaError_t vector_add_host(float *c, const float *a, const float *b,
                                                                  size_t n);
cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    return hidden_one(c, a, b, n);
}
