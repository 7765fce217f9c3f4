/**
 * @file checks.c
 * @brief Lab 6: the checks of prepare(), pattern by pattern.
 *
 * calls.c plays a pattern; the ledger holds what it cost. grade/check.h says how checks are written.
 */
#include <stdbool.h>
#include <string.h>
#include <driver_types.h>

#include "calls.h"
#include "../exercise.h"
#include "grade/check.h"

/** One play of a pattern. */
struct play {
    uint64_t bytes, pages; /**< pages: in bytes, whole ones */
    enum lab6_pattern pattern;
    int seed;
    struct um_try try;
};

static const char *const names[LAB6_PATTERNS] = {"LAB6_GPU_WORKS", "LAB6_GPU_FILLS", "LAB6_BOTH_READ",
                                                 "LAB6_GPU_LOOKS", "LAB6_NEW_INPUT", "LAB6_HOST_ONLY"};

static struct play play_make(enum lab6_pattern pattern, uint64_t bytes)
{
    struct play play = {.bytes = bytes,
                        .pages = um_round_up(bytes, UM_PAGE),
                        .pattern = pattern,
                        .seed = (int)(um_random() % 100)};

    play.try = (struct um_try){.function = "pattern",
                               .number = {(int64_t)bytes, pattern, play.seed, true, true},
                               .out_bytes = sizeof(struct lab6_result)};
    um_case("%s, %" PRIu64 " bytes", names[pattern], bytes);
    return play;
}

static struct lab6_result result_of(const struct um_try *try)
{
    struct lab6_result result;

    memcpy(&result, try->out, sizeof result);
    return result;
}

/* ---- what the sums have to be ---- */

/** The values that the array's floats have, one after another, over and over. */
struct values {
    float of[LAB6_VALUES];
};

static struct values written(const struct play *play, int round)
{
    struct values values;

    for (int i = 0; i < LAB6_VALUES; i++) {
        values.of[i] = (float)(play->seed + round + i);
    }
    return values;
}

/* What all rounds of LAB6_GPU_WORKS leave of them. */
static struct values changed(const struct play *play, struct values values)
{
    for (int i = 0; i < LAB6_VALUES * LAB6_ROUNDS; i++) {
        float *x = &values.of[i % LAB6_VALUES];

        *x = um_stored_float(&play->try.key, um_read_float(&play->try.key, *x) + 1);
    }
    return values;
}

/* What the GPU finds that reads each twice. */
static struct values found(const struct play *play, struct values values)
{
    for (int i = 0; i < LAB6_VALUES; i++) {
        const float x = um_read_float(&play->try.key, values.of[i]);

        values.of[i] = um_stored_float(&play->try.key, x + x);
    }
    return values;
}

/* Adds up the array in calls.c's order: what kernels have stored has many bits. */
static void add_array(double *sum, const struct play *play, const struct values *values)
{
    for (uint64_t i = 0; i < play->bytes / sizeof(float); i++) {
        *sum += values->of[i % LAB6_VALUES];
    }
}

static void add_looks(double *sum, const struct play *play, const struct values *values)
{
    for (uint64_t at = LAB6_LOOK_AT; at < play->bytes; at += LAB6_LOOK_STRIDE) {
        unsigned char byte[sizeof(float)];

        memcpy(byte, &values->of[at / sizeof(float) % LAB6_VALUES], sizeof byte);
        *sum += um_stored_byte(&play->try.key, byte[at % sizeof byte]);
    }
}

static void add_round(struct lab6_result *result, const struct play *play, int round)
{
    const bool is_new = play->pattern == LAB6_GPU_LOOKS || play->pattern == LAB6_NEW_INPUT;
    const struct values seen = written(play, is_new ? round : 0), twice = found(play, seen);
    const struct values old = written(play, round > 0 ? round - 1 : 0);

    switch (play->pattern) {
    case LAB6_BOTH_READ:
        add_array(&result->gpu_sum, play, &twice);
        add_array(&result->host_sum, play, &seen);
        break;
    case LAB6_GPU_LOOKS:
        add_looks(&result->gpu_sum, play, &seen);
        break;
    case LAB6_NEW_INPUT:
        add_array(&result->gpu_sum, play, &twice);
        break;
    case LAB6_HOST_ONLY:
        add_array(&result->host_sum, play, &old);
        break;
    default:
        break;
    }
}

