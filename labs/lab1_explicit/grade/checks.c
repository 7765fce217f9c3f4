/**
 * @file checks.c
 * @brief Lab 1: the checks of vector_add_host() and saxpy_chain().
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <driver_types.h>

#include "grade/check.h"

/** Sizes at which programs go wrong: one, a prime, a page of floats and one more, several VA blocks. */
static const size_t sizes[] = {1, 1009, 1025, 1 << 20};
#define SIZES (sizeof sizes / sizeof sizes[0])
#define PLAIN ((size_t)1000)
#define LARGE ((size_t)6 << 20)

/** A size for which no solution can be prepared. */
static size_t some_size(void)
{
    return 2000 + um_random() % 50000;
}

static float *random_floats(size_t count)
{
    float *values = um_memory(count * sizeof *values);

    um_random_floats(values, count);
    return values;
}

/* Calls that copy and wait: cudaMemcpy, cudaMemcpy2D, ... */
static bool copies_and_waits(const char *name)
{
    return strncmp(name, "cudaMemcpy", 10) == 0 && !strstr(name, "Async");
}

static uint64_t copies_that_wait(const struct umsim_ledger *did)
{
    uint64_t count = 0;

    for (int i = 0; i < UMSIM_LEDGER_CALLS && did->call[i].name[0]; i++) {
        if (copies_and_waits(did->call[i].name))
            count += did->call[i].count;
    }
    return count;
}

/* A copy by cudaMemcpy and its like waits by itself. Behind any other (an asynchronous one, a graph's) one
 * wait is needed: by a call, or by asking until the answer is yes. */
static void expect_no_needless_wait(const struct umsim_ledger *did)
{
    const bool is_needed = did->counters.memcpy_calls > copies_that_wait(did);

    um_expect(um_waits(did) <= is_needed, is_needed ? "one call that waits" : "no call that only waits",
              "calls that wait: %" PRIu64, um_waits(did));
    um_expect(did->stalled_before_copy == 0,
              "before the last copy no other call has to wait for the GPU (cudaFree and cudaFreeHost do)",
              "calls that wait: %" PRIu64, did->stalled_before_copy);
    um_expect(did->queries == 0 || (is_needed && um_waits(did) == 0),
              is_needed ? "one wait: a call, or cudaStreamQuery and its like, not both"
                        : "no cudaStreamQuery or cudaEventQuery: asking again and again is waiting, too",
              "%" PRIu64 " queries", did->queries);
}

/* ---- vector_add_host ---- */

static struct um_try vector_add(size_t n, const float *ab)
{
    return (struct um_try){.function = "vector_add_host",
                           .number = {(int64_t)n},
                           .in = ab,
                           .in_bytes = 2 * n * sizeof *ab,
                           .out_bytes = n * sizeof *ab};
}

/* The inputs of a call: two arrays of n floats, one behind the other. */
struct arrays {
    const float *first;
    size_t n;
};

static float sum_at(const void *of, size_t i, unsigned kernels, const struct umsim_key *key)
{
    const struct arrays *ab = of;

    const float a = um_read_float(key, ab->first[i]), b = um_read_float(key, ab->first[ab->n + i]);

    return kernels > 0 ? um_stored_float(key, a + b) : NAN;
}

static void expect_sum(const struct um_try *try, const float *ab, size_t n)
{
    um_expect_success(try);
    um_expect_floats(try, sum_at, &(struct arrays){ab, n}, n, 1, "c");
}

static void vector_add_data(void)
{
    for (size_t i = 0; i <= SIZES && !um_has_failed(); i++) {
        const size_t n = i < SIZES ? sizes[i] : some_size();
        float *ab = random_floats(2 * n);
        struct um_try try = vector_add(n, ab);

        um_case("n = %zu", n);
        if (n < 1 << 20) {
            UM_EACH_SCHEDULE(&try)
            {
                expect_sum(&try, ab, n);
            }
        } else if (um_call(&try)) {
            expect_sum(&try, ab, n);
        }
        free(ab);
    }
}

