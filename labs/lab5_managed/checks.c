/**
 * @file checks.c
 * @brief Lab 5: what makes port_to_managed(), place_one_sync() and predict_faults() right. (grade/check.h says how checks
 *        are written.)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <driver_types.h>

#include "calls.h"
#include "grade/check.h"

#define KIB ((uint64_t)1 << 10)
#define MIB ((uint64_t)1 << 20)
#define PAGE (4 * KIB)
#define BIG_PAGE (64 * KIB)
#define BLOCK (2 * MIB)
/** 64, 64, 128, 256, 512 KiB, 1 MiB: of a host that reads or writes a block of 2 MiB in order. */
#define FAULTS_OF_A_BLOCK 6

/** Numbers for the student's arrays: their sum is more than an int holds. */
static int *random_ints(size_t count)
{
    int *values = malloc((count + 1) * sizeof *values);

    if (values == NULL)
        abort();
    for (size_t i = 0; i < count; i++) {
        values[i] = (int)(um_random() % 2000001);
    }
    return values;
}

static void expect_error(const struct um_try *try, int64_t error, const char *expected)
{
    um_expect((try->returned & 0xffff) == error, expected, "it returned error %" PRId64,
              try->returned & 0xffff);
}

static void expect_success(const struct um_try *try)
{
    expect_error(try, cudaSuccess, "it returns cudaSuccess");
}

/** Calls in which the host waits, by name: frees wait, too, but they are no waits in anybody's program text. */
static uint64_t waits_written(const struct umsim_ledger *did)
{
    return umsim_ledger_calls(did, "cudaDeviceSynchronize") +
           umsim_ledger_calls(did, "cudaStreamSynchronize") + umsim_ledger_calls(did, "cudaEventSynchronize");
}

static void expect_one_wait(const struct umsim_ledger *did)
{
    um_expect(waits_written(did) == 1, "one call that waits", "%" PRIu64 " calls", waits_written(did));
    um_expect(did->queries == 0, "no cudaStreamQuery or cudaEventQuery: one call waits", "%" PRIu64 " calls",
              did->queries);
}

/* ---- port_to_managed ---- */

struct port {
    size_t n;
    int *in;
    struct um_try try;
};

static struct port port_make(size_t n, unsigned steps)
{
    struct port port = {.n = n, .in = random_ints(n)};

    port.try = (struct um_try){.function = "port_to_managed",
                               .number = {(int64_t)n, steps},
                               .in = port.in,
                               .in_bytes = n * sizeof(int),
                               .out_bytes = n * sizeof(int) + sizeof(struct lab5_told)};
    um_case("n = %zu, %u steps", n, steps);
    return port;
}

static struct lab5_told told_by(const struct port *port)
{
    struct lab5_told told;

    memcpy(&told, port->try.out + port->n * sizeof(int), sizeof told);
    return told;
}

static void expect_ported(const struct port *port)
{
    const int more = (int)port->try.number[1] * (1 + (int)port->try.salt);
    const struct lab5_told told = told_by(port);
    const int *out = (const int *)(const void *)port->try.out;

    expect_success(&port->try);
    um_expect(told.filled == 1 && told.used == 1, "fill and use are called once each",
              "fill %d times, use %d times", told.filled, told.used);
    for (size_t i = 0; i < port->n && !um_has_failed(); i++) {
        if (out[i] != port->in[i] + more)
            um_expect(false, "use reads what fill wrote, after all steps", "at x[%zu] it is %s", i,
                      out[i] == port->in[i] ? "what fill wrote" : "something else");
    }
    um_expect(port->try.did.account[UMSIM_LEDGER_MANAGED].bytes_peak >= port->n * sizeof(int),
              "the array is in managed memory", "%" PRIu64 " bytes of managed memory were allocated",
              port->try.did.account[UMSIM_LEDGER_MANAGED].bytes_peak);
}

static void judge_port(size_t n, unsigned steps)
{
    struct port port = port_make(n, steps);

    UM_EACH_SCHEDULE(&port.try)
    {
        expect_ported(&port);
    }
    free(port.in);
}