static struct lab6_result expected_of(const struct play *play)
{
    struct lab6_result result = {0, 0, 0};
    struct values values = written(play, 0);

    for (int round = 0; round < LAB6_ROUNDS; round++) {
        add_round(&result, play, round);
    }
    if (play->pattern == LAB6_GPU_FILLS) {
        for (int i = 0; i < LAB6_VALUES; i++)
            values.of[i] = (float)play->seed;
    }
    values = changed(play, values);
    if (play->pattern == LAB6_GPU_WORKS || play->pattern == LAB6_GPU_FILLS)
        add_array(&result.host_sum, play, &values);
    return result;
}

static void expect_right(const struct play *play)
{
    const struct lab6_result got = result_of(&play->try), right = expected_of(play);

    um_expect((got.prepared & 0xffff) == cudaSuccess, "prepare() returns cudaSuccess", "it returned %s",
              um_error(got.prepared & 0xffff));
    um_expect(got.prepared >> 16 == 0, "prepare() leaves no error for the caller's next cudaGetLastError()",
              "it left %s", um_error(got.prepared >> 16));
    um_expect(play->try.returned == cudaSuccess, "the pattern goes as it would without hints",
              "a call of it returned %s", um_error(play->try.returned));
    um_expect(got.host_sum == right.host_sum && got.gpu_sum == right.gpu_sum,
              "hints change no data: both sides find the sums that they should",
              "the host's sum is %.0f instead of %.0f, the GPU's %.0f instead of %.0f", got.host_sum,
              right.host_sum, got.gpu_sum, right.gpu_sum);
}

/* ---- budgets ---- */

/**
 * The most that a pattern may take. The GPU may take no fault, and nothing may be evicted. Bytes of pages,
 * faults, 4 KiB pages.
 */
struct budget {
    uint64_t to_gpu, to_host, cpu_faults, duplicates;
    bool in_reach; /**< pages may be left with the host, for the GPU to reach over the bus */
};

static void expect_within(const struct umsim_counters *c, const struct budget *most)
{
    um_expect(c->evictions == 0, "nothing is evicted", "%" PRIu64 " blocks of 2 MiB were", c->evictions);
    um_expect(c->bytes_migrated_htod <= most->to_gpu,
              most->to_gpu == 0 ? "no page goes to the GPU" : "each page goes to the GPU at most once",
              "%" PRIu64 " bytes went there", c->bytes_migrated_htod);
    um_expect(c->bytes_migrated_dtoh <= most->to_host,
              most->to_host == 0 ? "no page comes to the host" : "each page comes to the host at most once",
              "%" PRIu64 " bytes came", c->bytes_migrated_dtoh);
    um_expect(c->cpu_page_faults <= most->cpu_faults,
              most->cpu_faults == 0 ? "the host takes no fault"
                                    : "the host takes the faults of one walk at most",
              "%" PRIu64 " faults", c->cpu_page_faults);
    um_expect(most->in_reach || c->remote_maps == 0,
              "the GPU works in its own memory: over the bus every round would cross it again",
              "%" PRIu64 " pages were mapped for it where they are, with the host", c->remote_maps);
    um_expect(c->gpu_fault_groups == 0, "the GPU takes no fault", "%" PRIu64 " groups of faults",
              c->gpu_fault_groups);
    um_expect(c->read_duplicates <= most->duplicates,
              most->duplicates == 0 ? "no page is duplicated" : "each page is duplicated at most once",
              "%" PRIu64 " pages were duplicated", c->read_duplicates);
}

static uint64_t faults_of_a_walk(const struct play *play)
{
    return um_round_up(play->bytes, UM_BLOCK) / UM_BLOCK * UM_FAULTS_OF_A_BLOCK;
}

