/**
 * @file keyed.h
 * @brief For checks: what the kernels of a graded call make of a value (umsim/keyed_value.h has the
 * functions).
 *
 * `key` is the call's, try->key; NULL: the value itself, as kernels store it where nothing is graded. A
 * kernel that only sets or copies values (um_fill, um_page_write, um_copy_by_kernel) stores them as they are.
 */
#ifndef UM_GRADE_KEYED_H
#define UM_GRADE_KEYED_H

#include "umsim/keyed_value.h"

#include <stddef.h>
#include <string.h>

static inline uint64_t um_keyed_bits(const struct umsim_key *key, enum umsim_keyed_kind kind,
                                     enum umsim_keyed_use use, uint64_t bits)
{
    return key ? umsim_keyed_bits(key, kind, use, bits) : bits;
}

static inline float um_keyed_float(const struct umsim_key *key, enum umsim_keyed_use use, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits = (uint32_t)um_keyed_bits(key, UMSIM_KEYED_FLOAT, use, bits);
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline double um_keyed_double(const struct umsim_key *key, enum umsim_keyed_use use, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits = um_keyed_bits(key, UMSIM_KEYED_DOUBLE, use, bits);
    memcpy(&value, &bits, sizeof value);
    return value;
}

/** @name What a kernel stores when it has computed `value` @{ */
static inline float um_stored_float(const struct umsim_key *key, float value)
{
    return um_keyed_float(key, UMSIM_KEYED_STORED, value);
}

static inline int um_stored_int(const struct umsim_key *key, int value)
{
    return (int)(uint32_t)um_keyed_bits(key, UMSIM_KEYED_WHOLE_32, UMSIM_KEYED_STORED, (uint32_t)value);
}

static inline int64_t um_stored_int64(const struct umsim_key *key, int64_t value)
{
    return (int64_t)um_keyed_bits(key, UMSIM_KEYED_WHOLE_64, UMSIM_KEYED_STORED, (uint64_t)value);
}

static inline unsigned char um_stored_byte(const struct umsim_key *key, unsigned char value)
{
    return (unsigned char)um_keyed_bits(key, UMSIM_KEYED_WHOLE_8, UMSIM_KEYED_STORED, value);
}
/** @} */

/** @return what arrives of an array's byte at `place` whose plain value is `value`, when the host has copied
 * it by umsim_host_copy() */
static inline unsigned char um_copied_byte(const struct umsim_key *key, uint64_t place, unsigned char value)
{
    return (unsigned char)(value ^ umsim_keyed_at(key, place));
}

/** @name What a kernel works with that finds `value` in memory; of an integer, if it adds it up @{ */
static inline float um_read_float(const struct umsim_key *key, float value)
{
    return um_keyed_float(key, UMSIM_KEYED_READ, value);
}

static inline int64_t um_read_int64(const struct umsim_key *key, int64_t value)
{
    return (int64_t)um_keyed_bits(key, UMSIM_KEYED_WHOLE_64, UMSIM_KEYED_READ, (uint64_t)value);
}
/** @} */

/**
 * What um_sum() leaves of n floats from 0.5 to 2, which um_random_floats() draws: all its sums are exact, so
 * no order of adding matters.
 * @param added um_read_float() of each
 * @param n at least 1
 */
double um_sum_of(const struct umsim_key *key, const float *added, size_t n);

#endif
