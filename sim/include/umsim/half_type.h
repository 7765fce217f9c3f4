/**
 * @file umsim/half_type.h
 * @brief A 16-bit floating-point type, the pair of two, and their conversions.
 *
 * Included by cuda_fp16.h and by cuda_bf16.h, once each (umsim/half_format.h says how). The names below are
 * those of half.
 *
 * The implicit conversions are CUDA's, so the same expressions are ambiguous.
 */
/** @cond internal */
#define UMSIM_GLUE_(a, b, c) a##b##c
#define UMSIM_GLUE(a, b, c) UMSIM_GLUE_(a, b, c)
#define UMSIM_TO_HALF(from, suffix) UMSIM_GLUE(__##from##2, UMSIM_HALF_WORD, suffix)
#define UMSIM_FROM_HALF(to) UMSIM_GLUE(__, UMSIM_HALF_WORD, 2##to)
/** @endcond */

struct __attribute__((__aligned__(2))) UMSIM_HALF {
  protected:
    unsigned short __x;

  public:
    UMSIM_HALF() = default;
    constexpr UMSIM_HALF(const UMSIM_HALF_RAW &__raw) : __x(__raw.x)
    {
    }
    UMSIM_HALF &operator=(const UMSIM_HALF_RAW &__raw)
    {
        __x = __raw.x;
        return *this;
    }
    volatile UMSIM_HALF &operator=(const UMSIM_HALF_RAW &__raw) volatile
    {
        __x = __raw.x;
        return *this;
    }
    volatile UMSIM_HALF &operator=(const volatile UMSIM_HALF_RAW &__raw) volatile
    {
        __x = __raw.x;
        return *this;
    }
    operator UMSIM_HALF_RAW() const
    {
        UMSIM_HALF_RAW __raw;
        __raw.x = __x;
        return __raw;
    }
    operator UMSIM_HALF_RAW() const volatile
    {
        UMSIM_HALF_RAW __raw;
        __raw.x = __x;
        return __raw;
    }

#ifdef UMSIM_HALF_CONVERSIONS
    explicit UMSIM_HALF(UMSIM_HALF_OTHER __other); /* cuda_bf16.h */
    UMSIM_HALF(float __x) : __x(UMSIM_HALF_FORMAT::from_float(__x))
    {
    }
    UMSIM_HALF(double __x) : __x(umsim::half_from_double<UMSIM_HALF_FORMAT>(__x))
    {
    }
    operator float() const
    {
        return UMSIM_HALF_FORMAT::to_float(__x);
    }
    UMSIM_HALF &operator=(float __x)
    {
        return *this = UMSIM_HALF(__x);
    }
    UMSIM_HALF &operator=(double __x)
    {
        return *this = UMSIM_HALF(__x);
    }
    constexpr operator bool() const
    {
        return (__x & 0x7fff) != 0;
    }
#define UMSIM_HALF_OF(I)                                                                                     \
    UMSIM_HALF(I __x) : __x(umsim::half_from_double<UMSIM_HALF_FORMAT>(umsim::half_odd_double(__x)))         \
    {                                                                                                        \
    }
#define UMSIM_HALF_ASSIGNED(I)                                                                               \
    UMSIM_HALF &operator=(I __x)                                                                             \
    {                                                                                                        \
        return *this = UMSIM_HALF(__x);                                                                      \
    }
#define UMSIM_HALF_AS(I)                                                                                     \
    operator I() const                                                                                       \
    {                                                                                                        \
        return umsim::half_to_integer<I>(UMSIM_HALF_FORMAT::to_float(__x));                                  \
    }
    UMSIM_HALF_OF(short)
    UMSIM_HALF_OF(unsigned short)
    UMSIM_HALF_OF(int)
    UMSIM_HALF_OF(unsigned)
    UMSIM_HALF_OF(long)
    UMSIM_HALF_OF(unsigned long)
    UMSIM_HALF_OF(long long)
    UMSIM_HALF_OF(unsigned long long)
    UMSIM_HALF_ASSIGNED(short)
    UMSIM_HALF_ASSIGNED(unsigned short)
    UMSIM_HALF_ASSIGNED(int)
    UMSIM_HALF_ASSIGNED(unsigned)
    UMSIM_HALF_ASSIGNED(long long)
    UMSIM_HALF_ASSIGNED(unsigned long long)
    UMSIM_HALF_AS(signed char)
    UMSIM_HALF_AS(unsigned char)
    UMSIM_HALF_AS(char)
    UMSIM_HALF_AS(short)
    UMSIM_HALF_AS(unsigned short)
    UMSIM_HALF_AS(int)
    UMSIM_HALF_AS(unsigned)
    UMSIM_HALF_AS(long)
    UMSIM_HALF_AS(unsigned long)
    UMSIM_HALF_AS(long long)
    UMSIM_HALF_AS(unsigned long long)
#undef UMSIM_HALF_OF
#undef UMSIM_HALF_ASSIGNED
#undef UMSIM_HALF_AS
#endif
};

struct __attribute__((__aligned__(4))) UMSIM_HALF2 {
    UMSIM_HALF x, y;

