/**
 * @file checks.c
 * @brief Lab 10: the checks of smooth_both() and sum_both().
 *
 * Each call has a machine of two devices. grade/check.h says how checks are written.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "grade/check.h"
#include "kernels.h"

#define MACHINE "h200-nvlink2"
/** Its devices cannot reach each other's memory, whatever the function asks for. */
#define APART "h200-pair"
/** Device allocations of calls.c for a call of smooth_both(), and of sum_both(). */
#define OF_SMOOTH 8
#define OF_SUM 2

static void expect_device(const struct um_try *try, int64_t before)
{
    struct lab10_left left;

    memcpy(&left, try->out, sizeof left);
    um_expect(left.device == before, "the current device is the one of before the call",
              "it is %d instead of %d", left.device, (int)before);
}

/* ---- what both devices do ---- */

static bool is_kernel_of(const struct umsim_ledger_operation *op, uint32_t device)
{
    return op->engine == UMSIM_ENGINE_COMPUTE && op->device == device && strcmp(op->kind, "kernel") == 0 &&
           op->end_ns > op->start_ns;
}

/* How long a device's kernels ran, and how long kernels of both did; a device runs one at a time. */
static double kernels_us(const struct umsim_ledger *did, uint32_t device, double *both_us)
{
    uint64_t ns = 0, both_ns = 0;

    for (size_t i = 0; i < um_operations(did); i++) {
        const struct umsim_ledger_operation *a = &did->operation[i];

        if (!is_kernel_of(a, device))
            continue;
        ns += a->end_ns - a->start_ns;
        for (size_t j = 0; j < um_operations(did); j++) {
            const struct umsim_ledger_operation *b = &did->operation[j];
            const uint64_t from = a->start_ns > b->start_ns ? a->start_ns : b->start_ns;
            const uint64_t to = a->end_ns < b->end_ns ? a->end_ns : b->end_ns;

            if (is_kernel_of(b, 1 - device) && to > from)
                both_ns += to - from;
        }
    }
    *both_us = (double)both_ns / 1e3;
    return (double)ns / 1e3;
}

/** Part of the shorter one's time; launches take some time, too, in which only one works. */
#define AT_ONCE 0.3

/* Both devices have run kernels, and during a good part of that time together. */
static void expect_at_once(const struct umsim_ledger *did)
{
    double both_us, us[2];

    um_expect_all_operations(did);
    for (uint32_t d = 0; d < 2; d++) {
        us[d] = kernels_us(did, d, &both_us);
        um_expect(us[d] > 0, "kernels on both devices", "there was none on device %u", d);
    }
    um_expect(both_us >= AT_ONCE * fmin(us[0], us[1]),
              "kernels of both devices run at the same time, for 30% of the shorter time at least",
              "device 0 worked %.1f us, device 1 %.1f, and both at once %.1f", us[0], us[1], both_us);
}

/* At most one wait for each device, no queries, and nothing is left to be done. */
static void expect_two_waits(const struct umsim_ledger *did)
{
    um_expect(um_waits(did) <= 2, "at most one call that waits for each device", "%" PRIu64 " of them",
              um_waits(did));
    um_expect(did->queries == 0, "no queries", "%" PRIu64 " of them", did->queries);
    um_expect(did->unfinished == 0, "all work is done when the function returns",
              "%" PRIu64 " operations were still queued", did->unfinished);
}

/* ---- smooth_both ---- */

struct smooth {
    size_t n, row; /* n of a half */
    int steps, current;
    bool reach;
    float *in, *now, *next; /* both halves */
    float *zeros;           /* a row */
    struct um_try try;
};

static struct smooth smooth_make(size_t rows, size_t row, int steps, int current, bool reach)
{
    struct smooth smooth = {.n = rows * row, .row = row, .steps = steps, .current = current, .reach = reach};
    const size_t bytes = 2 * smooth.n * sizeof(float);

    smooth.in = um_memory(bytes);
    smooth.now = um_memory(bytes);
    smooth.next = um_memory(bytes);
    smooth.zeros = um_memory(row * sizeof(float));
    um_random_floats(smooth.in, 2 * smooth.n);
    memset(smooth.zeros, 0, row * sizeof(float));
    smooth.try = (struct um_try){.function = "smooth_both",
                                 .number = {(int64_t)smooth.n, (int64_t)row, steps, current, reach},
                                 .in = smooth.in,
                                 .in_bytes = bytes,
                                 .out_bytes = sizeof(struct lab10_left) + bytes,
                                 .profile = reach ? MACHINE : APART};
    um_case("%zu rows of %zu floats on each device, %d steps", rows, row, steps);
    return smooth;
}

