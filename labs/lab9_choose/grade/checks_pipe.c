/**
 * @file checks_pipe.c
 * @brief Lab 9: the checks of pipelined_copy().
 *
 * calls.c makes one copy: to the device, whose memory it then reads back, or from the device, behind a
 * kernel that marks the memory. The checks know its own copies and allocations, and subtract them.
 * grade/check.h says how checks are written.
 */
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "../exercise.h"
#include "grade/check.h"
#include "umsim_price.h"

/** One copy. */
struct copy {
    size_t bytes, chunk, small;
    int buffers;
    bool up; /**< to the device */
    unsigned char *in;
    struct um_try try;
};

static struct copy copy_make(size_t bytes, bool up, int buffers, size_t chunk, size_t small)
{
    struct copy copy = {.bytes = bytes, .chunk = chunk, .small = small, .buffers = buffers, .up = up};

    copy.in = um_memory(bytes);
    for (size_t i = 0; i < bytes; i++) {
        copy.in[i] = (unsigned char)(um_random() >> 40);
    }
    copy.try = (struct um_try){
        .function = "pipelined_copy",
        .number = {(int64_t)bytes, up, buffers, (int64_t)chunk, (int64_t)small, (int64_t)(um_random() % 64)},
        .in = copy.in,
        .in_bytes = bytes,
        .out_bytes = bytes + 2 * LAB9_GUARD};
    um_case("%zu bytes %s, %d buffer%s of %zu, small below %zu", bytes, up ? "to the device" : "to the host",
            buffers, buffers > 1 ? "s" : "", chunk, small);
    return copy;
}

static size_t chunks_of(const struct copy *copy)
{
    return (copy->bytes + copy->chunk - 1) / copy->chunk;
}

static unsigned char plain_byte(const struct copy *copy, size_t i)
{
    return !copy->up && i % LAB9_MARK_EVERY == 0 ? LAB9_MARK : copy->in[i];
}

/* Whatever else a check judges: wrong work is not cheap work. A byte that host_copy() has moved is mixed with
 * its place; one that cudaMemcpy() alone has moved is not. */
static void expect_right(const struct copy *copy)
{
    const unsigned char *guard = copy->try.out, *seen = guard + LAB9_GUARD;
    const unsigned char *behind = seen + copy->bytes;

    um_expect_success(&copy->try);
    for (size_t i = 0; i < copy->bytes && !um_has_failed(); i++) {
        const unsigned char right = plain_byte(copy, i);

        if (seen[i] != right && seen[i] != um_copied_byte(&copy->try.key, i, right))
            um_expect(
                false, "every byte arrives, behind what was queued before",
                "byte %zu is 0x%02x instead of 0x%02x%s", i, seen[i], right,
                !copy->up && i % LAB9_MARK_EVERY == 0 && seen[i] == copy->in[i]
                    ? ", which a kernel in the legacy stream had written"
                : copy->up && seen[i] == 0xa5
                    ? ", as before; either no copy came there, or a cudaMemset that was queued in the legacy "
                      "stream before ran behind it"
                    : "");
    }
    for (size_t i = 0; i < LAB9_GUARD && !um_has_failed(); i++) {
        um_expect(guard[i] == 0xa5 && behind[i] == 0xa5,
                  "nothing in front of `to` changes, nor behind its last byte", "byte %zu %s was written",
                  i + 1, guard[i] == 0xa5 ? "behind the last one" : "of those in front");
    }
}

/* Each byte has gone through host_copy() on its way: what it copied beside that does not count. */
static void expect_host_copied(const struct copy *copy)
{
    const unsigned char *seen = copy->try.out + LAB9_GUARD;

    um_expect(copy->try.did.host_copied_bytes == copy->bytes, "the host copies each byte once, by host_copy",
              "%" PRIu64 " bytes in %" PRIu64 " calls", copy->try.did.host_copied_bytes,
              copy->try.did.host_copies);
    for (size_t i = 0; i < copy->bytes && !um_has_failed(); i++) {
        um_expect(seen[i] == um_copied_byte(&copy->try.key, i, plain_byte(copy, i)),
                  "what arrives is what host_copy has copied", "byte %zu came by another way", i);
    }
}

