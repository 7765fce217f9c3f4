/**
 * @file umsim/random_mrg.h
 * @brief cuRAND's generator MRG32k3a: L'Ecuyer's combined multiple recursive generator. Included by
 * curand_kernel.h.
 *
 * Two recurrences of order three, modulo m1 = 2^32 - 209 and m2 = 2^32 - 22853 (P. L'Ecuyer, Good parameters
 * and implementations for combined multiple recursive random number generators, Operations Research 47,
 * 1999). A step is a product with a matrix, so 2^i steps are that matrix squared i times: a table, which is
 * computed when a program is compiled.
 */
#ifndef UMSIM_RANDOM_MRG_H
#define UMSIM_RANDOM_MRG_H

/** MRG32k3a's state: the last three numbers of both recurrences, the oldest first. */
struct curandStateMRG32k3a {
    unsigned int s1[3], s2[3];
    struct umsim_normal_pair normal;
};
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

#ifdef __cplusplus

namespace umsim
{

static constexpr unsigned long long mrg_m1 = 4294967087, mrg_m2 = 4294944443;

/* What some number of steps does to a recurrence's three numbers. */
struct mrg_matrix {
    unsigned at[3][3];
};

UMSIM_RANDOM_CONSTANT mrg_matrix mrg_squared(const mrg_matrix &__a, unsigned long long __m)
{
    mrg_matrix __square = {};
    for (int __i = 0; __i < 3; __i++)
        for (int __k = 0; __k < 3; __k++) {
            unsigned long long __sum = 0;
            for (int __j = 0; __j < 3; __j++)
                __sum = (__sum + (unsigned long long)__a.at[__i][__j] * __a.at[__j][__k] % __m) % __m;
            __square.at[__i][__k] = (unsigned)__sum;
        }
    return __square;
}

/* A subsequence has 2^76 numbers, a sequence 2^127. */
enum { MRG_SUBSEQUENCE = 76, MRG_SEQUENCE = 127, MRG_POWERS = 191 };

/* first[i], second[i]: 2^i steps. */
struct mrg_powers {
    mrg_matrix first[MRG_POWERS], second[MRG_POWERS];
};
UMSIM_RANDOM_CONSTANT mrg_powers all_mrg_powers()
{
    mrg_powers __all = {};
    __all.first[0] = {{{0, 1, 0}, {0, 0, 1}, {(unsigned)(mrg_m1 - 810728), 1403580, 0}}};
    __all.second[0] = {{{0, 1, 0}, {0, 0, 1}, {(unsigned)(mrg_m2 - 1370589), 0, 527612}}};
    for (int __i = 1; __i < MRG_POWERS; __i++) {
        __all.first[__i] = mrg_squared(__all.first[__i - 1], mrg_m1);
        __all.second[__i] = mrg_squared(__all.second[__i - 1], mrg_m2);
    }
    return __all;
}
UMSIM_RANDOM_TABLE mrg_powers mrg_jumps __attribute__((__unused__)) = all_mrg_powers();

UMSIM_RANDOM void mrg_go(unsigned (&__s)[3], const mrg_matrix &__by, unsigned long long __m)
{
    unsigned __there[3];
    for (int __i = 0; __i < 3; __i++) {
        unsigned long long __sum = 0;
        for (int __k = 0; __k < 3; __k++)
            __sum += (unsigned long long)__by.at[__i][__k] * __s[__k] % __m;
        __there[__i] = (unsigned)(__sum % __m);
    }
    for (int __i = 0; __i < 3; __i++)
        __s[__i] = __there[__i];
}

/* n times 2^power steps. */
UMSIM_RANDOM void mrg_skip(curandStateMRG32k3a_t *__state, unsigned long long __n, int __power)
{
    for (; __n != 0; __n >>= 1, __power++)
        if (__n & 1) {
            mrg_go(__state->s1, mrg_jumps.first[__power], mrg_m1);
            mrg_go(__state->s2, mrg_jumps.second[__power], mrg_m2);
        }
}

/* The next number: 1 to m1. */
UMSIM_RANDOM unsigned mrg_step(curandStateMRG32k3a_t *__state)
{
    unsigned(&__a)[3] = __state->s1, (&__b)[3] = __state->s2;
    const unsigned long long __first =
        (1403580ull * __a[1] + (mrg_m1 - 810728) * (unsigned long long)__a[0] % mrg_m1) % mrg_m1;
    const unsigned long long __second =
        (527612ull * __b[2] + (mrg_m2 - 1370589) * (unsigned long long)__b[0] % mrg_m2) % mrg_m2;
    __a[0] = __a[1];
    __a[1] = __a[2];
    __a[2] = (unsigned)__first;
    __b[0] = __b[1];
    __b[1] = __b[2];
    __b[2] = (unsigned)__second;
    return (unsigned)(__first > __second ? __first - __second : __first + mrg_m1 - __second);
}

/* 1 / m1: (0, 1] of a number of 1 to m1. */
static constexpr double per_m1 = 1.0 / 4294967087.0;

UMSIM_RANDOM double mrg_unit(curandStateMRG32k3a_t *__state)
{
    return mrg_step(__state) * per_m1;
}

} // namespace umsim

/** One number of 32 bits: MRG32k3a's, stretched over them by 2^32 / m1 to twelve digits, as cuRAND does. */
UMSIM_RANDOM unsigned int curand(curandStateMRG32k3a_t *__state)
{
    const double __x = umsim::mrg_step(__state) * 1.000000048662;
    return __x < 4294967295.0 ? (unsigned)__x : 4294967295u;
}

/**
 * @name Skipping n numbers, n subsequences (2^76 numbers) or n sequences (2^127) without drawing them
 * @{
 */
UMSIM_RANDOM void skipahead(unsigned long long __n, curandStateMRG32k3a_t *__state)
{
    umsim::mrg_skip(__state, __n, 0);
}
UMSIM_RANDOM void skipahead_subsequence(unsigned long long __n, curandStateMRG32k3a_t *__state)
{
    umsim::mrg_skip(__state, __n, umsim::MRG_SUBSEQUENCE);
}
UMSIM_RANDOM void skipahead_sequence(unsigned long long __n, curandStateMRG32k3a_t *__state)
{
    umsim::mrg_skip(__state, __n, umsim::MRG_SEQUENCE);
}
/** @} */

/** Subsequence `__subsequence` of what `__seed` gives, from its number `__offset` on. */
UMSIM_RANDOM void curand_init(unsigned long long __seed, unsigned long long __subsequence,
                              unsigned long long __offset, curandStateMRG32k3a_t *__state)
{
    const unsigned long long __low = __seed ? (unsigned)__seed ^ 0x55555555u : 1;
    const unsigned long long __high = __seed ? (unsigned)(__seed >> 32) ^ 0xaaaaaaaau : 1;
    const unsigned __low1 = (unsigned)(12345 * __low % umsim::mrg_m1),
                   __high1 = (unsigned)(12345 * __high % umsim::mrg_m1),
                   __low2 = (unsigned)(12345 * __low % umsim::mrg_m2),
                   __high2 = (unsigned)(12345 * __high % umsim::mrg_m2);
    *__state = {{__low1, __high1, __low1}, {__high2, __low2, __high2}, {}};
    skipahead_subsequence(__subsequence, __state);
    skipahead(__offset, __state);
}

#endif
#endif
