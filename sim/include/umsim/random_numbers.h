/**
 * @file umsim/random_numbers.h
 * @brief What cuRAND makes of a generator's numbers: uniform, normal, log-normal, Poisson and discrete ones.
 * Included by curand_kernel.h.
 */
#ifndef UMSIM_RANDOM_NUMBERS_H
#define UMSIM_RANDOM_NUMBERS_H

namespace umsim
{

/* Generators of 64 bits: their upper ones make a float, 53 make a double. */
UMSIM_RANDOM unsigned upper_32(unsigned __x)
{
    return __x;
}
UMSIM_RANDOM unsigned upper_32(unsigned long long __x)
{
    return (unsigned)(__x >> 32);
}
UMSIM_RANDOM float unit(unsigned long long __x)
{
    return unit(upper_32(__x));
}
UMSIM_RANDOM double unit_double(unsigned long long __x)
{
    return (__x >> 11) * per_53 + per_53 / 2;
}
UMSIM_RANDOM double unit_double(unsigned __x)
{
    return __x * per_32 + per_32 / 2;
}

/* Quasi-random numbers come one at a time: their normal numbers are by the inverse of the distribution. */
template <class _State> struct one_at_a_time {
    static constexpr bool value = false;
};
template <> struct one_at_a_time<curandStateSobol32> {
    static constexpr bool value = true;
};
template <> struct one_at_a_time<curandStateScrambledSobol32> {
    static constexpr bool value = true;
};
template <> struct one_at_a_time<curandStateSobol64> {
    static constexpr bool value = true;
};
template <> struct one_at_a_time<curandStateScrambledSobol64> {
    static constexpr bool value = true;
};
template <bool> struct number_source {
};
template <class _State> using source_kind = number_source<one_at_a_time<_State>::value>;
using pairs = number_source<false>;
using quasi = number_source<true>;

} // namespace umsim

/** @name Uniform: 0 < x <= 1
 * @{ */
template <class _State> UMSIM_RANDOM float curand_uniform(_State *__state)
{
    return umsim::unit(curand(__state));
}
UMSIM_RANDOM float curand_uniform(curandStateMRG32k3a_t *__state)
{
    return (float)umsim::mrg_unit(__state);
}
UMSIM_RANDOM double curand_uniform_double(curandStateXORWOW_t *__state)
{
    const unsigned __x = curand(__state);
    return umsim::unit53(__x, curand(__state));
}
UMSIM_RANDOM double curand_uniform_double(curandStateMRG32k3a_t *__state)
{
    return umsim::mrg_unit(__state);
}
/** Philox's and Sobol32's are made of 32 bits only, as in cuRAND. */
template <class _State> UMSIM_RANDOM double curand_uniform_double(_State *__state)
{
    return curand(__state) * umsim::per_32 + umsim::per_32;
}
UMSIM_RANDOM double curand_uniform_double(curandStateSobol64_t *__state)
{
    return umsim::unit_double(curand(__state));
}
UMSIM_RANDOM double curand_uniform_double(curandStateScrambledSobol64_t *__state)
{
    return umsim::unit_double(curand(__state));
}
UMSIM_RANDOM float4 curand_uniform4(curandStatePhilox4_32_10_t *__state)
{
    const uint4 __x = curand4(__state);
    return make_float4(umsim::unit(__x.x), umsim::unit(__x.y), umsim::unit(__x.z), umsim::unit(__x.w));
}
UMSIM_RANDOM double2 curand_uniform2_double(curandStatePhilox4_32_10_t *__state)
{
    const uint4 __x = curand4(__state);
    return make_double2(umsim::unit53(__x.x, __x.y), umsim::unit53(__x.z, __x.w));
}
UMSIM_RANDOM double4 curand_uniform4_double(curandStatePhilox4_32_10_t *__state)
{
    const double2 __a = curand_uniform2_double(__state), __b = curand_uniform2_double(__state);
    return double4{__a.x, __a.y, __b.x, __b.y};
}
/** @} */

/** @name Normal: mean 0, standard deviation 1
 * @{ */
