/**
 * @file umsim/half_functions.h
 * @brief Arithmetic, comparisons and mathematics of a type of 16 bits and its pair, and what kernels do with
 * them: atomics, shuffles. Included by cuda_fp16.h and by cuda_bf16.h, once each, behind umsim/half_type.h.
 *
 * Every result is the correctly rounded one, to nearest and ties to even; small numbers are kept. CUDA
 * promises that of arithmetic. Of mathematics (hexp, hsin, ...) it says "in round-to-nearest-even mode"; here
 * each is computed by the C library's double function, and rounded once. Of htanh_approx CUDA promises less.
 */

/** @cond internal */
namespace umsim
{
UMSIM_HALF_FN bool half_is_nan(UMSIM_HALF h)
{
    return (half_bits<unsigned short>(h) & 0x7fff) > UMSIM_HALF_FORMAT::infinity;
}
UMSIM_HALF_FN UMSIM_HALF half_saturated(UMSIM_HALF h)
{
    const unsigned short bits = half_bits<unsigned short>(h);
    return UMSIM_HALF_BITS((bits >> 15) || half_is_nan(h)  ? 0
                           : bits > UMSIM_HALF_FORMAT::one ? UMSIM_HALF_FORMAT::one
                                                           : bits);
}
} // namespace umsim
/** @endcond */

/** @name Sign
 * Of one number, of both halves. @{ */
UMSIM_HALF_FN UMSIM_HALF __habs(UMSIM_HALF h)
{
    return umsim::half_is_nan(h) ? UMSIM_HALF_BITS(0x7fff)
                                 : UMSIM_HALF_BITS(umsim::half_bits<unsigned short>(h) & 0x7fff);
}
UMSIM_HALF_FN UMSIM_HALF __hneg(UMSIM_HALF h)
{
    return umsim::half_is_nan(h) ? UMSIM_HALF_BITS(0x7fff)
                                 : UMSIM_HALF_BITS(umsim::half_bits<unsigned short>(h) ^ 0x8000);
}
UMSIM_HALF_FN UMSIM_HALF2 __habs2(UMSIM_HALF2 both)
{
    return UMSIM_HALF2(__habs(both.x), __habs(both.y));
}
UMSIM_HALF_FN UMSIM_HALF2 __hneg2(UMSIM_HALF2 both)
{
    return UMSIM_HALF2(__hneg(both.x), __hneg(both.y));
}
/** @} */

/** @name Arithmetic
 * `__half __hadd(__half a, __half b)`: also __hsub, __hmul, __hdiv; ending in _rn the same; in _sat held
 * between 0 and 1, and 0 where it is no number. `__half2 __hadd2(__half2 a, __half2 b)` and so on (__h2div):
 * of both halves. @{ */
#define UMSIM_HALF_BINARY(name, name2, bits)                                                                 \
    UMSIM_HALF_FN UMSIM_HALF name(UMSIM_HALF a, UMSIM_HALF b)                                                \
    {                                                                                                        \
        const float x = umsim::half_float(a), y = umsim::half_float(b);                                      \
        return UMSIM_HALF_BITS(UMSIM_HALF_FORMAT::bits);                                                     \
    }                                                                                                        \
    UMSIM_HALF_IN_PAIRS(name, name2)
#define UMSIM_HALF_IN_PAIRS(name, name2)                                                                     \
    UMSIM_HALF_FN UMSIM_HALF2 name2(UMSIM_HALF2 a, UMSIM_HALF2 b)                                            \
    {                                                                                                        \
        return UMSIM_HALF2(name(a.x, b.x), name(a.y, b.y));                                                  \
    }
/** @cond internal */
#define UMSIM_HALF_SATURATED(name, name2, result)                                                            \
    UMSIM_HALF_FN UMSIM_HALF name(UMSIM_HALF a, UMSIM_HALF b)                                                \
    {                                                                                                        \
        return umsim::half_saturated(result(a, b));                                                          \
    }                                                                                                        \
    UMSIM_HALF_IN_PAIRS(name, name2)