static struct budget budget_of(const struct play *play)
{
    switch (play->pattern) {
    case LAB6_GPU_WORKS:
        return (struct budget){
            .to_gpu = play->pages, .to_host = play->pages, .cpu_faults = faults_of_a_walk(play)};
    case LAB6_GPU_FILLS:
        return (struct budget){.to_host = play->pages, .cpu_faults = faults_of_a_walk(play)};
    case LAB6_BOTH_READ:
        return (struct budget){.to_gpu = play->pages, .duplicates = play->pages / UM_PAGE};
    case LAB6_HOST_ONLY:
        return (struct budget){0};
    default:
        return (struct budget){.in_reach = true};
    }
}

/* ---- playing ---- */

/* What is in the ledger before prepare() is called: the host's first writes. */
static struct umsim_counters before(const struct play *play)
{
    struct um_try try = play->try;

    try.number[3] = try.number[4] = false;
    try.schedule = NULL;
    return um_call(&try) ? try.did.counters : (struct umsim_counters){0};
}

/* Plays a pattern under every schedule, against its budget. */
static void judge(enum lab6_pattern pattern, uint64_t bytes)
{
    struct play play = play_make(pattern, bytes);
    const struct umsim_counters first = before(&play);
    const struct budget most = budget_of(&play);

    UM_EACH_SCHEDULE(&play.try)
    {
        play.try.did.counters.cpu_page_faults -= first.cpu_page_faults;
        expect_right(&play);
        expect_within(&play.try.did.counters, &most);
    }
}

/** A whole block, and a cut one. */
static uint64_t some_bytes(void)
{
    return UM_BLOCK + UM_PAGE + 1 + um_random() % UM_BLOCK;
}

static void gpu_works(void)
{
    judge(LAB6_GPU_WORKS, some_bytes());
    judge(LAB6_GPU_WORKS, UM_BLOCK);
    judge(LAB6_GPU_WORKS, sizeof(float));
    judge(LAB6_GPU_WORKS, 521 * UM_PAGE);
}

static void gpu_fills(void)
{
    judge(LAB6_GPU_FILLS, some_bytes());
}

static void both_read(void)
{
    judge(LAB6_BOTH_READ, some_bytes());
    judge(LAB6_BOTH_READ, UM_BLOCK + UM_PAGE);
}

static void gpu_looks(void)
{
    judge(LAB6_GPU_LOOKS, some_bytes());
    judge(LAB6_GPU_LOOKS, UM_BLOCK + UM_PAGE + 1);
}

static void new_input(void)
{
    judge(LAB6_NEW_INPUT, some_bytes());
    judge(LAB6_NEW_INPUT, UM_BLOCK + UM_PAGE + 1);
}

static void host_only(void)
{
    struct play play = play_make(LAB6_HOST_ONLY, some_bytes());

    judge(LAB6_HOST_ONLY, play.bytes);
    play.try.number[4] = false;
    UM_EACH_SCHEDULE(&play.try)
    {
        um_expect(umsim_ledger_calls(&play.try.did, "cudaMemPrefetchAsync") == 0, "no prefetches",
                  "cudaMemPrefetchAsync was called");
    }
}

/* An array larger than the device of the profile `tiny`. */
static void too_large(void)
{
    struct play play = play_make(LAB6_GPU_WORKS, ((uint64_t)66 << 20) + um_random() % UM_BLOCK);
    struct budget most = budget_of(&play);
    struct umsim_counters first;

    um_case("%s, %" PRIu64 " bytes, profile tiny with 64 MiB", names[play.pattern], play.bytes);
    play.try.profile = "tiny";
    most.in_reach = true;
    first = before(&play);
    if (um_has_failed() || !um_call(&play.try))
        return;
    play.try.did.counters.cpu_page_faults -= first.cpu_page_faults;
    expect_right(&play);
    expect_within(&play.try.did.counters, &most);
}

/* Where the driver takes no hints, and where there is no memory to hint at. */
static void no_hints(void)
{
    for (int pattern = 0; pattern < LAB6_PATTERNS && !um_has_failed(); pattern++) {
        struct play play = play_make((enum lab6_pattern)pattern, 5003);
        struct um_try nothing = {.function = "nothing", .number = {pattern}};

        um_case("%s, profile limited", names[pattern]);
        play.try.profile = "limited";
        UM_EACH_SCHEDULE(&play.try)
        {
            expect_right(&play);
        }
        um_case("%s, 0 bytes", names[pattern]);
        UM_EACH_SCHEDULE(&nothing)
        {
            um_expect(nothing.returned == cudaSuccess, "0 bytes: there is nothing to do, and that succeeds",
                      "it returned %s", um_error(nothing.returned));
        }
    }
}

