/**
 * @file checks.c
 * @brief Lab 4: the checks of gather_sum() and dense_sums().
 *
 * grade/check.h says how checks are written.
 */
#include <stdlib.h>
#include <string.h>

#include "grade/check.h"
#include "kernels.h"

/** What um_sum() needs, and a page for anything small. */
#define SUM_BYTES (UM_SUM_BLOCKS * sizeof(double) + UM_PAGE)

static void expect_sum(const struct um_try *try, size_t at, double right)
{
    double sum;

    memcpy(&sum, try->out + at * sizeof sum, sizeof sum);
    um_expect(sum == right, "the GPU's sum", "sum %zu is %.17g instead of %.17g", at, sum, right);
}

/* The floats behind `sums` doubles of the outputs are those of the inputs. */
static void expect_untouched(const struct um_try *try, size_t sums, const float *host, size_t n)
{
    um_expect(memcmp(try->out + sums * sizeof(double), host, n * sizeof *host) == 0,
              "the host's array stays as it is", "it was changed");
}

/* Memory beyond what calls.c has allocated: `mapped` bytes. */
static void expect_memory(const struct umsim_ledger *did, uint64_t device, uint64_t mapped, uint64_t pinned)
{
    const struct umsim_ledger_account *account = did->account;

    um_expect(
        account[UMSIM_LEDGER_DEVICE].bytes_peak <= device, "device memory for what is needed there, no more",
        "%" PRIu64 " bytes, where %" PRIu64 " are enough", account[UMSIM_LEDGER_DEVICE].bytes_peak, device);
    um_expect(account[UMSIM_LEDGER_PINNED].bytes_peak <= mapped + pinned, "pinned memory for results only",
              "%" PRId64 " bytes beside the caller's",
              um_more(account[UMSIM_LEDGER_PINNED].bytes_peak, mapped));
    um_expect(account[UMSIM_LEDGER_MANAGED].made + account[UMSIM_LEDGER_REGISTERED].made == 0,
              "no managed or registered memory", "%" PRIu64 " and %" PRIu64,
              account[UMSIM_LEDGER_MANAGED].made, account[UMSIM_LEDGER_REGISTERED].made);
}

/* Everything is given back, with every call failing once. */
static void judge_errors(struct um_try *try, bool is_callers(const char *fail),
                         void right(const struct um_try *try))
{
    um_judge_gives_back(try);
    um_judge_errors_or_right(try, is_callers, right, NULL);
}

/* Whether the call is among the first `count` calls of cudaHostAlloc: calls.c makes those. */
static bool is_first(const char *fail, int count)
{
    return strncmp(fail, "cudaHostAlloc:", 14) == 0 && atoi(fail + 14) <= count;
}

/* ---- gather_sum ---- */

struct gather {
    size_t n, m;
    void *in; /* n floats, m indices */
    struct um_try try;
};

static struct gather gather_make(size_t n, size_t m)
{
    const size_t bytes = n * sizeof(float) + m * sizeof(uint32_t);
    struct gather gather = {.n = n, .m = m, .in = um_memory(bytes)};
    float *host = gather.in;
    uint32_t *index = (uint32_t *)(void *)(host + n);

    um_random_floats(host, n);
    for (size_t i = 0; i < m; i++) {
        index[i] = (uint32_t)(um_random() % n);
    }
    gather.try = (struct um_try){.function = "gather_sum",
                                 .number = {(int64_t)n, (int64_t)m},
                                 .in = gather.in,
                                 .in_bytes = bytes,
                                 .out_bytes = sizeof(double) + n * sizeof(float)};
    um_case("m = %zu of %zu elements", m, n);
    return gather;
}

/* The kernel that gathers stores each float that it finds, and the sum's reads it there. */
static double sum_of_found(const struct gather *gather)
{
    const struct umsim_key *key = &gather->try.key;
    const float *host = gather->in;
    const uint32_t *index = (const uint32_t *)(const void *)(host + gather->n);
    float *added = um_memory(gather->m * sizeof *added);
    double sum;

    for (size_t i = 0; i < gather->m; i++) {
        added[i] = um_read_float(key, um_stored_float(key, um_read_float(key, host[index[i]])));
    }
    sum = gather->m > 0 ? um_sum_of(key, added, gather->m) : 0;
    free(added);
    return sum;
}

static void expect_gathered(const struct gather *gather)
{
    um_expect_success(&gather->try);
    expect_sum(&gather->try, 0, sum_of_found(gather));
    expect_untouched(&gather->try, 1, gather->in, gather->n);
    um_expect_kernels_touched(&gather->try, 2 * gather->m * sizeof(float)); /* found, and summed */
}

