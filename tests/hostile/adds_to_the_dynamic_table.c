/* hostile: an entry of its own for the loader's table: DT_INIT; it comes behind the table's end */
#include "exercise.h"

__attribute__((used)) static void harm(void)
{
    __builtin_printf("HARM: ran when it was loaded\n");
}

__asm__(".section .dynamic,\"aw\",@progbits\n.quad 12, harm\n.previous");

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
