/**
 * @file checks_stream.c
 * @brief Lab 3: the checks of stream_saxpy().
 *
 * grade/check.h says how checks are written.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "../exercise.h"
#include "grade/check.h"

/** One piece of work, and its inputs. */
struct work {
    size_t n, chunk, pieces;
    float *in; /* x, then y */
    struct um_try try;
};

static struct work work_make(size_t n, size_t chunk)
{
    struct work work = {.n = n, .chunk = chunk, .pieces = chunk > 0 ? (n + chunk - 1) / chunk : 0};

    work.in = um_memory(2 * n * sizeof(float));
    um_random_floats(work.in, 2 * n);
    work.try = (struct um_try){.function = "stream_saxpy",
                               .number = {(int64_t)n, (int64_t)chunk},
                               .in = work.in,
                               .in_bytes = 2 * n * sizeof(float),
                               .out_bytes = (2 * n + LAB3_GUARD) * sizeof(float)};
    um_case("n = %zu, chunk = %zu, %zu pieces", n, chunk, work.pieces);
    return work;
}

static void expect_untouched(const struct work *work)
{
    const unsigned char *guard = work->try.out + work->n * sizeof(float);
    const unsigned char *x = guard + LAB3_GUARD * sizeof(float);

    for (size_t i = 0; i < LAB3_GUARD * sizeof(float); i++) {
        if (guard[i] != 0xa5) {
            um_expect(false, "only y[0] to y[n-1] change", "y[%zu] was written, %zu behind the last one",
                      work->n + i / sizeof(float), i / sizeof(float) + 1);
            return;
        }
    }
    um_expect(memcmp(x, work->in, work->n * sizeof(float)) == 0, "x stays as it is", "it was changed");
}

static float saxpy_at(const void *of, size_t i, unsigned kernels, const struct umsim_key *key)
{
    const struct work *work = of;
    float y = work->in[work->n + i];

    for (unsigned step = 0; step < kernels; step++) {
        y = um_stored_float(key, LAB3_FACTOR * um_read_float(key, work->in[i]) + um_read_float(key, y));
    }
    return y;
}

/* Whatever else a check judges: wrong work is not cheap work. */
static void expect_right(const struct work *work)
{
    um_expect_success(&work->try);
    um_expect_floats(&work->try, saxpy_at, work, work->n, 1, "y");
    expect_untouched(work);
}

static void judge_data(size_t n, size_t chunk)
{
    struct work work = work_make(n, chunk);

    UM_EACH_SCHEDULE(&work.try)
    {
        expect_right(&work);
    }
    free(work.in);
}

static void judge_refusal(size_t n, size_t chunk, cudaError_t error, const char *expected)
{
    struct work work = work_make(n, chunk);

    UM_EACH_SCHEDULE(&work.try)
    {
        const struct umsim_counters *c = &work.try.did.counters;

        um_expect_error(&work.try, error, expected);
        um_expect(c->memcpy_calls + c->launches == 0, "nothing is asked of the device",
                  "%" PRIu64 " copies, %" PRIu64 " launches", c->memcpy_calls, c->launches);
    }
    free(work.in);
}

static void right_data(void)
{
    const size_t chunk = 64 + um_random() % 2000;

    judge_data(1009, 100);
    judge_data(1, 1);
    judge_data(1, 4096);
    judge_data(1025, 1024);
    judge_data(4097, 4096);
    judge_data(5 * chunk, chunk);
    judge_data(9 * chunk + 1 + um_random() % (chunk - 1), chunk);
    judge_data(chunk, chunk);
    judge_refusal(0, chunk, cudaSuccess, "n = 0 succeeds");
    judge_refusal(chunk, 0, cudaErrorInvalidValue, "chunk = 0 is cudaErrorInvalidValue (1)");
}

/* Work that is long enough for its times to matter. */
static struct work long_work(size_t pieces)
{
    const size_t chunk = ((size_t)1 << 17) + um_random() % 1000;

    return work_make(pieces * chunk - um_random() % 1000, chunk);
}

