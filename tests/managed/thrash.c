/**
 * @file thrash.c
 * @brief Host and GPU fight over pages, beside what an H200's driver did then (measured/h200-thrash.jsonl:
 * driver 580, CUDA 13.0; measured/thrash.cu is the program).
 *
 * What depends on the driver's rules alone is asked for exactly: which bytes move, which pages thrash and are
 * pinned, how often somebody has to wait. How many turns it takes until then depends on times, which vary
 * there by half.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "kernels.h"
#include "moves.h"

enum { MOST_LINES = 8, ROUNDS = 2000, LONGEST_LINE = 1 << 17 };

/** Counts of one round, or of all. */
struct counts {
    uint64_t cpu_faults, gpu_fault_groups, htod, dtoh, thrashing, throttles, remote_maps;
};

/** One game: each side in turn writes `touches` words, evenly spread over `bytes`; `gap_us` later the other
 * does. */
struct game {
    size_t bytes, touches;
    int rounds;
    unsigned gap_us;
};

/* ---- on hardware ---- */

struct measured {
    int lines;
    struct counts all[MOST_LINES];
    cJSON *line[MOST_LINES];
};

static uint64_t number(const cJSON *line, const char *key)
{
    return (uint64_t)cJSON_GetObjectItemCaseSensitive(line, key)->valuedouble;
}

static bool is_of(const cJSON *line, const struct game *game)
{
    const char *what = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(line, "what"));

    return what && strcmp(what, "turns") == 0 && number(line, "bytes") == game->bytes &&
           number(line, "touches") == game->touches && number(line, "rounds") == (uint64_t)game->rounds &&
           number(line, "gap_us") == game->gap_us;
}

static void keep(struct measured *measured, cJSON *line)
{
    measured->all[measured->lines] = (struct counts){
        .cpu_faults = number(line, "cpu_faults"),
        .gpu_fault_groups = number(line, "gpu_fault_groups"),
        .htod = number(line, "bytes_h2d"),
        .dtoh = number(line, "bytes_d2h"),
        .thrashing = number(line, "thrashing"),
        .throttles = number(line, "throttling"),
        .remote_maps = number(line, "remote_map_bytes") / PAGE,
    };
    measured->line[measured->lines++] = line;
}

static struct measured measured_of(const struct game *game)
{
    static char text[LONGEST_LINE];
    struct measured measured = {0};
    char path[300];

    snprintf(path, sizeof path, "%.*smeasured/h200-thrash.jsonl",
             (int)(strrchr(__FILE__, '/') + 1 - __FILE__), __FILE__);
    FILE *file = fopen(path, "r");
    if (!file) {
        UM_SKIP("the measurements are found from the folder that make runs in");
        return measured;
    }
    while (fgets(text, sizeof text, file) && measured.lines < MOST_LINES) {
        cJSON *line = cJSON_Parse(text);
        CU_ASSERT_PTR_NOT_NULL_FATAL(line);
        if (is_of(line, game))
            keep(&measured, line);
        else
            cJSON_Delete(line);
    }
    fclose(file);
    CU_ASSERT_FATAL(measured.lines > 0);
    return measured;
}

static void let_go(struct measured *measured)
{
    for (int i = 0; i < measured->lines; i++)
        cJSON_Delete(measured->line[i]);
}

/** A row of the hardware's rounds: those in which nothing was counted are left out. */
static struct counts row_of(const cJSON *row, int *round)
{
    uint64_t n[10] = {0};

    for (int i = 0; i < 10; i++)
        n[i] = (uint64_t)cJSON_GetArrayItem(row, i)->valuedouble;
    *round = (int)n[0];
    return (struct counts){n[3], n[4], n[5], n[6], n[7], n[8], n[9]};
}

/* ---- here ---- */

static struct counts counts_between(const struct umsim_counters *before, const struct umsim_counters *after)
{
    const struct umsim_counters moved = counters_between(before, after);