static void judge_data(size_t bytes, bool up, int buffers, size_t chunk)
{
    struct copy copy = copy_make(bytes, up, buffers, chunk, 1);

    UM_EACH_SCHEDULE(&copy.try)
    {
        expect_right(&copy);
    }
    free(copy.in);
}

static void judge_refusal(int64_t kind, int64_t buffers, int64_t chunk, cudaError_t error,
                          const char *expected)
{
    struct um_try try = {.function = "refused", .number = {kind, buffers, chunk}};

    um_case("kind %d, %d buffers of %d", (int)kind, (int)buffers, (int)chunk);
    if (um_has_failed() || !um_call(&try))
        return;
    um_expect_error(&try, error, expected);
    um_expect(try.did.counters.memcpy_calls + try.did.account[UMSIM_LEDGER_PINNED].made == 0,
              "nothing is asked of the device", "something was");
}

/* calls.c's own memory is device memory; all other memory is the copy's. */
static void expect_nothing_made(const struct copy *copy)
{
    const struct umsim_ledger_account *account = copy->try.did.account;

    um_expect(account[UMSIM_LEDGER_PINNED].made + account[UMSIM_LEDGER_REGISTERED].made == 0,
              "no pinned and no registered memory", "%" PRIu64 " allocations",
              account[UMSIM_LEDGER_PINNED].made + account[UMSIM_LEDGER_REGISTERED].made);
    um_expect(account[UMSIM_LEDGER_STREAM].made + account[UMSIM_LEDGER_EVENT].made == 0,
              "no streams and no events", "%" PRIu64,
              account[UMSIM_LEDGER_STREAM].made + account[UMSIM_LEDGER_EVENT].made);
}

static void right_data(void)
{
    const size_t chunk = 1000 + um_random() % 3000, odd = um_random() % chunk;

    judge_data(7 * chunk + odd, true, 1, chunk);
    judge_data(7 * chunk + odd, false, 1, chunk);
    judge_data(11 * chunk + 1, true, 3, chunk);
    judge_data(11 * chunk - 1, false, 3, chunk);
    judge_data(2 * chunk, false, LAB9_BUFFERS_MAX, chunk);
    judge_data(1, true, 2, chunk);
    judge_data(40, false, 4, 1);
    judge_refusal(cudaMemcpyDeviceToDevice, 1, 4096, cudaErrorInvalidMemcpyDirection,
                  "device to device is cudaErrorInvalidMemcpyDirection (21)");
    judge_refusal(cudaMemcpyHostToDevice, 0, 4096, cudaErrorInvalidValue,
                  "0 buffers are cudaErrorInvalidValue (1)");
    judge_refusal(cudaMemcpyHostToDevice, LAB9_BUFFERS_MAX + 1, 4096, cudaErrorInvalidValue,
                  "more than LAB9_BUFFERS_MAX buffers are cudaErrorInvalidValue (1)");
    judge_refusal(cudaMemcpyDeviceToHost, 1, 0, cudaErrorInvalidValue,
                  "chunk = 0 is cudaErrorInvalidValue (1)");
}

/* calls.c sends `in` to the device, or reads all of its memory back. */
static void expect_engine(const struct copy *copy, uint64_t copies)
{
    const struct umsim_counters *c = &copy->try.did.counters;
    const uint64_t own_up = copy->up ? 0 : copy->bytes,
                   own_down = copy->up ? copy->bytes + 2 * LAB9_GUARD : 0;
    const uint64_t own = copy->up || copy->bytes > 0; /* copies */
    const uint64_t up = c->memcpy_htod_bytes - own_up, down = c->memcpy_dtoh_bytes - own_down;

    um_expect(up == (copy->up ? copy->bytes : 0) && down == (copy->up ? 0 : copy->bytes),
              "the engine of its direction moves each byte once, the other none",
              "%" PRId64 " bytes to the device, %" PRId64 " to the host", um_more(up, 0), um_more(down, 0));
    um_expect(c->memcpy_calls == copies + own, "a copy for each chunk",
              "%" PRId64 " copies, where %" PRIu64 " are right", um_more(c->memcpy_calls, own), copies);
}

