/**
 * @file checks.c
 * @brief Lab 2: the checks of classify() and host_may_read().
 *
 * Each request is a list of places (calls.h) that one call asks about. Sizes and offsets are hidden inputs.
 * grade/check.h says how checks are written.
 */
#include <stdio.h>
#include <string.h>
#include <driver_types.h>

#include "../exercise.h"
#include "grade/check.h"
#include "calls.h"

enum { PAGE = UM_PAGE, PRIME = 1009, MOST = 160 };

/** One question, its answer, and its name in a report. */
struct asked {
    struct lab2_place place;
    int32_t answer;
    char name[120];
};

static struct asked asked[MOST];
static size_t asked_count;

static const char *const memory_names[] = {
    [LAB2_AT_HEAP] = "malloc's memory",
    [LAB2_AT_STACK] = "a variable on the stack",
    [LAB2_AT_GLOBAL] = "a global variable",
    [LAB2_AT_LITERAL] = "a string literal",
    [LAB2_AT_HOLE] = "mmap'd pages, the last but one closed by mprotect",
    [LAB2_AT_NULL] = "NULL",
    [LAB2_AT_DEVICE] = "cudaMalloc's memory",
    [LAB2_AT_DEVICE_FREED] = "cudaMalloc's memory, freed",
    [LAB2_AT_PINNED] = "cudaMallocHost's memory",
    [LAB2_AT_PINNED_FREED] = "cudaMallocHost's memory, freed",
    [LAB2_AT_MAPPED] = "cudaHostAlloc's memory",
    [LAB2_AT_REGISTERED] = "malloc's memory, registered",
    [LAB2_AT_UNREGISTERED] = "malloc's memory, no more registered",
    [LAB2_AT_MANAGED_HOST] = "managed memory, its pages on the host",
    [LAB2_AT_MANAGED_DEVICE] = "managed memory, its pages on the GPU",
    [LAB2_AT_MANAGED_FREED] = "managed memory, freed",
};

static void ask(enum lab2_memory memory, uint64_t bytes, int64_t offset, uint64_t n, int32_t answer)
{
    struct asked *at = &asked[asked_count];

    if (asked_count == MOST)
        return;
    asked_count++;
    at->place = (struct lab2_place){memory, 0, offset, bytes, n};
    at->answer = answer;
    snprintf(at->name, sizeof at->name, "%s, %llu bytes, from byte %lld on", memory_names[memory],
             (unsigned long long)bytes, (long long)offset);
}

/* Bytes of an allocation: some, or whole pages. */
static uint64_t some_bytes(void)
{
    return 64 + um_random() % 20000;
}

static uint64_t some_pages(void)
{
    return PAGE * (1 + um_random() % 5);
}

static const char *kind_name(int32_t kind)
{
    static const char *const names[] = {"LAB2_NO_ANSWER", "LAB2_PLAIN", "LAB2_PINNED", "LAB2_DEVICE",
                                        "LAB2_MANAGED"};

    return kind >= 0 && kind <= LAB2_MANAGED ? names[kind] : "no value of enum lab2_kind";
}

/* The request for all that was asked. */
static struct um_try request_for(const char *function)
{
    static struct lab2_place places[MOST];

    for (size_t i = 0; i < asked_count; i++) {
        places[i] = asked[i].place;
    }
    return (struct um_try){.function = function,
                           .in = places,
                           .in_bytes = asked_count * sizeof *places,
                           .out_bytes = asked_count * sizeof(int32_t)};
}

static int32_t answer_at(const struct um_try *try, size_t i)
{
    int32_t answer;

    memcpy(&answer, try->out + i * sizeof answer, sizeof answer);
    return answer;
}

static void judge_kind(const struct asked *at, int32_t got)
{
    um_case("%s", at->name);
    um_expect(got == at->answer, kind_name(at->answer), "%s", kind_name(got));
}

static void judge_reading(const struct asked *at, int32_t got)
{
    um_case("%llu bytes of %s", (unsigned long long)at->place.n, at->name);
    um_expect(got == at->answer, at->answer ? "yes: the host may read all of them" : "no", "%s",
              got == 1   ? "yes"
              : got == 0 ? "no"
                         : "neither");
}

/* Asks everything under every schedule. */
static void judge_all(const char *function, void judge(const struct asked *, int32_t))
{
    struct um_try try = request_for(function);

    um_case("%zu addresses", asked_count);
    UM_EACH_SCHEDULE(&try)
    {
        for (size_t i = 0; i < asked_count && !um_has_failed(); i++) {
            judge(&asked[i], answer_at(&try, i));
        }
        um_case("%zu addresses", asked_count);
    }
    asked_count = 0;
}

