/**
 * @file expect.c
 * @brief Judgements and calculations that the checks of several labs share.
 */
#include <stdio.h>
#include <stdlib.h>
#include <driver_types.h>

#include "check.h"

uint64_t um_round_up(uint64_t bytes, uint64_t piece)
{
    return (bytes + piece - 1) / piece * piece;
}

void *um_memory(size_t bytes)
{
    void *p = malloc(bytes + 1);

    if (!p)
        abort();
    return p;
}

/* The errors that students meet. The library that knows all of them belongs to the sandboxed call. */
#define NAME(error)                                                                                          \
    {                                                                                                        \
        error, #error                                                                                        \
    }
static const struct {
    cudaError_t number;
    const char *name;
} names[] = {
    NAME(cudaSuccess),
    NAME(cudaErrorInvalidValue),
    NAME(cudaErrorMemoryAllocation),
    NAME(cudaErrorInvalidConfiguration),
    NAME(cudaErrorInvalidMemcpyDirection),
    NAME(cudaErrorInvalidDevice),
    NAME(cudaErrorInvalidResourceHandle),
    NAME(cudaErrorNotReady),
    NAME(cudaErrorIllegalAddress),
    NAME(cudaErrorHostMemoryAlreadyRegistered),
    NAME(cudaErrorHostMemoryNotRegistered),
    NAME(cudaErrorLaunchFailure),
    NAME(cudaErrorNotSupported),
    NAME(cudaErrorUnknown),
};

const char *um_error(int64_t number)
{
    static char text[2][64];
    static int turn;
    const char *name = "error";

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (names[i].number == number)
            name = names[i].name;
    }
    turn = !turn;
    snprintf(text[turn], sizeof text[turn], "%s (%" PRId64 ")", name, number);
    return text[turn];
}

const char *um_ordinal(uint64_t number)
{
    static char text[2][32];
    static int turn;
    static const char *const ends[] = {"th", "st", "nd", "rd"};
    const uint64_t last = number % 10;

    turn = !turn;
    snprintf(text[turn], sizeof text[turn], "%" PRIu64 "%s", number,
             ends[last < 4 && number / 10 % 10 != 1 ? last : 0]);
    return text[turn];
}

/* Which call it was that failed, for the end of a message. */
static const char *by_call(const struct umsim_ledger_failure *failure)
{
    static char text[160];

    if (!failure->name[0])
        return "";
    snprintf(text, sizeof text, "; the %s call of %.47s failed: %s", um_ordinal(failure->number),
             failure->name, um_error(failure->error));
    return text;
}

int64_t um_returned(const struct um_try *try)
{
    return try->returned & 0xffff;
}

void um_expect_error(const struct um_try *try, int64_t error, const char *expected)
{
    const bool is_known = try->did.failed.error == um_returned(try);

    um_expect(um_returned(try) == error, expected, "it returned %s%s", um_error(um_returned(try)),
              is_known ? by_call(&try->did.failed) : "");
}

void um_expect_success(const struct um_try *try)
{
    um_expect(try->returned != UM_NOT_SET_UP, "what the function made can be used",
              "a call of the caller's failed");
    um_expect_error(try, 0, "it returns cudaSuccess");
}

void um_expect_first_error(const struct um_try *try)
{
    um_expect(
        um_returned(try) == try->fail_error, "it returns the first error: that of the call which failed",
        "it returned %s, the call that failed %s", um_error(um_returned(try)), um_error(try->fail_error));
}

void um_expect_no_error_left(const struct um_try *try)
{
    um_expect(try->returned >> 16 == 0,
              "no call fails: the caller's next cudaGetLastError() returns cudaSuccess", "it returns %s",
              um_error(try->returned >> 16));
    um_expect(!try->did.not_released.name[0], "each thing is given back once", "it was not%s",
              by_call(&try->did.not_released));
}

void um_expect_nothing_left(const struct umsim_ledger *did)
{
    static const char *const what[UMSIM_LEDGER_KINDS] = {
        "device allocation", "pinned allocation", "managed allocation", "registration", "stream", "event"};

    um_expect(umsim_ledger_calls(did, "cudaDeviceReset") == 0,
              "each thing is given back by itself: what else is on the device belongs to the caller",
              "cudaDeviceReset was called");
    for (int kind = 0; kind < UMSIM_LEDGER_KINDS; kind++) {
        /* what cudaFreeAsync was asked to free was freed at the end: nobody has to wait for the stream */
        const uint64_t back = did->account[kind].released;

        um_expect(did->account[kind].made == back, "everything is given back",
                  "%" PRIu64 " %s(s) made, %" PRIu64 " given back%s", did->account[kind].made, what[kind],
                  back, by_call(&did->not_released));
    }
}

