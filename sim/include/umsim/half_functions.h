/**
 * @file umsim/half_functions.h
 * @brief Arithmetic, comparisons and mathematics of a 16-bit type and its pair, and kernels' operations on
 * them: atomics, shuffles.
 *
 * Included by cuda_fp16.h and by cuda_bf16.h, once each, after umsim/half_type.h.
 *
 * Every result is the correctly rounded one, to nearest and ties to even; small numbers are kept. CUDA
 * promises that of arithmetic. Of mathematics (hexp, hsin, ...) it says "in round-to-nearest-even mode";
 * here each is computed by the C library's double function, and rounded once. Of htanh_approx CUDA promises
 * less.
 */

/** @cond internal */
namespace umsim
{
UMSIM_HALF_FN bool half_is_nan(UMSIM_HALF __h)
{
    return (half_bits<unsigned short>(__h) & 0x7fff) > UMSIM_HALF_FORMAT::infinity;
}
UMSIM_HALF_FN UMSIM_HALF half_saturated(UMSIM_HALF __h)
{
    const unsigned short __bits = half_bits<unsigned short>(__h);
    return UMSIM_HALF_BITS((__bits >> 15) || half_is_nan(__h) ? 0
                           : __bits > UMSIM_HALF_FORMAT::one  ? UMSIM_HALF_FORMAT::one
                                                              : __bits);
}
} // namespace umsim
/** @endcond */

/**
 * @name Sign
 * Of one number, or of both halves.
 * @{
 */
UMSIM_HALF_FN UMSIM_HALF __habs(UMSIM_HALF __h)
{
    return umsim::half_is_nan(__h) ? UMSIM_HALF_BITS(0x7fff)
                                   : UMSIM_HALF_BITS(umsim::half_bits<unsigned short>(__h) & 0x7fff);
}
UMSIM_HALF_FN UMSIM_HALF __hneg(UMSIM_HALF __h)
{
    return umsim::half_is_nan(__h) ? UMSIM_HALF_BITS(0x7fff)
                                   : UMSIM_HALF_BITS(umsim::half_bits<unsigned short>(__h) ^ 0x8000);
}
UMSIM_HALF_FN UMSIM_HALF2 __habs2(UMSIM_HALF2 __both)
{
    return UMSIM_HALF2(__habs(__both.x), __habs(__both.y));
}
UMSIM_HALF_FN UMSIM_HALF2 __hneg2(UMSIM_HALF2 __both)
{
    return UMSIM_HALF2(__hneg(__both.x), __hneg(__both.y));
}
/** @} */

/**
 * @name Arithmetic
 * `__half __hadd(__half a, __half b)`: also __hsub, __hmul, __hdiv. With _rn the result is the same; with
 * _sat it is clamped to 0 to 1, and 0 for NaN. `__half2 __hadd2(__half2 a, __half2 b)` and so on (__h2div):
 * both halves.
 * @{
 */
#define UMSIM_HALF_BINARY(name, name2, bits)                                                                 \
    UMSIM_HALF_CALL UMSIM_HALF name(UMSIM_HALF __a, UMSIM_HALF __b)                                          \
    {                                                                                                        \
        const float __x = umsim::half_float(__a), __y = umsim::half_float(__b);                              \
        return UMSIM_HALF_BITS(UMSIM_HALF_FORMAT::bits);                                                     \
    }                                                                                                        \
    UMSIM_HALF_IN_PAIRS(name, name2)
#define UMSIM_HALF_IN_PAIRS(name, name2)                                                                     \
    UMSIM_HALF_CALL UMSIM_HALF2 name2(UMSIM_HALF2 __a, UMSIM_HALF2 __b)                                      \
    {                                                                                                        \
        return UMSIM_HALF2(name(__a.x, __b.x), name(__a.y, __b.y));                                          \
    }