/* First byte, last byte, one between. */
static void ask_inside(enum lab2_memory memory, uint64_t bytes, enum lab2_kind kind)
{
    ask(memory, bytes, 0, 0, (int32_t)kind);
    ask(memory, bytes, (int64_t)bytes - 1, 0, kind);
    ask(memory, bytes, (int64_t)(um_random() % bytes), 0, kind);
}

static void right_kind(void)
{
    asked_count = 0;
    ask_inside(LAB2_AT_HEAP, some_bytes(), LAB2_PLAIN);
    ask_inside(LAB2_AT_STACK, LAB2_FIXED_BYTES, LAB2_PLAIN);
    ask_inside(LAB2_AT_GLOBAL, LAB2_FIXED_BYTES, LAB2_PLAIN);
    ask_inside(LAB2_AT_DEVICE, some_bytes(), LAB2_DEVICE);
    ask_inside(LAB2_AT_DEVICE, 1, LAB2_DEVICE);
    ask_inside(LAB2_AT_PINNED, some_bytes(), LAB2_PINNED);
    ask_inside(LAB2_AT_MAPPED, PAGE + 1, LAB2_PINNED);
    ask_inside(LAB2_AT_REGISTERED, some_bytes(), LAB2_PINNED);
    ask_inside(LAB2_AT_MANAGED_HOST, some_bytes(), LAB2_MANAGED);
    ask_inside(LAB2_AT_MANAGED_DEVICE, PRIME, LAB2_MANAGED);
    judge_all("classify", judge_kind);
}

/* Places just outside an allocation, and places in one that has been freed. */
static void beyond(void)
{
    const uint64_t pages = some_pages();

    asked_count = 0;
    ask(LAB2_AT_NULL, 0, 0, 0, LAB2_PLAIN);
    ask(LAB2_AT_DEVICE, pages, (int64_t)pages, 0, LAB2_PLAIN);
    ask(LAB2_AT_DEVICE, PRIME, PRIME, 0, LAB2_PLAIN);
    ask(LAB2_AT_DEVICE, PAGE, -1, 0, LAB2_PLAIN);
    ask(LAB2_AT_DEVICE_FREED, pages, 0, 0, LAB2_PLAIN);
    ask(LAB2_AT_PINNED, pages, (int64_t)pages, 0, LAB2_PLAIN);
    ask(LAB2_AT_PINNED_FREED, pages, PAGE / 2, 0, LAB2_PLAIN);
    ask(LAB2_AT_REGISTERED, pages, (int64_t)pages, 0, LAB2_PLAIN);
    ask(LAB2_AT_UNREGISTERED, pages, 7, 0, LAB2_PLAIN);
    ask(LAB2_AT_MANAGED_HOST, pages, (int64_t)pages, 0, LAB2_PLAIN);
    ask(LAB2_AT_MANAGED_FREED, pages, 0, 0, LAB2_PLAIN);
    judge_all("classify", judge_kind);
}

static void expect_error(int64_t got, cudaError_t wanted, const char *expected)
{
    um_expect(got == wanted, expected, "it returned %s", um_error(got));
}

/* Every call of CUDA fails once: the answer is right, or an honest "I do not know". */
static void no_answer(void)
{
    struct um_try try;

    asked_count = 0;
    ask(LAB2_AT_DEVICE, some_bytes(), 5, 0, LAB2_DEVICE);
    try = request_for("classify");
    um_case("%s", asked[0].name);
    UM_EACH_FAILURE(&try)
    {
        const int32_t got = answer_at(&try, 0);

        if (try.fail && got == LAB2_NOT_SET_UP)
            continue;
        um_expect(got == LAB2_DEVICE || (try.fail && got == LAB2_NO_ANSWER),
                  try.fail ? "LAB2_NO_ANSWER" : "LAB2_DEVICE", "%s", kind_name(got));
        expect_error(try.returned, cudaSuccess, "the caller's next cudaGetLastError() returns cudaSuccess");
    }
}

