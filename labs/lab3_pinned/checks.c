/**
 * @file checks.c
 * @brief Lab 3: what makes should_pin() and stream_saxpy() right. (grade/check.h says how checks are written.)
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "exercise.h"
#include "grade/check.h"
#include "sim/model/cost.h"

/* ---- should_pin ---- */

enum { PAIRS = 200 };

/** What a pair costs, microseconds. */
struct costs {
    double plain, pinned;
};

static double copy_us(enum umsim_host_memory memory, uint64_t bytes)
{
    const struct umsim_copy_cost cost =
        umsim_cost_copy(&um_profile()->costs, UMSIM_COPY_HTOD, memory, bytes, 0);

    return (double)(cost.issue_ns + cost.engine_ns + cost.return_ns) / 1e3;
}

static struct costs costs_of(const struct lab3_pair *pair)
{
    const struct umsim_costs *costs = &um_profile()->costs;
    const double pinning_us = (double)(umsim_cost_allocation(costs, UMSIM_HOST_REGISTER, pair->bytes) +
                                       umsim_cost_allocation(costs, UMSIM_HOST_UNREGISTER, pair->bytes)) /
                              1e3;

    return (struct costs){(double)pair->copies * copy_us(UMSIM_HOST_PAGEABLE, pair->bytes),
                          (double)pair->copies * copy_us(UMSIM_HOST_PINNED, pair->bytes) + pinning_us};
}

/* Sizes at which the driver stages a copy (up to 64 KiB) only with few copies: there the times of several overlap. */
static struct lab3_pair some_pair(void)
{
    const double share = (double)(um_random() >> 11) / 9007199254740992.0; /* 2^53 */

    if (um_random() % 5 == 0)
        return (struct lab3_pair){1 + um_random() % 8192, 1 + um_random() % 5};
    return (struct lab3_pair){(uint64_t)(131072 * pow(512, share)), 1 + um_random() % 6};
}

static struct um_try ask_pairs(const struct lab3_pair *pairs, size_t count)
{
    return (struct um_try){
        .function = "should_pin", .in = pairs, .in_bytes = count * sizeof *pairs, .out_bytes = count};
}

/* Where the wrong choice takes more than twice as long as the right one. */
static void clear_cases(void)
{
    struct lab3_pair pairs[PAIRS] = {
        {0, 0}, {0, 100}, {1, 0}, {(uint64_t)64 << 20, 0}, {1, 1}, {4097, 1}, {(uint64_t)256 << 20, 10}};
    bool pin[PAIRS] = {[6] = true};
    size_t count = 7;
    struct um_try try;

    while (count < PAIRS) {
        const struct lab3_pair pair = some_pair();
        const struct costs costs = costs_of(&pair);

        if (costs.plain < 2 * costs.pinned && costs.pinned < 2 * costs.plain)
            continue;
        pin[count] = costs.pinned < costs.plain;
        pairs[count++] = pair;
    }
    try = ask_pairs(pairs, count);
    UM_EACH_SCHEDULE(&try)
    {
        for (size_t i = 0; i < count && !um_has_failed(); i++) {
            const struct costs costs = costs_of(&pairs[i]);

            um_case("%" PRIu64 " bytes, %" PRIu64 " copies", pairs[i].bytes, pairs[i].copies);
            um_expect(try.out[i] == pin[i], pin[i] ? "yes, pin" : "no, do not pin",
                      "%s; not pinned it takes %.1f us, pinned %.1f us", try.out[i] ? "yes" : "no",
                      costs.plain, costs.pinned);
        }
    }
}

/* In all cases, the close ones too. */
static void regret(void)
{
    struct lab3_pair pairs[PAIRS];
    struct um_try try = ask_pairs(pairs, PAIRS);
    double lost = 0, most = 0;
    size_t worst = 0;

    for (size_t i = 0; i < PAIRS; i++) {
        pairs[i] = some_pair();
    }
    if (!um_call(&try))
        return;
    for (size_t i = 0; i < PAIRS; i++) {
        const struct costs costs = costs_of(&pairs[i]);
        const double more = (try.out[i] ? costs.pinned : costs.plain) / fmin(costs.plain, costs.pinned) - 1;

        lost += more / PAIRS;
        if (more > most) {
            most = more;
            worst = i;
        }
    }
    um_case("%d pairs", PAIRS);
    um_expect(lost <= 0.02, "your choices take at most 2% longer than the best ones, on average",
              "%.1f%%; most with %" PRIu64 " bytes, %" PRIu64 " copies: %s, which takes %.0f%% longer",
              100 * lost, pairs[worst].bytes, pairs[worst].copies, try.out[worst] ? "pinned" : "not pinned",
              100 * most);
}