/* In a place of its own, once: under another profile. */
static void judge_port_on(const char *profile, size_t n, unsigned steps)
{
    struct port port = port_make(n, steps);

    um_case("n = %zu, %u steps, profile %s", n, steps, profile);
    port.try.profile = profile;
    if (um_call(&port.try))
        expect_ported(&port);
    free(port.in);
}

static void port_nothing(void)
{
    struct port port = port_make(0, 3);

    UM_EACH_SCHEDULE(&port.try)
    {
        expect_success(&port.try);
        um_expect(port.try.did.counters.launches == 0, "nothing is launched", "%" PRIu64 " kernels",
                  port.try.did.counters.launches);
    }
    free(port.in);
}

static void port_data(void)
{
    judge_port(1009, 3);
    judge_port(1, 1);
    judge_port(PAGE / sizeof(int) + 1, 2);
    judge_port((BLOCK + PAGE) / sizeof(int) + 1, 2);
    judge_port(1 + um_random() % 100000, 1 + (unsigned)(um_random() % 9));
    judge_port_on("limited", 5003, 2);
    port_nothing();
}

static size_t some_blocks_of_ints(void)
{
    return (3 * BLOCK + um_random() % BLOCK) / sizeof(int);
}

static void port_copies(void)
{
    struct port port = port_make(some_blocks_of_ints(), 2);

    UM_EACH_SCHEDULE(&port.try)
    {
        const struct umsim_ledger *did = &port.try.did;
        const struct umsim_ledger_account *account = did->account;

        um_expect(did->counters.memcpy_calls == 0, "nobody calls a copy", "%" PRIu64 " copies or sets",
                  did->counters.memcpy_calls);
        um_expect(umsim_ledger_calls(did, "cudaMemset") + umsim_ledger_calls(did, "cudaMemsetAsync") == 0,
                  "nobody calls cudaMemset", "it was called");
        um_expect(account[UMSIM_LEDGER_MANAGED].made == 1 &&
                      account[UMSIM_LEDGER_MANAGED].bytes_peak <= port.n * sizeof(int) + PAGE,
                  "one managed array of n ints serves both sides",
                  "%" PRIu64 " managed allocations, %" PRIu64 " bytes for n = %zu",
                  account[UMSIM_LEDGER_MANAGED].made, account[UMSIM_LEDGER_MANAGED].bytes_peak, port.n);
        um_expect(account[UMSIM_LEDGER_DEVICE].made + account[UMSIM_LEDGER_PINNED].made +
                          account[UMSIM_LEDGER_REGISTERED].made ==
                      0,
                  "no device, pinned or registered memory is needed beside it",
                  "%" PRIu64 ", %" PRIu64 ", %" PRIu64 " of them", account[UMSIM_LEDGER_DEVICE].made,
                  account[UMSIM_LEDGER_PINNED].made, account[UMSIM_LEDGER_REGISTERED].made);
    }
    free(port.in);
}

static void port_wait(void)
{
    struct port port = port_make(20011, 5);

    UM_EACH_SCHEDULE(&port.try)
    {
        expect_one_wait(&port.try.did);
    }
    free(port.in);
}

static void port_pages(void)
{
    struct port port = port_make(some_blocks_of_ints(), 4);
    const uint64_t bytes = port.n * sizeof(int), pages = (bytes + PAGE - 1) / PAGE * PAGE;
    const uint64_t faults = (bytes + BLOCK - 1) / BLOCK * FAULTS_OF_A_BLOCK;

    UM_EACH_SCHEDULE(&port.try)
    {
        const struct umsim_counters *c = &port.try.did.counters;

        um_expect(c->bytes_migrated_htod <= pages, "each page goes to the GPU once, at most",
                  "%" PRIu64 " bytes went there, the array has %" PRIu64, c->bytes_migrated_htod, pages);
        um_expect(c->bytes_migrated_dtoh <= pages, "each page comes back once, at most",
                  "%" PRIu64 " bytes came back, the array has %" PRIu64, c->bytes_migrated_dtoh, pages);
        um_expect(c->cpu_page_faults <= 2 * faults, "the faults of one walk to write, and of one to read",
                  "%" PRIu64 " faults, a walk takes %" PRIu64, c->cpu_page_faults, faults);
        um_expect(c->contended == 0, "the host stays away while kernels run",
                  "%" PRIu64 " times it touched a page meanwhile", c->contended);
    }
    free(port.in);
}

