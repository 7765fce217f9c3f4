/* hostile: forged relocations: one runs code, others write outside its variables; build-error */
/* cases: 3 */
#include "exercise.h"

#if HOSTILE_CASE == 0 /* R_X86_64_IRELATIVE */
__asm__(".section .rela.got,\"a\",@progbits\n.quad 0x4000, 37, 0x1000\n.previous");
#elif HOSTILE_CASE == 1 /* R_X86_64_RELATIVE, far outside */
__asm__(".section .rela.got,\"a\",@progbits\n.quad 0x7000000, 8, 0x1000\n.previous");
#else                   /* the same upon the library's own code */
__asm__(".section .rela.got,\"a\",@progbits\n.quad 0x1000, 8, 0x1000\n.previous");
#endif

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