/* What the function itself did: the ledger, less what the places cost by themselves. */
static void expect_nothing_done(const struct umsim_ledger *did, const struct umsim_ledger *places)
{
    const struct umsim_counters *c = &did->counters, *p = &places->counters;
    const uint64_t waits = did->waits_device + did->waits_stream + did->queries,
                   waits_of_places = places->waits_device + places->waits_stream + places->queries;

    um_expect(did->host_faults == 0, "the host touches nothing that is not its own",
              "%" PRIu64 " faults of the host", did->host_faults);
    um_expect(c->cpu_page_faults == p->cpu_page_faults && c->bytes_migrated_dtoh == p->bytes_migrated_dtoh,
              "managed pages stay where they are",
              "%" PRId64 " more faults, %" PRId64 " more bytes moved than by the places alone",
              um_more(c->cpu_page_faults, p->cpu_page_faults),
              um_more(c->bytes_migrated_dtoh, p->bytes_migrated_dtoh));
    um_expect(c->memcpy_calls == p->memcpy_calls && c->launches == p->launches, "no copy and no launch",
              "%" PRId64 " copies, %" PRId64 " launches more than the places alone take",
              um_more(c->memcpy_calls, p->memcpy_calls), um_more(c->launches, p->launches));
    um_expect(waits == waits_of_places, "no wait, no query: looking needs none",
              "%" PRId64 " more than the places alone take", um_more(waits, waits_of_places));
    for (int i = 0; i < UMSIM_LEDGER_KINDS; i++) {
        um_expect(did->account[i].made == places->account[i].made &&
                      did->account[i].released == places->account[i].released,
                  "nothing is allocated, registered or freed",
                  "%" PRId64 " made, %" PRId64 " released more than by the places alone",
                  um_more(did->account[i].made, places->account[i].made),
                  um_more(did->account[i].released, places->account[i].released));
    }
}

/* Asks with an error pending from before, and compares the ledger with that of asking nothing. */
static void judge_leaves_alone(const char *function, void judge(const struct asked *, int32_t))
{
    struct um_try try = request_for(function), places;

    try.number[0] = 1;
    UM_EACH_SCHEDULE(&try)
    {
        const struct umsim_ledger did = try.did;

        for (size_t i = 0; i < asked_count && !um_has_failed(); i++) {
            judge(&asked[i], answer_at(&try, i));
        }
        um_case("%zu addresses", asked_count);
        expect_error(try.returned, cudaErrorInvalidValue,
                     "an error that was waiting before the call still waits: cudaErrorInvalidValue");
        places = try;
        places.function = "nobody";
        if (!um_call(&places))
            return;
        expect_nothing_done(&did, &places.did);
    }
}

/* n = 0 asks what kind of memory it is; otherwise, whether the host may read n bytes there. */
static void ask_residents(uint64_t n)
{
    const uint64_t bytes = 64 * PAGE + some_pages();

    asked_count = 0;
    ask(LAB2_AT_MANAGED_DEVICE, bytes, 0, n, n > 0 ? 1 : LAB2_MANAGED);
    ask(LAB2_AT_MANAGED_DEVICE, bytes, (int64_t)bytes - PAGE - 1, n, n > 0 ? 1 : LAB2_MANAGED);
    ask(LAB2_AT_DEVICE, bytes, 12, n, n > 0 ? 0 : LAB2_DEVICE);
    ask(LAB2_AT_PINNED, bytes, 12, n, n > 0 ? 1 : LAB2_PINNED);
    ask(LAB2_AT_HEAP, bytes, 12, n, n > 0 ? 1 : LAB2_PLAIN);
}

static void classify_leaves_alone(void)
{
    ask_residents(0);
    judge_leaves_alone("classify", judge_kind);
}

/* Nothing, a byte, a prime, a page and a byte, all of it. */
static void ask_to_read(enum lab2_memory memory, uint64_t bytes, bool may)
{
    const uint64_t sizes[] = {0, 1, PRIME, PAGE + 1, bytes};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const uint64_t n = sizes[i];

        if (n <= bytes)
            ask(memory, bytes, (int64_t)(um_random() % (bytes - n + 1)), n, may || n == 0);
    }
}

static void right_answer(void)
{
    asked_count = 0;
    ask_to_read(LAB2_AT_HEAP, PAGE + some_bytes(), true);
    ask_to_read(LAB2_AT_STACK, LAB2_FIXED_BYTES, true);
    ask_to_read(LAB2_AT_LITERAL, LAB2_FIXED_BYTES, true);
    ask_to_read(LAB2_AT_DEVICE, PAGE + some_bytes(), false);
    ask_to_read(LAB2_AT_PINNED, PAGE + some_bytes(), true);
    ask_to_read(LAB2_AT_MAPPED, PAGE + 1, true);
    ask_to_read(LAB2_AT_REGISTERED, PAGE + some_bytes(), true);
    ask_to_read(LAB2_AT_UNREGISTERED, PAGE + some_bytes(), true);
    ask_to_read(LAB2_AT_MANAGED_HOST, PAGE + some_bytes(), true);
    ask_to_read(LAB2_AT_MANAGED_DEVICE, 20 * PAGE + some_bytes(), true);
    judge_all("host_may_read", judge_reading);
}

