/**
 * @file checks.c
 * @brief Lab 3: the checks of should_pin().
 *
 * checks_stream.c has those of stream_saxpy(). grade/check.h says how checks are written.
 */
#include <math.h>

#include "calls.h"
#include "grade/check.h"
#include "umsim_price.h"

enum { PAIRS = 200 };

/** What a pair costs, microseconds. */
struct costs {
    double plain, pinned;
};

static struct costs costs_of(const struct lab3_pair *pair)
{
    const double copies = (double)pair->copies;
    const double plain_us = (double)umsim_price_upload_ns(um_profile(), false, pair->bytes) / 1e3;
    const double pinned_us = (double)umsim_price_upload_ns(um_profile(), true, pair->bytes) / 1e3;
    const double pinning_us = (double)umsim_price_register_ns(um_profile(), pair->bytes) / 1e3;

    return (struct costs){copies * plain_us, copies * pinned_us + pinning_us};
}

/* Sizes at which the driver stages a copy (up to 64 KiB) only with few copies: there the times of several
 * overlap. */
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

/* In all cases, including the close ones. */
static void regret(void)
{
    struct lab3_pair pairs[PAIRS];
    struct um_try try = ask_pairs(pairs, PAIRS);
    double lost = 0, most = 0;
    size_t worst = 0;

    for (size_t i = 0; i < PAIRS; i++) {
        pairs[i] = some_pair();
    }
    if (!um_call(&try)) /* once: only_decides has checked that no schedule matters */
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
    const struct lab3_pair pairs[] = {some_pair(), some_pair(), {(uint64_t)64 << 20, 100}};
    struct um_try try = ask_pairs(pairs, 3);

    um_judge_only_computes(&try);
}

static const struct um_check should_pin_checks[] = {
    {"clear_cases", 2, clear_cases, NULL},
    {"regret", 1, regret, "clear_cases"},
    {"only_decides", 1, only_decides, "clear_cases"},
};
UM_EXERCISE("should_pin", should_pin_checks);