    return (struct counts){moved.cpu_page_faults,     moved.gpu_fault_groups, moved.bytes_migrated_htod,
                           moved.bytes_migrated_dtoh, moved.thrashing,        moved.throttles,
                           moved.remote_maps};
}

/** Plays. @param round room for the counts of each; @param start_ns when each began; or NULL */
static struct counts play(const struct game *game, struct counts *round, uint64_t *start_ns)
{
    const size_t step = game->bytes / game->touches;
    unsigned char *p = managed(game->bytes < BLOCK ? BLOCK : game->bytes);
    const struct umsim_counters first = counters_now();
    struct umsim_counters before = first;

    umsim_host_work_ns(3000000);
    for (int r = 0; r < game->rounds; r++) {
        start_ns[r] = umsim_time_ns();
        for (size_t i = 0; i < game->touches; i++)
            ((volatile unsigned char *)p)[i * step] = 1;
        umsim_host_work_ns(1000ull * game->gap_us);
        CU_ASSERT_EQUAL(um_page_write(p, game->touches * step, step, 2, 0), cudaSuccess);
        CU_ASSERT_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
        umsim_host_work_ns(1000ull * game->gap_us);
        const struct umsim_counters after = counters_now();
        round[r] = counts_between(&before, &after);
        before = after;
    }
    CU_ASSERT_EQUAL(cudaFree(p), cudaSuccess);
    return counts_between(&first, &before);
}

static struct counts played[ROUNDS];
static uint64_t started[ROUNDS];

/* ---- beside each other ---- */

#define FIELD(counts, offset) (*(const uint64_t *)((const char *)(counts) + (offset)))

static void range(const struct measured *measured, size_t offset, uint64_t *low, uint64_t *high)
{
    *low = UINT64_MAX;
    *high = 0;
    for (int i = 0; i < measured->lines; i++) {
        const uint64_t value = FIELD(&measured->all[i], offset);
        *low = value < *low ? value : *low;
        *high = value > *high ? value : *high;
    }
}

static void show(const struct game *game, const struct measured *measured, const struct counts *here)
{
    static const struct {
        const char *name;
        size_t offset;
    } fields[] = {
        {"CPU faults", offsetof(struct counts, cpu_faults)},
        {"GPU fault groups", offsetof(struct counts, gpu_fault_groups)},
        {"bytes to the device", offsetof(struct counts, htod)},
        {"pages found to thrash", offsetof(struct counts, thrashing)},
        {"throttles", offsetof(struct counts, throttles)},
        {"pages mapped remotely", offsetof(struct counts, remote_maps)},
    };

    printf("      %zu bytes, %zu touched, %d rounds, %u us between turns\n", game->bytes, game->touches,
           game->rounds, game->gap_us);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        uint64_t low, high;
        range(measured, fields[i].offset, &low, &high);
        printf("        %-24s %12llu (H200: %llu to %llu)\n", fields[i].name,
               (unsigned long long)FIELD(here, fields[i].offset), (unsigned long long)low,
               (unsigned long long)high);
    }
}

/** The count lies within what the hardware showed, in `measured.lines` runs. */
#define WITHIN(measured_, here_, field_)                                                                     \
    do {                                                                                                     \
        uint64_t low_, high_;                                                                                \
        range(&(measured_), offsetof(struct counts, field_), &low_, &high_);                                 \
        if ((here_).field_ < low_ || (here_).field_ > high_)                                                 \
            UM_FAIL(#field_ " is %llu, an H200's %llu to %llu", (unsigned long long)(here_).field_,          \
                    (unsigned long long)low_, (unsigned long long)high_);                                    \
    } while (0)

/** ... or no farther from it than a factor of two: what timing decides. */
#define NEAR(measured_, here_, field_)                                                                       \
    do {                                                                                                     \
        uint64_t low_, high_;                                                                                \
        range(&(measured_), offsetof(struct counts, field_), &low_, &high_);                                 \
        if ((here_).field_ * 2 < low_ || (here_).field_ > high_ * 2)                                         \
            UM_FAIL(#field_ " is %llu, an H200's %llu to %llu", (unsigned long long)(here_).field_,          \
                    (unsigned long long)low_, (unsigned long long)high_);                                    \
    } while (0)