static void expect_nothing_left(const struct umsim_ledger *did)
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

static void port_errors(void)
{
    struct port port = port_make(1009, 3);

    UM_EACH_SCHEDULE(&port.try)
    {
        expect_nothing_left(&port.try.did);
        um_expect(port.try.returned >> 16 == 0,
                  "no call fails: the caller's next cudaGetLastError() returns cudaSuccess",
                  "it returns error %" PRId64, port.try.returned >> 16);
    }
    port.try.schedule = NULL;
    UM_EACH_FAILURE(&port.try)
    {
        expect_error(&port.try, port.try.fail_error,
                     "it returns the first error: that of the call which failed");
        um_expect(told_by(&port).used == 0, "use is not called when something failed", "it was called");
        expect_nothing_left(&port.try.did);
    }
    free(port.in);
}

UM_EXERCISE(
    "port_to_managed",
    {"right_data", 2, port_data,
     .idea = "Managed memory is one pointer for both sides, but not one moment: a launch has only been asked "
             "for when "
             "it returns. cudaMemcpy waited for the kernels before it copied. Without it, who waits?",
     .learned = "The same numbers from one array: the copies are gone, their waiting had to stay."},
    {"no_copies", 1, port_copies, .parent = "right_data",
     .idea = "Whatever the host wrote, the kernel finds under the same pointer; whatever the kernel wrote, "
             "the host "
             "does. A second array, and every copy between the two, is left over from before.",
     .learned = "One allocation instead of two, and not one copy in the program's text."},
    {"one_wait", 1, port_wait, .parent = "right_data",
     .idea = "Kernels in one stream keep their order by themselves. The host needs to wait only where it is "
             "going to "
             "look at what they did.",
     .learned = "One wait, between the last launch and the host's first look."},
    {"moves_once", 1, port_pages, .parent = "one_wait",
     .idea = "Pages move when somebody touches them who does not hold them. A host that looks at the array "
             "between "
             "two kernels takes pages away, and the next kernel has to fetch them again.",
     .learned = "Each page crossed the bus once in each direction: as much as two copies would have moved."},
    {"errors", 1, port_errors, .parent = "right_data",
     .idea =
         "A launch can fail, and so can the wait: what a kernel did wrong is told there. After an error the "
         "numbers are not right, so nobody should use them; and the array has to go back all the same.",
     .learned = "Whichever call fails, you say so, nobody reads wrong numbers, and nothing stays behind."});

/* ---- place_one_sync ---- */

struct sums {
    size_t n;
    int *in; /* x, y, notes */
    struct um_try try;
};

static struct sums sums_make(size_t n)
{
    struct sums sums = {.n = n, .in = random_ints(3 * n)};

    sums.try = (struct um_try){.function = "place_one_sync",
                               .number = {(int64_t)n},
                               .in = sums.in,
                               .in_bytes = 3 * n * sizeof(int),
                               .out_bytes = sizeof(int64_t)};
    um_case("n = %zu", n);
    return sums;
}

static void judge_sum(size_t n)
{
    struct sums sums = sums_make(n);

    UM_EACH_SCHEDULE(&sums.try)
    {
        const int64_t of_kernels = 2 * (int64_t)n * (1 + (int64_t)sums.try.salt);
        int64_t before = 0, sum;

        for (size_t i = 0; i < 3 * n; i++) {
            before += sums.in[i];
        }
        memcpy(&sum, sums.try.out, sizeof sum);
        expect_success(&sums.try);
        um_expect(sum == before + of_kernels, "the sum of what both kernels left, and of the notes",
                  sum == before                    ? "the sum is that of before the kernels"
                  : sum == before + of_kernels / 2 ? "one array is summed as it was before its kernel"
                                                   : "another number, %" PRId64 " too much",
                  sum - before - of_kernels);
    }
    free(sums.in);
}

