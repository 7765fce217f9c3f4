/**
 * @file checks_predict.c
 * @brief Lab 5: the checks of predict_faults().
 *
 * grade/check.h says how checks are written.
 */
#include <stdio.h>
#include <string.h>

#include "calls.h"
#include "grade/check.h"

/* The first call of CUDA that a prediction has made: who predicts by trial does so where answers are judged.
 */
static char made[sizeof((struct umsim_ledger_call *)0)->name];

static void note_calls(const struct umsim_ledger *did)
{
    if (!made[0])
        memcpy(made, did->call[0].name, sizeof made);
}

/* Predictions under every schedule; then the same walks are done, and the ledger has their faults. */
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
        note_calls(&ask.did);
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
        {UM_BLOCK, 0, 4, 0},
        {3 * UM_BLOCK, 0, 64, 1},
        {2 * UM_BLOCK, 0, UM_PAGE, 0},
        {UM_BLOCK * (1 + um_random() % 6), 0, 512, um_random() % 2},
        {UM_BLOCK * (1 + um_random() % 6), um_random() % UM_PAGE, 1 + um_random() % UM_PAGE, um_random() % 2},
    };

    uint64_t right[sizeof walks / sizeof *walks];

    for (size_t i = 0; i < sizeof walks / sizeof *walks; i++) {
        right[i] = walks[i].bytes / UM_BLOCK * UM_FAULTS_OF_A_BLOCK;
    }
    judge_walks(walks, right, sizeof walks / sizeof *walks);
}

// BEGIN HIDDEN
enum { WALKS = 24 };

/** One block: which of its pages of 4 KiB are the host's. */
struct block {
    bool there[UM_BLOCK / UM_PAGE];
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
    const size_t big = UM_BIG_PAGE / UM_PAGE;
    size_t from = page / big * big, to = from + big;

    if (block->there[page])
        return 0;
    bring(block, from, to);
    for (size_t size = 2 * big; size <= UM_BLOCK / UM_PAGE; size *= 2) {
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
    const uint64_t pages = (walk->bytes + UM_PAGE - 1) / UM_PAGE;
    struct block block = {.pages = 0};
    uint64_t faults = 0, current = UINT64_MAX, at = walk->first;

    if (at >= walk->bytes)
        return 0;
    do {
        if (at / UM_BLOCK != current) {
            const uint64_t left = pages - at / UM_BLOCK * (UM_BLOCK / UM_PAGE);

            current = at / UM_BLOCK;
            block = (struct block){
                .pages = left < UM_BLOCK / UM_PAGE && walk->bytes >= UM_BLOCK ? left : UM_BLOCK / UM_PAGE};
        }
        faults += touch(&block, at % UM_BLOCK / UM_PAGE);
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
        {4 * UM_BLOCK, 0, UM_BLOCK, 0},
        {2 * UM_BLOCK, 0, 2 * UM_BIG_PAGE, 1},
        {2 * UM_BLOCK, 0, 3 * UM_BIG_PAGE / 2, 0},
        {UM_BLOCK, 0, UM_BLOCK, 1},
        {UM_BLOCK, UM_BLOCK - 1, 1, 0},
        {3 * UM_BLOCK, UM_BLOCK / 2, UM_BIG_PAGE, 0},
        {2 * UM_BLOCK, UM_BLOCK, UM_PAGE, 1},
        {4 * UM_BLOCK, 5 * UM_BIG_PAGE, 4099, 0},
    };

    for (size_t i = 8; i < WALKS; i++) {
        walks[i] = (struct lab5_walk){UM_BLOCK * (1 + um_random() % 4), um_random() % (2 * UM_BLOCK),
                                      1 + um_random() % (i % 2 == 0 ? 4 * UM_BIG_PAGE : UM_BIG_PAGE),
                                      um_random() % 2};
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
        {UM_PAGE + 1, 0, 4, 0},
        {UM_BIG_PAGE + 1, 0, 1, 1},
        {UM_BLOCK - 1, 0, UM_PAGE, 0},
        {UM_BLOCK + 1, 0, 1, 0},
        {UM_BLOCK + UM_PAGE + 1, UM_BLOCK, 4, 1},
        {3 * UM_BLOCK / 2, 0, 4, 0},
        {7900 << 10, 0, 64, 1},
        {2 * UM_BLOCK + 17 * UM_BIG_PAGE, 2 * UM_BLOCK, 2 * UM_BIG_PAGE, 0},
        {2 * UM_BLOCK + 100, 0, SIZE_MAX, 0},
        {2 * UM_BLOCK + 100, 2 * UM_BLOCK + 99, SIZE_MAX / 2, 1},
        {2 * UM_BLOCK + 100, 2 * UM_BLOCK + 99, SIZE_MAX, 1},
        {UM_BLOCK, SIZE_MAX - 5, 4, 0},
        {UM_BLOCK + 17 * UM_PAGE, UM_BLOCK, UM_PAGE, 0}, /* the first 16 pages are most of them */
        {UM_BLOCK + 80 * UM_PAGE, UM_BLOCK, UM_PAGE, 0},
        /* more than 50%, but not more than 51%: 32 of 63 pages of 4 KiB, 36 of 71 of 16 */
        {UM_BLOCK + (UM_PAGE == 4096 ? 63 : 71) * UM_PAGE, UM_BLOCK, UM_PAGE, 1},
    };

    for (size_t i = 19; i < WALKS; i++) {
        walks[i] = (struct lab5_walk){
            1 + um_random() % (3 * UM_BLOCK), um_random() % (i % 3 == 0 ? UM_BLOCK : UM_PAGE),
            1 + um_random() % (i % 2 == 0 ? 3 * UM_BIG_PAGE : UM_PAGE), um_random() % 2};
    }
    judge_by_the_rule(walks);
}

// END HIDDEN

static void only_computes(void)
{
    const struct lab5_walk walks[] = {{um_random() % (4 * UM_BLOCK), 0, 4, 0},
                                      {1, 0, 1, 0},
                                      {UM_BLOCK, 0, 1 + um_random() % UM_BIG_PAGE, 0}};
    struct um_try try = {.function = "predict_faults",
                         .in = walks,
                         .in_bytes = sizeof walks,
                         .out_bytes = 3 * sizeof(uint64_t)};

    um_judge_only_computes(&try);
    um_case("the checks before");
    um_expect(!made[0], "no call of CUDA", "%s was called", made);
}

static const struct um_check predict_faults_checks[] = {
    {"whole_walks", 1, whole_walks, NULL},
    // BEGIN HIDDEN
    {"strides", 2, strides, "whole_walks"},
    {"awkward_sizes", 1, awkward_sizes, "whole_walks"},
    // END HIDDEN
    {"only_computes", 1, only_computes, "whole_walks"},
};
UM_EXERCISE("predict_faults", predict_faults_checks);
