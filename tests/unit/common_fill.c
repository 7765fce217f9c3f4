/**
 * @file common_fill.c
 * @brief Tests of common/um_fill: data repeats, and a wrong element is found and told.
 */
#include "um_lab.h"
#include "um_test.h"

#include <math.h>

#include "common_capture.h"

#define N 1000

static float twice(size_t i, uint64_t seed)
{
    return 2.0f * (float)um_value(seed, i);
}

static int same(size_t i, uint64_t seed)
{
    return (int)um_value(seed, i);
}

static void values_depend_only_on_seed_and_index(void)
{
    size_t equal = 0;

    for (size_t i = 0; i < N; i++) {
        CU_ASSERT_TRUE_FATAL(um_value(1, i) == um_value(1, i) && um_value(1, i) < 1024);
        equal += um_value(1, i) == um_value(2, i);
    }
    if (equal > N / 100)
        UM_FAIL("seeds 1 and 2 agree in %zu of %d places", equal, N);
}

static void values_spread_over_their_range(void)
{
    double sum = 0;
    int low = 0;

    for (size_t i = 0; i < 100000; i++) {
        sum += um_value(7, i);
        low += um_value(7, i) < 256;
    }
    CU_ASSERT_DOUBLE_EQUAL(sum / 100000, 511.5, 10);
    CU_ASSERT_DOUBLE_EQUAL(low / 100000.0, 0.25, 0.02);
}

static void a_cycle_visits_every_element_once(void)
{
    static const size_t sizes[] = {1, 2, 3, 64, N};
    static uint64_t next[N];

    for (size_t s = 0; s < UM_COUNT(sizes); s++) {
        size_t steps = 0;
        uint64_t i = 0;

        um_fill_cycle(next, sizes[s], 3);
        do {
            CU_ASSERT_FATAL(next[i] < sizes[s]);
            i = next[i];
            steps++;
        } while (i != 0 && steps <= sizes[s]);
        UM_EQUAL(steps, sizes[s]);
    }
}

static void a_right_result_is_verified_in_silence(void)
{
    static float x[N];
    static int k[N];
    struct capture err;
    bool right;

    for (size_t i = 0; i < N; i++) {
        x[i] = twice(i, 5);
    }
    um_fill_ints(k, N, 5);
    capture_begin(&err, STDERR_FILENO);
    right = um_verify_floats("x", x, N, 5, twice) && um_verify_ints("k", k, N, 5, same) &&
            um_verify_bytes("bytes", k, k, sizeof k) && um_verify_number("number", 3, 3);
    capture_end(&err);
    CU_ASSERT_TRUE(right);
    UM_STRING_EQUAL(err.text, "");
}

static void the_first_difference_and_their_number_are_told(void)
{
    static float x[N];
    struct capture err;
    char expected[128];
    bool right;

    for (size_t i = 0; i < N; i++) {
        x[i] = twice(i, 5);
    }
    x[17] = -1;
    x[18] = NAN;
    x[N - 1] = INFINITY;
    capture_begin(&err, STDERR_FILENO);
    right = um_verify_floats("2 x", x, N, 5, twice);
    capture_end(&err);
    CU_ASSERT_FALSE(right);
    snprintf(expected, sizeof expected,
             "2 x: element 17 is -1 and should be %g; 3 of 1000 elements are wrong\n", (double)twice(17, 5));
    UM_STRING_EQUAL(err.text, expected);
}

static void a_difference_in_the_first_or_last_byte_is_found(void)
{
    static unsigned char a[N], b[N];
    struct capture err;

    um_fill_bytes(a, N, 9);
    um_fill_bytes(b, N, 9);
    capture_begin(&err, STDERR_FILENO);
    b[0] ^= 1;
    CU_ASSERT_FALSE(um_verify_bytes("first", a, b, N));
    b[0] ^= 1;
    b[N - 1] ^= 0x80;
    CU_ASSERT_FALSE(um_verify_bytes("last", a, b, N));
    CU_ASSERT_FALSE(um_verify_number("nan", NAN, 0));
    capture_end(&err);
    UM_CONTAINS(err.text, "first: element 0 is");
    UM_CONTAINS(err.text, "last: element 999 is");
    UM_CONTAINS(err.text, "nan: is nan and should be 0");
}

UM_TESTS("fill", {"values depend only on seed and index", values_depend_only_on_seed_and_index},
         {"values spread over their range", values_spread_over_their_range},
         {"a cycle visits every element once", a_cycle_visits_every_element_once},
         {"a right result is verified in silence", a_right_result_is_verified_in_silence},
         {"the first difference and their number are told", the_first_difference_and_their_number_are_told},
         {"a difference in the first or last byte is found",
          a_difference_in_the_first_or_last_byte_is_found});
