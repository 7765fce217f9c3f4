/**
 * @file um_fill.h
 * @brief Makes data that is the same in every run, and verifies results computed from it.
 *
 * um_value(seed, i) is a small whole number (0 to 1023) that depends only on its arguments. In a float, such
 * numbers and their sums and products up to 2^24 are exact. So a GPU's fused multiply-add gives the same
 * bits as the host, and results can be compared with ==.
 */
#ifndef UM_FILL_H
#define UM_FILL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Value number `i` of the sequence that `seed` names: a whole number from 0 to 1023. */
static inline uint32_t um_value(uint64_t seed, size_t i)
{
    /* One multiply mixes index and seed; the constant is 2^64 divided by the golden ratio, made odd. */
    uint64_t x = ((uint64_t)i + seed * UINT64_C(0x632be59bd9b4e019) + 1) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)((x ^ (x >> 29)) >> 20) & 1023u;
}

/** Fills `n` floats (ints, bytes) with um_value(seed, i); bytes take its low 8 bits. @{ */
void um_fill_floats(float *x, size_t n, uint64_t seed);
void um_fill_ints(int *x, size_t n, uint64_t seed);
void um_fill_bytes(unsigned char *x, size_t n, uint64_t seed);
/** @} */

/**
 * A permutation of 0 to n-1 that is one single cycle: next[i] is visited after i, and all are visited before
 * the first comes again. It is for pointer chases.
 */
void um_fill_cycle(uint64_t *next, size_t n, uint64_t seed);

/** What element `i` should be. */
typedef float (*um_expected_float)(size_t i, uint64_t seed);
typedef int (*um_expected_int)(size_t i, uint64_t seed);

/**
 * Compares all `n` elements with `expected(i, seed)`. For the first difference, it prints on stderr which
 * element differs, what it should be, what it is, and how many elements differ in all.
 * @param what name of the result in that message, e.g. "c = a + b".
 * @return true when all are equal.
 * @{
 */
bool um_verify_floats(const char *what, const float *got, size_t n, uint64_t seed,
                      um_expected_float expected);
bool um_verify_ints(const char *what, const int *got, size_t n, uint64_t seed, um_expected_int expected);
/** @} */

/** Compares `n` bytes with those of `expected`; the message is that of um_verify_floats(). */
bool um_verify_bytes(const char *what, const void *got, const void *expected, size_t n);

/** Compares one number (a sum, a count). Prints a difference on stderr. */
bool um_verify_number(const char *what, double got, double expected);

#ifdef __cplusplus
}
#endif
#endif
