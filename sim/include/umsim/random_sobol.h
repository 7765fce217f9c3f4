/**
 * @file umsim/random_sobol.h
 * @brief cuRAND's quasi-random generators: Sobol's sequence of 32 and of 64 bits, plain and scrambled.
 * Included by curand_kernel.h.
 *
 * A dimension is its direction vectors (curandGetDirectionVectors32(), curandGetDirectionVectors64()). Number
 * n is the exclusive or of those vectors whose bit is set in n's Gray code, and of the scramble constant
 * where there is one; from one number to the next a single vector is exchanged.
 */
#ifndef UMSIM_RANDOM_SOBOL_H
#define UMSIM_RANDOM_SOBOL_H

/** @name The states: the number's index, the next number, the scramble constant, the vectors
 * @{ */
struct curandStateSobol32 {
    unsigned int __i, __x, __c;
    unsigned int __direction_vectors[32];
};
typedef struct curandStateSobol32 curandStateSobol32_t;
struct curandStateScrambledSobol32 {
    unsigned int __i, __x, __c;
    unsigned int __direction_vectors[32];
};
typedef struct curandStateScrambledSobol32 curandStateScrambledSobol32_t;
struct curandStateSobol64 {
    unsigned long long __i, __x, __c;
    unsigned long long __direction_vectors[64];
};
typedef struct curandStateSobol64 curandStateSobol64_t;
struct curandStateScrambledSobol64 {
    unsigned long long __i, __x, __c;
    unsigned long long __direction_vectors[64];
};
typedef struct curandStateScrambledSobol64 curandStateScrambledSobol64_t;
/** @} */

#ifdef __cplusplus

namespace umsim
{

UMSIM_RANDOM int lowest_zero(unsigned __i)
{
    return ~__i ? __builtin_ctz(~__i) : 0;
}
UMSIM_RANDOM int lowest_zero(unsigned long long __i)
{
    return ~__i ? __builtin_ctzll(~__i) : 0;
}

template <class _State> UMSIM_RANDOM auto sobol_next(_State *__state) -> decltype(__state->__x)
{
    const auto __drawn = __state->__x;
    __state->__x ^= __state->__direction_vectors[lowest_zero(__state->__i)];
    __state->__i++;
    return __drawn;
}

template <class _State, class _Index> UMSIM_RANDOM void sobol_skip(_State *__state, _Index __n)
{
    __state->__i += __n;
    __state->__x = __state->__c;
    for (_Index __gray = __state->__i ^ __state->__i >> 1, __k = 0; __gray != 0; __gray >>= 1, __k++)
        if (__gray & 1)
            __state->__x ^= __state->__direction_vectors[__k];
}

template <class _State, class _Word>
UMSIM_RANDOM void sobol_begin(_State *__state, const _Word *__vectors, int __words, _Word __constant,
                              _Word __offset)
{
    for (int __k = 0; __k < __words; __k++)
        __state->__direction_vectors[__k] = __vectors[__k];
    __state->__i = 0;
    __state->__c = __constant;
    sobol_skip(__state, __offset);
}

} // namespace umsim

/** @name A dimension, by its vectors (and its scramble constant), from its number `__offset` on
 * @{ */
UMSIM_RANDOM void curand_init(curandDirectionVectors32_t __vectors, unsigned int __offset,
                              curandStateSobol32_t *__state)
{
    umsim::sobol_begin(__state, __vectors, 32, 0u, __offset);
}
UMSIM_RANDOM void curand_init(curandDirectionVectors32_t __vectors, unsigned int __constant,
                              unsigned int __offset, curandStateScrambledSobol32_t *__state)
{
    umsim::sobol_begin(__state, __vectors, 32, __constant, __offset);
}
UMSIM_RANDOM void curand_init(curandDirectionVectors64_t __vectors, unsigned long long __offset,
                              curandStateSobol64_t *__state)
{
    umsim::sobol_begin(__state, __vectors, 64, 0ull, __offset);
}
UMSIM_RANDOM void curand_init(curandDirectionVectors64_t __vectors, unsigned long long __constant,
                              unsigned long long __offset, curandStateScrambledSobol64_t *__state)
{
    umsim::sobol_begin(__state, __vectors, 64, __constant, __offset);
}
/** @} */

/* What each of the four kinds has. */
#define UMSIM_SOBOL(kind, word)                                                                              \
    UMSIM_RANDOM word curand(curandState##kind##_t *__state)                                                 \
    {                                                                                                        \
        return umsim::sobol_next(__state);                                                                   \
    }                                                                                                        \
    UMSIM_RANDOM void skipahead(word __n, curandState##kind##_t *__state)                                    \
    {                                                                                                        \
        umsim::sobol_skip(__state, __n);                                                                     \
    }
UMSIM_SOBOL(Sobol32, unsigned int)
UMSIM_SOBOL(ScrambledSobol32, unsigned int)
UMSIM_SOBOL(Sobol64, unsigned long long)
UMSIM_SOBOL(ScrambledSobol64, unsigned long long)
#undef UMSIM_SOBOL

#endif
#endif