static void only_decides(void)
{
    const struct lab3_pair pairs[] = {{4096, 1}, {(uint64_t)1 << 20, 1}, {(uint64_t)64 << 20, 100}};
    struct um_try try = ask_pairs(pairs, 3);

    UM_EACH_SCHEDULE(&try)
    {
        um_expect(!try.did.call[0].name[0], "no call of CUDA", "%s was called", try.did.call[0].name);
    }
}

UM_EXERCISE(
    "should_pin",
    {"clear_cases", 2, clear_cases,
     .idea = "Pinning has a price that you pay once, and a gain that you have with each copy. Both "
             "grow with the bytes, but the price has a part that does not: that is why little data, or "
             "data that is copied once, may not be worth it.",
     .learned = "A price paid once against a gain for each copy: you know the sizes where it is not even "
                "close."},
    {"regret", 1, regret, .parent = "clear_cases",
     .idea = "Between the clear cases there is a line where both choices take the same time. Where it "
             "lies follows from figures of the machine: the price at two sizes, the time of a copy of "
             "each kind at two sizes.",
     .learned = "Measured at a few sizes, written as two straight lines, and good for all sizes between."},
    {"only_decides", 1, only_decides, .parent = "clear_cases",
     .idea = "To find out by pinning is to have paid already. Measure once, outside of the program, "
             "and let the program compare.",
     .learned = "The decision costs nothing: it uses figures that were measured before."});

/* ---- stream_saxpy ---- */

/** One piece of work: its inputs, and what has to come out but for the salt. */
struct work {
    size_t n, chunk, pieces;
    float *in; /* x, then y */
    struct um_try try;
};

static struct work work_make(size_t n, size_t chunk)
{
    struct work work = {.n = n, .chunk = chunk, .pieces = chunk > 0 ? (n + chunk - 1) / chunk : 0};

