/**
 * @file checks.c
 * @brief Lab 3: the checks of should_pin().
 *
 * checks_stream.c has those of stream_saxpy(). grade/check.h says how checks are written.
 */
#include <math.h>

#include "calls.h"
#include "grade/check.h"
#include "sim/model/profile.h"
#include "umsim_price.h"

enum { QUESTIONS = 200 };

#define MIB ((double)(1 << 20))

/* ---- machines ---- */

/* From 0 to 1. */
static double some_share(void)
{
    return (double)(um_random() >> 11) / 9007199254740992.0; /* 2^53 */
}

/* A figure of the course's machine, times a factor. Two digits behind the point: reports show all of it. */
static double varied(double figure, double least_factor, double most_factor)
{
    return round(100 * figure * least_factor * pow(most_factor / least_factor, some_share())) / 100;
}

/** Nanoseconds of something at a small and a large size, as a straight line. */
struct line {
    double us, us_per_mib;
};

static struct line line_through(uint64_t page_ns, uint64_t large_ns)
{
    const double page_us = (double)page_ns / 1e3, large_us = (double)large_ns / 1e3;

    return (struct line){page_us, (large_us - page_us) / 32};
}

/* Another machine than the course's, which everybody knows: whoever writes down figures, or answers, is wrong
 * here. A copy from pinned memory has the longer call, and the higher rate: so it is on GPUs. */
static struct lab3_machine some_machine(void)
{
    const struct umsim_profile *known = um_profile();
    const size_t page = 4096, large = (size_t)32 << 20;
    const struct line pinned = line_through(umsim_price_upload_ns(known, true, page),
                                            umsim_price_upload_ns(known, true, large)),
                      plain = line_through(umsim_price_upload_ns(known, false, page),
                                           umsim_price_upload_ns(known, false, large)),
                      pinning = line_through(umsim_price_register_ns(known, page),
                                             umsim_price_register_ns(known, large));
    struct lab3_machine machine = {
        .pageable_copy_us = varied(plain.us, 0.25, 1),
        .pinned_copy_us = varied(pinned.us, 1, 4),
        .pinned_copy_us_per_mib = varied(pinned.us_per_mib, 0.25, 4),
        .register_us = varied(pinning.us, 0.25, 4),
        .register_us_per_mib = varied(pinning.us_per_mib, 0.25, 4),
    };

    machine.pageable_copy_us_per_mib =
        machine.pinned_copy_us_per_mib + varied(plain.us_per_mib - pinned.us_per_mib, 0.25, 4);
    return machine;
}

static struct umsim_curve curve_of(double us, double us_per_mib)
{
    return (struct umsim_curve){.count = 2, .bytes = {0, MIB}, .us = {us, us + us_per_mib}};
}

/* The machine as the cost model knows machines. */
static struct umsim_profile profile_of(const struct lab3_machine *machine)
{
    struct umsim_profile profile = *um_profile();
    struct umsim_costs *costs = &profile.costs;

    costs->pageable_staged_bytes = -1; /* each copy is waited for */
    costs->htod_pageable = curve_of(machine->pageable_copy_us, machine->pageable_copy_us_per_mib);
    costs->htod_pinned = curve_of(machine->pinned_copy_us, machine->pinned_copy_us_per_mib);
    costs->host_register = curve_of(machine->register_us, machine->register_us_per_mib);
    costs->host_unregister = curve_of(0, 0);
    return profile;
}

/* ---- questions ---- */

/** What the two choices cost, microseconds. */
struct costs {
    double plain, pinned;
};

static struct costs costs_of(const struct lab3_question *question)
{
    const struct umsim_profile machine = profile_of(&question->machine);
    const double copies = (double)question->copies;
    const double plain_us = (double)umsim_price_upload_ns(&machine, false, question->bytes) / 1e3;
    const double pinned_us = (double)umsim_price_upload_ns(&machine, true, question->bytes) / 1e3;
    const double pinning_us = (double)umsim_price_register_ns(&machine, question->bytes) / 1e3;

    return (struct costs){copies * plain_us, copies * pinned_us + pinning_us};
}