static void smooth_free(struct smooth *smooth)
{
    free(smooth->in);
    free(smooth->now);
    free(smooth->next);
    free(smooth->zeros);
}

/* One element of a step, as a kernel that stores it by the key computes it. */
static float smoothed(const struct smooth *smooth, size_t i)
{
    const struct umsim_key *key = &smooth->try.key;
    const size_t row = smooth->row, all = 2 * smooth->n;
    const float *now = smooth->now;
    const float up = um_read_float(key, i < row ? smooth->zeros[i] : now[i - row]);
    const float down = um_read_float(key, i + row >= all ? smooth->zeros[i + row - all] : now[i + row]);

    return um_stored_float(key, 0.25f * up + 0.5f * um_read_float(key, now[i]) + 0.25f * down);
}

/* What all steps come to, in smooth->now. */
static void work_out(struct smooth *smooth)
{
    memcpy(smooth->now, smooth->in, 2 * smooth->n * sizeof(float));
    for (int step = 0; step < smooth->steps; step++) {
        float *now = smooth->next;

        for (size_t i = 0; i < 2 * smooth->n; i++)
            smooth->next[i] = smoothed(smooth, i);
        smooth->next = smooth->now;
        smooth->now = now;
    }
}

static void expect_smoothed(struct smooth *smooth)
{
    const unsigned char *out = smooth->try.out + sizeof(struct lab10_left);
    struct lab10_left left;
    size_t wrong = 0;

    um_expect_success(&smooth->try);
    memcpy(&left, smooth->try.out, sizeof left);
    um_expect(left.is_own[0] && left.is_own[1], "half[d].now is one of that half's two arrays",
              "it points to somewhere else");
    expect_device(&smooth->try, smooth->current);
    work_out(smooth);
    while (wrong < 2 * smooth->n &&
           memcmp(out + wrong * sizeof(float), &smooth->now[wrong], sizeof(float)) == 0)
        wrong++;
    if (wrong < 2 * smooth->n) {
        float is;

        memcpy(&is, out + wrong * sizeof is, sizeof is);
        um_expect(false, "every element as after that many steps",
                  "element %zu of row %zu of half %zu is %.9g instead of %.9g", wrong % smooth->row,
                  wrong % smooth->n / smooth->row, wrong / smooth->n, is, smooth->now[wrong]);
    }
}

static void judge_smooth(size_t rows, size_t row, int steps, int current, bool reach)
{
    struct smooth smooth = smooth_make(rows, row, steps, current, reach);

    UM_EACH_SCHEDULE(&smooth.try)
    {
        expect_smoothed(&smooth);
        if (steps == 0)
            um_expect(um_waits(&smooth.try.did) == 0 && smooth.try.did.account[UMSIM_LEDGER_STREAM].made == 0,
                      "nothing is asked of the devices", "something was");
    }
    smooth_free(&smooth);
}

static void smooth_data(void)
{
    judge_smooth(2, 1024, 1, 0, true);
    judge_smooth(3, 1000 + um_random() % 100, 2, 1, true);
    judge_smooth(2 + um_random() % 8, 256, 3 + (int)(um_random() % 6), 0, true);
    judge_smooth(64, 2048, 9, 1, true);
    judge_smooth(2, 7, 0, 1, true);
}

/* Neither device may reach the other's memory: a kernel that does ends the program. */
static void smooth_own_memory(void)
{
    judge_smooth(5, 512, 4, 1, false);
    judge_smooth(2, 300 + um_random() % 100, 7, 0, false);
}

static void expect_edges_only(const struct smooth *smooth)
{
    const struct umsim_counters *did = &smooth->try.did.counters;
    const uint64_t row = smooth->row * sizeof(float), half = smooth->n * sizeof(float);
    const uint64_t edges = 2 * (uint64_t)smooth->steps;

    um_expect(did->memcpy_dtod_bytes == edges * row, "in each step a row from each device to the other",
              "%" PRIu64 " bytes in %d steps, where these have %" PRIu64, did->memcpy_dtod_bytes,
              smooth->steps, edges * row);
    um_expect(did->memcpy_htod_bytes == 2 * (half + row) && did->memcpy_dtoh_bytes == 2 * half,
              "nothing is copied to the host or from it",
              "%" PRId64 " bytes to devices and %" PRId64 " to the host",
              um_more(did->memcpy_htod_bytes, 2 * (half + row)), um_more(did->memcpy_dtoh_bytes, 2 * half));
    um_expect(did->memcpy_calls == edges + 6, "as many copies as there are edges to send",
              "%" PRId64 " copies, for %" PRIu64 " edges", um_more(did->memcpy_calls, 6), edges);
    um_expect(smooth->try.did.account[UMSIM_LEDGER_DEVICE].made == OF_SMOOTH &&
                  smooth->try.did.account[UMSIM_LEDGER_PINNED].made == 1,
              "no memory of its own", "it has allocated some");
}