uint64_t um_waits(const struct umsim_ledger *did)
{
    return umsim_ledger_calls(did, "cudaDeviceSynchronize") +
           umsim_ledger_calls(did, "cudaStreamSynchronize") + umsim_ledger_calls(did, "cudaEventSynchronize");
}

void um_expect_waits(const struct umsim_ledger *did, uint64_t least, uint64_t most)
{
    um_expect(um_waits(did) >= least && um_waits(did) <= most,
              most == 0 ? "no call that only waits" : "one call that waits", "calls that wait: %" PRIu64,
              um_waits(did));
    um_expect(did->queries == 0,
              "no cudaStreamQuery or cudaEventQuery: asking again and again is waiting, too",
              "such calls: %" PRIu64, did->queries);
}

void um_expect_nothing_each(const struct umsim_ledger *few, unsigned few_pieces,
                            const struct umsim_ledger *many, unsigned many_pieces, const char *piece)
{
    static const char *const made[UMSIM_LEDGER_KINDS] = {"device allocations",
                                                         "pinned allocations",
                                                         "managed allocations",
                                                         "registrations",
                                                         "streams",
                                                         "events"};
    char expected[128];
    snprintf(expected, sizeof expected, "as many waits for the whole device with %u %ss as with %u",
             many_pieces, piece, few_pieces);
    um_expect(many->waits_device <= few->waits_device, expected, "%" PRIu64 " with %u, %" PRIu64 " with %u",
              few->waits_device, few_pieces, many->waits_device, many_pieces);
    snprintf(expected, sizeof expected, "nothing is allocated or created for each %s", piece);
    for (int kind = 0; kind < UMSIM_LEDGER_KINDS; kind++)
        um_expect(many->account[kind].made <= few->account[kind].made, expected,
                  "%s: %" PRIu64 " with %u %ss, %" PRIu64 " with %u", made[kind], few->account[kind].made,
                  few_pieces, piece, many->account[kind].made, many_pieces);
}

void um_expect_kernels_touched(const struct um_try *try, uint64_t bytes)
{
    um_expect(try->did.kernel_bytes >= bytes, "kernels go through all of it",
              "they touched %" PRIu64 " bytes, where that takes %" PRIu64, try->did.kernel_bytes, bytes);
}

size_t um_operations(const struct umsim_ledger *did)
{
    return did->operations < UMSIM_LEDGER_OPERATIONS ? did->operations : UMSIM_LEDGER_OPERATIONS;
}

void um_expect_all_operations(const struct umsim_ledger *did)
{
    char most[64];

    snprintf(most, sizeof most, "at most %d operations of the device", UMSIM_LEDGER_OPERATIONS);
    um_expect(did->operations <= UMSIM_LEDGER_OPERATIONS, most, "%" PRIu64, did->operations);
}

double um_engine_us(const struct umsim_ledger *did, enum umsim_engine engine)
{
    uint64_t ns = 0;

    for (size_t i = 0; i < um_operations(did); i++) {
        if (did->operation[i].engine == (uint32_t)engine)
            ns += did->operation[i].end_ns - did->operation[i].start_ns;
    }
    return (double)ns / 1e3;
}

void um_judge_only_computes(struct um_try *try)
{
    UM_EACH_SCHEDULE(try)
    {
        um_expect(!try->did.call[0].name[0], "no call of CUDA", "%s was called", try->did.call[0].name);
    }
}

void um_judge_gives_back(struct um_try *try)
{
    UM_EACH_SCHEDULE(try)
    {
        um_expect_nothing_left(&try->did);
        um_expect_no_error_left(try);
    }
    try->schedule = NULL;
}

void um_judge_errors(struct um_try *try, bool is_callers(const char *fail),
                     void right(const struct um_try *try), void also(const struct um_try *try))
{
    UM_EACH_FAILURE(try)
    {
        if (try->fail && is_callers && is_callers(try->fail))
            continue;
        if (!try->fail)
            right(try);
        um_expect_first_error(try);
        um_expect_nothing_left(&try->did);
        if (also && try->fail)
            also(try);
    }
}

void um_judge_errors_or_right(struct um_try *try, bool is_callers(const char *fail),
                              void right(const struct um_try *try), void also(const struct um_try *try))
{
    UM_EACH_FAILURE(try)
    {
        if (try->fail && is_callers && is_callers(try->fail))
            continue;
        um_expect_nothing_left(&try->did);
        if (!try->fail) {
            right(try);
            continue;
        }
        if (um_returned(try) != cudaSuccess) {
            um_expect_first_error(try);
            if (also)
                also(try);
            continue;
        }
        UM_EACH_SCHEDULE(try)
        {
            right(try);
            um_expect_nothing_left(&try->did);
        }
        try->schedule = NULL;
    }
}

void um_random_ints(int *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        values[i] = (int)(um_random() % 2000001);
    }
}