/** @endcond */
UMSIM_HALF_BINARY(__hadd, __hadd2, from_float(x + y))
UMSIM_HALF_BINARY(__hsub, __hsub2, from_float(x - y))
UMSIM_HALF_BINARY(__hmul, __hmul2, product(x, y))
UMSIM_HALF_BINARY(__hdiv, __h2div, quotient(x, y))
UMSIM_HALF_BINARY(__hadd_rn, __hadd2_rn, from_float(x + y))
UMSIM_HALF_BINARY(__hsub_rn, __hsub2_rn, from_float(x - y))
UMSIM_HALF_BINARY(__hmul_rn, __hmul2_rn, product(x, y))
UMSIM_HALF_SATURATED(__hadd_sat, __hadd2_sat, __hadd)
UMSIM_HALF_SATURATED(__hsub_sat, __hsub2_sat, __hsub)
UMSIM_HALF_SATURATED(__hmul_sat, __hmul2_sat, __hmul)
#undef UMSIM_HALF_BINARY
#undef UMSIM_HALF_SATURATED
/** a * b + c, rounded once. */
UMSIM_HALF_FN UMSIM_HALF __hfma(UMSIM_HALF a, UMSIM_HALF b, UMSIM_HALF c)
{
    return UMSIM_HALF_BITS(
        UMSIM_HALF_FORMAT::multiply_add(umsim::half_float(a), umsim::half_float(b), umsim::half_float(c)));
}
/** Same, between 0 and 1. */
UMSIM_HALF_FN UMSIM_HALF __hfma_sat(UMSIM_HALF a, UMSIM_HALF b, UMSIM_HALF c)
{
    return umsim::half_saturated(__hfma(a, b, c));
}
/** Same, 0 where it is negative. */
UMSIM_HALF_FN UMSIM_HALF __hfma_relu(UMSIM_HALF a, UMSIM_HALF b, UMSIM_HALF c)
{
    const UMSIM_HALF result = __hfma(a, b, c);
    return umsim::half_float(result) < 0 || umsim::half_bits<unsigned short>(result) == 0x8000
               ? UMSIM_HALF_BITS(0)
               : result;
}
#define UMSIM_HALF_TERNARY(name, name2)                                                                      \
    UMSIM_HALF_FN UMSIM_HALF2 name2(UMSIM_HALF2 a, UMSIM_HALF2 b, UMSIM_HALF2 c)                             \
    {                                                                                                        \
        return UMSIM_HALF2(name(a.x, b.x, c.x), name(a.y, b.y, c.y));                                        \
    }
UMSIM_HALF_TERNARY(__hfma, __hfma2)
UMSIM_HALF_TERNARY(__hfma_sat, __hfma2_sat)
UMSIM_HALF_TERNARY(__hfma_relu, __hfma2_relu)
#undef UMSIM_HALF_TERNARY
/** a * b + c of complex numbers, x their real part: four __hfma. */
UMSIM_HALF_FN UMSIM_HALF2 __hcmadd(UMSIM_HALF2 a, UMSIM_HALF2 b, UMSIM_HALF2 c)
{
    return UMSIM_HALF2(__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)),
                       __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
}
/** @} */

/** @name Largest, smallest
 * __hmax and __hmin give the other number where one is none, __hmax_nan and __hmin_nan what is no number. -0
 * is below +0.
 * __hmax2, __hmax2_nan and so on: of both halves. @{ */