/* Where an allocation ends, and after it has been freed. */
static void edges(void)
{
    const uint64_t pages = 2 * some_pages(), more = 1 + um_random() % 100;

    asked_count = 0;
    ask(LAB2_AT_NULL, 0, 0, 0, 1);
    ask(LAB2_AT_NULL, 0, 0, 1, 0);
    ask(LAB2_AT_HEAP, PAGE, 0, UINT64_MAX, 0);
    ask(LAB2_AT_HOLE, pages, 0, pages, 1);
    ask(LAB2_AT_HOLE, pages, (int64_t)(pages - more), more, 1);
    ask(LAB2_AT_HOLE, pages, (int64_t)(pages - more), more + 1, 0);
    ask(LAB2_AT_HOLE, pages, (int64_t)(pages - more), more + PAGE + 1, 0);
    ask(LAB2_AT_DEVICE, pages, (int64_t)pages, 1, 0);
    ask(LAB2_AT_DEVICE_FREED, pages, 0, 1, 0);
    ask(LAB2_AT_DEVICE_FREED, pages, (int64_t)more, PAGE + 1, 0);
    ask(LAB2_AT_PINNED, pages, (int64_t)(pages - more), more, 1);
    ask(LAB2_AT_PINNED, pages, (int64_t)(pages - more), more + 1, 0);
    ask(LAB2_AT_PINNED_FREED, pages, 0, 1, 0);
    ask(LAB2_AT_MANAGED_DEVICE, pages, (int64_t)(pages - more), more, 1);
    ask(LAB2_AT_MANAGED_DEVICE, pages, (int64_t)(pages - more), more + 1, 0);
    ask(LAB2_AT_MANAGED_HOST, pages, 0, pages + PRIME, 0);
    ask(LAB2_AT_MANAGED_FREED, pages, 0, 1, 0);
    judge_all("host_may_read", judge_reading);
}

static void no_touch(void)
{
    ask_residents(PAGE + 1);
    judge_leaves_alone("host_may_read", judge_reading);
}

/* Every call of CUDA fails once. What only CUDA can vouch for is then no; and never yes for what the host
 * cannot read. */
static void careful(void)
{
    struct um_try try;

    asked_count = 0;
    ask(LAB2_AT_DEVICE, some_bytes(), 1, 1, 0);
    ask(LAB2_AT_DEVICE_FREED, some_bytes(), 1, 1, 0);
    ask(LAB2_AT_HEAP, some_bytes(), 1, 1, 1);
    ask(LAB2_AT_MANAGED_DEVICE, some_bytes(), 1, 1, 1);
    try = request_for("host_may_read");
    um_case("one byte in each of four kinds of memory");
    UM_EACH_FAILURE(&try)
    {
        for (size_t i = 0; i < asked_count; i++) {
            const int32_t got = answer_at(&try, i);

            if (!try.fail)
                judge_reading(&asked[i], got);
            if (got == LAB2_NOT_SET_UP || got == 0)
                continue;
            um_case("%s", asked[i].name);
            um_expect(asked[i].answer == 1, "no", "%s", got == 1 ? "yes" : "neither");
        }
        um_case("one byte in each of four kinds of memory");
        expect_error(try.returned, cudaSuccess, "the caller's next cudaGetLastError() returns cudaSuccess");
    }
}

static const struct um_check classify_checks[] = {
    {"right_kind", 2, right_kind, NULL},
    {"beyond", 1, beyond, "right_kind"},
    {"no_answer", 1, no_answer, "right_kind"},
    {"leaves_alone", 1, classify_leaves_alone, "right_kind"},
};
UM_EXERCISE("classify", classify_checks);

static const struct um_check host_may_read_checks[] = {
    {"right_answer", 2, right_answer, NULL},
    {"edges", 1, edges, "right_answer"},
    {"no_touch", 1, no_touch, "right_answer"},
    {"careful", 1, careful, "right_answer"},
};
UM_EXERCISE("host_may_read", host_may_read_checks);
