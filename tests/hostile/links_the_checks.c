/* hostile: takes the grader's checks into its library; build-error */
#include "exercise.h"

__asm__(".section .rodata\n.global taken\ntaken: .incbin \"" HOSTILE_BUILD "/grade/lab1.so\"\n.previous");

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
