/**
 * @file umsim/divided_apart.h
 * @brief What a division by zero takes on arm64 in the form of a kernel that counts, without a jump: a GPU
 * has no instruction for it, so it is in assembly, which is not counted (umsim/undefined.h).
 */
#ifndef UMSIM_DIVIDED_APART_H
#define UMSIM_DIVIDED_APART_H

#include <stdint.h>

/** @cond internal */
namespace umsim
{
namespace defined
{
/* umcc/compile.c makes it 1 there. */
enum { umsim_divides_apart = 0 };
/** The divisor, or 1 for 0. */
template <class _Tp> __attribute__((always_inline, artificial)) inline _Tp but_zero(_Tp __right)
{
    if (sizeof(_Tp) > 4)
        __asm__("cmp %0, #0\n\tcinc %0, %0, eq" : "+r"(__right) : : "cc");
    else
        __asm__("cmp %w0, #0\n\tcinc %w0, %w0, eq" : "+r"(__right) : : "cc");
    return __right;
}
/** What a division came to, or what undivided() says. */
template <class _Tp>
__attribute__((always_inline, artificial)) inline _Tp or_undivided(_Tp __result, _Tp __left, _Tp __right)
{
    if (sizeof(_Tp) > 4) {
        uint64_t __bits;
        __asm__("lsr %1, %2, #32\n\tcmp %1, #0\n\tcsetm %1, ne\n\torr %1, %1, #0xffffffff\n\t"
                "cmp %3, #0\n\tcsel %0, %1, %0, eq"
                : "+r"(__result), "=&r"(__bits)
                : "r"(__left), "r"(__right)
                : "cc");
    } else {
        __asm__("cmp %w1, #0\n\tcsinv %w0, %w0, wzr, ne" : "+r"(__result) : "r"(__right) : "cc");
    }
    return __result;
}
} // namespace defined
} // namespace umsim
/** @endcond */

#endif