    UMSIM_HALF2() = default;
    constexpr UMSIM_HALF2(const UMSIM_HALF &__low, const UMSIM_HALF &__high) : x(__low), y(__high)
    {
    }
    UMSIM_HALF2(const UMSIM_HALF2_RAW &__raw) : x(UMSIM_HALF_RAW{__raw.x}), y(UMSIM_HALF_RAW{__raw.y})
    {
    }
    UMSIM_HALF2 &operator=(const UMSIM_HALF2_RAW &__raw)
    {
        return *this = UMSIM_HALF2(__raw);
    }
    operator UMSIM_HALF2_RAW() const
    {
        UMSIM_HALF2_RAW __raw;
        __raw.x = UMSIM_HALF_RAW(x).x;
        __raw.y = UMSIM_HALF_RAW(y).x;
        return __raw;
    }
};

/** @cond internal */
namespace umsim
{
UMSIM_HALF_FN float half_float(const UMSIM_HALF &__h)
{
    return UMSIM_HALF_FORMAT::to_float(half_bits<unsigned short>(__h));
}
} // namespace umsim
#define UMSIM_HALF_BITS(bits) umsim::half_of<UMSIM_HALF, UMSIM_HALF_RAW>(bits)
/** @endcond */

/** @name Conversions: float and double
 * __float2half and the like; _rn to nearest (ties to even), _rz towards zero, _rd down, _ru up. @{ */
UMSIM_HALF_CALL UMSIM_HALF UMSIM_TO_HALF(double, )(double __x)
{
    return UMSIM_HALF_BITS(umsim::half_from_double<UMSIM_HALF_FORMAT>(__x));
}
UMSIM_HALF_CALL UMSIM_HALF UMSIM_TO_HALF(float, )(float __x)
{
    return UMSIM_HALF_BITS(UMSIM_HALF_FORMAT::from_float(__x));
}
UMSIM_HALF_CALL UMSIM_HALF UMSIM_TO_HALF(float, _rn)(float __x)
{
    return UMSIM_HALF_BITS(UMSIM_HALF_FORMAT::from_float(__x));
}
UMSIM_HALF_CALL UMSIM_HALF UMSIM_TO_HALF(float, _rz)(float __x)
{
    return UMSIM_HALF_BITS(umsim::half_from_double<UMSIM_HALF_FORMAT>(__x, 0));
}
UMSIM_HALF_CALL UMSIM_HALF UMSIM_TO_HALF(float, _rd)(float __x)
{
    return UMSIM_HALF_BITS(umsim::half_from_double<UMSIM_HALF_FORMAT>(__x, 1));
}
UMSIM_HALF_CALL UMSIM_HALF UMSIM_TO_HALF(float, _ru)(float __x)
{
    return UMSIM_HALF_BITS(umsim::half_from_double<UMSIM_HALF_FORMAT>(__x, 2));
}
UMSIM_HALF_CALL float UMSIM_FROM_HALF(float)(UMSIM_HALF __h)
{
    return umsim::half_float(__h);
}
UMSIM_HALF_CALL UMSIM_HALF2 UMSIM_TO_HALF(float, 2_rn)(float __x)
{
    return UMSIM_HALF2(UMSIM_TO_HALF(float, )(__x), UMSIM_TO_HALF(float, )(__x));
}
UMSIM_HALF_CALL UMSIM_HALF2 UMSIM_TO_HALF(floats, 2_rn)(float __low, float __high)
{
    return UMSIM_HALF2(UMSIM_TO_HALF(float, )(__low), UMSIM_TO_HALF(float, )(__high));
}
UMSIM_HALF_CALL UMSIM_HALF2 UMSIM_TO_HALF(float2, 2_rn)(float2 __both)
{
    return UMSIM_HALF2(UMSIM_TO_HALF(float, )(__both.x), UMSIM_TO_HALF(float, )(__both.y));
}
UMSIM_HALF_CALL float2 UMSIM_FROM_HALF(2float2)(UMSIM_HALF2 __both)
{
    float2 __result;
    __result.x = umsim::half_float(__both.x);
    __result.y = umsim::half_float(__both.y);
    return __result;
}
UMSIM_HALF_CALL float __low2float(UMSIM_HALF2 __both)
{
    return umsim::half_float(__both.x);
}
UMSIM_HALF_CALL float __high2float(UMSIM_HALF2 __both)
{
    return umsim::half_float(__both.y);
}
/** @} */

/**
 * @name Conversions: integers
 * __int2half_rn, __half2int_rz and the like, for short, ushort, int, uint, ll, ull; for char and uchar only
 * __half2char_rz. Out of range, the result is the integer type's limit. For NaN it is 0, with 64 bits 1
 * << 63.
 * @{
 */