template <class _State> UMSIM_RANDOM float2 curand_normal2(_State *__state)
{
    const unsigned __x = curand(__state);
    return umsim::normal_pair(__x, curand(__state));
}
UMSIM_RANDOM float2 curand_normal2(curandStateMRG32k3a_t *__state)
{
    const float __x = curand_uniform(__state), __y = curand_uniform(__state) * 6.2831855f;
    const float __radius = sqrtf(-2.0f * logf(__x));
    return make_float2(__radius * sinf(__y), __radius * cosf(__y));
}
template <class _State> UMSIM_RANDOM double2 curand_normal2_double(_State *__state)
{
    const unsigned __x0 = curand(__state), __x1 = curand(__state), __y0 = curand(__state);
    return umsim::normal_pair53(__x0, __x1, __y0, curand(__state));
}
UMSIM_RANDOM double2 curand_normal2_double(curandStateMRG32k3a_t *__state)
{
    const double __x = umsim::mrg_unit(__state), __y = umsim::mrg_unit(__state) * 2 * 3.1415926535897932;
    const double __radius = sqrt(-2.0 * log(__x));
    return make_double2(__radius * sin(__y), __radius * cos(__y));
}
UMSIM_RANDOM float4 curand_normal4(curandStatePhilox4_32_10_t *__state)
{
    const uint4 __x = curand4(__state);
    const float2 __a = umsim::normal_pair(__x.x, __x.y), __b = umsim::normal_pair(__x.z, __x.w);
    return make_float4(__a.x, __a.y, __b.x, __b.y);
}
UMSIM_RANDOM double4 curand_normal4_double(curandStatePhilox4_32_10_t *__state)
{
    const double2 __a = curand_normal2_double(__state), __b = curand_normal2_double(__state);
    return double4{__a.x, __a.y, __b.x, __b.y};
}

namespace umsim
{
template <class _State> UMSIM_RANDOM float normal(_State *__state, pairs)
{
    __state->normal.has_float = !__state->normal.has_float;
    if (!__state->normal.has_float)
        return __state->normal.next;
    const float2 __pair = curand_normal2(__state);
    __state->normal.next = __pair.y;
    return __pair.x;
}
template <class _State> UMSIM_RANDOM double normal_double(_State *__state, pairs)
{
    __state->normal.has_double = !__state->normal.has_double;
    if (!__state->normal.has_double)
        return __state->normal.next_double;
    const double2 __pair = curand_normal2_double(__state);
    __state->normal.next_double = __pair.y;
    return __pair.x;
}
template <class _State> UMSIM_RANDOM float normal(_State *__state, quasi)
{
    return (float)normcdfinv(unit_double(upper_32(curand(__state))));
}
template <class _State> UMSIM_RANDOM double normal_double(_State *__state, quasi)
{
    return normcdfinv(unit_double(curand(__state)));
}
} // namespace umsim

template <class _State> UMSIM_RANDOM float curand_normal(_State *__state)
{
    return umsim::normal(__state, umsim::source_kind<_State>());
}
template <class _State> UMSIM_RANDOM double curand_normal_double(_State *__state)
{
    return umsim::normal_double(__state, umsim::source_kind<_State>());
}
/** @} */

/** @name Log-normal: e to the power of a normal number of that mean and standard deviation
 * @{ */
template <class _State> UMSIM_RANDOM float curand_log_normal(_State *__state, float __mean, float __stddev)
{
    return expf(__mean + __stddev * curand_normal(__state));
}
template <class _State>
UMSIM_RANDOM double curand_log_normal_double(_State *__state, double __mean, double __stddev)
{
    return exp(__mean + __stddev * curand_normal_double(__state));
}
template <class _State> UMSIM_RANDOM float2 curand_log_normal2(_State *__state, float __mean, float __stddev)
{
    const float2 __n = curand_normal2(__state);
    return make_float2(expf(__mean + __stddev * __n.x), expf(__mean + __stddev * __n.y));
}
template <class _State>
UMSIM_RANDOM double2 curand_log_normal2_double(_State *__state, double __mean, double __stddev)
{
    const double2 __n = curand_normal2_double(__state);
    return make_double2(exp(__mean + __stddev * __n.x), exp(__mean + __stddev * __n.y));
}
UMSIM_RANDOM float4 curand_log_normal4(curandStatePhilox4_32_10_t *__state, float __mean, float __stddev)
{
    const float4 __n = curand_normal4(__state);
    return make_float4(expf(__mean + __stddev * __n.x), expf(__mean + __stddev * __n.y),
                       expf(__mean + __stddev * __n.z), expf(__mean + __stddev * __n.w));
}
UMSIM_RANDOM double4 curand_log_normal4_double(curandStatePhilox4_32_10_t *__state, double __mean,
                                               double __stddev)
{
    const double4 __n = curand_normal4_double(__state);
    return double4{exp(__mean + __stddev * __n.x), exp(__mean + __stddev * __n.y),
                   exp(__mean + __stddev * __n.z), exp(__mean + __stddev * __n.w)};
}
/** @} */