static void smooth_edges(void)
{
    struct smooth smooth = smooth_make(6, 1024, 5 + (int)(um_random() % 5), 0, true);

    UM_EACH_SCHEDULE(&smooth.try)
    {
        expect_smoothed(&smooth);
        expect_edges_only(&smooth);
    }
    smooth_free(&smooth);
}

/* Halves that are large enough for their kernels to be longer than what begins them. */
static void smooth_at_once(void)
{
    struct smooth smooth = smooth_make(512, 4096, 6, 1, true);

    if (!um_has_failed() && um_call(&smooth.try)) {
        expect_smoothed(&smooth);
        expect_at_once(&smooth.try.did);
    }
    smooth_free(&smooth);
}

static void smooth_waits(void)
{
    struct smooth few = smooth_make(4, 512, 3, 0, true), many;

    UM_EACH_SCHEDULE(&few.try)
    {
        expect_smoothed(&few);
        expect_two_waits(&few.try.did);
    }
    many = smooth_make(4, 512, 12, 0, true);
    UM_EACH_SCHEDULE(&many.try)
    {
        expect_smoothed(&many);
        expect_two_waits(&many.try.did);
        um_expect_nothing_each(&few.try.did, 3, &many.try.did, 12, "step");
    }
    smooth_free(&few);
    smooth_free(&many);
}

static void smooth_in_spite_of_it(const struct um_try *try)
{
    struct smooth *smooth = (struct smooth *)(void *)((char *)(uintptr_t)try - offsetof(struct smooth, try));

    expect_smoothed(smooth);
}

static void smooth_device_stays(const struct um_try *try)
{
    expect_device(try, try->number[3]);
}

static void smooth_errors(void)
{
    struct smooth smooth = smooth_make(2, 256, 2, 1, true);

    um_judge_gives_back(&smooth.try);
    um_judge_errors_or_right(&smooth.try, NULL, smooth_in_spite_of_it, smooth_device_stays);
    smooth_free(&smooth);
}

static const struct um_check smooth_both_checks[] = {
    {"right_data", 2, smooth_data, NULL},          {"own_memory", 1, smooth_own_memory, "right_data"},
    {"edges_only", 1, smooth_edges, "right_data"}, {"at_once", 1, smooth_at_once, "right_data"},
    {"waits", 1, smooth_waits, "right_data"},      {"errors", 1, smooth_errors, "right_data"},
};
UM_EXERCISE("smooth_both", smooth_both_checks);

/* ---- sum_both ---- */

struct sum {
    size_t n[2];
    int current;
    float *in;
    struct um_try try;
};

static struct sum sum_make(size_t n0, size_t n1, int current)
{
    struct sum sum = {.n = {n0, n1}, .current = current, .in = um_memory((n0 + n1) * sizeof(float))};

    um_random_floats(sum.in, n0 + n1);
    sum.try = (struct um_try){.function = "sum_both",
                              .number = {(int64_t)n0, (int64_t)n1, current},
                              .in = sum.in,
                              .in_bytes = (n0 + n1) * sizeof(float),
                              .out_bytes = sizeof(struct lab10_left) + sizeof(double),
                              .profile = APART};
    um_case("%zu floats on device 0, %zu on device 1", n0, n1);
    return sum;
}

/* The sum of one half, as um_sum() leaves it. */
static double half_sum(const struct sum *sum, int d)
{
    const struct umsim_key *key = &sum->try.key;
    const float *values = sum->in + (d == 0 ? 0 : sum->n[0]);
    float *added = um_memory(sum->n[d] * sizeof *added);
    double result;

    for (size_t i = 0; i < sum->n[d]; i++)
        added[i] = um_read_float(key, values[i]);
    result = sum->n[d] > 0 ? um_sum_of(key, added, sum->n[d]) : 0;
    free(added);
    return result;
}