/* What prepare() does beside hints. */
static void only_hints(void)
{
    for (int pattern = 0; pattern < LAB6_PATTERNS && !um_has_failed(); pattern++) {
        struct play play = play_make((enum lab6_pattern)pattern, some_bytes());
        struct umsim_ledger alone;

        play.try.number[3] = play.try.number[4] = false;
        if (!um_call(&play.try))
            return;
        alone = play.try.did;
        play.try.number[3] = true;
        UM_EACH_SCHEDULE(&play.try)
        {
            const struct umsim_ledger *did = &play.try.did;

            um_expect(did->waits_device + did->waits_stream + did->queries ==
                          alone.waits_device + alone.waits_stream + alone.queries,
                      "no wait: the caller's kernels come behind a prefetch in its stream",
                      "%" PRIu64 " waits and queries", did->waits_device + did->waits_stream + did->queries);
            um_expect(did->counters.memcpy_calls + did->counters.launches == 0 &&
                          umsim_ledger_calls(did, "cudaMemset") + umsim_ledger_calls(did, "cudaMemsetAsync") +
                                  umsim_ledger_calls(did, "cudaLaunchKernel") ==
                              0,
                      "no copies and no kernels", "there were some");
            um_expect(did->counters.cpu_page_faults == alone.counters.cpu_page_faults, "nothing is touched",
                      "%" PRIu64 " faults of the host",
                      did->counters.cpu_page_faults - alone.counters.cpu_page_faults);
            for (int kind = 0; kind < UMSIM_LEDGER_KINDS; kind++) {
                um_expect(did->account[kind].made == alone.account[kind].made, "nothing is allocated or made",
                          "%" PRId64 " things were",
                          um_more(did->account[kind].made, alone.account[kind].made));
            }
        }
    }
}

static uint64_t hints(const struct umsim_ledger *did)
{
    return umsim_ledger_calls(did, "cudaMemAdvise") + umsim_ledger_calls(did, "cudaMemPrefetchAsync");
}

/* Calls of calls.c may fail, too: then prepare() was not called. */
static void errors(void)
{
    for (int pattern = 0; pattern < LAB6_PATTERNS && !um_has_failed(); pattern++) {
        struct play play = play_make((enum lab6_pattern)pattern, (5 + um_random() % 11) * UM_PAGE);
        uint64_t given;

        if (!um_call(&play.try))
            return;
        expect_right(&play);
        given = hints(&play.try.did);
        play.try.number[4] = false;
        UM_EACH_FAILURE(&play.try)
        {
            const int64_t returned = result_of(&play.try).prepared & 0xffff;

            if (!play.try.fail)
                um_expect(hints(&play.try.did) == given, "the same hints each time",
                          "%" PRIu64 " instead of %" PRIu64, hints(&play.try.did), given);
            if (play.try.fail && (strstr(play.try.fail, "Alloc") || strstr(play.try.fail, "alloc")))
                continue;
            um_expect(returned == play.try.fail_error, "prepare() returns the first error",
                      "it returned %s, the call that failed %s", um_error(returned),
                      um_error(play.try.fail_error));
        }
    }
}

static const struct um_check prepare_checks[] = {
    {"gpu_works", 2, gpu_works, NULL},          {"gpu_fills", 1, gpu_fills, "gpu_works"},
    {"both_read", 2, both_read, "gpu_works"},   {"gpu_looks", 2, gpu_looks, "gpu_works"},
    {"new_input", 2, new_input, "gpu_works"},   {"host_only", 1, host_only, "gpu_works"},
    {"too_large", 2, too_large, "gpu_works"},   {"no_hints", 1, no_hints, "gpu_works"},
    {"only_hints", 1, only_hints, "gpu_works"}, {"errors", 1, errors, "gpu_works"},
};
UM_EXERCISE("prepare", prepare_checks);
