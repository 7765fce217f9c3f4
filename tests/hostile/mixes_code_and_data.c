/* hostile: memory that is written and executed, code changed at load, an executable stack; build-error */
/* cases: 4 */
#include "exercise.h"

#if HOSTILE_CASE == 0
__asm__(".section .mixed,\"awx\",@progbits\nmixed: .fill 64,1,0xc3\n.previous");
#elif HOSTILE_CASE == 1
__asm__(".text\n.quad vector_add_host\n");
#elif HOSTILE_CASE == 2
__asm__(".section .note.GNU-stack,\"x\",@progbits\n.previous");
#endif

int apply(int (*function)(int), int value);
int apply(int (*function)(int), int value)
{
    return function(value);
}

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
#if HOSTILE_CASE == 3 /* the honest way to an executable stack */
    int more(int value)
    {
        return value + (int)n;
    }
    volatile int one = 1;
    if (apply(more, one) == 0)
        return cudaErrorUnknown;
#endif
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