static void sync_data(void)
{
    judge_sum(1009);
    judge_sum(1);
    judge_sum(0);
    judge_sum(PAGE / sizeof(int) + 1);
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

        expect_one_wait(did);
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
    const uint64_t pages = 2 * ((sums.n * sizeof(int) + PAGE + 2 * BIG_PAGE) / BIG_PAGE * BIG_PAGE);

    UM_EACH_SCHEDULE(&sums.try)
    {
        const struct umsim_ledger *did = &sums.try.did;
        const struct umsim_counters *c = &did->counters;

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
    return strncmp(try->fail, "cudaMallocManaged:", 18) == 0 ||
           strncmp(try->fail, "cudaStreamCreateWithFlags:", 26) == 0;
}

static void sync_errors(void)
{
    struct sums sums = sums_make(1009);

    UM_EACH_FAILURE(&sums.try)
    {
        const struct umsim_ledger *did = &sums.try.did;
        const bool launch = strncmp(sums.try.fail, "cudaLaunchKernel:", 17) == 0;
        const uint64_t asked = umsim_ledger_calls(did, "cudaLaunchKernel");

        if (is_the_callers(&sums.try))
            continue;
        expect_error(&sums.try, sums.try.fail_error,
                     "it returns the first error: that of the call which failed");
        if (launch)
            um_expect(did->counters.launches + 1 == asked,
                      "when it returns, the kernel that was launched has ended",
                      "%" PRIu64 " launched, %" PRIu64 " ended", asked - 1, did->counters.launches);
    }
    free(sums.in);
}

UM_EXERCISE(
    "place_one_sync",
    {"right_data", 1, sync_data,
     .idea = "Two streams, two kernels, and nobody waits for either by himself. The host may look at x when "
             "x's kernel "
             "has ended, and at y when y's has. Which one call is behind both?",
     .learned = "Right in any order the device may choose: the wait covers both streams."},
    {"one_wait", 1, sync_one, .parent = "right_data",
     .idea = "Each wait stops the host, and a wait between two launches keeps the second kernel from "
             "starting. Launch "
             "all there is, do what needs no result, then wait once.",
     .learned = "Both kernels were under way, and the host was busy, before anybody waited."},
    {"leaves_alone", 1, sync_leaves, .parent = "right_data",
     .idea =
         "The pages come to who touches them. To copy them, or to send them about, is work for nothing here.",
     .learned = "One wait was all that was missing."},
    {"errors", 1, sync_errors, .parent = "right_data",
     .idea = "When the second launch fails, the first kernel is still running, on memory that the caller is "
             "going to "
             "free. An error is no reason not to wait.",
     .learned = "Even after an error the caller gets his memory back with nobody working on it."});

/* ---- predict_faults ---- */

/* Predictions under every schedule; then the same walks are taken, and the books have their faults. */
static void judge_walks(const struct lab5_walk *walks, const uint64_t *right, size_t walks_count)
{
    struct um_try ask = {.function = "predict_faults",
                         .in = walks,
                         .in_bytes = walks_count * sizeof *walks,
                         .out_bytes = walks_count * sizeof(uint64_t)};
    struct um_try take = {.function = "walks", .in = walks, .in_bytes = walks_count * sizeof *walks};
    uint64_t all = 0;

    UM_EACH_SCHEDULE(&ask)
    {
        for (size_t i = 0; i < walks_count && !um_has_failed(); i++) {
            uint64_t answer;
            char expected[64];

            memcpy(&answer, ask.out + i * sizeof answer, sizeof answer);
            snprintf(expected, sizeof expected, "%" PRIu64 " faults", right[i]);
            um_case("bytes = %" PRIu64 ", first = %" PRIu64 ", stride = %" PRIu64, walks[i].bytes,
                    walks[i].first, walks[i].stride);
            um_expect(answer == right[i], expected, "%" PRIu64 " were predicted", answer);
        }
    }
    for (size_t i = 0; i < walks_count; i++) {
        all += right[i];
    }
    um_case("all %zu walks together", walks_count);
    if (!um_has_failed() && um_call(&take))
        um_expect(take.did.counters.cpu_page_faults == all, "the walks take as many faults as predicted",
                  "%" PRIu64 " were predicted, %" PRIu64 " taken", all, take.did.counters.cpu_page_faults);
}

/* Every byte, of whole blocks. */
static void whole_walks(void)
{
    struct lab5_walk walks[] = {
        {BLOCK, 0, 4, 0},
        {3 * BLOCK, 0, 64, 1},
        {2 * BLOCK, 0, PAGE, 0},
        {BLOCK * (1 + um_random() % 6), 0, 512, um_random() % 2},
        {BLOCK * (1 + um_random() % 6), um_random() % PAGE, 1 + um_random() % PAGE, um_random() % 2},
    };

    uint64_t right[sizeof walks / sizeof *walks];

    for (size_t i = 0; i < sizeof walks / sizeof *walks; i++) {
        right[i] = walks[i].bytes / BLOCK * FAULTS_OF_A_BLOCK;
    }
    judge_walks(walks, right, sizeof walks / sizeof *walks);
}

// BEGIN HIDDEN
enum { WALKS = 24 };

/** One block: which of its pages of 4 KiB are the host's. */
struct block {
    bool there[BLOCK / PAGE];
    size_t pages; /**< the last one may be cut */
};

static size_t count(const struct block *block, size_t from, size_t to)
{
    size_t pages = 0;

    for (size_t page = from; page < to && page < block->pages; page++) {
        pages += block->there[page];
    }
    return pages;
}

static void bring(struct block *block, size_t from, size_t to)
{
    for (size_t page = from; page < to && page < block->pages; page++) {
        block->there[page] = true;
    }
}

/* A touch of a page. @return the faults: 0 or 1 */
static unsigned touch(struct block *block, size_t page)
{
    const size_t big = BIG_PAGE / PAGE;
    size_t from = page / big * big, to = from + big;

    if (block->there[page])
        return 0;
    bring(block, from, to);
    for (size_t size = 2 * big; size <= BLOCK / PAGE; size *= 2) {
        const size_t first = page / size * size;
        const size_t last = first + size < block->pages ? first + size : block->pages;

        if (count(block, first, last) * 100 > (last - first) * 51) {
            from = first;
            to = last;
        }
    }
    bring(block, from, to);
    return 1;
}

static uint64_t faults_of(const struct lab5_walk *walk)
{
    const uint64_t pages = (walk->bytes + PAGE - 1) / PAGE;
    struct block block = {.pages = 0};
    uint64_t faults = 0, current = UINT64_MAX, at = walk->first;

    if (at >= walk->bytes)
        return 0;
    do {
        if (at / BLOCK != current) {
            const uint64_t left = pages - at / BLOCK * (BLOCK / PAGE);

            current = at / BLOCK;
            block =
                (struct block){.pages = left < BLOCK / PAGE && walk->bytes >= BLOCK ? left : BLOCK / PAGE};
        }
        faults += touch(&block, at % BLOCK / PAGE);
    } while (lab5_goes_on(walk, &at));
    return faults;
}

static void judge_by_the_rule(const struct lab5_walk *walks)
{
    uint64_t right[WALKS];

    for (size_t i = 0; i < WALKS; i++) {
        right[i] = faults_of(&walks[i]);
    }
    judge_walks(walks, right, WALKS);
}

/* One byte here and there. */
static void strides(void)
{
    struct lab5_walk walks[WALKS] = {
        {4 * BLOCK, 0, BLOCK, 0},    {2 * BLOCK, 0, 2 * BIG_PAGE, 1},    {2 * BLOCK, 0, 3 * BIG_PAGE / 2, 0},
        {BLOCK, 0, BLOCK, 1},        {BLOCK, BLOCK - 1, 1, 0},           {3 * BLOCK, BLOCK / 2, BIG_PAGE, 0},
        {2 * BLOCK, BLOCK, PAGE, 1}, {4 * BLOCK, 5 * BIG_PAGE, 4099, 0},
    };

    for (size_t i = 8; i < WALKS; i++) {
        walks[i] =
            (struct lab5_walk){BLOCK * (1 + um_random() % 4), um_random() % (2 * BLOCK),
                               1 + um_random() % (i % 2 == 0 ? 4 * BIG_PAGE : BIG_PAGE), um_random() % 2};
    }
    judge_by_the_rule(walks);
}

/* Blocks that are cut, allocations below one, and nothing at all. */
static void awkward_sizes(void)
{
    struct lab5_walk walks[WALKS] = {
        {0, 0, 1, 0},
        {1, 0, 1, 0},
        {1, 1, 1, 0},
        {1009, 0, 1, 1},
        {PAGE + 1, 0, 4, 0},
        {BIG_PAGE + 1, 0, 1, 1},
        {BLOCK - 1, 0, PAGE, 0},
        {BLOCK + 1, 0, 1, 0},
        {BLOCK + PAGE + 1, BLOCK, 4, 1},
        {3 * BLOCK / 2, 0, 4, 0},
        {7900 * KIB, 0, 64, 1},
        {2 * BLOCK + 17 * BIG_PAGE, 2 * BLOCK, 2 * BIG_PAGE, 0},
        {2 * BLOCK + 100, 0, SIZE_MAX, 0},
        {2 * BLOCK + 100, 2 * BLOCK + 99, SIZE_MAX / 2, 1},
        {2 * BLOCK + 100, 2 * BLOCK + 99, SIZE_MAX, 1},
        {BLOCK, SIZE_MAX - 5, 4, 0},
        {BLOCK + 17 * PAGE, BLOCK, PAGE, 0}, /* the first 16 pages are most of them */
        {BLOCK + 80 * PAGE, BLOCK, PAGE, 0},
        {BLOCK + 63 * PAGE, BLOCK, PAGE, 1}, /* 32 of 63 pages: more than 50%, but not more than 51% */
    };

    for (size_t i = 19; i < WALKS; i++) {
        walks[i] =
            (struct lab5_walk){1 + um_random() % (3 * BLOCK), um_random() % (i % 3 == 0 ? BLOCK : PAGE),
                               1 + um_random() % (i % 2 == 0 ? 3 * BIG_PAGE : PAGE), um_random() % 2};
    }
    judge_by_the_rule(walks);
}

// END HIDDEN

static void only_computes(void)
{
    const struct lab5_walk walks[] = {{5 * MIB, 0, 4, 0}, {1, 0, 1, 0}, {BLOCK, 0, BIG_PAGE, 0}};
    struct um_try try = {.function = "predict_faults",
                         .in = walks,
                         .in_bytes = sizeof walks,
                         .out_bytes = 3 * sizeof(uint64_t)};

    UM_EACH_SCHEDULE(&try)
    {
        um_expect(!try.did.call[0].name[0], "no call of CUDA", "%s was called", try.did.call[0].name);
    }
}

UM_EXERCISE(
    "predict_faults",
    {"whole_walks", 1, whole_walks,
     .idea = "A fault does not fetch one page. It fills the 64 KiB around it, and takes a larger aligned "
             "piece whole as "
             "soon as more than 51% of that is there. Go through one block of 2 MiB on paper: which piece "
             "does each "
             "fault bring?",
     .learned =
         "512 pages of a block in a handful of faults: what the driver brings unasked saves the rest."},
    // BEGIN HIDDEN
    {"strides", 2, strides, .parent = "whole_walks",
     .idea =
         "A walk that skips pages leaves gaps, and a gap keeps the piece around it below 51%: then the next "
         "touch "
         "is a fault again. Keep a note for each 64 KiB of a block whether it is there, and follow the rule.",
     .learned =
         "A tenth of the bytes can take more faults than all of them: what you touch decides, not how much."},
    {"awkward_sizes", 1, awkward_sizes, .parent = "whole_walks",
     .idea = "The last block ends with the allocation: of a piece that is cut there, only what exists "
             "counts, to the "
             "page. And mind sums that are larger than any address.",
     .learned = "Cut blocks, single bytes, nothing at all: the rule is the same, the arithmetic has ends."},
    // END HIDDEN
    {"only_computes", 1, only_computes, .parent = "whole_walks",
     .idea = "To find out by trying is to have paid already.",
     .learned = "A price known before anything is spent."});