static void turns_600_us_apart_move_what_they_move_on_an_H200_and_nothing(void)
{
    static const struct game games[] = {{4 * KiB, 1, 150, 600}, {2 * MiB, 512, 60, 600}};

    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        struct measured measured = measured_of(&games[i]);
        const struct counts here = play(&games[i], played, started);
        WITHIN(measured, here, cpu_faults);
        WITHIN(measured, here, htod);
        WITHIN(measured, here, dtoh);
        WITHIN(measured, here, thrashing);
        WITHIN(measured, here, throttles);
        WITHIN(measured, here, remote_maps);
        UM_EQUAL(here.thrashing, 0);
        let_go(&measured);
    }
}

/** Where a game with one page stands: fought over as any other, found to thrash, pinned. */
enum stage { FREE, THRASHING, PINNED };

/* The story of one page, here and there: 64 KiB go to and fro until 16 pages are found to thrash; then one
 * page does, until it is pinned, which the GPU may need a fault for, or not. @return the round in which it
 * was found to thrash */
static int follow(enum stage *stage, int found, int round, const struct counts *counts)
{
    switch (*stage) {
    case FREE:
        UM_EQUAL(counts->cpu_faults, 1);
        UM_EQUAL(counts->throttles, 0);
        CU_ASSERT(counts->dtoh == (round ? 64 * KiB : 0));
        /* found by the host's fault, the page comes back alone */
        CU_ASSERT(counts->htod == 64 * KiB || (counts->thrashing == 16 && counts->htod == 4 * KiB));
        if (counts->thrashing == 0)
            return found;
        UM_EQUAL(counts->thrashing, 16);
        *stage = THRASHING;
        return round;
    case THRASHING:
        UM_EQUAL(counts->cpu_faults, 1);
        UM_EQUAL(counts->dtoh, 4 * KiB);
        CU_ASSERT(counts->thrashing <= 1 && counts->throttles <= 2);
        if (counts->remote_maps)
            *stage = PINNED;
        UM_EQUAL(counts->htod, *stage == PINNED ? 0 : 4 * KiB);
        return found;
    default:
        UM_EQUAL(counts->cpu_faults, 0);
        UM_EQUAL(counts->gpu_fault_groups, 0);
        UM_EQUAL(counts->htod + counts->dtoh, 0);
        return found;
    }
}

/* Which of 16 pages move, or 4, decides how long the story is. */
static void needs_the_pages_that_were_measured(void)
{
    if (PAGE != 4 * KiB)
        UM_SKIP("the H200s' hosts had pages of 4 KiB, and these have %zu", PAGE);
}

static void one_page(unsigned gap_us, int rounds)
{
    const struct game game = {4 * KiB, 1, rounds, gap_us};
    struct measured measured = measured_of(&game);
    const struct counts here = play(&game, played, started);
    int first = rounds, last = 0, found = 0;
    enum stage stage = FREE;

    show(&game, &measured, &here);
    for (int i = 0; i < measured.lines; i++) {
        const cJSON *row;
        int there = 0, round;
        stage = FREE;
        cJSON_ArrayForEach(row, cJSON_GetObjectItemCaseSensitive(measured.line[i], "by_round"))
        {
            const struct counts counts = row_of(row, &round);
            there = follow(&stage, there, round, &counts);
        }
        UM_EQUAL(stage, PINNED);
        first = there < first ? there : first;
        last = there > last ? there : last;
    }
    stage = FREE;
    for (int round = 0; round < rounds; round++)
        found = follow(&stage, found, round, &played[round]);
    UM_EQUAL(stage, PINNED);
    CU_ASSERT(found >= first && found <= last);
    WITHIN(measured, here, throttles);
    WITHIN(measured, here, remote_maps);
    if (gap_us == 0)
        NEAR(measured, here, cpu_faults);
    let_go(&measured);
}

