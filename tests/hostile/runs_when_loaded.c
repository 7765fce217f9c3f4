/* hostile: each section whose code or addresses start files or loaders run; build-error */
/* cases: 7 */
#include "exercise.h"

__attribute__((used)) static void harm(void)
{
    __builtin_printf("HARM: ran when it was loaded\n");
}

#if HOSTILE_CASE == 0
__asm__(".section .init_array,\"aw\",@init_array\n.quad harm\n.previous");
#elif HOSTILE_CASE == 1
__asm__(".section .init_array.5,\"aw\",@init_array\n.quad harm\n.previous");
#elif HOSTILE_CASE == 2
__asm__(".section .ctors,\"aw\",@progbits\n.quad harm\n.previous");
#elif HOSTILE_CASE == 3
__asm__(".section .fini_array,\"aw\",@fini_array\n.quad harm\n.previous");
#elif HOSTILE_CASE == 4
void _init(void)
{
    harm();
}
#elif HOSTILE_CASE == 5
void _fini(void)
{
    harm();
}
#else
__asm__(".section .init,\"ax\",@progbits\n.global _init\n.type _init,@function\n_init: call "
        "harm\nret\n.previous");
#endif

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