namespace umsim
{

/* From here on cuRAND takes a normal number of the same mean and variance. */
static constexpr double poisson_is_normal = 4000;

UMSIM_RANDOM unsigned poisson_of_normal(double __lambda, double __normal)
{
    const double __x = floor(__lambda + sqrt(__lambda) * __normal + 0.5);
    return __x > 0 ? (unsigned)__x : 0;
}

/* Events of an exponential clock. Few are counted as cuRAND counts them (D. Knuth's way), and are its
 * numbers; more are counted 32 at a time, so that no product underflows: those are not. */
template <class _State> UMSIM_RANDOM unsigned poisson(_State *__state, double __lambda, pairs)
{
    if (__lambda > poisson_is_normal)
        return poisson_of_normal(__lambda, curand_normal_double(__state));
    unsigned __events = 0;
    if (__lambda < 64) {
        const float __end = expf(-(float)__lambda);
        for (float __product = curand_uniform(__state); __product > __end;
             __product *= curand_uniform(__state))
            __events++;
        return __events;
    }
    for (double __left = __lambda; __left > 0; __left -= 32) {
        const double __end = exp(-fmin(__left, 32.0));
        for (double __product = curand_uniform_double(__state); __product > __end;
             __product *= curand_uniform_double(__state))
            __events++;
    }
    return __events;
}

/* The first count whose cumulated probability is at least u. Nine deviations below the mean lies less than a
 * generator of 32 bits can tell. */
UMSIM_RANDOM unsigned poisson_at(double __lambda, double __u)
{
    const double __first = floor(fmax(0.0, __lambda - 9 * sqrt(__lambda) - 9));
    double __share = exp(__first * log(__lambda) - __lambda - lgamma(__first + 1)), __sum = __share;
    unsigned __events = (unsigned)__first;
    while (__sum < __u && __events < __lambda + 12 * sqrt(__lambda) + 40) {
        __events++;
        __share *= __lambda / __events;
        __sum += __share;
    }
    return __events;
}
template <class _State> UMSIM_RANDOM unsigned poisson(_State *__state, double __lambda, quasi)
{
    if (__lambda > poisson_is_normal)
        return poisson_of_normal(__lambda, curand_normal_double(__state));
    return poisson_at(__lambda, unit_double(curand(__state)));
}

} // namespace umsim

/**
 * Poisson. Below a mean of 64 and above 4000 the pseudo-random generators' numbers are cuRAND's; the others
 * have the distribution, but are not cuRAND's numbers.
 */
template <class _State> UMSIM_RANDOM unsigned curand_poisson(_State *__state, double __lambda)
{
    return umsim::poisson(__state, __lambda, umsim::source_kind<_State>());
}
/** Four at once, one after another; not in cuRAND's order. */
UMSIM_RANDOM uint4 curand_poisson4(curandStatePhilox4_32_10_t *__state, double __lambda)
{
    const unsigned __a = curand_poisson(__state, __lambda), __b = curand_poisson(__state, __lambda),
                   __c = curand_poisson(__state, __lambda);
    return make_uint4(__a, __b, __c, curand_poisson(__state, __lambda));
}

namespace umsim
{
/* The first count whose cumulated probability is at least u. */
UMSIM_RANDOM unsigned discrete_at(const curandDiscreteDistribution_st &__distribution, double __u)
{
    unsigned __low = 0, __high = __distribution.__length - 1;
    while (__low < __high) {
        const unsigned __middle = (__low + __high) / 2;
        if (__distribution.__cumulated[__middle] < __u)
            __low = __middle + 1;
        else
            __high = __middle;
    }
    return __distribution.__first + __low;
}
} // namespace umsim

/** A number of a distribution that curandCreatePoissonDistribution() has made: one draw for each. */
template <class _State>
UMSIM_RANDOM unsigned curand_discrete(_State *__state, curandDiscreteDistribution_t __distribution)
{
    return umsim::discrete_at(*__distribution, umsim::unit_double(curand(__state)));
}
UMSIM_RANDOM uint4 curand_discrete4(curandStatePhilox4_32_10_t *__state,
                                    curandDiscreteDistribution_t __distribution)
{
    const uint4 __x = curand4(__state);
    return make_uint4(umsim::discrete_at(*__distribution, umsim::unit_double(__x.x)),
                      umsim::discrete_at(*__distribution, umsim::unit_double(__x.y)),
                      umsim::discrete_at(*__distribution, umsim::unit_double(__x.z)),
                      umsim::discrete_at(*__distribution, umsim::unit_double(__x.w)));
}

#endif