static void vector_add_bytes(void)
{
    float *ab = random_floats(2 * PLAIN);
    struct um_try try = vector_add(PLAIN, ab);

    um_case("n = %zu", PLAIN);
    UM_EACH_SCHEDULE(&try)
    {
        const struct umsim_counters *did = &try.did.counters;

        expect_sum(&try, ab, PLAIN);
        um_expect(did->memcpy_htod_bytes == 8 * PLAIN, "8000 bytes copied to the device: a and b, once",
                  "%" PRIu64 " bytes", did->memcpy_htod_bytes);
        um_expect(did->memcpy_dtoh_bytes == 4 * PLAIN, "4000 bytes copied to the host: c, once",
                  "%" PRIu64 " bytes", did->memcpy_dtoh_bytes);
        um_expect(did->launches == 1, "1 kernel", "%" PRIu64 " kernels", did->launches);
        expect_no_needless_wait(&try.did);
    }
    free(ab);
}

static void vector_add_frees(void)
{
    float *ab = random_floats(2 * PLAIN);
    struct um_try try = vector_add(PLAIN, ab);

    um_case("n = %zu", PLAIN);
    UM_EACH_SCHEDULE(&try)
    {
        expect_sum(&try, ab, PLAIN);
        um_expect_nothing_left(&try.did);
        um_expect_no_error_left(&try);
    }
    free(ab);
}

/* Three arrays are more than the profile `tiny` has device memory, 64 MiB: the third cudaMalloc fails by
 * itself. */
static struct um_try too_much(const float *ab)
{
    struct um_try try = vector_add(LARGE, ab);

    try.profile = "tiny";
    um_case("n = %zu, profile tiny with 64 MiB of device memory", LARGE);
    return try;
}

/* Whoever needs only two arrays, because the sum stands where a was, has room. */
static bool is_right(const struct um_try *try, const float *ab, size_t n)
{
    const float *c = (const float *)(const void *)try->out;
    const struct arrays arrays = {ab, n};
    bool is_right = um_returned(try) == cudaSuccess && try->did.kernel_bytes >= n * sizeof *c;

    for (size_t i = 0; is_right && i < n; i++) {
        is_right = c[i] == sum_at(&arrays, i, 1, &try->key);
    }
    return is_right;
}