static void judge_gather(size_t n, size_t m)
{
    struct gather gather = gather_make(n, m);

    UM_EACH_SCHEDULE(&gather.try)
    {
        expect_gathered(&gather);
        if (m == 0)
            um_expect(gather.try.did.account[UMSIM_LEDGER_DEVICE].made == 0 && um_waits(&gather.try.did) == 0,
                      "nothing is asked of the device", "something was");
    }
    free(gather.in);
}

/* The profile `tiny` has 64 MiB of device memory, the array more. */
static void gather_from_more_than_the_device_has(void)
{
    struct gather gather = gather_make(((size_t)66 << 18) + um_random() % 1000, 1009);

    um_case("m = 1009 of %zu elements, profile tiny with 64 MiB of device memory", gather.n);
    gather.try.profile = "tiny";
    if (!um_has_failed() && um_call(&gather.try))
        expect_gathered(&gather);
    free(gather.in);
}

static void gather_data(void)
{
    judge_gather(100003, 1009);
    judge_gather(1, 1);
    judge_gather(5000, 1025);
    judge_gather(300000 + um_random() % 1000, 1 + um_random() % 5000);
    judge_gather(10, 0);
    gather_from_more_than_the_device_has();
}

static void gather_in_place(void)
{
    struct gather gather = gather_make(500000, 700 + um_random() % 300);
    const uint64_t mapped = gather.n * sizeof(float) + 1 + gather.m * sizeof(uint32_t) + 1;

    UM_EACH_SCHEDULE(&gather.try)
    {
        const struct umsim_ledger *did = &gather.try.did;
        const struct umsim_counters *c = &did->counters;

        expect_gathered(&gather);
        um_expect(c->memcpy_calls == 0, "no copy: not of the array, nor of the indices, nor of the sum",
                  "%" PRIu64 " copies, %" PRIu64 " bytes to the device and %" PRIu64 " to the host",
                  c->memcpy_calls, c->memcpy_htod_bytes, c->memcpy_dtoh_bytes);
        expect_memory(did, gather.m * sizeof(float) + SUM_BYTES, mapped, UM_PAGE);
        um_expect(c->launches == 3, "a gather and a sum: 3 kernels", "%" PRIu64 " kernels", c->launches);
    }
    free(gather.in);
}

static void gather_wait(void)
{
    struct gather gather = gather_make(5000, 500);

    UM_EACH_SCHEDULE(&gather.try)
    {
        expect_gathered(&gather);
        um_expect_waits(&gather.try.did, 0, 1);
    }
    free(gather.in);
}

static bool is_gathers_caller(const char *fail) /* the array, and the indices */
{
    return is_first(fail, 2);
}

static void gathered_in_spite_of_it(const struct um_try *try)
{
    expect_gathered((const struct gather *)(const void *)((const char *)try - offsetof(struct gather, try)));
}

static void gather_errors(void)
{
    struct gather gather = gather_make(1009, 100);

    judge_errors(&gather.try, is_gathers_caller, gathered_in_spite_of_it);
    free(gather.in);
}

static const struct um_check gather_sum_checks[] = {
    {"right_data", 2, gather_data, NULL},
    {"in_place", 1, gather_in_place, "right_data"},
    {"one_wait", 1, gather_wait, "right_data"},
    {"errors", 1, gather_errors, "right_data"},
};
UM_EXERCISE("gather_sum", gather_sum_checks);

/* ---- dense_sums ---- */

struct dense {
    size_t n, k, most;
    void *in; /* k ends, n floats */
    float *host;
    struct um_try try;
};

static struct dense dense_make(size_t n, size_t k)
{
    const size_t bytes = k * sizeof(size_t) + n * sizeof(float);
    struct dense dense = {.n = n, .k = k, .in = um_memory(bytes)};
    size_t *ends = dense.in;

    dense.host = (float *)(void *)(ends + k);
    um_random_floats(dense.host, n);
    for (size_t j = 0; j < k; j++) {
        ends[j] = j == 1 ? 0 : um_random() % (n + 1);
        dense.most = ends[j] > dense.most ? ends[j] : dense.most;
    }
    dense.try = (struct um_try){.function = "dense_sums",
                                .number = {(int64_t)n, (int64_t)k},
                                .in = dense.in,
                                .in_bytes = bytes,
                                .out_bytes = k * sizeof(double) + n * sizeof(float)};
    um_case("%zu sums of at most %zu elements", k, dense.most);
    return dense;
}

