/* hostile: its own table of calls; build-error */
#include "exercise.h"

#include "grade/call_buffer.h"

static int64_t nothing(const struct um_request *request)
{
    (void)request;
    return 0;
}

UM_CALLS({"vector_add_host", nothing});

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