static void vector_add_errors(void)
{
    float *ab = random_floats(2 * LARGE);
    struct um_try try = vector_add(PLAIN, ab), large;

    um_case("n = %zu", PLAIN);
    UM_EACH_FAILURE(&try)
    {
        if (!try.fail)
            expect_sum(&try, ab, PLAIN);
        um_expect_first_error(&try);
    }
    large = too_much(ab);
    if (!um_has_failed() && um_call(&large) && !is_right(&large, ab, LARGE))
        um_expect_error(&large, cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation (2)");
    free(ab);
}

static void vector_add_frees_after_errors(void)
{
    float *ab = random_floats(2 * LARGE);
    struct um_try try = vector_add(PLAIN, ab), large;

    um_case("n = %zu", PLAIN);
    UM_EACH_FAILURE(&try)
    {
        if (!try.fail)
            expect_sum(&try, ab, PLAIN);
        um_expect_nothing_left(&try.did);
    }
    large = too_much(ab);
    if (!um_has_failed() && um_call(&large))
        um_expect_nothing_left(&large.did);
    free(ab);
}

static void vector_add_nothing(void)
{
    struct um_try try = vector_add(0, NULL);

    um_case("n = 0");
    UM_EACH_SCHEDULE(&try)
    {
        um_expect_error(&try, cudaSuccess, "cudaSuccess: there is nothing to do");
        um_expect(try.did.counters.launches + umsim_ledger_calls(&try.did, "cudaLaunchKernel") == 0,
                  "no launch", "a grid of no blocks was launched, or a kernel for nothing");
    }
}

static const struct um_check vector_add_host_checks[] = {
    {"right_data", 4, vector_add_data, NULL},
    {"exact_bytes", 2, vector_add_bytes, "right_data"},
    {"frees", 1, vector_add_frees, "right_data"},
    {"zero", 1, vector_add_nothing, "right_data"},
    {"errors", 2, vector_add_errors, "right_data"},
    {"frees_after_errors", 2, vector_add_frees_after_errors, "errors"},
};
UM_EXERCISE("vector_add_host", vector_add_host_checks);

/* ---- saxpy_chain ---- */

static struct um_try saxpy_chain(size_t n, unsigned k, const float *yx)
{
    return (struct um_try){.function = "saxpy_chain",
                           .number = {(int64_t)n, k, 512},
                           .in = yx,
                           .in_bytes = 2 * n * sizeof *yx,
                           .out_bytes = n * sizeof *yx};
}

static float chain_at(const void *of, size_t i, unsigned kernels, const struct umsim_key *key)
{
    const struct arrays *yx = of;
    const float x = um_read_float(key, yx->first[yx->n + i]);
    float y = yx->first[i];

    for (unsigned step = 0; step < kernels; step++) {
        y = um_stored_float(key, 0.5f * x + um_read_float(key, y));
    }
    return y;
}

static void expect_chain(const struct um_try *try, const float *yx, size_t n, unsigned k)
{
    um_expect_success(try);
    um_expect_floats(try, chain_at, &(struct arrays){yx, n}, n, k, "y");
}

static void chain_data(void)
{
    static const unsigned steps[] = {1, 3, 8, 0};

    for (size_t i = 0; i < sizeof steps / sizeof *steps && !um_has_failed(); i++) {
        const size_t n = i < 3 ? sizes[i] : some_size();
        float *yx = random_floats(2 * n);
        struct um_try try = saxpy_chain(n, steps[i], yx);

        um_case("n = %zu, k = %u", n, steps[i]);
        UM_EACH_SCHEDULE(&try)
        {
            expect_chain(&try, yx, n, steps[i]);
        }
        free(yx);
    }
}

static void chain_bytes(void)
{
    static const unsigned steps[] = {1, 2, 16};
    float *yx = random_floats(2 * PLAIN);

    for (size_t i = 0; i < sizeof steps / sizeof *steps && !um_has_failed(); i++) {
        struct um_try try = saxpy_chain(PLAIN, steps[i], yx);

        um_case("n = %zu, k = %u", PLAIN, steps[i]);
        UM_EACH_SCHEDULE(&try)
        {
            const struct umsim_counters *did = &try.did.counters;

            expect_chain(&try, yx, PLAIN, steps[i]);
            um_expect(did->memcpy_htod_bytes <= 8 * PLAIN,
                      "at most 8000 bytes to the device, however large k is", "%" PRIu64 " bytes",
                      did->memcpy_htod_bytes);
            um_expect(did->memcpy_dtoh_bytes <= 4 * PLAIN,
                      "at most 4000 bytes to the host, however large k is", "%" PRIu64 " bytes",
                      did->memcpy_dtoh_bytes);
            um_expect(did->launches == steps[i], "k kernels", "%" PRIu64 " kernels", did->launches);
            expect_no_needless_wait(&try.did);
        }
    }
    free(yx);
}

static void right_chain(const struct um_try *try)
{
    expect_chain(try, try->in, (size_t)try->number[0], (unsigned)try->number[1]);
}

static void chain_errors(void)
{
    float *yx = random_floats(2 * PLAIN);
    struct um_try try = saxpy_chain(PLAIN, 3, yx);

    um_case("n = %zu, k = 3", PLAIN);
    UM_EACH_SCHEDULE(&try)
    {
        expect_chain(&try, yx, PLAIN, 3);
        um_expect_nothing_left(&try.did);
        um_expect_no_error_left(&try);
    }
    try.schedule = NULL;
    um_judge_errors(&try, NULL, right_chain, NULL);
    free(yx);
}

static const struct um_check saxpy_chain_checks[] = {
    {"right_data", 3, chain_data, NULL},
    {"bytes_independent_of_k", 3, chain_bytes, "right_data"},
    {"errors", 2, chain_errors, "right_data"},
};
UM_EXERCISE("saxpy_chain", saxpy_chain_checks);
