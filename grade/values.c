/**
 * @file values.c
 * @brief Compares what kernels have left with what they should (keyed.h), and says what a wrong value may be.
 */
#include "grade.h"
#include "kernels.h"

#include <stdio.h>
#include <string.h>

/* What stands in the outputs where nothing was written (sandboxed_call.c). */
#define UNWRITTEN "\xa5\xa5\xa5\xa5"

double um_sum_of(const struct umsim_key *key, const float *added, size_t n)
{
    double partial[UM_SUM_BLOCKS] = {0}, total = 0;
    const size_t all = (n + UM_BLOCK_THREADS - 1) / UM_BLOCK_THREADS,
                 blocks = all < UM_SUM_BLOCKS ? all : UM_SUM_BLOCKS;
    for (size_t i = 0; i < n; i++)
        partial[i / UM_BLOCK_THREADS % blocks] += (double)added[i];
    for (size_t block = 0; block < blocks; block++)
        total +=
            um_keyed_double(key, UMSIM_KEYED_READ, um_keyed_double(key, UMSIM_KEYED_STORED, partial[block]));
    return um_keyed_double(key, UMSIM_KEYED_STORED, total);
}

/* No kernel stores a computed float whose low bits are 0. */
static bool is_a_kernels(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (bits & 0xfff) != 0;
}

/* One array of results. */
struct results {
    const struct um_try *try;
    um_value *value;
    const void *of;
    unsigned kernels;
};

/* For people: values as the kernels' text has them, without the key. */
static bool tell(const struct results *results, size_t i, float got, const char *name)
{
    const double right = (double)results->value(results->of, i, results->kernels, NULL);
    char expected[160];
    snprintf(expected, sizeof expected, "%s is %g", name, right);
    if (memcmp(&got, UNWRITTEN, sizeof got) == 0)
        return um_expect(false, expected, "it was not written");
    if ((double)got == right)
        return um_expect(false, expected, "it is %g, but the GPU did not compute it", (double)got);
    for (unsigned kernels = 1; kernels <= 2 * results->kernels + 2; kernels++)
        if (got == results->value(results->of, i, kernels, &results->try->key))
            return um_expect(false, expected, "it is %g, after %u kernel(s) instead of %u",
                             (double)results->value(results->of, i, kernels, NULL), kernels,
                             results->kernels);
    if (got == results->value(results->of, i, 0, NULL) || !is_a_kernels(got))
        return um_expect(false, expected, "it is %g, which no kernel computed", (double)got);
    return um_expect(false, expected, "it is %g", (double)got);
}

bool um_expect_floats(const struct um_try *try, um_value *value, const void *of, size_t count,
                      unsigned kernels, const char *what)
{
    const struct results results = {try, value, of, kernels};
    const void *out = try->out;
    const float *got = out;
    const uint64_t touched = try->did.kernel_bytes;
    for (size_t i = 0; i < count; i++) {
        char name[100];
        if (got[i] == value(of, i, kernels, &try->key))
            continue;
        snprintf(name, sizeof name, "%s[%zu]", what, i);
        return tell(&results, i, got[i], name);
    }
    return try->did.counters.launches == 0 || touched >= count * sizeof *got ||
           um_expect(false, "the GPU computes every element",
                     "kernels touched %" PRIu64 " bytes, of %zu elements", touched, count);
}
