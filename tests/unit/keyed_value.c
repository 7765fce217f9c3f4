/**
 * @file keyed_value.c
 * @brief What graded kernels store in place of a value (umsim/keyed_value.h): how far it is from the value,
 * and that its sums are exact.
 *
 * tests/grading/programs/keyed.cu compares hosts and kernels.
 */
#include "grade/keyed.h"
#include "grade/siphash.h"
#include "um_test.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { COUNT = 20000, SUMS = 1024 };

static const struct umsim_key key = {{UINT64_C(0x0706050403020100), UINT64_C(0x0f0e0d0c0b0a0908)}};

static uint64_t some(unsigned i)
{
    const struct um_siphash_key drawn = {{1, 2}};
    return um_siphash(&drawn, &i, sizeof i);
}

/* From 0.5 to 2, as um_random_floats() has them. */
static float some_float(unsigned i)
{
    const uint32_t bits = UINT32_C(0x3f000000) + (uint32_t)(some(i) & 0xffffff);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void the_hash_is_siphash(void)
{
    const struct um_siphash_key same = {{key.word[0], key.word[1]}};
    for (unsigned i = 0; i < 1000; i++) {
        unsigned char bytes[9] = {0}, five[5];
        const uint64_t word = some(i);
        for (int b = 0; b < 8; b++)
            bytes[b] = (unsigned char)(word >> 8 * b);
        memcpy(five, bytes, 4);
        bytes[8] = five[4] = (unsigned char)i;
        CU_ASSERT_EQUAL(umsim_keyed_hash(&key, word, 1, (unsigned char)i, 2, 4), um_siphash(&same, bytes, 9));
        CU_ASSERT_EQUAL(umsim_keyed_hash(&key, word, 0, (unsigned char)i, 2, 4), um_siphash(&same, five, 5));
    }
}

static void floats_stay_near_and_differ(void)
{
    for (unsigned i = 0; i < COUNT; i++) {
        const float value = some_float(i) * (i % 2 ? -1.0f : 1e-30f), stored = um_stored_float(&key, value);
        uint32_t bits;
        memcpy(&bits, &stored, sizeof bits);
        CU_ASSERT(stored != value && fabsf(stored - value) <= fabsf(value) / 2047 && (bits & 0xfff) != 0);
        CU_ASSERT(um_read_float(&key, value) != value);
        CU_ASSERT_EQUAL(um_stored_float(NULL, value), value);
    }
    CU_ASSERT(isinf(um_stored_float(&key, INFINITY)) && isnan(um_stored_float(&key, NAN)));
    CU_ASSERT(um_stored_float(&key, 0) > 0 && um_stored_float(&key, 0) < 1e-40f);
    CU_ASSERT(isfinite(um_stored_float(&key, 3.4028234e38f)));
}

static void doubles_have_32_bits(void)
{
    for (unsigned i = 0; i < COUNT; i++) {
        const double value = (double)some(i) / 3, stored = um_keyed_double(&key, UMSIM_KEYED_STORED, value);
        int exponent;
        const double bits = frexp(stored, &exponent) * 0x1p32;
        CU_ASSERT(stored != value && fabs(stored - value) <= value / 0x1p18 && bits == floor(bits));
    }
}

static void integers_grow_a_little(void)
{
    for (unsigned i = 0; i < COUNT; i++) {
        const int64_t value = (int64_t)some(i);
        const uint64_t more = (uint64_t)um_stored_int64(&key, value) - (uint64_t)value;
        CU_ASSERT(more >= 1 && more <= 1023);
        CU_ASSERT((uint32_t)um_stored_int(&key, (int)i) - i - 1 < 1023);
        CU_ASSERT(um_stored_byte(&key, (unsigned char)i) != (unsigned char)i);
    }
}

/* A value, a use and a type tell nothing of each other: of two, as many values agree as by chance. */
static void uses_and_types_are_apart(void)
{
    const struct umsim_key other = {{key.word[0] ^ 1, key.word[1]}};
    unsigned same[3] = {0};
    for (unsigned i = 0; i < COUNT; i++) {
        const float value = some_float(i);
        same[0] += um_stored_float(&key, value) == um_read_float(&key, value);
        same[1] += um_stored_float(&key, value) == um_stored_float(&other, value);
        same[2] += um_stored_int(&key, (int)i) - (int)i == (int)(um_stored_int64(&key, i) - i);
    }
    CU_ASSERT(same[0] < COUNT / 1000 && same[1] < COUNT / 1000 && same[2] < COUNT / 300);
}

/* What a table of some values, or the neighbour's, would give. */
static void each_bit_of_a_value_counts(void)
{
    for (unsigned bit = 0; bit < 23; bit++) {
        unsigned same = 0;
        for (unsigned i = 0; i < 4000; i++) {
            float value = some_float(i), near = value;
            uint32_t bits, of_near;
            memcpy(&bits, &value, sizeof bits);
            bits ^= UINT32_C(1) << bit;
            memcpy(&near, &bits, sizeof near);
            value = um_stored_float(&key, value);
            near = um_stored_float(&key, near);
            memcpy(&bits, &value, sizeof bits);
            memcpy(&of_near, &near, sizeof of_near);
            same += (bits & 0xfff) == (of_near & 0xfff);
        }
        CU_ASSERT(same < 12);
    }
}

/* As um_sum() adds its blocks' sums: 1024 at most, of one float and of some hundred. */
static void sums_are_exact_in_any_order(void)
{
    static double of[SUMS];
    double up = 0, down = 0, tree = 0;
    for (unsigned i = 0; i < SUMS; i++) {
        const double sum = (double)um_read_float(&key, um_stored_float(&key, some_float(i))) * (1 + i % 512);
        of[i] = um_keyed_double(&key, UMSIM_KEYED_READ, um_keyed_double(&key, UMSIM_KEYED_STORED, sum));
    }
    for (unsigned i = 0; i < SUMS; i++) {
        up += of[i];
        down += of[SUMS - 1 - i];
    }
    for (unsigned at = 0; at < 64; at++) {
        double part = 0;
        for (unsigned i = at; i < SUMS; i += 64)
            part += of[i];
        tree += part;
    }
    CU_ASSERT(up == down && up == tree);
}

UM_TESTS("keyed values", {"the hash is SipHash", the_hash_is_siphash},
         {"floats stay near and differ", floats_stay_near_and_differ},
         {"doubles have 32 bits", doubles_have_32_bits}, {"integers grow a little", integers_grow_a_little},
         {"uses and types are apart", uses_and_types_are_apart},
         {"each bit of a value counts", each_bit_of_a_value_counts},
         {"sums are exact in any order", sums_are_exact_in_any_order});