/** @cond internal */
#define UMSIM_HALF_SATURATED(name, name2, result)                                                            \
    UMSIM_HALF_CALL UMSIM_HALF name(UMSIM_HALF __a, UMSIM_HALF __b)                                          \
    {                                                                                                        \
        return umsim::half_saturated(result(__a, __b));                                                      \
    }                                                                                                        \
    UMSIM_HALF_IN_PAIRS(name, name2)
/** @endcond */
UMSIM_HALF_BINARY(__hadd, __hadd2, from_float(__x + __y))
UMSIM_HALF_BINARY(__hsub, __hsub2, from_float(__x - __y))
UMSIM_HALF_BINARY(__hmul, __hmul2, product(__x, __y))
UMSIM_HALF_BINARY(__hdiv, __h2div, quotient(__x, __y))
UMSIM_HALF_BINARY(__hadd_rn, __hadd2_rn, from_float(__x + __y))
UMSIM_HALF_BINARY(__hsub_rn, __hsub2_rn, from_float(__x - __y))
UMSIM_HALF_BINARY(__hmul_rn, __hmul2_rn, product(__x, __y))
UMSIM_HALF_SATURATED(__hadd_sat, __hadd2_sat, __hadd)
UMSIM_HALF_SATURATED(__hsub_sat, __hsub2_sat, __hsub)
UMSIM_HALF_SATURATED(__hmul_sat, __hmul2_sat, __hmul)
#undef UMSIM_HALF_BINARY
#undef UMSIM_HALF_SATURATED
/** a * b + c, rounded once. */
UMSIM_HALF_CALL UMSIM_HALF __hfma(UMSIM_HALF __a, UMSIM_HALF __b, UMSIM_HALF __c)
{
    return UMSIM_HALF_BITS(UMSIM_HALF_FORMAT::multiply_add(umsim::half_float(__a), umsim::half_float(__b),
                                                           umsim::half_float(__c)));
}
/** The same, clamped to 0 to 1. */
UMSIM_HALF_CALL UMSIM_HALF __hfma_sat(UMSIM_HALF __a, UMSIM_HALF __b, UMSIM_HALF __c)
{
    return umsim::half_saturated(__hfma(__a, __b, __c));
}
/** The same, but 0 if the result is negative. */
UMSIM_HALF_CALL UMSIM_HALF __hfma_relu(UMSIM_HALF __a, UMSIM_HALF __b, UMSIM_HALF __c)
{
    const UMSIM_HALF __result = __hfma(__a, __b, __c);
    return umsim::half_float(__result) < 0 || umsim::half_bits<unsigned short>(__result) == 0x8000
               ? UMSIM_HALF_BITS(0)
               : __result;
}
#define UMSIM_HALF_TERNARY(name, name2)                                                                      \
    UMSIM_HALF_CALL UMSIM_HALF2 name2(UMSIM_HALF2 __a, UMSIM_HALF2 __b, UMSIM_HALF2 __c)                     \
    {                                                                                                        \
        return UMSIM_HALF2(name(__a.x, __b.x, __c.x), name(__a.y, __b.y, __c.y));                            \
    }
UMSIM_HALF_TERNARY(__hfma, __hfma2)
UMSIM_HALF_TERNARY(__hfma_sat, __hfma2_sat)
UMSIM_HALF_TERNARY(__hfma_relu, __hfma2_relu)
#undef UMSIM_HALF_TERNARY
/** a * b + c of complex numbers, x their real part: four __hfma. */
UMSIM_HALF_CALL UMSIM_HALF2 __hcmadd(UMSIM_HALF2 __a, UMSIM_HALF2 __b, UMSIM_HALF2 __c)
{
    return UMSIM_HALF2(__hfma(__hneg(__a.y), __b.y, __hfma(__a.x, __b.x, __c.x)),
                       __hfma(__a.y, __b.x, __hfma(__a.x, __b.y, __c.y)));
}
/** @} */