static void exact_bytes(void)
{
    for (int up = 0; up < 2; up++) {
        struct copy copy = copy_make(9 * 3000 - 7, up, 1 + 2 * up, 3000, 1);

        UM_EACH_SCHEDULE(&copy.try)
        {
            expect_right(&copy);
            expect_engine(&copy, chunks_of(&copy));
            expect_host_copied(&copy);
        }
        free(copy.in);
    }
}

static void judge_small(size_t bytes, bool up)
{
    struct copy copy = copy_make(bytes, up, 2, 1000, 20000);

    UM_EACH_SCHEDULE(&copy.try)
    {
        expect_right(&copy);
        expect_nothing_made(&copy);
        expect_engine(&copy, bytes > 0);
        um_expect(copy.try.did.host_copies == 0, "cudaMemcpy alone: host_copy is not called",
                  "%" PRIu64 " calls", copy.try.did.host_copies);
    }
    free(copy.in);
}

static void small_copies(void)
{
    struct copy copy = copy_make(20000, true, 1, 10000, 20000);

    judge_small(19999, true);
    judge_small(19999, false);
    judge_small(0, true);
    judge_small(0, false);
    um_case("20000 bytes, small below 20000");
    if (!um_has_failed() && um_call(&copy.try))
        um_expect(copy.try.did.account[UMSIM_LEDGER_PINNED].made +
                          copy.try.did.account[UMSIM_LEDGER_REGISTERED].made >
                      0,
                  "what is not below `small` goes through the buffers", "no memory was pinned or registered");
    free(copy.in);
}

static void budget(void)
{
    for (int up = 0; up < 2; up++) {
        struct copy copy = copy_make(40 * 5000, up, 2, 5000, 1);
        const uint64_t most = (uint64_t)copy.buffers * copy.chunk;

        UM_EACH_SCHEDULE(&copy.try)
        {
            const struct umsim_ledger_account *account = copy.try.did.account;
            const uint64_t pinned =
                account[UMSIM_LEDGER_PINNED].bytes_peak + account[UMSIM_LEDGER_REGISTERED].bytes_peak;

            expect_right(&copy);
            um_expect(pinned <= most, "2 buffers of 5000: at most 10000 bytes pinned or registered",
                      "%" PRIu64 " bytes", pinned);
            um_expect(account[UMSIM_LEDGER_DEVICE].made == 1 && account[UMSIM_LEDGER_MANAGED].made == 0,
                      "no device and no managed memory", "%" PRIu64 " and %" PRIu64 " allocations",
                      account[UMSIM_LEDGER_DEVICE].made - 1, account[UMSIM_LEDGER_MANAGED].made);
        }
        free(copy.in);
    }
}

/* Work that is done once is allowed; work that is done for each chunk shows in the difference. */
static void no_device_wait(void)
{
    for (int up = 0; up < 2; up++) {
        struct copy few = copy_make(6 * 1000, up, 2, 1000, 1), many = copy_make(24 * 1000, up, 2, 1000, 1);

        um_case("6 chunks, and 24 chunks, %s", up ? "to the device" : "to the host");
        UM_EACH_SCHEDULE(&few.try)
        {
            const struct umsim_ledger before = few.try.did;

            expect_right(&few);
            many.try.schedule = few.try.schedule;
            if (!um_call(&many.try))
                break;
            expect_right(&many);
            um_expect_nothing_each(&before, 6, &many.try.did, 24, "chunk");
        }
        free(few.in);
        free(many.in);
    }
}

/* From the first to the last chunk's way through the engine, microseconds. calls.c's own copy is the one that
 * is larger. */