static struct lab3_question some_question(void)
{
    const double share = some_share();

    if (um_random() % 5 == 0)
        return (struct lab3_question){1 + um_random() % 8192, 1 + um_random() % 50, some_machine()};
    return (struct lab3_question){(uint64_t)(65536 * pow(1024, share)), 1 + um_random() % 6, some_machine()};
}

static struct um_try ask(const struct lab3_question *questions, size_t count)
{
    return (struct um_try){
        .function = "should_pin", .in = questions, .in_bytes = count * sizeof *questions, .out_bytes = count};
}

static void name_case(const struct lab3_question *it)
{
    const struct lab3_machine *machine = &it->machine;

    um_case("%" PRIu64 " bytes, %" PRIu64
            " copies; us, and us per MiB: a pageable copy %.2f + %.2f, a pinned "
            "copy %.2f + %.2f, registering %.2f + %.2f",
            it->bytes, it->copies, machine->pageable_copy_us, machine->pageable_copy_us_per_mib,
            machine->pinned_copy_us, machine->pinned_copy_us_per_mib, machine->register_us,
            machine->register_us_per_mib);
}

/* Where the wrong choice takes more than twice as long as the right one; and where there is nothing to do. */
static void clear_cases(void)
{
    static const uint64_t always[][2] = {{0, 0}, {0, 100}, {1, 0}, {(uint64_t)64 << 20, 0}, {1, 1}};
    struct lab3_question questions[QUESTIONS];
    size_t count = 0;
    struct um_try try;

    for (; count < sizeof always / sizeof *always; count++) {
        questions[count] = (struct lab3_question){always[count][0], always[count][1], some_machine()};
    }
    while (count < QUESTIONS) {
        const struct lab3_question question = some_question();
        const struct costs costs = costs_of(&question);

        if (costs.plain < 2 * costs.pinned && costs.pinned < 2 * costs.plain)
            continue;
        questions[count++] = question;
    }
    try = ask(questions, count);
    UM_EACH_SCHEDULE(&try)
    {
        for (size_t i = 0; i < count && !um_has_failed(); i++) {
            const struct costs costs = costs_of(&questions[i]);
            const bool pin = costs.pinned < costs.plain;

            name_case(&questions[i]);
            um_expect(try.out[i] == pin, pin ? "yes, pin" : "no, do not pin",
                      "%s; not pinned it takes %.1f us, pinned %.1f us", try.out[i] ? "yes" : "no",
                      costs.plain, costs.pinned);
        }
    }
}

/* In all cases, including the close ones. */
static void regret(void)
{
    struct lab3_question questions[QUESTIONS];
    struct um_try try = ask(questions, QUESTIONS);
    double lost = 0, most = 0;
    size_t worst = 0;

    for (size_t i = 0; i < QUESTIONS; i++) {
        questions[i] = some_question();
    }
    if (!um_call(&try)) /* once: only_decides has checked that no schedule matters */
        return;
    for (size_t i = 0; i < QUESTIONS; i++) {
        const struct costs costs = costs_of(&questions[i]);
        const double more = (try.out[i] ? costs.pinned : costs.plain) / fmin(costs.plain, costs.pinned) - 1;

        lost += more / QUESTIONS;
        if (more > most) {
            most = more;
            worst = i;
        }
    }
    name_case(&questions[worst]);
    um_expect(lost <= 0.02, "your choices take at most 2% longer than the best ones, on average",
              "%.1f%% of %d questions; most with this one: %s, which takes %.0f%% longer", 100 * lost,
              QUESTIONS, try.out[worst] ? "pinned" : "not pinned", 100 * most);
}

static void only_decides(void)
{
    const struct lab3_question questions[] = {
        some_question(), some_question(), {(uint64_t)64 << 20, 100, some_machine()}};
    struct um_try try = ask(questions, 3);

    um_judge_only_computes(&try);
}

static const struct um_check should_pin_checks[] = {
    {"clear_cases", 2, clear_cases, NULL},
    {"regret", 1, regret, "clear_cases"},
    {"only_decides", 1, only_decides, "clear_cases"},
};
UM_EXERCISE("should_pin", should_pin_checks);