#define UMSIM_HALF_INTEGER(I, word)                                                                          \
    UMSIM_HALF_FN UMSIM_HALF UMSIM_TO_HALF(word, _rn)(I __x)                                                 \
    {                                                                                                        \
        return UMSIM_HALF_BITS(umsim::half_from_double<UMSIM_HALF_FORMAT>(umsim::half_odd_double(__x)));     \
    }                                                                                                        \
    UMSIM_HALF_DIRECTED(I, word, _rz, 0, truncf)                                                             \
    UMSIM_HALF_DIRECTED(I, word, _rd, 1, floorf)                                                             \
    UMSIM_HALF_DIRECTED(I, word, _ru, 2, ceilf)                                                              \
    UMSIM_HALF_TO_INTEGER(I, word##_rn, rintf)
#define UMSIM_HALF_DIRECTED(I, word, suffix, way, to_whole)                                                  \
    UMSIM_HALF_FN UMSIM_HALF UMSIM_TO_HALF(word, suffix)(I __x)                                              \
    {                                                                                                        \
        return UMSIM_HALF_BITS(                                                                              \
            umsim::half_from_double<UMSIM_HALF_FORMAT>(umsim::half_odd_double(__x), way));                   \
    }                                                                                                        \
    UMSIM_HALF_TO_INTEGER(I, word##suffix, to_whole)
#define UMSIM_HALF_TO_INTEGER(I, word_suffix, to_whole)                                                      \
    UMSIM_HALF_FN I UMSIM_FROM_HALF(word_suffix)(UMSIM_HALF __h)                                             \
    {                                                                                                        \
        return umsim::half_to_integer<I>(__builtin_##to_whole(umsim::half_float(__h)));                      \
    }
UMSIM_HALF_INTEGER(short, short)
UMSIM_HALF_INTEGER(unsigned short, ushort)
UMSIM_HALF_INTEGER(int, int)
UMSIM_HALF_INTEGER(unsigned, uint)
UMSIM_HALF_INTEGER(long long, ll)
UMSIM_HALF_INTEGER(unsigned long long, ull)
UMSIM_HALF_TO_INTEGER(signed char, char_rz, truncf)
UMSIM_HALF_TO_INTEGER(unsigned char, uchar_rz, truncf)
#undef UMSIM_HALF_INTEGER
#undef UMSIM_HALF_DIRECTED
#undef UMSIM_HALF_TO_INTEGER
/** @} */

/** @name The same bits as another type
 * __half_as_short, __half_as_ushort, __short_as_half, __ushort_as_half. @{ */
UMSIM_HALF_FN short UMSIM_GLUE(__, UMSIM_HALF_WORD, _as_short)(UMSIM_HALF __h)
{
    return umsim::half_bits<short>(__h);
}
UMSIM_HALF_FN unsigned short UMSIM_GLUE(__, UMSIM_HALF_WORD, _as_ushort)(UMSIM_HALF __h)
{
    return umsim::half_bits<unsigned short>(__h);
}
UMSIM_HALF_FN constexpr UMSIM_HALF UMSIM_GLUE(__short_as_, UMSIM_HALF_WORD, )(short __bits)
{
    return UMSIM_HALF(UMSIM_HALF_RAW{(unsigned short)__bits});
}
UMSIM_HALF_FN constexpr UMSIM_HALF UMSIM_GLUE(__ushort_as_, UMSIM_HALF_WORD, )(unsigned short __bits)
{
    return UMSIM_HALF(UMSIM_HALF_RAW{__bits});
}
/** @} */

/** @name Pairs
 * x is the low half, y the high one. @{ */
#define UMSIM_HALF_PAIR(name, parameters, low, high)                                                         \
    UMSIM_HALF_FN UMSIM_HALF2 name parameters                                                                \
    {                                                                                                        \
        return UMSIM_HALF2(low, high);                                                                       \
    }
UMSIM_HALF_PAIR(UMSIM_GLUE(make_, UMSIM_HALF_WORD, 2), (UMSIM_HALF __x, UMSIM_HALF __y), __x, __y)
UMSIM_HALF_PAIR(UMSIM_TO_HALF(halves, 2), (UMSIM_HALF __low, UMSIM_HALF __high), __low, __high)
UMSIM_HALF_PAIR(UMSIM_GLUE(UMSIM_FROM_HALF(), UMSIM_HALF_WORD, 2), (UMSIM_HALF __h), __h, __h)
UMSIM_HALF_PAIR(UMSIM_TO_HALF(low, 2), (UMSIM_HALF2 __both), __both.x, __both.x)
UMSIM_HALF_PAIR(UMSIM_TO_HALF(high, 2), (UMSIM_HALF2 __both), __both.y, __both.y)
UMSIM_HALF_PAIR(UMSIM_TO_HALF(lows, 2), (UMSIM_HALF2 __a, UMSIM_HALF2 __b), __a.x, __b.x)
UMSIM_HALF_PAIR(UMSIM_TO_HALF(highs, 2), (UMSIM_HALF2 __a, UMSIM_HALF2 __b), __a.y, __b.y)
UMSIM_HALF_PAIR(__lowhigh2highlow, (UMSIM_HALF2 __both), __both.y, __both.x)
#undef UMSIM_HALF_PAIR
UMSIM_HALF_FN UMSIM_HALF UMSIM_TO_HALF(low, )(UMSIM_HALF2 __both)
{
    return __both.x;
}
UMSIM_HALF_FN UMSIM_HALF UMSIM_TO_HALF(high, )(UMSIM_HALF2 __both)
{
    return __both.y;
}
/** @} */