static void fast_turns_on_one_page_end_with_the_page_pinned_as_on_an_H200(void)
{
    needs_the_pages_that_were_measured();
    one_page(0, 2000);
}

static void turns_100_and_250_us_apart_do_too(void)
{
    needs_the_pages_that_were_measured();
    one_page(100, 150);
    one_page(250, 150);
}

static void fast_turns_on_64_KiB_end_with_all_16_pages_pinned(void)
{
    needs_the_pages_that_were_measured();
    const struct game game = {64 * KiB, 16, 1200, 0};
    struct measured measured = measured_of(&game);
    const struct counts here = play(&game, played, started);

    show(&game, &measured, &here);
    WITHIN(measured, here, throttles);
    WITHIN(measured, here, remote_maps);
    UM_EQUAL(here.remote_maps, 16);
    NEAR(measured, here, cpu_faults);
    NEAR(measured, here, htod);
    for (int round = 1200 - 100; round < 1200; round++)
        UM_EQUAL(played[round].cpu_faults + played[round].gpu_fault_groups, 0);
    let_go(&measured);
}

/* The first touch after the pin: the GPU's, which brings the one page that has stayed on the host. */
static void a_pin_lasts_150_ms_then_one_page_moves_and_it_all_begins_again(void)
{
    needs_the_pages_that_were_measured();
    const struct game game = {4 * KiB, 1, 2000, 100};
    struct measured measured = measured_of(&game);
    const struct counts here = play(&game, played, started);
    const struct counts after = {.gpu_fault_groups = 1, .htod = 4 * KiB};
    const cJSON *row;
    int pinned = 0, round, again;
    bool was = false;

    show(&game, &measured, &here);
    WITHIN(measured, here, remote_maps); /* the story repeats */
    cJSON_ArrayForEach(row, cJSON_GetObjectItemCaseSensitive(measured.line[0], "by_round"))
    {
        const struct counts counts = row_of(row, &round);
        if (was)
            CU_ASSERT(memcmp(&counts, &after, sizeof counts) == 0);
        was = counts.remote_maps > 0;
    }
    while (pinned < ROUNDS - 1 && played[pinned].remote_maps == 0)
        pinned++;
    for (again = pinned + 1; again < ROUNDS && played[again].gpu_fault_groups == 0;)
        again++;
    CU_ASSERT_FATAL(again < ROUNDS);
    CU_ASSERT(memcmp(&played[again], &after, sizeof after) == 0);
    const uint64_t lasted = started[again] - started[pinned];
    CU_ASSERT(lasted > 149000000 && lasted < 152000000);
    let_go(&measured);
}

/* Which of many pages are found to thrash depends on when each of them moved. */
static void the_2_MiB_thrash_too(void)
{
    static const struct game games[] = {
        {2 * MiB, 512, 600, 0}, {2 * MiB, 32, 600, 0}, {2 * MiB, 512, 60, 100}};

    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        struct measured measured = measured_of(&games[i]);
        const struct counts here = play(&games[i], played, started);
        show(&games[i], &measured, &here);
        CU_ASSERT(here.thrashing >= 496);
        if (games[i].touches == 512)
            NEAR(measured, here, htod);
        let_go(&measured);
    }
}

UM_TESTS("thrashing",
         {"turns 600 us apart move what they move on an H200, and nothing thrashes",
          turns_600_us_apart_move_what_they_move_on_an_H200_and_nothing},
         {"fast turns on one page end with the page pinned, as on an H200",
          fast_turns_on_one_page_end_with_the_page_pinned_as_on_an_H200},
         {"turns 100 and 250 us apart do, too", turns_100_and_250_us_apart_do_too},
         {"fast turns on 64 KiB end with all 16 pages pinned",
          fast_turns_on_64_KiB_end_with_all_16_pages_pinned},
         {"a pin lasts 150 ms, then one page moves, and it all begins again",
          a_pin_lasts_150_ms_then_one_page_moves_and_it_all_begins_again},
         {"2 MiB thrash, too", the_2_MiB_thrash_too});