/**
 * @name Largest, smallest
 * If one number is NaN, __hmax and __hmin give the other one, and __hmax_nan and __hmin_nan give NaN. -0 is
 * below +0.
 * __hmax2, __hmax2_nan and so on: both halves.
 * @{
 */
#define UMSIM_HALF_EXTREME(name, relation, of_equals)                                                        \
    UMSIM_HALF_CALL UMSIM_HALF name##_nan(UMSIM_HALF __a, UMSIM_HALF __b)                                    \
    {                                                                                                        \
        const float __x = umsim::half_float(__a), __y = umsim::half_float(__b);                              \
        const unsigned short __s = umsim::half_bits<unsigned short>(__a),                                    \
                             __t = umsim::half_bits<unsigned short>(__b);                                    \
        const unsigned short __chosen = __x == __y ? (__s of_equals __t) : __x relation __y ? __s : __t;     \
        return UMSIM_HALF_BITS(__x != __x || __y != __y ? 0x7fff : __chosen);                                \
    }                                                                                                        \
    UMSIM_HALF_CALL UMSIM_HALF name(UMSIM_HALF __a, UMSIM_HALF __b)                                          \
    {                                                                                                        \
        const bool __a_none = umsim::half_is_nan(__a), __b_none = umsim::half_is_nan(__b);                   \
        return __a_none == __b_none ? name##_nan(__a, __b) : __a_none ? __b : __a;                           \
    }                                                                                                        \
    UMSIM_HALF_IN_PAIRS(name, name##2)                                                                       \
    UMSIM_HALF_IN_PAIRS(name##_nan, name##2_nan)
UMSIM_HALF_EXTREME(__hmax, >, &)
UMSIM_HALF_EXTREME(__hmin, <, |)
#undef UMSIM_HALF_EXTREME
#undef UMSIM_HALF_IN_PAIRS
/** @} */

/**
 * @name Comparisons
 * __heq, __hne, __hlt, __hle, __hgt, __hge are false if either number is NaN; with a u at the end (__hequ)
 * they are true. __heq2: 1.0 or 0.0 in each half; __heq2_mask: 0xffff or 0 in each half; __hbeq2: whether it
 * holds for both.
 * @{
 */
#define UMSIM_HALF_RELATION(name, name2, name_both, relation)                                                \
    UMSIM_HALF_CALL bool name(UMSIM_HALF __a, UMSIM_HALF __b)                                                \
    {                                                                                                        \
        const float __x = umsim::half_float(__a), __y = umsim::half_float(__b);                              \
        return relation;                                                                                     \
    }                                                                                                        \
    UMSIM_HALF_CALL UMSIM_HALF2 name2(UMSIM_HALF2 __a, UMSIM_HALF2 __b)                                      \
    {                                                                                                        \
        return UMSIM_HALF2(UMSIM_HALF_BITS(name(__a.x, __b.x) ? UMSIM_HALF_FORMAT::one : 0),                 \
                           UMSIM_HALF_BITS(name(__a.y, __b.y) ? UMSIM_HALF_FORMAT::one : 0));                \
    }                                                                                                        \
    UMSIM_HALF_CALL unsigned name2##_mask(UMSIM_HALF2 __a, UMSIM_HALF2 __b)                                  \
    {                                                                                                        \
        return (name(__a.x, __b.x) ? 0xffffu : 0) | (name(__a.y, __b.y) ? 0xffff0000u : 0);                  \
    }                                                                                                        \
    UMSIM_HALF_CALL bool name_both(UMSIM_HALF2 __a, UMSIM_HALF2 __b)                                         \
    {                                                                                                        \
        return name(__a.x, __b.x) && name(__a.y, __b.y);                                                     \
    }
UMSIM_HALF_RELATION(__heq, __heq2, __hbeq2, __x == __y)
UMSIM_HALF_RELATION(__hne, __hne2, __hbne2, __x<__y || __x> __y)
UMSIM_HALF_RELATION(__hlt, __hlt2, __hblt2, __x < __y)
UMSIM_HALF_RELATION(__hle, __hle2, __hble2, __x <= __y)
UMSIM_HALF_RELATION(__hgt, __hgt2, __hbgt2, __x > __y)
UMSIM_HALF_RELATION(__hge, __hge2, __hbge2, __x >= __y)
UMSIM_HALF_RELATION(__hequ, __hequ2, __hbequ2, !(__x < __y || __x > __y))
UMSIM_HALF_RELATION(__hneu, __hneu2, __hbneu2, __x != __y)
UMSIM_HALF_RELATION(__hltu, __hltu2, __hbltu2, !(__x >= __y))
UMSIM_HALF_RELATION(__hleu, __hleu2, __hbleu2, !(__x > __y))
UMSIM_HALF_RELATION(__hgtu, __hgtu2, __hbgtu2, !(__x <= __y))
UMSIM_HALF_RELATION(__hgeu, __hgeu2, __hbgeu2, !(__x < __y))
#undef UMSIM_HALF_RELATION
UMSIM_HALF_FN bool __hisnan(UMSIM_HALF __h)
{
    return umsim::half_is_nan(__h);
}
UMSIM_HALF_FN UMSIM_HALF2 __hisnan2(UMSIM_HALF2 __both)
{
    return UMSIM_HALF2(UMSIM_HALF_BITS(__hisnan(__both.x) ? UMSIM_HALF_FORMAT::one : 0),
                       UMSIM_HALF_BITS(__hisnan(__both.y) ? UMSIM_HALF_FORMAT::one : 0));
}
/** 1 for infinity, -1 for minus infinity, else 0. */
UMSIM_HALF_FN int __hisinf(UMSIM_HALF __h)
{
    const unsigned short __bits = umsim::half_bits<unsigned short>(__h);
    return (__bits & 0x7fff) != UMSIM_HALF_FORMAT::infinity ? 0 : __bits >> 15 ? -1 : 1;
}
/** @} */

/** @name Mathematics
 * `__half hexp(__half h)`, `__half2 h2exp(__half2 both)`. @{ */
#define UMSIM_HALF_FUNCTION(name, expression)                                                                \
    UMSIM_HALF_FN UMSIM_HALF h##name(UMSIM_HALF __h)                                                         \
    {                                                                                                        \
        const double __x = umsim::half_float(__h);                                                           \
        return UMSIM_HALF_BITS(umsim::half_from_double<UMSIM_HALF_FORMAT>(expression));                      \
    }                                                                                                        \
    UMSIM_HALF_FN UMSIM_HALF2 h2##name(UMSIM_HALF2 __both)                                                   \
    {                                                                                                        \
        return UMSIM_HALF2(h##name(__both.x), h##name(__both.y));                                            \
    }
UMSIM_HALF_FUNCTION(trunc, __builtin_trunc(__x))
UMSIM_HALF_FUNCTION(ceil, __builtin_ceil(__x))
UMSIM_HALF_FUNCTION(floor, __builtin_floor(__x))
UMSIM_HALF_FUNCTION(rint, __builtin_rint(__x))
UMSIM_HALF_FUNCTION(sqrt, __builtin_sqrt(__x))
UMSIM_HALF_FUNCTION(rsqrt, 1.0 / __builtin_sqrt(__x))
UMSIM_HALF_FUNCTION(rcp, 1.0 / __x)
UMSIM_HALF_FUNCTION(exp, __builtin_exp(__x))
UMSIM_HALF_FUNCTION(exp2, __builtin_exp2(__x))
UMSIM_HALF_FUNCTION(exp10, __builtin_exp10(__x))
UMSIM_HALF_FUNCTION(log, __builtin_log(__x))
UMSIM_HALF_FUNCTION(log2, __builtin_log2(__x))
UMSIM_HALF_FUNCTION(log10, __builtin_log10(__x))
UMSIM_HALF_FUNCTION(sin, __builtin_sin(__x))
UMSIM_HALF_FUNCTION(cos, __builtin_cos(__x))
UMSIM_HALF_FUNCTION(tanh, __builtin_tanh(__x))
UMSIM_HALF_FUNCTION(tanh_approx, __builtin_tanh(__x))
#undef UMSIM_HALF_FUNCTION
/** @} */

/**
 * @name Operators
 * They do what __hadd() and the like do. For pairs, == and the like ask whether it holds for both halves (!=
 * by __hbneu2()).
 * @{
 */
#define UMSIM_HALF_OPERATOR(T, op, name)                                                                     \
    UMSIM_HALF_FN T operator op(const T &__a, const T &__b)                                                  \
    {                                                                                                        \
        return name(__a, __b);                                                                               \
    }                                                                                                        \
    UMSIM_HALF_FN T &operator op##=(T &__a, const T &__b)                                                    \
    {                                                                                                        \
        return __a = name(__a, __b);                                                                         \
    }
#define UMSIM_HALF_COMPARISON(T, op, name)                                                                   \
    UMSIM_HALF_FN bool operator op(const T &__a, const T &__b)                                               \
    {                                                                                                        \
        return name(__a, __b);                                                                               \
    }
#define UMSIM_HALF_STEP(T, op, name, one)                                                                    \
    UMSIM_HALF_FN T &operator op(T &__a)                                                                     \
    {                                                                                                        \
        return __a = name(__a, one);                                                                         \
    }                                                                                                        \
    UMSIM_HALF_FN T operator op(T &__a, int)                                                                 \
    {                                                                                                        \
        const T __before = __a;                                                                              \
        __a = name(__a, one);                                                                                \
        return __before;                                                                                     \
    }
#define UMSIM_HALF_SIGN(T, name)                                                                             \
    UMSIM_HALF_FN T operator+(const T &__a)                                                                  \
    {                                                                                                        \
        return __a;                                                                                          \
    }                                                                                                        \
    UMSIM_HALF_FN T operator-(const T &__a)                                                                  \
    {                                                                                                        \
        return name(__a);                                                                                    \
    }
#define UMSIM_HALF_ONE UMSIM_HALF_BITS(UMSIM_HALF_FORMAT::one)
#ifdef UMSIM_HALF_OPERATORS
UMSIM_HALF_OPERATOR(UMSIM_HALF, +, __hadd)
UMSIM_HALF_OPERATOR(UMSIM_HALF, -, __hsub)
UMSIM_HALF_OPERATOR(UMSIM_HALF, *, __hmul)
UMSIM_HALF_OPERATOR(UMSIM_HALF, /, __hdiv)
UMSIM_HALF_COMPARISON(UMSIM_HALF, ==, __heq)
UMSIM_HALF_COMPARISON(UMSIM_HALF, !=, __hneu)
UMSIM_HALF_COMPARISON(UMSIM_HALF, <, __hlt)
UMSIM_HALF_COMPARISON(UMSIM_HALF, <=, __hle)
UMSIM_HALF_COMPARISON(UMSIM_HALF, >, __hgt)
UMSIM_HALF_COMPARISON(UMSIM_HALF, >=, __hge)
UMSIM_HALF_STEP(UMSIM_HALF, ++, __hadd, UMSIM_HALF_ONE)
UMSIM_HALF_STEP(UMSIM_HALF, --, __hsub, UMSIM_HALF_ONE)
UMSIM_HALF_SIGN(UMSIM_HALF, __hneg)
#endif
#ifdef UMSIM_HALF2_OPERATORS
UMSIM_HALF_OPERATOR(UMSIM_HALF2, +, __hadd2)
UMSIM_HALF_OPERATOR(UMSIM_HALF2, -, __hsub2)
UMSIM_HALF_OPERATOR(UMSIM_HALF2, *, __hmul2)
UMSIM_HALF_OPERATOR(UMSIM_HALF2, /, __h2div)
UMSIM_HALF_COMPARISON(UMSIM_HALF2, ==, __hbeq2)
UMSIM_HALF_COMPARISON(UMSIM_HALF2, !=, __hbneu2)
UMSIM_HALF_COMPARISON(UMSIM_HALF2, <, __hblt2)
UMSIM_HALF_COMPARISON(UMSIM_HALF2, <=, __hble2)
UMSIM_HALF_COMPARISON(UMSIM_HALF2, >, __hbgt2)
UMSIM_HALF_COMPARISON(UMSIM_HALF2, >=, __hbge2)
UMSIM_HALF_STEP(UMSIM_HALF2, ++, __hadd2, UMSIM_HALF2(UMSIM_HALF_ONE, UMSIM_HALF_ONE))
UMSIM_HALF_STEP(UMSIM_HALF2, --, __hsub2, UMSIM_HALF2(UMSIM_HALF_ONE, UMSIM_HALF_ONE))
UMSIM_HALF_SIGN(UMSIM_HALF2, __hneg2)
#endif
#undef UMSIM_HALF_OPERATOR
#undef UMSIM_HALF_COMPARISON
#undef UMSIM_HALF_STEP
#undef UMSIM_HALF_SIGN
#undef UMSIM_HALF_ONE
/** @} */

#ifdef __UMCC__
/**
 * @name In kernels
 * atomicAdd(), and another lane's value, of the type and of its pair. __ldg() and related functions take any
 * type (umsim/device.h). atomicAdd() of a pair changes both halves at once, which CUDA does not promise.
 * @{
 */
#define UMSIM_HALF_SHUFFLE(T, name, operation, By)                                                           \
    inline T name(unsigned __mask, T __value, By __by, int __width = 32,                                     \
                  const char *__file = __builtin_FILE(), int __line = __builtin_LINE())                      \
    {                                                                                                        \
        return umsim::shuffle(operation, __mask, __value, (unsigned)__by, __width, __file, __line);          \
    }
#define UMSIM_HALF_IN_KERNELS(T, sum)                                                                        \
    UMSIM_HALF_SHUFFLE(T, __shfl_sync, UMSIM_SHFL, int)                                                      \
    UMSIM_HALF_SHUFFLE(T, __shfl_up_sync, UMSIM_SHFL_UP, unsigned)                                           \
    UMSIM_HALF_SHUFFLE(T, __shfl_down_sync, UMSIM_SHFL_DOWN, unsigned)                                       \
    UMSIM_HALF_SHUFFLE(T, __shfl_xor_sync, UMSIM_SHFL_XOR, int)                                              \
    inline T atomicAdd(T *__address, T __value)                                                              \
    {                                                                                                        \
        return umsim::update(__address, [__value](T __seen, T &__wanted) {                                   \
            __wanted = sum(__seen, __value);                                                                 \
            return true;                                                                                     \
        });                                                                                                  \
    }
UMSIM_HALF_IN_KERNELS(UMSIM_HALF, __hadd)
UMSIM_HALF_IN_KERNELS(UMSIM_HALF2, __hadd2)
#undef UMSIM_HALF_SHUFFLE
#undef UMSIM_HALF_IN_KERNELS
/** @} */
#endif

#undef UMSIM_GLUE_
#undef UMSIM_GLUE
#undef UMSIM_TO_HALF
#undef UMSIM_FROM_HALF
#undef UMSIM_HALF_BITS
#undef UMSIM_HALF
#undef UMSIM_HALF2
#undef UMSIM_HALF_RAW
#undef UMSIM_HALF2_RAW
#undef UMSIM_HALF_OTHER
#undef UMSIM_HALF_FORMAT
#undef UMSIM_HALF_WORD
#undef UMSIM_HALF_CONVERSIONS
#undef UMSIM_HALF_OPERATORS
#undef UMSIM_HALF2_OPERATORS
