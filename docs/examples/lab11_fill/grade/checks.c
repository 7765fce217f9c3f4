/**
 * @file checks.c
 * @brief Lab 11: the checks of filled().
 */
#include <driver_types.h>

#include "grade/check.h"

static struct um_try ask(size_t n, int value)
{
    return (struct um_try){
        .function = "filled", .number = {(int64_t)n, value}, .out_bytes = n * sizeof(float)};
}

/* um_fill() only sets values: these are not mixed with the call's key (keyed.h). */
static float value_at(const void *value, size_t i, unsigned kernels, const struct umsim_key *key)
{
    (void)i, (void)kernels, (void)key;
    return (float)*(const int *)value;
}

static void right_data(void)
{
    const size_t n = 1000 + um_random() % 1000;
    const int value = 1 + (int)(um_random() % 100);
    struct um_try try = ask(n, value);

    um_case("n = %zu", n);
    UM_EACH_SCHEDULE(&try)
    {
        um_expect_success(&try);
        um_expect_floats(&try, value_at, &value, n, 1, "x");
        um_expect(try.did.counters.launches == 1, "1 kernel", "%" PRIu64 " kernels",
                  try.did.counters.launches);
    }
}

static void exact_bytes(void)
{
    struct um_try try = ask(1000, 7);

    UM_EACH_SCHEDULE(&try)
    {
        um_expect(try.did.counters.memcpy_htod_bytes == 0, "nothing copied to the device",
                  "%" PRIu64 " bytes", try.did.counters.memcpy_htod_bytes);
        um_expect(try.did.counters.memcpy_dtoh_bytes == 4000, "4000 bytes copied back", "%" PRIu64 " bytes",
                  try.did.counters.memcpy_dtoh_bytes);
        um_expect_nothing_left(&try.did);
    }
}

static void errors(void)
{
    struct um_try try = ask(1000, 7);

    UM_EACH_FAILURE(&try)
    {
        if (!try.fail)
            um_expect_floats(&try, value_at, &(int){7}, 1000, 1, "x");
        um_expect_first_error(&try);
    }
}

static const struct um_check filled_checks[] = {
    {"right_data", 2, right_data, NULL},
    {"exact_bytes", 2, exact_bytes, "right_data"},
    {"errors", 1, errors, "right_data"},
};
UM_EXERCISE("filled", filled_checks);
