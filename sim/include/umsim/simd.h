/**
 * @file umsim/simd.h
 * @brief Operations on the two halves or the four bytes of an unsigned: __vadd4() and related functions,
 * __dp4a(). Included by umsim/math.h.
 *
 * The letter s or u says whether a part is signed, and ss or us that the result saturates. A compare gives
 * all bits of a part, a set gives 1.
 */
#ifndef UMSIM_SIMD_H
#define UMSIM_SIMD_H

#include <limits.h>
#include <stdint.h>

/** @cond internal */
namespace umsim
{
/* Applies f() to each part, and joins the results. */
template <class _Part, class _Fp> inline unsigned by_parts(unsigned __a, unsigned __b, _Fp __f)
{
    constexpr int __bits = sizeof(_Part) * CHAR_BIT;
    unsigned __result = 0;
    for (int __at = 0; __at < 32; __at += __bits)
        __result |= ((unsigned)__f((long)(_Part)(__a >> __at), (long)(_Part)(__b >> __at)) &
                     (0xffffffffu >> (32 - __bits)))
                    << __at;
    return __result;
}
template <class _Part> inline long in_range(long __value)
{
    constexpr long __most = _Part(-1) > 0 ? (long)_Part(-1) : (1L << (sizeof(_Part) * CHAR_BIT - 1)) - 1;
    constexpr long __least = _Part(-1) > 0 ? 0 : -__most - 1;
    return __value < __least ? __least : __value > __most ? __most : __value;
}
template <class _Part> inline unsigned sum_of_differences(unsigned __a, unsigned __b)
{
    unsigned __sum = 0;
    by_parts<_Part>(__a, __b, [&__sum](long __x, long __y) {
        __sum += (unsigned)(__x < __y ? __y - __x : __x - __y);
        return 0L;
    });
    return __sum;
}
} // namespace umsim

#define UMSIM_PARTS(name, Part, expression)                                                                  \
    inline unsigned name(unsigned __a, unsigned __b)                                                         \
    {                                                                                                        \
        return umsim::by_parts<Part>(__a, __b, [](long __x, long __y) -> long { return expression; });       \
    }
#define UMSIM_PARTS_1(name, Part, expression)                                                                \
    inline unsigned name(unsigned __a)                                                                       \
    {                                                                                                        \
        return umsim::by_parts<Part>(__a, 0, [](long __x, long) -> long { return expression; });             \
    }
#define UMSIM_COMPARE(name, count, Part, operation)                                                          \
    UMSIM_PARTS(__vcmp##name##count, Part, __x operation __y ? -1 : 0)                                       \
    UMSIM_PARTS(__vset##name##count, Part, __x operation __y ? 1 : 0)
#define UMSIM_SIMD(count, S, U)                                                                              \
    UMSIM_PARTS(__vadd##count, U, __x + __y)                                                                 \
    UMSIM_PARTS(__vsub##count, U, __x - __y)                                                                 \
    UMSIM_PARTS(__vaddss##count, S, umsim::in_range<S>(__x + __y))                                           \
    UMSIM_PARTS(__vaddus##count, U, umsim::in_range<U>(__x + __y))                                           \
    UMSIM_PARTS(__vsubss##count, S, umsim::in_range<S>(__x - __y))                                           \
    UMSIM_PARTS(__vsubus##count, U, umsim::in_range<U>(__x - __y))                                           \
    UMSIM_PARTS(__vabsdiffs##count, S, __x < __y ? __y - __x : __x - __y)                                    \
    UMSIM_PARTS(__vabsdiffu##count, U, __x < __y ? __y - __x : __x - __y)                                    \
    UMSIM_PARTS(__vavgs##count, S, (__x + __y + (__x + __y >= 0)) >> 1)                                      \
    UMSIM_PARTS(__vavgu##count, U, (__x + __y + 1) >> 1)                                                     \
    UMSIM_PARTS(__vhaddu##count, U, (__x + __y) >> 1)                                                        \
    UMSIM_PARTS(__vmaxs##count, S, __x < __y ? __y : __x)                                                    \
    UMSIM_PARTS(__vmaxu##count, U, __x < __y ? __y : __x)                                                    \
    UMSIM_PARTS(__vmins##count, S, __x < __y ? __x : __y)                                                    \
    UMSIM_PARTS(__vminu##count, U, __x < __y ? __x : __y)                                                    \
    UMSIM_PARTS_1(__vabs##count, S, __x < 0 ? -__x : __x)                                                    \
    UMSIM_PARTS_1(__vabsss##count, S, umsim::in_range<S>(__x < 0 ? -__x : __x))                              \
    UMSIM_PARTS_1(__vneg##count, S, -__x)                                                                    \
    UMSIM_PARTS_1(__vnegss##count, S, umsim::in_range<S>(-__x))                                              \
    UMSIM_COMPARE(eq, count, U, ==)                                                                          \
    UMSIM_COMPARE(ne, count, U, !=)                                                                          \
    UMSIM_COMPARE(ges, count, S, >=)                                                                         \
    UMSIM_COMPARE(geu, count, U, >=)                                                                         \
    UMSIM_COMPARE(gts, count, S, >)                                                                          \
    UMSIM_COMPARE(gtu, count, U, >)                                                                          \
    UMSIM_COMPARE(les, count, S, <=)                                                                         \
    UMSIM_COMPARE(leu, count, U, <=)                                                                         \
    UMSIM_COMPARE(lts, count, S, <)                                                                          \
    UMSIM_COMPARE(ltu, count, U, <)                                                                          \
    inline unsigned __vsads##count(unsigned __a, unsigned __b)                                               \
    {                                                                                                        \
        return umsim::sum_of_differences<S>(__a, __b);                                                       \
    }                                                                                                        \
    inline unsigned __vsadu##count(unsigned __a, unsigned __b)                                               \
    {                                                                                                        \
        return umsim::sum_of_differences<U>(__a, __b);                                                       \
    }
/** @endcond */

/** @name Parts of an unsigned
 * @{ */
UMSIM_SIMD(2, int16_t, uint16_t)
UMSIM_SIMD(4, int8_t, uint8_t)
/** c plus the sum of the products of four signed bytes. */
inline int __dp4a(int __a, int __b, int __c)
{
    for (int __at = 0; __at < 32; __at += 8)
        __c += (int8_t)(__a >> __at) * (int8_t)(__b >> __at);
    return __c;
}
/** The same, of unsigned bytes. */
inline unsigned __dp4a(unsigned __a, unsigned __b, unsigned __c)
{
    for (int __at = 0; __at < 32; __at += 8)
        __c += (unsigned)(uint8_t)(__a >> __at) * (uint8_t)(__b >> __at);
    return __c;
}
/** @} */

#undef UMSIM_PARTS
#undef UMSIM_PARTS_1
#undef UMSIM_COMPARE
#undef UMSIM_SIMD

#endif
