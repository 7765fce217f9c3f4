/**
 * @file umsim/dpx.h
 * @brief CUDA's DPX functions: sums, maxima and minima in one step, of 32 bits and of two halves of 16, for
 * dynamic programming. Included by umsim/math.h; host code has them, too.
 *
 * Sums wrap around. In a name `relu` means that a negative result becomes 0, `3` that there are three
 * operands, `b` that a predicate says which operand was taken: true for the first, also where both are equal.
 */
#ifndef UMSIM_DPX_H
#define UMSIM_DPX_H

/** @cond internal */
namespace umsim
{
namespace dpx
{

/* What the functions do with one number of type _Tp. */
template <class _Tp> constexpr _Tp wrapped_sum(_Tp __a, _Tp __b)
{
    return (_Tp)((unsigned)__a + (unsigned)__b);
}
template <class _Tp> constexpr _Tp greater(_Tp __a, _Tp __b)
{
    return __a >= __b ? __a : __b;
}
template <class _Tp> constexpr _Tp lesser(_Tp __a, _Tp __b)
{
    return __a <= __b ? __a : __b;
}
template <class _Tp> constexpr _Tp not_negative(_Tp __a)
{
    return __a > 0 ? __a : (_Tp)0;
}

/* The halves of a register, and the register of two halves. */
template <class _Tp> constexpr _Tp low(unsigned __x)
{
    return (_Tp)(unsigned short)__x;
}
template <class _Tp> constexpr _Tp high(unsigned __x)
{
    return (_Tp)(unsigned short)(__x >> 16);
}
template <class _Tp> constexpr unsigned both(_Tp __high, _Tp __low)
{
    return (unsigned)(unsigned short)__high << 16 | (unsigned short)__low;
}

} // namespace dpx
} // namespace umsim

/* max or min of a + b and c, of three, and of two with a predicate: as one number, and as two halves. */
#define UMSIM_DPX_CHOICE(name, choose, compare, word, half, w, h)                                            \
    inline word __viadd##name##_##w(word __a, word __b, word __c)                                            \
    {                                                                                                        \
        return umsim::dpx::choose(umsim::dpx::wrapped_sum<word>(__a, __b), __c);                             \
    }                                                                                                        \
    inline word __vi##name##3_##w(word __a, word __b, word __c)                                              \
    {                                                                                                        \
        return umsim::dpx::choose(umsim::dpx::choose(__a, __b), __c);                                        \
    }                                                                                                        \
    inline word __vib##name##_##w(word __a, word __b, bool *__pred)                                          \
    {                                                                                                        \
        *__pred = __a compare __b;                                                                           \
        return umsim::dpx::choose(__a, __b);                                                                 \
    }                                                                                                        \
    inline unsigned __viadd##name##_##h##x2(unsigned __a, unsigned __b, unsigned __c)                        \
    {                                                                                                        \
        using namespace umsim::dpx;                                                                          \
        return both<half>(choose(wrapped_sum(high<half>(__a), high<half>(__b)), high<half>(__c)),            \
                          choose(wrapped_sum(low<half>(__a), low<half>(__b)), low<half>(__c)));              \
    }                                                                                                        \
    inline unsigned __vi##name##3_##h##x2(unsigned __a, unsigned __b, unsigned __c)                          \
    {                                                                                                        \
        using namespace umsim::dpx;                                                                          \
        return both<half>(choose(choose(high<half>(__a), high<half>(__b)), high<half>(__c)),                 \
                          choose(choose(low<half>(__a), low<half>(__b)), low<half>(__c)));                   \
    }                                                                                                        \
    inline unsigned __vib##name##_##h##x2(unsigned __a, unsigned __b, bool *__pred_hi, bool *__pred_lo)      \
    {                                                                                                        \
        using namespace umsim::dpx;                                                                          \
        *__pred_hi = high<half>(__a) compare high<half>(__b);                                                \
        *__pred_lo = low<half>(__a) compare low<half>(__b);                                                  \
        return both<half>(choose(high<half>(__a), high<half>(__b)), choose(low<half>(__a), low<half>(__b))); \
    }

/* Of numbers with a sign, and never negative. */
#define UMSIM_DPX_RELU(name, choose)                                                                         \
    inline int __viadd##name##_s32_relu(int __a, int __b, int __c)                                           \
    {                                                                                                        \
        return umsim::dpx::not_negative(__viadd##name##_s32(__a, __b, __c));                                 \
    }                                                                                                        \
    inline int __vi##name##3_s32_relu(int __a, int __b, int __c)                                             \
    {                                                                                                        \
        return umsim::dpx::not_negative(__vi##name##3_s32(__a, __b, __c));                                   \
    }                                                                                                        \
    inline int __vi##name##_s32_relu(int __a, int __b)                                                       \
    {                                                                                                        \
        return umsim::dpx::not_negative(umsim::dpx::choose(__a, __b));                                       \
    }                                                                                                        \
    inline unsigned __viadd##name##_s16x2_relu(unsigned __a, unsigned __b, unsigned __c)                     \
    {                                                                                                        \
        using namespace umsim::dpx;                                                                          \
        const unsigned __x = __viadd##name##_s16x2(__a, __b, __c);                                           \
        return both<short>(not_negative(high<short>(__x)), not_negative(low<short>(__x)));                   \
    }                                                                                                        \
    inline unsigned __vi##name##3_s16x2_relu(unsigned __a, unsigned __b, unsigned __c)                       \
    {                                                                                                        \
        using namespace umsim::dpx;                                                                          \
        const unsigned __x = __vi##name##3_s16x2(__a, __b, __c);                                             \
        return both<short>(not_negative(high<short>(__x)), not_negative(low<short>(__x)));                   \
    }                                                                                                        \
    inline unsigned __vi##name##_s16x2_relu(unsigned __a, unsigned __b)                                      \
    {                                                                                                        \
        return __vi##name##3_s16x2_relu(__a, __b, __b);                                                      \
    }

UMSIM_DPX_CHOICE(max, greater, >=, int, short, s32, s16)
UMSIM_DPX_CHOICE(min, lesser, <=, int, short, s32, s16)
UMSIM_DPX_CHOICE(max, greater, >=, unsigned, unsigned short, u32, u16)
UMSIM_DPX_CHOICE(min, lesser, <=, unsigned, unsigned short, u32, u16)
UMSIM_DPX_RELU(max, greater)
UMSIM_DPX_RELU(min, lesser)
#undef UMSIM_DPX_CHOICE
#undef UMSIM_DPX_RELU
/** @endcond */

#endif
