/**
 * @file checks_place.c
 * @brief Lab 5: the checks of place_one_sync().
 *
 * grade/check.h says how checks are written.
 */
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "grade/check.h"

struct sums {
    size_t n;
    int *in; /* x, y, notes */
    struct um_try try;
};

static struct sums sums_make(size_t n)
{
    struct sums sums = {.n = n, .in = um_memory(3 * n * sizeof(int))};

    um_random_ints(sums.in, 3 * n);
    sums.try = (struct um_try){.function = "place_one_sync",
                               .number = {(int64_t)n},
                               .in = sums.in,
                               .in_bytes = 3 * n * sizeof(int),
                               .out_bytes = sizeof(int64_t) + 2 * n * sizeof(int)};
    um_case("n = %zu", n);
    return sums;
}

/* What a kernel leaves of element i of x, y and notes; notes stay. */
static int left_of(const struct sums *sums, size_t i)
{
    return i < 2 * sums->n ? um_stored_int(&sums->try.key, sums->in[i] + 1) : sums->in[i];
}

static void expect_sum(const struct sums *sums)
{
    int64_t before[3] = {0}, left[3] = {0}, sum;

    for (size_t i = 0; i < 3 * sums->n; i++) {
        before[i / sums->n] += sums->in[i];
        left[i / sums->n] += left_of(sums, i);
    }
    memcpy(&sum, sums->try.out, sizeof sum);
    sum -= before[2];
    um_expect_success(&sums->try);
    um_expect(sum == left[0] + left[1], "the sum of what both kernels left, and of the notes",
              sum == before[0] + before[1] ? "the sum is that of before the kernels"
              : sum == before[0] + left[1] || sum == left[0] + before[1]
                  ? "one array is summed as it was before its kernel"
                  : "another number, %" PRId64 " too much",
              sum - left[0] - left[1]);
    um_expect_kernels_touched(&sums->try, 2 * sums->n * sizeof(int));
}

static void expect_arrays(const struct sums *sums)
{
    const int *after = (const int *)(const void *)(sums->try.out + sizeof(int64_t));

    for (size_t i = 0; i < 2 * sums->n && !um_has_failed(); i++) {
        const bool is_x = i < sums->n;

        um_expect(after[i] == left_of(sums, i), "x and y end as the kernels left them",
                  "%s[%zu] is %d too much", is_x ? "x" : "y", is_x ? i : i - sums->n,
                  after[i] - left_of(sums, i));
    }
}

static void judge_sum(size_t n)
{
    struct sums sums = sums_make(n);

    sums.try.number[1] = true;
    UM_EACH_SCHEDULE(&sums.try)
    {
        expect_sum(&sums);
        expect_arrays(&sums);
    }
    free(sums.in);
}

static void sync_data(void)
{
    judge_sum(1009);
    judge_sum(1);
    judge_sum(0);
    judge_sum(UM_PAGE / sizeof(int) + 1);
    judge_sum(200000 + um_random() % 100000);
}

/* Whether no two kernels were in the same stream. */
static bool kernels_apart(const struct umsim_ledger *did)
{
    for (uint64_t i = 0; i < did->operations && i < UMSIM_LEDGER_OPERATIONS; i++) {
        for (uint64_t j = 0; j < i; j++) {
            const struct umsim_ledger_operation *a = &did->operation[i], *b = &did->operation[j];

            if (strcmp(a->kind, "kernel") == 0 && strcmp(b->kind, "kernel") == 0 && a->stream == b->stream)
                return false;
        }
    }
    return true;
}

static void sync_one(void)
{
    struct sums sums = sums_make(100000 + um_random() % 1000);

    UM_EACH_SCHEDULE(&sums.try)
    {
        const struct umsim_ledger *did = &sums.try.did;

        expect_sum(&sums);
        um_expect_waits(did, 1, 1);
        um_expect_all_operations(did);
        um_expect(kernels_apart(did), "x's kernel and y's are in streams of their own", "they are in one");
        um_expect(did->counters.launches == 2, "both kernels run", "%" PRIu64 " did", did->counters.launches);
        um_expect(did->counters.contended == 0, "the host stays away from x and y while kernels may run",
                  "%" PRIu64 " times it touched a page meanwhile", did->counters.contended);
    }
    free(sums.in);
}

static void sync_leaves(void)
{
    struct sums sums = sums_make(100000 + um_random() % 1000);
    const uint64_t pages =
        2 * ((sums.n * sizeof(int) + UM_PAGE + 2 * UM_BIG_PAGE) / UM_BIG_PAGE * UM_BIG_PAGE);

    UM_EACH_SCHEDULE(&sums.try)
    {
        const struct umsim_ledger *did = &sums.try.did;
        const struct umsim_counters *c = &did->counters;

        expect_sum(&sums);
        um_expect(c->memcpy_calls == 0, "no copies", "%" PRIu64 " copies", c->memcpy_calls);
        um_expect(did->account[UMSIM_LEDGER_DEVICE].made + did->account[UMSIM_LEDGER_PINNED].made == 0 &&
                      did->account[UMSIM_LEDGER_MANAGED].made == 2,
                  "nothing is allocated: the caller has done that", "something was");
        um_expect(umsim_ledger_calls(did, "cudaMemPrefetchAsync") == 0, "no prefetches",
                  "cudaMemPrefetchAsync was called");
        um_expect(c->bytes_migrated_htod <= pages && c->bytes_migrated_dtoh <= pages,
                  "x and y go to the GPU once, and come back once",
                  "%" PRIu64 " bytes went, %" PRIu64 " came back; x and y have %zu", c->bytes_migrated_htod,
                  c->bytes_migrated_dtoh, 2 * sums.n * sizeof(int));
    }
    free(sums.in);
}

/* Calls of calls.c may fail, too: then the student's function was not called. */
static bool is_the_callers(const struct um_try *try)
{
    return try->fail && (strncmp(try->fail, "cudaMallocManaged:", 18) == 0 ||
                         strncmp(try->fail, "cudaStreamCreateWithFlags:", 26) == 0);
}

static void sync_errors(void)
{
    struct sums sums = sums_make(1009);

    UM_EACH_FAILURE(&sums.try)
    {
        const struct umsim_ledger *did = &sums.try.did;
        const bool launch = sums.try.fail && strncmp(sums.try.fail, "cudaLaunchKernel:", 17) == 0;

        if (is_the_callers(&sums.try))
            continue;
        if (!sums.try.fail)
            expect_sum(&sums);
        um_expect_first_error(&sums.try);
        if (launch)
            um_expect(did->unfinished == 0, "when it returns, the kernel that was launched has ended",
                      "%" PRIu64 " operations that had not run", did->unfinished);
    }
    free(sums.in);
}

static const struct um_check place_one_sync_checks[] = {
    {"right_data", 1, sync_data, NULL},
    {"one_wait", 1, sync_one, "right_data"},
    {"leaves_alone", 1, sync_leaves, "right_data"},
    {"errors", 1, sync_errors, "right_data"},
};
UM_EXERCISE("place_one_sync", place_one_sync_checks);