static void expect_dense(const struct dense *dense)
{
    const size_t *ends = dense->in;
    const struct umsim_key *key = &dense->try.key;
    float *added = um_memory(dense->n * sizeof *added);
    uint64_t all = 0;

    um_expect_success(&dense->try);
    for (size_t i = 0; i < dense->n; i++) {
        added[i] = um_read_float(key, dense->host[i]);
    }
    for (size_t j = 0; j < dense->k; j++) {
        all += ends[j] * sizeof(float);
        expect_sum(&dense->try, j, ends[j] > 0 ? um_sum_of(key, added, ends[j]) : 0);
    }
    free(added);
    expect_untouched(&dense->try, dense->k, dense->host, dense->n);
    um_expect_kernels_touched(&dense->try, all);
}

static void judge_dense(size_t n, size_t k)
{
    struct dense dense = dense_make(n, k);
    size_t *ends = dense.in;

    ends[k - 1] = n; /* one sum is of everything */
    UM_EACH_SCHEDULE(&dense.try)
    {
        expect_dense(&dense);
    }
    free(dense.in);
}

/* A request whose ends are all 0, or that has none. */
static void judge_empty(size_t k)
{
    struct dense dense = dense_make(0, k);

    UM_EACH_SCHEDULE(&dense.try)
    {
        um_expect_success(&dense.try);
        um_expect(dense.try.did.counters.launches + dense.try.did.counters.memcpy_calls +
                          dense.try.did.account[UMSIM_LEDGER_DEVICE].made ==
                      0,
                  "nothing is asked of the device", "something was");
        for (size_t j = 0; j < k; j++) {
            expect_sum(&dense.try, j, 0);
        }
    }
    free(dense.in);
}

static void dense_data(void)
{
    judge_dense(1009, 5);
    judge_dense(1, 1);
    judge_dense(1025, 3);
    judge_dense(30000 + um_random() % 1000, 2 + um_random() % 4);
    judge_empty(0);
    judge_empty(3);
}

static void dense_copy(void)
{
    struct dense dense = dense_make(40000 + um_random() % 1000, 6);

    UM_EACH_SCHEDULE(&dense.try)
    {
        const struct umsim_ledger *did = &dense.try.did;
        const struct umsim_counters *c = &did->counters;

        expect_dense(&dense);
        um_expect(c->memcpy_htod_bytes == dense.most * sizeof(float),
                  "what the longest sum reads is copied to the device, once",
                  "%" PRIu64 " bytes, it reads %zu", c->memcpy_htod_bytes, dense.most * sizeof(float));
        um_expect(c->memcpy_dtoh_bytes <= dense.k * sizeof(double) && c->memcpy_dtod_bytes == 0,
                  "at most the sums are copied back, and nothing within the device",
                  "%" PRIu64 " bytes to the host, %" PRIu64 " within the device", c->memcpy_dtoh_bytes,
                  c->memcpy_dtod_bytes);
        um_expect(c->memcpy_calls <= 2, "one copy there, and at most one back", "%" PRIu64 " copies",
                  c->memcpy_calls);
        expect_memory(did, dense.most * sizeof(float) + dense.k * sizeof(double) + SUM_BYTES,
                      dense.n * sizeof(float) + 1, UM_PAGE);
        um_expect_waits(did, 0, 1);
    }
    free(dense.in);
}

/* In place, each sum would take as long as the copy. */
static void dense_on_device(void)
{
    struct dense dense = dense_make((size_t)1 << 18, 4);
    size_t *ends = dense.in;

    for (size_t j = 0; j < dense.k; j++) {
        ends[j] = dense.n - um_random() % 1000;
    }
    UM_EACH_SCHEDULE(&dense.try)
    {
        const double kernels_us = um_engine_us(&dense.try.did, UMSIM_ENGINE_COMPUTE);
        const double copies_us = um_engine_us(&dense.try.did, UMSIM_ENGINE_COPY_HTOD);

        expect_dense(&dense);
        um_expect(kernels_us < 2 * copies_us,
                  "the kernels read device memory: all sums together take less than twice the copy's time",
                  "%.1f us of kernels, %.1f us of copies to the device", kernels_us, copies_us);
    }
    free(dense.in);
}

static bool is_denses_caller(const char *fail) /* the array */
{
    return is_first(fail, 1);
}

static void dense_in_spite_of_it(const struct um_try *try)
{
    expect_dense((const struct dense *)(const void *)((const char *)try - offsetof(struct dense, try)));
}

static void dense_errors(void)
{
    struct dense dense = dense_make(1009, 3);

    judge_errors(&dense.try, is_denses_caller, dense_in_spite_of_it);
    free(dense.in);
}

static const struct um_check dense_sums_checks[] = {
    {"right_data", 2, dense_data, NULL},
    {"one_copy", 1, dense_copy, "right_data"},
    {"on_device", 1, dense_on_device, "one_copy"},
    {"errors", 1, dense_errors, "right_data"},
};
UM_EXERCISE("dense_sums", dense_sums_checks);