/* Wherever times are looked at, too: operations that are only for show would have better ones. */
static void expect_exact(const struct work *work)
{
    const struct umsim_counters *c = &work->try.did.counters;
    char expected[96];

    snprintf(expected, sizeof expected, "x and y go to the device once: 8n = %zu bytes", 8 * work->n);
    um_expect(c->memcpy_htod_bytes == 8 * work->n, expected, "%" PRIu64 " bytes", c->memcpy_htod_bytes);
    snprintf(expected, sizeof expected, "y comes back once: 4n = %zu bytes", 4 * work->n);
    um_expect(c->memcpy_dtoh_bytes == 4 * work->n, expected, "%" PRIu64 " bytes", c->memcpy_dtoh_bytes);
    um_expect(c->memcpy_dtod_bytes == 0, "nothing is copied within the device", "%" PRIu64 " bytes",
              c->memcpy_dtod_bytes);
    snprintf(expected, sizeof expected, "a launch for each piece: %zu", work->pieces);
    um_expect(c->launches == work->pieces, expected, "%" PRIu64 " launches", c->launches);
}

static void exact_bytes(void)
{
    struct work work = work_make(7 * 1000 - 1, 1000);

    UM_EACH_SCHEDULE(&work.try)
    {
        expect_right(&work);
        expect_exact(&work);
    }
    free(work.in);
}

/* x and y have more bytes than the profile `tiny` has device memory, 64 MiB. */
static void larger_than_the_device(void)
{
    struct work work = work_make(((size_t)17 << 19) + um_random() % 1000, (size_t)1 << 20);

    um_case("n = %zu, chunk = %zu, profile tiny with 64 MiB of device memory", work.n, work.chunk);
    work.try.profile = "tiny";
    if (!um_has_failed() && um_call(&work.try))
        expect_right(&work);
    free(work.in);
}

static void budget(void)
{
    struct work work = work_make(10 * 5000, 5000);
    const uint64_t most = 6 * work.chunk * sizeof(float);

    UM_EACH_SCHEDULE(&work.try)
    {
        const struct umsim_ledger_account *account = work.try.did.account;
        const uint64_t pinned =
            account[UMSIM_LEDGER_PINNED].bytes_peak + account[UMSIM_LEDGER_REGISTERED].bytes_peak;

        expect_right(&work);
        um_expect(pinned <= most, "at most 6 chunks of host memory pinned or registered: 120000 bytes",
                  "%" PRIu64 " bytes", pinned);
        um_expect(account[UMSIM_LEDGER_DEVICE].bytes_peak <= most,
                  "at most 6 chunks of device memory: 120000 bytes", "%" PRIu64 " bytes",
                  account[UMSIM_LEDGER_DEVICE].bytes_peak);
        um_expect(account[UMSIM_LEDGER_MANAGED].made == 0, "no managed memory", "%" PRIu64 " allocations",
                  account[UMSIM_LEDGER_MANAGED].made);
    }
    free(work.in);
    larger_than_the_device();
}

/* Work that is done once is allowed; work that is done for each piece shows in the difference. */
static void no_device_wait(void)
{
    struct work few = work_make(4 * 1000, 1000), many = work_make(16 * 1000, 1000);

    um_case("4 pieces, and 16 pieces");
    UM_EACH_SCHEDULE(&few.try)
    {
        const struct umsim_ledger before = few.try.did;

        expect_right(&few);
        many.try.schedule = few.try.schedule;
        if (!um_call(&many.try))
            break;
        expect_right(&many);
        um_expect_nothing_each(&before, 4, &many.try.did, 16, "piece");
    }
    free(few.in);
    free(many.in);
}

static bool is_on(const struct umsim_ledger_operation *op, enum umsim_engine engine)
{
    return op->engine == (uint32_t)engine && op->end_ns > op->start_ns;
}

/* Time in which both engines work. An engine does one thing at a time, so pairs add up. */
static double both_us(const struct umsim_ledger *did, enum umsim_engine one, enum umsim_engine other)
{
    uint64_t ns = 0;

    for (size_t i = 0; i < um_operations(did); i++) {
        for (size_t j = 0; is_on(&did->operation[i], one) && j < um_operations(did); j++) {
            const struct umsim_ledger_operation *a = &did->operation[i], *b = &did->operation[j];
            const uint64_t from = a->start_ns > b->start_ns ? a->start_ns : b->start_ns;
            const uint64_t to = a->end_ns < b->end_ns ? a->end_ns : b->end_ns;

            if (is_on(b, other) && to > from)
                ns += to - from;
        }
    }
    return (double)ns / 1e3;
}

/* What an engine had done by a moment: operations, and their bytes. */
static uint64_t done_by(const struct umsim_ledger *did, enum umsim_engine engine, uint64_t ns,
                        uint64_t *bytes)
{
    uint64_t count = 0;

    *bytes = 0;
    for (size_t i = 0; i < um_operations(did); i++) {
        if (!is_on(&did->operation[i], engine) || did->operation[i].end_ns > ns)
            continue;
        count++;
        *bytes += did->operation[i].bytes;
    }
    return count;
}

