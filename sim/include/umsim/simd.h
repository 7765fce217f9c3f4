/**
 * @file umsim/simd.h
 * @brief Operations on the two halves or the four bytes of an unsigned: __vadd4() and its kind, __dp4a().
 * Included by umsim/math.h.
 *
 * The letter s or u says whether a part is signed, ss or us that the result stays in range; compare gives all
 * bits of a part, set gives 1.
 */
#ifndef UMSIM_SIMD_H
#define UMSIM_SIMD_H

#include <limits.h>
#include <stdint.h>

/** @cond internal */
namespace umsim
{
/* f() of each part, as long. */
template <class Part, class F> inline unsigned by_parts(unsigned a, unsigned b, F f)
{
    constexpr int bits = sizeof(Part) * CHAR_BIT;
    unsigned result = 0;
    for (int at = 0; at < 32; at += bits)
        result |= ((unsigned)f((long)(Part)(a >> at), (long)(Part)(b >> at)) & (0xffffffffu >> (32 - bits)))
                  << at;
    return result;
}
template <class Part> inline long in_range(long value)
{
    constexpr long most = Part(-1) > 0 ? (long)Part(-1) : (1L << (sizeof(Part) * CHAR_BIT - 1)) - 1;
    constexpr long least = Part(-1) > 0 ? 0 : -most - 1;
    return value < least ? least : value > most ? most : value;
}
template <class Part> inline unsigned sum_of_differences(unsigned a, unsigned b)
{
    unsigned sum = 0;
    by_parts<Part>(a, b, [&sum](long x, long y) {
        sum += (unsigned)(x < y ? y - x : x - y);
        return 0L;
    });
    return sum;
}
} // namespace umsim

#define UMSIM_PARTS(name, Part, expression)                                                                  \
    inline unsigned name(unsigned a, unsigned b)                                                             \
    {                                                                                                        \
        return umsim::by_parts<Part>(a, b, [](long x, long y) -> long { return expression; });               \
    }
#define UMSIM_PARTS_1(name, Part, expression)                                                                \
    inline unsigned name(unsigned a)                                                                         \
    {                                                                                                        \
        return umsim::by_parts<Part>(a, 0, [](long x, long) -> long { return expression; });                 \
    }
#define UMSIM_COMPARE(name, count, Part, operation)                                                          \
    UMSIM_PARTS(__vcmp##name##count, Part, x operation y ? -1 : 0)                                           \
    UMSIM_PARTS(__vset##name##count, Part, x operation y ? 1 : 0)
#define UMSIM_SIMD(count, S, U)                                                                              \
    UMSIM_PARTS(__vadd##count, U, x + y)                                                                     \
    UMSIM_PARTS(__vsub##count, U, x - y)                                                                     \
    UMSIM_PARTS(__vaddss##count, S, umsim::in_range<S>(x + y))                                               \
    UMSIM_PARTS(__vaddus##count, U, umsim::in_range<U>(x + y))                                               \
    UMSIM_PARTS(__vsubss##count, S, umsim::in_range<S>(x - y))                                               \
    UMSIM_PARTS(__vsubus##count, U, umsim::in_range<U>(x - y))                                               \
    UMSIM_PARTS(__vabsdiffs##count, S, x < y ? y - x : x - y)                                                \
    UMSIM_PARTS(__vabsdiffu##count, U, x < y ? y - x : x - y)                                                \
    UMSIM_PARTS(__vavgs##count, S, (x + y + (x + y >= 0)) >> 1)                                              \
    UMSIM_PARTS(__vavgu##count, U, (x + y + 1) >> 1)                                                         \
    UMSIM_PARTS(__vhaddu##count, U, (x + y) >> 1)                                                            \
    UMSIM_PARTS(__vmaxs##count, S, x < y ? y : x)                                                            \
    UMSIM_PARTS(__vmaxu##count, U, x < y ? y : x)                                                            \
    UMSIM_PARTS(__vmins##count, S, x < y ? x : y)                                                            \
    UMSIM_PARTS(__vminu##count, U, x < y ? x : y)                                                            \
    UMSIM_PARTS_1(__vabs##count, S, x < 0 ? -x : x)                                                          \
    UMSIM_PARTS_1(__vabsss##count, S, umsim::in_range<S>(x < 0 ? -x : x))                                    \
    UMSIM_PARTS_1(__vneg##count, S, -x)                                                                      \
    UMSIM_PARTS_1(__vnegss##count, S, umsim::in_range<S>(-x))                                                \
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
    inline unsigned __vsads##count(unsigned a, unsigned b)                                                   \
    {                                                                                                        \
        return umsim::sum_of_differences<S>(a, b);                                                           \
    }                                                                                                        \
    inline unsigned __vsadu##count(unsigned a, unsigned b)                                                   \
    {                                                                                                        \
        return umsim::sum_of_differences<U>(a, b);                                                           \
    }
/** @endcond */

/** @name Parts of an unsigned
 * @{ */
UMSIM_SIMD(2, int16_t, uint16_t)
UMSIM_SIMD(4, int8_t, uint8_t)
/** c plus the sum of the products of four signed bytes. */
inline int __dp4a(int a, int b, int c)
{
    for (int at = 0; at < 32; at += 8)
        c += (int8_t)(a >> at) * (int8_t)(b >> at);
    return c;
}
/** The same, of unsigned bytes. */
inline unsigned __dp4a(unsigned a, unsigned b, unsigned c)
{
    for (int at = 0; at < 32; at += 8)
        c += (unsigned)(uint8_t)(a >> at) * (uint8_t)(b >> at);
    return c;
}
/** @} */

#undef UMSIM_PARTS
#undef UMSIM_PARTS_1
#undef UMSIM_COMPARE
#undef UMSIM_SIMD

#endif