#define UMSIM_HALF_EXTREME(name, relation, of_equals)                                                        \
    UMSIM_HALF_FN UMSIM_HALF name##_nan(UMSIM_HALF a, UMSIM_HALF b)                                          \
    {                                                                                                        \
        const float x = umsim::half_float(a), y = umsim::half_float(b);                                      \
        const unsigned short s = umsim::half_bits<unsigned short>(a),                                        \
                             t = umsim::half_bits<unsigned short>(b);                                        \
        return UMSIM_HALF_BITS(x != x || y != y ? 0x7fff : x == y ? (s of_equals t) : x relation y ? s : t); \
    }                                                                                                        \
    UMSIM_HALF_FN UMSIM_HALF name(UMSIM_HALF a, UMSIM_HALF b)                                                \
    {                                                                                                        \
        const bool a_none = umsim::half_is_nan(a), b_none = umsim::half_is_nan(b);                           \
        return a_none == b_none ? name##_nan(a, b) : a_none ? b : a;                                         \
    }                                                                                                        \
    UMSIM_HALF_IN_PAIRS(name, name##2)                                                                       \
    UMSIM_HALF_IN_PAIRS(name##_nan, name##2_nan)
UMSIM_HALF_EXTREME(__hmax, >, &)
UMSIM_HALF_EXTREME(__hmin, <, |)
#undef UMSIM_HALF_EXTREME
#undef UMSIM_HALF_IN_PAIRS
/** @} */

/** @name Comparisons
 * __heq, __hne, __hlt, __hle, __hgt, __hge are false where either is no number, with a u behind them (__hequ)
 * true.
 * __heq2: 1.0 or 0.0 in each half; __heq2_mask: 0xffff or 0 in each half; __hbeq2: whether it holds for both.
 * @{ */
#define UMSIM_HALF_RELATION(name, name2, name_both, relation)                                                \
    UMSIM_HALF_FN bool name(UMSIM_HALF a, UMSIM_HALF b)                                                      \
    {                                                                                                        \
        const float x = umsim::half_float(a), y = umsim::half_float(b);                                      \
        return relation;                                                                                     \
    }                                                                                                        \
    UMSIM_HALF_FN UMSIM_HALF2 name2(UMSIM_HALF2 a, UMSIM_HALF2 b)                                            \
    {                                                                                                        \
        return UMSIM_HALF2(UMSIM_HALF_BITS(name(a.x, b.x) ? UMSIM_HALF_FORMAT::one : 0),                     \
                           UMSIM_HALF_BITS(name(a.y, b.y) ? UMSIM_HALF_FORMAT::one : 0));                    \
    }                                                                                                        \
    UMSIM_HALF_FN unsigned name2##_mask(UMSIM_HALF2 a, UMSIM_HALF2 b)                                        \
    {                                                                                                        \
        return (name(a.x, b.x) ? 0xffffu : 0) | (name(a.y, b.y) ? 0xffff0000u : 0);                          \
    }                                                                                                        \
    UMSIM_HALF_FN bool name_both(UMSIM_HALF2 a, UMSIM_HALF2 b)                                               \
    {                                                                                                        \
        return name(a.x, b.x) && name(a.y, b.y);                                                             \
    }
UMSIM_HALF_RELATION(__heq, __heq2, __hbeq2, x == y)
UMSIM_HALF_RELATION(__hne, __hne2, __hbne2, x<y || x> y)
UMSIM_HALF_RELATION(__hlt, __hlt2, __hblt2, x < y)
UMSIM_HALF_RELATION(__hle, __hle2, __hble2, x <= y)
UMSIM_HALF_RELATION(__hgt, __hgt2, __hbgt2, x > y)
UMSIM_HALF_RELATION(__hge, __hge2, __hbge2, x >= y)
UMSIM_HALF_RELATION(__hequ, __hequ2, __hbequ2, !(x < y || x > y))
UMSIM_HALF_RELATION(__hneu, __hneu2, __hbneu2, x != y)
UMSIM_HALF_RELATION(__hltu, __hltu2, __hbltu2, !(x >= y))
UMSIM_HALF_RELATION(__hleu, __hleu2, __hbleu2, !(x > y))
UMSIM_HALF_RELATION(__hgtu, __hgtu2, __hbgtu2, !(x <= y))
UMSIM_HALF_RELATION(__hgeu, __hgeu2, __hbgeu2, !(x < y))
#undef UMSIM_HALF_RELATION
UMSIM_HALF_FN bool __hisnan(UMSIM_HALF h)
{
    return umsim::half_is_nan(h);
}
UMSIM_HALF_FN UMSIM_HALF2 __hisnan2(UMSIM_HALF2 both)
{
    return UMSIM_HALF2(UMSIM_HALF_BITS(__hisnan(both.x) ? UMSIM_HALF_FORMAT::one : 0),
                       UMSIM_HALF_BITS(__hisnan(both.y) ? UMSIM_HALF_FORMAT::one : 0));
}
/** 1 for infinity, -1 for minus infinity, else 0. */
UMSIM_HALF_FN int __hisinf(UMSIM_HALF h)
{
    const unsigned short bits = umsim::half_bits<unsigned short>(h);
    return (bits & 0x7fff) != UMSIM_HALF_FORMAT::infinity ? 0 : bits >> 15 ? -1 : 1;
}
/** @} */

/** @name Mathematics
 * `__half hexp(__half h)`, `__half2 h2exp(__half2 both)`. @{ */
#define UMSIM_HALF_FUNCTION(name, expression)                                                                \
    UMSIM_HALF_FN UMSIM_HALF h##name(UMSIM_HALF h)                                                           \
    {                                                                                                        \
        const double x = umsim::half_float(h);                                                               \
        return UMSIM_HALF_BITS(umsim::half_from_double<UMSIM_HALF_FORMAT>(expression));                      \
    }                                                                                                        \
    UMSIM_HALF_FN UMSIM_HALF2 h2##name(UMSIM_HALF2 both)                                                     \
    {                                                                                                        \
        return UMSIM_HALF2(h##name(both.x), h##name(both.y));                                                \
    }
UMSIM_HALF_FUNCTION(trunc, __builtin_trunc(x))
UMSIM_HALF_FUNCTION(ceil, __builtin_ceil(x))
UMSIM_HALF_FUNCTION(floor, __builtin_floor(x))
UMSIM_HALF_FUNCTION(rint, __builtin_rint(x))
UMSIM_HALF_FUNCTION(sqrt, __builtin_sqrt(x))
UMSIM_HALF_FUNCTION(rsqrt, 1.0 / __builtin_sqrt(x))
UMSIM_HALF_FUNCTION(rcp, 1.0 / x)
UMSIM_HALF_FUNCTION(exp, __builtin_exp(x))
UMSIM_HALF_FUNCTION(exp2, __builtin_exp2(x))
UMSIM_HALF_FUNCTION(exp10, __builtin_exp10(x))
UMSIM_HALF_FUNCTION(log, __builtin_log(x))
UMSIM_HALF_FUNCTION(log2, __builtin_log2(x))
UMSIM_HALF_FUNCTION(log10, __builtin_log10(x))
UMSIM_HALF_FUNCTION(sin, __builtin_sin(x))
UMSIM_HALF_FUNCTION(cos, __builtin_cos(x))
UMSIM_HALF_FUNCTION(tanh, __builtin_tanh(x))
UMSIM_HALF_FUNCTION(tanh_approx, __builtin_tanh(x))
#undef UMSIM_HALF_FUNCTION
/** @} */

/** @name Operators
 * What __hadd() and the like say. Of pairs, == and the like ask whether it holds for both halves (!= by
 * __hbneu2()). @{ */
#define UMSIM_HALF_OPERATOR(T, op, name)                                                                     \
    UMSIM_HALF_FN T operator op(const T &a, const T &b)                                                      \
    {                                                                                                        \
        return name(a, b);                                                                                   \
    }                                                                                                        \
    UMSIM_HALF_FN T &operator op##=(T &a, const T &b)                                                        \
    {                                                                                                        \
        return a = name(a, b);                                                                               \
    }
#define UMSIM_HALF_COMPARISON(T, op, name)                                                                   \
    UMSIM_HALF_FN bool operator op(const T &a, const T &b)                                                   \
    {                                                                                                        \
        return name(a, b);                                                                                   \
    }
#define UMSIM_HALF_STEP(T, op, name, one)                                                                    \
    UMSIM_HALF_FN T &operator op(T &a)                                                                       \
    {                                                                                                        \
        return a = name(a, one);                                                                             \
    }                                                                                                        \
    UMSIM_HALF_FN T operator op(T &a, int)                                                                   \
    {                                                                                                        \
        const T before = a;                                                                                  \
        a = name(a, one);                                                                                    \
        return before;                                                                                       \
    }
#define UMSIM_HALF_SIGN(T, name)                                                                             \
    UMSIM_HALF_FN T operator+(const T &a)                                                                    \
    {                                                                                                        \
        return a;                                                                                            \
    }                                                                                                        \
    UMSIM_HALF_FN T operator-(const T &a)                                                                    \
    {                                                                                                        \
        return name(a);                                                                                      \
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
/** @name In kernels
 * atomicAdd(), and another lane's value, of the type and of its pair. __ldg() and its kind take any type
 * (umsim/device.h). Of a pair, atomicAdd() changes both halves at once, which CUDA does not promise. @{ */
#define UMSIM_HALF_SHUFFLE(T, name, operation, By)                                                           \
    inline T name(unsigned mask, T value, By by, int width = 32, const char *file = __builtin_FILE(),        \
                  int line = __builtin_LINE())                                                               \
    {                                                                                                        \
        return umsim::shuffle(operation, mask, value, (unsigned)by, width, file, line);                      \
    }
#define UMSIM_HALF_IN_KERNELS(T, sum)                                                                        \
    UMSIM_HALF_SHUFFLE(T, __shfl_sync, UMSIM_SHFL, int)                                                      \
    UMSIM_HALF_SHUFFLE(T, __shfl_up_sync, UMSIM_SHFL_UP, unsigned)                                           \
    UMSIM_HALF_SHUFFLE(T, __shfl_down_sync, UMSIM_SHFL_DOWN, unsigned)                                       \
    UMSIM_HALF_SHUFFLE(T, __shfl_xor_sync, UMSIM_SHFL_XOR, int)                                              \
    inline T atomicAdd(T *address, T value)                                                                  \
    {                                                                                                        \
        return umsim::update(address, [value](T seen, T &wanted) {                                           \
            wanted = sum(seen, value);                                                                       \
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