static void expect_sum(const struct sum *sum)
{
    const double right = half_sum(sum, 0) + half_sum(sum, 1);
    double is;

    um_expect_success(&sum->try);
    expect_device(&sum->try, sum->current);
    memcpy(&is, sum->try.out + sizeof(struct lab10_left), sizeof is);
    um_expect(is == right, "the sum of both halves", "it is %.17g instead of %.17g", is, right);
}

static void judge_sum(size_t n0, size_t n1, int current)
{
    struct sum sum = sum_make(n0, n1, current);

    UM_EACH_SCHEDULE(&sum.try)
    {
        expect_sum(&sum);
        if (n0 + n1 == 0)
            um_expect(um_waits(&sum.try.did) == 0 && sum.try.did.account[UMSIM_LEDGER_DEVICE].made == OF_SUM,
                      "nothing is asked of a device whose half is empty", "something was");
    }
    free(sum.in);
}

static void sum_data(void)
{
    judge_sum(1000, 2000, 0);
    judge_sum(20000 + um_random() % 5000, 1 + um_random() % 300, 1);
    judge_sum(1, 1, 1);
    judge_sum(0, 1009, 0);
    judge_sum(513, 0, 1);
    judge_sum(0, 0, 0);
}

static void sum_copies(void)
{
    struct sum sum = sum_make(30000, 20000 + um_random() % 9000, 1);
    const uint64_t bytes = (sum.n[0] + sum.n[1]) * sizeof(float);

    UM_EACH_SCHEDULE(&sum.try)
    {
        const struct umsim_ledger *did = &sum.try.did;
        const struct umsim_ledger_account *account = did->account;

        expect_sum(&sum);
        um_expect(did->counters.memcpy_dtod_bytes == 0, "nothing is copied from device to device",
                  "%" PRIu64 " bytes", did->counters.memcpy_dtod_bytes);
        um_expect(did->counters.memcpy_dtoh_bytes <= 16 && did->counters.memcpy_htod_bytes == bytes,
                  "nothing but the two results goes to the host, and nothing to the devices",
                  "%" PRIu64 " bytes to the host, %" PRId64 " to devices", did->counters.memcpy_dtoh_bytes,
                  um_more(did->counters.memcpy_htod_bytes, bytes));
        um_expect(account[UMSIM_LEDGER_DEVICE].bytes_peak <=
                      bytes + 8 + 2 * (UM_SUM_BLOCKS * sizeof(double) + UM_PAGE),
                  "device memory for what um_sum() needs",
                  "%" PRIu64 " bytes with the %" PRIu64 " of the halves",
                  account[UMSIM_LEDGER_DEVICE].bytes_peak, bytes + 8);
        um_expect(account[UMSIM_LEDGER_MANAGED].made + account[UMSIM_LEDGER_REGISTERED].made == 0 &&
                      account[UMSIM_LEDGER_PINNED].bytes_peak <= bytes + sizeof(float) + UM_PAGE,
                  "pinned memory for two results, no managed or registered memory", "there is more");
    }
    free(sum.in);
}

static void sum_at_once(void)
{
    struct sum sum = sum_make(6 << 20, 6 << 20, 0);

    if (!um_has_failed() && um_call(&sum.try)) {
        expect_sum(&sum);
        expect_at_once(&sum.try.did);
    }
    free(sum.in);
}

static void sum_waits(void)
{
    struct sum sum = sum_make(3000, 4000, 1);

    UM_EACH_SCHEDULE(&sum.try)
    {
        expect_sum(&sum);
        expect_two_waits(&sum.try.did);
    }
    free(sum.in);
}

static void sum_in_spite_of_it(const struct um_try *try)
{
    expect_sum((const struct sum *)(const void *)((const char *)try - offsetof(struct sum, try)));
}

static void sum_device_stays(const struct um_try *try)
{
    expect_device(try, try->number[2]);
}

static void sum_errors(void)
{
    struct sum sum = sum_make(100, 200, 1);

    um_judge_gives_back(&sum.try);
    um_judge_errors_or_right(&sum.try, NULL, sum_in_spite_of_it, sum_device_stays);
    free(sum.in);
}

static const struct um_check sum_both_checks[] = {
    {"right_data", 1, sum_data, NULL},         {"copies", 1, sum_copies, "right_data"},
    {"at_once", 1, sum_at_once, "right_data"}, {"waits", 1, sum_waits, "right_data"},
    {"errors", 1, sum_errors, "right_data"},
};
UM_EXERCISE("sum_both", sum_both_checks);
