/**
 * @file um_fill.c
 * @brief Implementation of um_fill.h: fills arrays from a seed, and compares results with what they should
 * be.
 */
#include "um_fill.h"

#include <stdio.h>

void um_fill_floats(float *x, size_t n, uint64_t seed)
{
    for (size_t i = 0; i < n; i++) {
        x[i] = (float)um_value(seed, i);
    }
}

void um_fill_ints(int *x, size_t n, uint64_t seed)
{
    for (size_t i = 0; i < n; i++) {
        x[i] = (int)um_value(seed, i);
    }
}

void um_fill_bytes(unsigned char *x, size_t n, uint64_t seed)
{
    for (size_t i = 0; i < n; i++) {
        x[i] = (unsigned char)um_value(seed, i);
    }
}

/* splitmix64: 64 well-mixed bits from a counter. */
static uint64_t random_bits(uint64_t *state)
{
    uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);

    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* Sattolo's shuffle: swapping only with earlier places leaves one single cycle. */
void um_fill_cycle(uint64_t *next, size_t n, uint64_t seed)
{
    uint64_t state = seed;

    for (size_t i = 0; i < n; i++) {
        next[i] = i;
    }
    for (size_t i = n; i-- > 1;) {
        const size_t j = (size_t)(random_bits(&state) % i);
        const uint64_t swapped = next[i];

        next[i] = next[j];
        next[j] = swapped;
    }
}

static bool told(const char *what, size_t wrong, size_t n, size_t first, double got, double expected)
{
    if (wrong == 0)
        return true;
    fprintf(stderr, "%s: element %zu is %.9g and should be %.9g; %zu of %zu elements are wrong\n", what,
            first, got, expected, wrong, n);
    return false;
}

bool um_verify_floats(const char *what, const float *got, size_t n, uint64_t seed, um_expected_float expected)
{
    size_t wrong = 0, first = 0;

    for (size_t i = 0; i < n; i++) {
        if (got[i] == expected(i, seed))
            continue; /* a NaN is never equal, so it counts as wrong */
        if (wrong++ == 0)
            first = i;
    }
    return wrong == 0 || told(what, wrong, n, first, (double)got[first], (double)expected(first, seed));
}

bool um_verify_ints(const char *what, const int *got, size_t n, uint64_t seed, um_expected_int expected)
{
    size_t wrong = 0, first = 0;

    for (size_t i = 0; i < n; i++) {
        if (got[i] == expected(i, seed))
            continue;
        if (wrong++ == 0)
            first = i;
    }
    return wrong == 0 || told(what, wrong, n, first, got[first], expected(first, seed));
}

bool um_verify_bytes(const char *what, const void *got, const void *expected, size_t n)
{
    const unsigned char *g = got, *e = expected;
    size_t wrong = 0, first = 0;

    for (size_t i = 0; i < n; i++) {
        if (g[i] == e[i])
            continue;
        if (wrong++ == 0)
            first = i;
    }
    return wrong == 0 || told(what, wrong, n, first, g[first], e[first]);
}

bool um_verify_number(const char *what, double got, double expected)
{
    if (got == expected)
        return true;
    fprintf(stderr, "%s: is %.17g and should be %.17g\n", what, got, expected);
    return false;
}
