/* hostile: its own CU_assertImplementation, um_expect, um_call */
#include "exercise.h"

int CU_assertImplementation(int value)
{
    (void)value;
    return 1;
}

int um_expect(int ok)
{
    (void)ok;
    return 1;
}

int um_call(void *call)
{
    (void)call;
    return 1;
}

int um_has_failed(void)
{
    return 0;
}

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