/* Copies are useful when kernels wait for what comes in, and when what goes back has been through a
 * kernel. */
static void expect_useful(const struct work *work)
{
    const struct umsim_ledger *did = &work->try.did;
    const uint64_t missing = work->pieces * work->chunk - work->n; /* of the last piece */
    uint64_t in, out, kernels, before;

    for (size_t i = 0; i < um_operations(did); i++) {
        const struct umsim_ledger_operation *op = &did->operation[i];

        if (is_on(op, UMSIM_ENGINE_COMPUTE)) {
            before = done_by(did, UMSIM_ENGINE_COMPUTE, op->start_ns, &out);
            done_by(did, UMSIM_ENGINE_COPY_HTOD, op->start_ns, &in);
            um_expect(in + 8 * missing >= 8 * work->chunk * (before + 1),
                      "when a kernel starts, its piece of x and y is there",
                      "at kernel %" PRIu64 ", %" PRIu64 " bytes were", before + 1, in);
        } else if (is_on(op, UMSIM_ENGINE_COPY_DTOH)) {
            kernels = done_by(did, UMSIM_ENGINE_COMPUTE, op->start_ns, &in);
            done_by(did, UMSIM_ENGINE_COPY_DTOH, op->start_ns, &out);
            um_expect(out + op->bytes <= 4 * work->chunk * kernels,
                      "what is copied back has been through its kernel",
                      "%" PRIu64 " bytes had gone back after %" PRIu64 " kernels", out + op->bytes, kernels);
        }
    }
}

/* Pieces go in during most of the time that `engine` works. */
static void expect_overlap(const struct umsim_ledger *did, enum umsim_engine engine, const char *expected)
{
    const double busy_us = um_engine_us(did, engine),
                 shared_us = both_us(did, engine, UMSIM_ENGINE_COPY_HTOD);

    um_expect(shared_us >= 0.6 * busy_us, expected, "during %.1f of %.1f us, %.0f%%", shared_us, busy_us,
              busy_us > 0 ? 100 * shared_us / busy_us : 0);
}

static void overlap(void)
{
    struct work work = long_work(9);

    UM_EACH_SCHEDULE(&work.try)
    {
        const struct umsim_ledger *did = &work.try.did;
        const double back_us = um_engine_us(did, UMSIM_ENGINE_COPY_DTOH),
                     kernels_us = um_engine_us(did, UMSIM_ENGINE_COMPUTE);

        expect_right(&work);
        expect_exact(&work);
        um_expect_all_operations(did);
        um_expect(kernels_us < back_us / 2,
                  "kernels use device memory: they take a fraction of the copies' time",
                  "%.1f us of kernels, %.1f us of copies back", kernels_us, back_us);
        expect_useful(&work);
        expect_overlap(did, UMSIM_ENGINE_COPY_DTOH,
                       "during at least 60% of the copies back, other pieces are on their way in");
        expect_overlap(did, UMSIM_ENGINE_COMPUTE,
                       "during at least 60% of the kernels' time, other pieces are on their way in");
    }
    free(work.in);
}

static void gives_back(void)
{
    struct work work = work_make(6 * 300 + 1, 300);

    UM_EACH_SCHEDULE(&work.try)
    {
        expect_right(&work);
        um_expect_nothing_left(&work.try.did);
        um_expect_no_error_left(&work.try);
    }
    free(work.in);
}

static void right_in_spite_of_it(const struct um_try *try)
{
    expect_right((const struct work *)(const void *)((const char *)try - offsetof(struct work, try)));
}

static void errors(void)
{
    struct work work = work_make(3 * 200 - 1, 200);

    um_judge_errors_or_right(&work.try, NULL, right_in_spite_of_it, NULL);
    free(work.in);
}

static const struct um_check stream_saxpy_checks[] = {
    {"right_data", 3, right_data, NULL},    {"exact_bytes", 1, exact_bytes, "right_data"},
    {"budget", 2, budget, "right_data"},    {"no_device_wait", 1, no_device_wait, "right_data"},
    {"overlap", 2, overlap, "exact_bytes"}, {"gives_back", 1, gives_back, "right_data"},
    {"errors", 1, errors, "right_data"},
};
UM_EXERCISE("stream_saxpy", stream_saxpy_checks);