    work.in = malloc((2 * n + 1) * sizeof(float));
    if (work.in == NULL)
        abort();
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

static void judge_data(size_t n, size_t chunk)
{
    struct work work = work_make(n, chunk);
    float *expected = malloc((n + 1) * sizeof *expected);

    UM_EACH_SCHEDULE(&work.try)
    {
        um_expect((work.try.returned & 0xffff) == cudaSuccess, "it returns cudaSuccess",
                  "it returned error %lld", (long long)(work.try.returned & 0xffff));
        for (size_t i = 0; expected != NULL && i < n; i++) {
            expected[i] = LAB3_FACTOR * work.in[i] + work.in[n + i] + work.try.salt;
        }
        um_expect_floats(&work.try, expected, n, "y");
        expect_untouched(&work);
    }
    free(expected);
    free(work.in);
}

static void judge_refusal(size_t n, size_t chunk, cudaError_t error, const char *expected)
{
    struct work work = work_make(n, chunk);

    UM_EACH_SCHEDULE(&work.try)
    {
        const struct umsim_counters *c = &work.try.did.counters;

        um_expect((work.try.returned & 0xffff) == error, expected, "it returned error %lld",
                  (long long)(work.try.returned & 0xffff));
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

static void exact_bytes(void)
{
    struct work work = work_make(7 * 1000 - 1, 1000);

    UM_EACH_SCHEDULE(&work.try)
    {
        const struct umsim_counters *c = &work.try.did.counters;

        um_expect(c->memcpy_htod_bytes == 8 * work.n, "x and y go to the device once: 8n = 55992 bytes",
                  "%" PRIu64 " bytes", c->memcpy_htod_bytes);
        um_expect(c->memcpy_dtoh_bytes == 4 * work.n, "y comes back once: 4n = 27996 bytes",
                  "%" PRIu64 " bytes", c->memcpy_dtoh_bytes);
        um_expect(c->memcpy_dtod_bytes == 0, "nothing is copied within the device", "%" PRIu64 " bytes",
                  c->memcpy_dtod_bytes);
        um_expect(c->launches == work.pieces, "a launch for each piece: 7", "%" PRIu64 " launches",
                  c->launches);
    }
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

        um_expect(pinned <= most, "at most 6 chunks of host memory pinned or registered: 120000 bytes",
                  "%" PRIu64 " bytes", pinned);
        um_expect(account[UMSIM_LEDGER_DEVICE].bytes_peak <= most,
                  "at most 6 chunks of device memory: 120000 bytes", "%" PRIu64 " bytes",
                  account[UMSIM_LEDGER_DEVICE].bytes_peak);
        um_expect(account[UMSIM_LEDGER_MANAGED].made == 0, "no managed memory", "%" PRIu64 " allocations",
                  account[UMSIM_LEDGER_MANAGED].made);
    }
    free(work.in);
}

/* Whatever is done once may be done; what is done for each piece shows in the difference. */
static void no_device_wait(void)
{
    static const char *const what[UMSIM_LEDGER_KINDS] = {"device allocations",
                                                         "pinned allocations",
                                                         "managed allocations",
                                                         "registrations",
                                                         "streams",
                                                         "events"};
    struct work few = work_make(4 * 1000, 1000), many = work_make(16 * 1000, 1000);

    um_case("4 pieces, and 16 pieces");
    UM_EACH_SCHEDULE(&few.try)
    {
        const struct umsim_ledger before = few.try.did;

        many.try.schedule = few.try.schedule;
        if (!um_call(&many.try))
            break;
        um_expect(many.try.did.waits_device <= before.waits_device,
                  "as many waits for the whole device with 16 pieces as with 4",
                  "%" PRIu64 " with 4, %" PRIu64 " with 16", before.waits_device, many.try.did.waits_device);
        for (int kind = 0; kind < UMSIM_LEDGER_KINDS; kind++) {
            um_expect(many.try.did.account[kind].made <= before.account[kind].made,
                      "nothing is allocated or created for each piece",
                      "%s: %" PRIu64 " with 4 pieces, %" PRIu64 " with 16", what[kind],
                      before.account[kind].made, many.try.did.account[kind].made);
        }
    }
    free(few.in);
    free(many.in);
}

static size_t operations(const struct umsim_ledger *did)
{
    return did->operations < UMSIM_LEDGER_OPERATIONS ? did->operations : UMSIM_LEDGER_OPERATIONS;
}

static bool is_on(const struct umsim_ledger_operation *op, enum umsim_engine engine)
{
    return op->engine == (uint32_t)engine && op->end_ns > op->start_ns;
}

static double engine_us(const struct umsim_ledger *did, enum umsim_engine engine)
{
    uint64_t ns = 0;

    for (size_t i = 0; i < operations(did); i++) {
        if (is_on(&did->operation[i], engine))
            ns += did->operation[i].end_ns - did->operation[i].start_ns;
    }
    return (double)ns / 1e3;
}

/* Time in which both engines work. An engine does one thing at a time, so pairs add up. */
static double both_us(const struct umsim_ledger *did, enum umsim_engine one, enum umsim_engine other)
{
    uint64_t ns = 0;

    for (size_t i = 0; i < operations(did); i++) {
        for (size_t j = 0; is_on(&did->operation[i], one) && j < operations(did); j++) {
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
    for (size_t i = 0; i < operations(did); i++) {
        if (!is_on(&did->operation[i], engine) || did->operation[i].end_ns > ns)
            continue;
        count++;
        *bytes += did->operation[i].bytes;
    }
    return count;
}

/* Copies are of use when kernels wait for what comes in, and what goes back has been through a kernel. */
static void expect_useful(const struct work *work)
{
    const struct umsim_ledger *did = &work->try.did;
    const uint64_t missing = work->pieces * work->chunk - work->n; /* of the last piece */
    uint64_t in, out, kernels, before;

    for (size_t i = 0; i < operations(did); i++) {
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
    const double busy_us = engine_us(did, engine), shared_us = both_us(did, engine, UMSIM_ENGINE_COPY_HTOD);

    um_expect(shared_us >= 0.6 * busy_us, expected, "during %.1f of %.1f us, %.0f%%", shared_us, busy_us,
              busy_us > 0 ? 100 * shared_us / busy_us : 0);
}

static void overlap(void)
{
    struct work work = long_work(9);

    UM_EACH_SCHEDULE(&work.try)
    {
        const struct umsim_ledger *did = &work.try.did;
        const double back_us = engine_us(did, UMSIM_ENGINE_COPY_DTOH),
                     kernels_us = engine_us(did, UMSIM_ENGINE_COMPUTE);

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

/* Everything that was made is given back, and by its own means. */
static void expect_all_back(const struct umsim_ledger *did)
{
    static const char *const what[UMSIM_LEDGER_KINDS] = {
        "device allocation", "pinned allocation", "managed allocation", "registration", "stream", "event"};

    um_expect(umsim_ledger_calls(did, "cudaDeviceReset") == 0,
              "each thing is given back by itself: what else is on the device belongs to the caller",
              "cudaDeviceReset was called");
    for (int kind = 0; kind < UMSIM_LEDGER_KINDS; kind++) {
        um_expect(did->account[kind].made == did->account[kind].released, "everything is given back",
                  "%" PRIu64 " %s(s) made, %" PRIu64 " given back", did->account[kind].made, what[kind],
                  did->account[kind].released);
    }
}

static void gives_back(void)
{
    struct work work = work_make(6 * 300 + 1, 300);

    UM_EACH_SCHEDULE(&work.try)
    {
        expect_all_back(&work.try.did);
        um_expect(work.try.returned >> 16 == 0,
                  "no call fails: the caller's next cudaGetLastError() returns cudaSuccess",
                  "it returns error %lld", (long long)(work.try.returned >> 16));
    }
    free(work.in);
}

static void errors(void)
{
    struct work work = work_make(3 * 200 - 1, 200);

    UM_EACH_FAILURE(&work.try)
    {
        um_expect((work.try.returned & 0xffff) == work.try.fail_error, "it returns the first error",
                  "it returned %lld, the call that failed %lld", (long long)(work.try.returned & 0xffff),
                  (long long)work.try.fail_error);
        expect_all_back(&work.try.did);
    }
    free(work.in);
}

UM_EXERCISE(
    "stream_saxpy",
    {"right_data", 3, right_data,
     .idea = "A call with Async in its name has only been asked for when it returns. Before you look "
             "at a buffer, or use it again, wait for the last thing that was asked of it: by its "
             "stream, or by an event recorded behind that. Two pieces that share a buffer show this "
             "only from the third or fifth piece on.",
     .learned = "Each buffer is used again only when its last piece is through: right in any order the "
                "device may choose."},
    {"exact_bytes", 1, exact_bytes, .parent = "right_data",
     .idea = "Every byte over the bus is time. x and y have to go in, y has to come back, each once; "
             "what more is copied is copied for nothing.",
     .learned = "8n in, 4n back, a launch for each piece: nothing crosses the bus twice."},
    {"budget", 2, budget, .parent = "right_data",
     .idea = "Pinned memory is taken away from the whole machine, and pinning takes time. A pipeline "
             "needs room for the pieces under way, not for all: two for each array and direction are "
             "enough to keep an engine busy.",
     .learned = "Constant memory for any n: this also works on data larger than the device's memory."},
    {"no_device_wait", 1, no_device_wait, .parent = "right_data",
     .idea = "A wait for the whole device in a loop drains it each time: also those streams that had "
             "nothing to do with it. cudaFree, cudaMalloc and their kin belong before and behind the "
             "loop, and a loop waits for one stream or event.",
     .learned = "The loop waits for one piece, not for the device; everything that is made is made once."},
    {"overlap", 2, overlap, .parent = "exact_bytes",
     .idea = "Engines work at the same time only on work that does not depend on each other: pieces in "
             "different streams. Pageable memory, the legacy stream between two others, or a wait "
             "behind each call brings everything back into one line. make lab3 draws it; `overlapped` "
             "and `overlapped-pageable` are the two pictures.",
     .learned = "One piece comes back while the next goes in: the bus is used in both directions at once."},
    {"gives_back", 1, gives_back, .parent = "right_data",
     .idea = "What a function makes it gives back, once: memory, streams, events. A second free fails, "
             "and the error waits for somebody else.",
     .learned = "Nothing is left: no memory, no stream, no event, no error."},
    {"errors", 1, errors, .parent = "right_data",
     .idea = "Any call may fail, the ones in the loop too. Keep the first error, stop asking for more, "
             "wait for what is under way, and give back what is there: a clean-up at one place that "
             "copes with things never made.",
     .learned = "Whichever call fails, you say so, and nothing stays behind."});
