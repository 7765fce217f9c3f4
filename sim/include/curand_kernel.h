/**
 * @file curand_kernel.h
 * @brief cuRAND's device side: random numbers drawn by the threads of a kernel, the same ones as on a GPU.
 *
 * Here are XORWOW (curandState), Marsaglia's xorshift of 160 bits with a counter added, and Philox 4x32-10,
 * Salmon's counter-based one; in umsim/ are MRG32k3a (random_mrg.h), Sobol's sequences (random_sobol.h) and
 * what is made of a generator's numbers (random_numbers.h). Not provided: MTGP32, which is refused when a
 * program is compiled.
 *
 * A thread's sequence is 2^67 numbers (XORWOW) or 2^66 (Philox) away from its neighbour's. XORWOW reaches
 * it without drawing the numbers between: its step is linear over GF(2), so n steps are the polynomial x^n
 * modulo the step's characteristic polynomial, applied to the state. The polynomials for whole sequences
 * are in a table, which is computed when a program is compiled.
 */
#ifndef CURAND_KERNEL_H_
#define CURAND_KERNEL_H_

#include "curand.h"
#include "device_launch_parameters.h"
#include <math.h>
#include <string.h> /* for programs: NVIDIA's header brings it */

/** The second of a pair of normal numbers, which both generators keep for the next call. */
struct umsim_normal_pair {
    int has_float, has_double; /**< 0 or 1 */
    float next;
    double next_double;
};

/** XORWOW's state. */
struct curandStateXORWOW {
    unsigned int __d, __v[5];
    struct umsim_normal_pair normal;
};
typedef struct curandStateXORWOW curandStateXORWOW_t, curandState_t, curandState;