static double span_us(const struct copy *copy)
{
    const struct umsim_ledger *did = &copy->try.did;
    const enum umsim_engine engine = copy->up ? UMSIM_ENGINE_COPY_HTOD : UMSIM_ENGINE_COPY_DTOH;
    uint64_t first = UINT64_MAX, last = 0;

    for (size_t i = 0; i < um_operations(did); i++) {
        const struct umsim_ledger_operation *op = &did->operation[i];

        if (op->engine != (uint32_t)engine || op->bytes > copy->chunk || op->bytes == 0)
            continue;
        first = op->start_ns < first ? op->start_ns : first;
        last = op->end_ns > last ? op->end_ns : last;
    }
    return last > first ? (double)(last - first) / 1e3 : 0;
}

enum { LONG_CHUNK = 256 << 10, LONG_CHUNKS = 10 };

static void overlap(void)
{
    for (int up = 0; up < 2; up++) {
        struct copy copy = copy_make(LONG_CHUNKS * (size_t)LONG_CHUNK - 5, up, 2 + 2 * up, LONG_CHUNK, 1);
        const double host_us =
            (double)umsim_price_host_copy_ns(um_profile(), copy.bytes) / 1e3; /* of all chunks */

        UM_EACH_SCHEDULE(&copy.try)
        {
            expect_right(&copy);
            expect_host_copied(&copy);
            expect_engine(&copy, chunks_of(&copy));
            um_expect_all_operations(&copy.try.did);
            um_expect(span_us(&copy) <= 1.2 * host_us,
                      "the engine works while the host copies: all takes little more than the host's part",
                      "%.1f us, of which the host copies for %.1f us", span_us(&copy), host_us);
        }
        free(copy.in);
    }
}

static void gives_back(void)
{
    for (int up = 0; up < 2; up++) {
        struct copy copy = copy_make(7 * 300 + 1, up, 2, 300, 1);

        UM_EACH_SCHEDULE(&copy.try)
        {
            expect_right(&copy);
            um_expect_nothing_left(&copy.try.did);
            um_expect_no_error_left(&copy.try);
        }
        free(copy.in);
    }
}

/* Calls that are calls.c's own, but for a small copy's. */
static bool is_callers(const char *fail)
{
    static const char *const own[] = {"cudaMalloc:", "cudaMemset:", "cudaMemcpy:", "cudaLaunchKernel:"};

    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        if (strncmp(fail, own[i], strlen(own[i])) == 0)
            return true;
    }
    return false;
}

static void right_in_spite_of_it(const struct um_try *try)
{
    expect_right((const struct copy *)(const void *)((const char *)try - offsetof(struct copy, try)));
}

static void errors(void)
{
    struct copy small = copy_make(1000, true, 1, 500, 2000);

    for (int up = 0; up < 2; up++) {
        struct copy copy = copy_make(5 * 200 - 1, up, 1 + up, 200, 1);

        um_judge_errors_or_right(&copy.try, is_callers, right_in_spite_of_it, NULL);
        free(copy.in);
    }
    um_case("1000 bytes to the device, small below 2000");
    UM_EACH_FAILURE(&small.try)
    {
        if (!small.try.fail)
            expect_right(&small);
        else if (strcmp(small.try.fail, "cudaMemcpy:1") == 0)
            um_expect_first_error(&small.try);
    }
    free(small.in);
}

static const struct um_check pipelined_copy_checks[] = {
    {"right_data", 3, right_data, NULL},
    {"exact_bytes", 1, exact_bytes, "right_data"},
    {"small_copies", 1, small_copies, "right_data"},
    {"budget", 2, budget, "right_data"},
    {"no_device_wait", 1, no_device_wait, "right_data"},
    {"overlap", 2, overlap, "exact_bytes"},
    {"gives_back", 1, gives_back, "right_data"},
    {"errors", 1, errors, "right_data"},
};
UM_EXERCISE("pipelined_copy", pipelined_copy_checks);