/** Philox's state: a counter of 128 bits, the four numbers that it gives, and how many of them are drawn. */
struct curandStatePhilox4_32_10 {
    uint4 ctr, output;
    uint2 key;
    unsigned int STATE;
    struct umsim_normal_pair normal;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

#ifdef __cplusplus

/* cuRAND's host library draws by the same functions on the host (sim/curand/). */
#ifndef UMSIM_RANDOM
#define UMSIM_RANDOM static inline __device__ __attribute__((__unused__))
#define UMSIM_RANDOM_TABLE static __constant__ const
#endif

/* C++11's constexpr functions know no loops: there the table below is made when the program starts. */
#if __cplusplus >= 201402L
#define UMSIM_RANDOM_CONSTANT constexpr
#else
#define UMSIM_RANDOM_CONSTANT static inline __host__ __device__
#endif

namespace umsim
{

/* A polynomial over GF(2) of degree below 160; bit i is the coefficient of x^i. */
struct steps {
    unsigned w[5];
};

/* Multiplies by x, modulo XORWOW's characteristic polynomial (which Berlekamp and Massey's algorithm found
 * from its output). */
UMSIM_RANDOM_CONSTANT void one_more_step(steps &__a)
{
    const unsigned __low[5] = {0x60001, 0x8610030, 0x62121, 0xf3c0035, 0xf0e};
    const unsigned __carry = 0u - (__a.w[4] >> 31);
    for (int __i = 4; __i > 0; __i--)
        __a.w[__i] = (__a.w[__i] << 1 | __a.w[__i - 1] >> 31) ^ (__low[__i] & __carry);
    __a.w[0] = __a.w[0] << 1 ^ (__low[0] & __carry);
}

UMSIM_RANDOM_CONSTANT steps both(const steps &__a, const steps &__b)
{
    steps __sum = {};
    for (int __i = 159; __i >= 0; __i--) {
        one_more_step(__sum);
        if (__a.w[__i / 32] >> __i % 32 & 1)
            for (int __k = 0; __k < 5; __k++)
                __sum.w[__k] ^= __b.w[__k];
    }
    return __sum;
}

/* at[k][digit - 1]: digit * 16^k sequences of 2^67 steps. */
struct sequences {
    steps at[16][15];
};
UMSIM_RANDOM_CONSTANT sequences all_sequences()
{
    sequences __all = {};
    steps __base = {{2, 0, 0, 0, 0}};
    for (int __i = 0; __i < 67; __i++)
        __base = both(__base, __base);
    for (int __k = 0; __k < 16; __k++) {
        __all.at[__k][0] = __base;
        for (int __digit = 1; __digit < 15; __digit++)
            __all.at[__k][__digit] = both(__all.at[__k][__digit - 1], __base);
        __base = both(__all.at[__k][14], __base);
    }
    return __all;
}
UMSIM_RANDOM_TABLE sequences jumps __attribute__((__unused__)) = all_sequences();

UMSIM_RANDOM void xorwow_step(unsigned __v[5])
{
    const unsigned __t = __v[0] ^ __v[0] >> 2;
    __v[0] = __v[1];
    __v[1] = __v[2];
    __v[2] = __v[3];
    __v[3] = __v[4];
    __v[4] = (__v[4] ^ __v[4] << 4) ^ (__t ^ __t << 1);
}

UMSIM_RANDOM void go(unsigned __v[5], const steps &__by)
{
    unsigned __there[5] = {0, 0, 0, 0, 0};
    for (int __i = 159; __i >= 0; __i--) {
        xorwow_step(__there);
        const unsigned __taken = 0u - (__by.w[__i / 32] >> __i % 32 & 1);
        for (int __k = 0; __k < 5; __k++)
            __there[__k] ^= __v[__k] & __taken;
    }
    for (int __k = 0; __k < 5; __k++)
        __v[__k] = __there[__k];
}

UMSIM_RANDOM void philox_round(uint4 &__c, const uint2 &__k)
{
    const unsigned long long __even = 0xd2511f53ull * __c.x, __odd = 0xcd9e8d57ull * __c.z;
    __c = make_uint4((unsigned)(__odd >> 32) ^ __c.y ^ __k.x, (unsigned)__odd,
                     (unsigned)(__even >> 32) ^ __c.w ^ __k.y, (unsigned)__even);
}

UMSIM_RANDOM uint4 philox(uint4 __c, uint2 __k)
{
    for (int __i = 0; __i < 10; __i++) {
        philox_round(__c, __k);
        __k.x += 0x9e3779b9;
        __k.y += 0xbb67ae85;
    }
    return __c;
}

/* Adds to the counter from word `low` on. */
UMSIM_RANDOM void philox_count(curandStatePhilox4_32_10_t *__state, unsigned long long __n, bool __sequences)
{
    uint4 &__c = __state->ctr;
    const unsigned long long __upper = (unsigned long long)__c.w << 32 | __c.z,
                             __lower = (unsigned long long)__c.y << 32 | __c.x;
    const unsigned long long __new_lower = __sequences ? __lower : __lower + __n;
    const unsigned long long __new_upper = __sequences ? __upper + __n : __upper + (__new_lower < __lower);
    __c = make_uint4((unsigned)__new_lower, (unsigned)(__new_lower >> 32), (unsigned)__new_upper,
                     (unsigned)(__new_upper >> 32));
    __state->output = philox(__c, __state->key);
}

/* 2 to the power of -32 and -53, exactly: C++11 has no hexadecimal floating point. */
static constexpr double per_32 = 2.3283064365386962890625e-10;
static constexpr double per_53 = 1.1102230246251565404236316680908203125e-16;

/* (0, 1] of 32 and of 53 bits. */
UMSIM_RANDOM float unit(unsigned __x)
{
    return __x * (float)per_32 + (float)(per_32 / 2);
}
UMSIM_RANDOM double unit53(unsigned __x, unsigned __y)
{
    return (__x ^ (unsigned long long)__y << 21) * per_53 + per_53 / 2;
}

/* Box and Muller's two normal numbers of two uniform ones. */
UMSIM_RANDOM float2 normal_pair(unsigned __x, unsigned __y)
{
    const float __radius = sqrtf(-2.0f * logf(unit(__x)));
    const float __angle = __y * ((float)per_32 * 6.2831855f) + ((float)per_32 * 6.2831855f) / 2;
    return make_float2(__radius * sinf(__angle), __radius * cosf(__angle));
}
UMSIM_RANDOM double2 normal_pair53(unsigned __x0, unsigned __x1, unsigned __y0, unsigned __y1)
{
    const double __radius = sqrt(-2.0 * log(unit53(__x0, __x1)));
    const double __angle = unit53(__y0, __y1) * 2 * 3.1415926535897932;
    return make_double2(__radius * sin(__angle), __radius * cos(__angle));
}

} // namespace umsim

/** @name One number of 32 bits
 * @{ */
UMSIM_RANDOM unsigned int curand(curandStateXORWOW_t *__state)
{
    umsim::xorwow_step(__state->__v);
    __state->__d += 362437;
    return __state->__v[4] + __state->__d;
}
UMSIM_RANDOM unsigned int curand(curandStatePhilox4_32_10_t *__state)
{
    const uint4 &__o = __state->output;
    const unsigned __drawn = __state->STATE == 0   ? __o.x
                             : __state->STATE == 1 ? __o.y
                             : __state->STATE == 2 ? __o.z
                                                   : __o.w;
    if (++__state->STATE == 4) {
        __state->STATE = 0;
        umsim::philox_count(__state, 1, false);
    }
    return __drawn;
}
/** Four numbers at once, which only Philox has. */
UMSIM_RANDOM uint4 curand4(curandStatePhilox4_32_10_t *__state)
{
    const uint4 __o = __state->output;
    umsim::philox_count(__state, 1, false);
    const uint4 __n = __state->output;
    switch (__state->STATE) {
    case 0:
        return __o;
    case 1:
        return make_uint4(__o.y, __o.z, __o.w, __n.x);
    case 2:
        return make_uint4(__o.z, __o.w, __n.x, __n.y);
    default:
        return make_uint4(__o.w, __n.x, __n.y, __n.z);
    }
}
/** @} */

/**
 * @name Skipping n numbers, or n sequences, without drawing them
 * @{
 */
UMSIM_RANDOM void skipahead(unsigned long long __n, curandStateXORWOW_t *__state)
{
    umsim::steps __by = {{1, 0, 0, 0, 0}};
    for (int __i = 63 - (__n ? __builtin_clzll(__n) : 63); __i >= 0; __i--) {
        __by = umsim::both(__by, __by);
        if (__n >> __i & 1)
            umsim::one_more_step(__by);
    }
    if (__n)
        umsim::go(__state->__v, __by);
    __state->__d += 362437 * (unsigned)__n;
}
UMSIM_RANDOM void skipahead_sequence(unsigned long long __n, curandStateXORWOW_t *__state)
{
    for (int __k = 0; __n != 0; __k++, __n >>= 4)
        if (__n & 15)
            umsim::go(__state->__v, umsim::jumps.at[__k][(__n & 15) - 1]);
}
UMSIM_RANDOM void skipahead(unsigned long long __n, curandStatePhilox4_32_10_t *__state)
{
    __state->STATE += (unsigned)(__n & 3);
    umsim::philox_count(__state, __n / 4 + __state->STATE / 4, false);
    __state->STATE %= 4;
}
UMSIM_RANDOM void skipahead_sequence(unsigned long long __n, curandStatePhilox4_32_10_t *__state)
{
    umsim::philox_count(__state, __n, true);
}
/** @} */

/**
 * @name Sequence `__subsequence` of those that `__seed` gives, from its number `__offset` on
 * @{
 */
UMSIM_RANDOM void curand_init(unsigned long long __seed, unsigned long long __subsequence,
                              unsigned long long __offset, curandStateXORWOW_t *__state)
{
    const unsigned __low = 1099087573u * ((unsigned)__seed ^ 0xaad26b49u);
    const unsigned __high = 2591861531u * ((unsigned)(__seed >> 32) ^ 0xf7dcefddu);
    *__state = {
        6615241 + __high + __low,
        {123456789 + __low, 362436069 ^ __low, 521288629 + __high, 88675123 ^ __high, 5783321 + __low},
        {}};
    skipahead_sequence(__subsequence, __state);
    skipahead(__offset, __state);
}
UMSIM_RANDOM void curand_init(unsigned long long __seed, unsigned long long __subsequence,
                              unsigned long long __offset, curandStatePhilox4_32_10_t *__state)
{
    *__state = {};
    __state->key = make_uint2((unsigned)__seed, (unsigned)(__seed >> 32));
    skipahead_sequence(__subsequence, __state);
    skipahead(__offset, __state);
}
/** @} */

#endif

/** MTGP32: not provided, and the compiler says so where a program names it. */
typedef struct curandStateMtgp32 curandStateMtgp32_t __attribute__((
    unavailable("the simulator has no MTGP32: take curandStateXORWOW_t or another generator")));

/* The other generators, and what is made of their numbers. */
#include "umsim/random_mrg.h"
#include "umsim/random_sobol.h"
#ifdef __cplusplus
#include "umsim/random_numbers.h"

#undef UMSIM_RANDOM
#undef UMSIM_RANDOM_TABLE

#endif
#endif
