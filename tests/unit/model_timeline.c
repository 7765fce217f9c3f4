/**
 * @file model_timeline.c
 * @brief Tests of sim/model/timeline.h: what starts when, and that it is always the same.
 */
#include "um_test.h"
#include "sim/model/timeline.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define COMPUTE UMSIM_ENGINE_COMPUTE
#define HTOD UMSIM_ENGINE_COPY_HTOD
#define DTOH UMSIM_ENGINE_COPY_DTOH

static struct umsim_timeline timeline;

static struct umsim_timeline *fresh(void)
{
    umsim_timeline_init(&timeline);
    return &timeline;
}

/** Settles with scratch memory of exactly the stated size, filled with `fill`. */
static enum umsim_settle settle_with(struct umsim_timeline *t, struct umsim_item *items, size_t count,
                                     int fill)
{
    size_t bytes = umsim_timeline_scratch(items, count);
    void *scratch = malloc(bytes);
    memset(scratch, fill, bytes);
    enum umsim_settle answer = umsim_timeline_settle(t, items, count, scratch, bytes);
    free(scratch);
    return answer;
}

/** A small generator of its own, so that every run of the test sees the same numbers. */
static uint32_t random_state;
static uint32_t random_below(uint32_t limit)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % limit;
}

static void an_operation_takes_the_first_gap_that_fits(void)
{
    struct umsim_timeline *t = fresh();
    UM_EQUAL(umsim_timeline_place(t, COMPUTE, 100, 50), 100); /* busy 100..150 */
    UM_EQUAL(umsim_timeline_place(t, COMPUTE, 200, 50), 200); /* busy 200..250 */
    UM_EQUAL(umsim_timeline_place(t, COMPUTE, 0, 101), 250);  /* fits nowhere before */
    UM_EQUAL(umsim_timeline_place(t, COMPUTE, 120, 50), 150); /* fills 150..200 exactly */
    UM_EQUAL(umsim_timeline_place(t, COMPUTE, 40, 60), 40);   /* fills 40..100 exactly */
    UM_EQUAL(umsim_timeline_place(t, COMPUTE, 40, 1), 351);   /* 40..351 is one busy interval now */
    UM_EQUAL(t->engines[COMPUTE].count, 1);
    UM_EQUAL(t->engines[COMPUTE].busy_ns, 312);
    UM_EQUAL(umsim_timeline_tail(t, COMPUTE), 352);
}

static void engines_are_independent(void)
{
    struct umsim_timeline *t = fresh();
    UM_EQUAL(umsim_timeline_place(t, COMPUTE, 5, 100), 5);
    UM_EQUAL(umsim_timeline_place(t, HTOD, 5, 100), 5);
    UM_EQUAL(umsim_timeline_place(t, DTOH, 5, 100), 5);
    UM_EQUAL(umsim_timeline_place(t, UMSIM_ENGINE_NONE, 5, 100), 5);
    UM_EQUAL(umsim_timeline_place(t, UMSIM_ENGINE_NONE, 5, 100), 5);
    UM_EQUAL(umsim_timeline_peek(t, HTOD, 0, 6), 105);
    UM_EQUAL(umsim_timeline_peek(t, HTOD, 0, 5), 0);
}

static void devices_engines_are_independent(void)
{
    struct umsim_timeline *t = fresh();
    t->devices = 2;
    UM_EQUAL(umsim_timeline_lines(t), 2 * UMSIM_ENGINES);
    UM_EQUAL(umsim_timeline_place(t, umsim_line(0, COMPUTE), 0, 100), 0);
    UM_EQUAL(umsim_timeline_place(t, umsim_line(1, COMPUTE), 0, 100), 0);
    UM_EQUAL(umsim_timeline_place(t, umsim_line(1, UMSIM_ENGINE_PEER), 0, 100), 0);
    UM_EQUAL(umsim_timeline_place(t, umsim_line(1, COMPUTE), 0, 100), 100);
    UM_EQUAL(umsim_timeline_place(t, umsim_line(1, UMSIM_ENGINE_NONE), 5, 100),
             5); /* of no device an engine */
    UM_EQUAL(umsim_timeline_tail(t, umsim_line(0, COMPUTE)), 100);
    UM_EQUAL(umsim_timeline_tail(t, umsim_line(1, COMPUTE)), 200);
}

static void an_operation_of_no_length_waits_for_the_engine_but_occupies(void)
{
    struct umsim_timeline *t = fresh();
    umsim_timeline_place(t, COMPUTE, 10, 10);
    UM_EQUAL(umsim_timeline_place(t, COMPUTE, 3, 0), 3);
    UM_EQUAL(umsim_timeline_place(t, COMPUTE, 10, 0), 20);
    UM_EQUAL(umsim_timeline_place(t, COMPUTE, 15, 0), 20);
    UM_EQUAL(t->engines[COMPUTE].busy_ns, 10);
}

static void pruning_forgets_the_past_and_keeps_the_future(void)
{
    struct umsim_timeline *t = fresh();
    umsim_timeline_place(t, HTOD, 0, 10);
    umsim_timeline_place(t, HTOD, 20, 10);
    umsim_timeline_place(t, HTOD, 40, 10);
    umsim_timeline_prune(t, 25);
    UM_EQUAL(t->engines[HTOD].count, 2);
    UM_EQUAL(umsim_timeline_place(t, HTOD, 0, 10), 30); /* not 10: that is over */
    umsim_timeline_prune(t, 5);                         /* never back */
    UM_EQUAL(umsim_timeline_place(t, UMSIM_ENGINE_NONE, 0, 1), 25);
    umsim_timeline_prune(t, 1000);
    UM_EQUAL(umsim_timeline_tail(t, HTOD), 50);
    UM_EQUAL(umsim_timeline_place(t, HTOD, 0, 1), 1000);
}

/** Whether the engine's list is in order, disjoint, and not touching. */
static int list_is_sound(const struct umsim_engine_line *line)
{
    for (size_t i = 0; i < line->count; i++) {
        if (line->busy[i].start >= line->busy[i].end)
            return 0;
        if (i > 0 && line->busy[i - 1].end >= line->busy[i].start)
            return 0;
    }
    return line->count <= UMSIM_TIMELINE_INTERVALS;
}

static int by_start(const void *a, const void *b)
{
    const struct umsim_interval *x = a, *y = b;
    return (x->start > y->start) - (x->start < y->start);
}

static void a_full_list_gives_up_gaps_and_never_reserves_a_time_twice(void)
{
    enum { N = 5000 };
    static struct umsim_interval placed[N];
    struct umsim_timeline *t = fresh();
    random_state = 7;
    for (int i = 0; i < N; i++) {
        uint64_t duration = 1 + random_below(5);
        placed[i].start = umsim_timeline_place(t, COMPUTE, random_below(1000000), duration);
        placed[i].end = placed[i].start + duration;
    }
    CU_ASSERT_TRUE(list_is_sound(&t->engines[COMPUTE]));
    qsort(placed, N, sizeof *placed, by_start);
    int overlaps = 0;
    for (int i = 1; i < N; i++)
        overlaps += placed[i - 1].end > placed[i].start;
    UM_EQUAL(overlaps, 0);
}

/**
 * Four chunks on two streams, each host to device (100), kernel (50), device to host (100): the copies each
 * way overlap, and the whole takes 4 x 100 + 50 + 100 instead of 4 x 250. Issue costs 1 each, depth first.
 */
static void three_engines_overlap_on_two_streams(void)
{
    enum { CHUNKS = 4, N = 3 * CHUNKS };
    static const enum umsim_engine engines[] = {HTOD, COMPUTE, DTOH};
    static const uint64_t durations[] = {100, 50, 100};
    struct umsim_item items[N] = {0};
    uint32_t dependency[N];
    for (uint32_t i = 0; i < N; i++) {
        uint32_t chunk = i / 3, step = i % 3;
        items[i] = (struct umsim_item){engines[step], durations[step], i, 0, i, NULL, 0, 0, 0, NULL, 0};
        if (step == 0 && chunk < 2)
            continue; /* the first of its stream */
        dependency[i] = step > 0 ? i - 1 : 3 * (chunk - 2) + 2;
        items[i].dependencies = &dependency[i];
        items[i].dependency_count = 1;
    }
    struct umsim_timeline *t = fresh();
    UM_EQUAL(settle_with(t, items, N, 0), UMSIM_SETTLED);
    /* Chunk 2 waits for its stream's chunk 0 to be back (250); chunk 3 for chunk 1 (350). */
    static const uint64_t starts[N] = {0, 100, 150, 100, 200, 250, 250, 350, 400, 350, 450, 500};
    for (int i = 0; i < N; i++)
        UM_EQUAL(items[i].start_ns, starts[i]);
    UM_EQUAL(items[N - 1].end_ns, 600);
    /* With a stream per chunk nothing but the engines is waited for. */
    for (uint32_t i = 6; i < N; i += 3)
        items[i].dependency_count = 0;
    fresh();
    UM_EQUAL(settle_with(t, items, N, 0), UMSIM_SETTLED);
    UM_EQUAL(items[N - 1].end_ns, 4 * 100 + 50 + 100);
}

static void nothing_starts_before_it_was_issued_or_is_ready(void)
{
    struct umsim_item items[] = {{COMPUTE, 10, 500, 20, 0, NULL, 0, 0, 0, NULL, 0},
                                 {HTOD, 10, 20, 700, 1, NULL, 0, 0, 0, NULL, 0}};
    UM_EQUAL(settle_with(fresh(), items, 2, 0), UMSIM_SETTLED);
    UM_EQUAL(items[0].start_ns, 500);
    UM_EQUAL(items[1].start_ns, 700);
}

static void ties_go_to_the_earlier_ready_then_to_the_earlier_issue(void)
{
    struct umsim_item items[] = {{COMPUTE, 100, 0, 0, 9, NULL, 0, 0, 0, NULL, 0},
                                 {COMPUTE, 10, 0, 50, 1, NULL, 0, 0, 0, NULL, 0},
                                 {COMPUTE, 10, 0, 20, 2, NULL, 0, 0, 0, NULL, 0},
                                 {COMPUTE, 10, 0, 50, 0, NULL, 0, 0, 0, NULL, 0}};
    UM_EQUAL(settle_with(fresh(), items, 4, 0), UMSIM_SETTLED);
    UM_EQUAL(items[0].start_ns, 0);   /* the only one ready at 0 */
    UM_EQUAL(items[2].start_ns, 100); /* all three could start at 100: ready at 20 */
    UM_EQUAL(items[3].start_ns, 110); /* ready at 50, issued first */
    UM_EQUAL(items[1].start_ns, 120);
}

static void cycles_wrong_indices_and_short_scratch_memory_are_refused(void)
{
    uint32_t other[] = {1}, self[] = {0}, outside[] = {2};
    struct umsim_item items[2] = {{COMPUTE, 10, 0, 0, 0, other, 1, 0, 0, NULL, 0},
                                  {COMPUTE, 10, 0, 0, 1, self, 1, 0, 0, NULL, 0}};
    UM_EQUAL(settle_with(fresh(), items, 2, 0), UMSIM_SETTLE_CYCLE);
    CU_ASSERT_TRUE(items[0].start_ns == UINT64_MAX && items[1].end_ns == UINT64_MAX);
    items[0].dependencies = outside;
    UM_EQUAL(settle_with(fresh(), items, 2, 0), UMSIM_SETTLE_BAD_INDEX);
    UM_EQUAL(timeline.engines[COMPUTE].busy_ns, 0);
    items[0].dependency_count = 0;
    uint64_t scratch[64];
    size_t bytes = umsim_timeline_scratch(items, 2);
    CU_ASSERT_TRUE_FATAL(bytes <= sizeof scratch);
    UM_EQUAL(umsim_timeline_settle(fresh(), items, 2, scratch, bytes - 1), UMSIM_SETTLE_SCRATCH);
    UM_EQUAL(umsim_timeline_settle(fresh(), items, 2, scratch, bytes), UMSIM_SETTLED);
    UM_EQUAL(items[1].start_ns, 10);
    UM_EQUAL(umsim_timeline_settle(fresh(), NULL, 0, scratch, bytes), UMSIM_SETTLED);
}

/** The first time from which on the item's engine, and each line of which it has a share, are free. */
static uint64_t start_literally(const struct umsim_timeline *t, const struct umsim_item *item, uint64_t from)
{
    for (uint64_t next = from;; from = next) {
        next = umsim_timeline_peek(t, item->line, from, item->duration_ns);
        for (unsigned s = 0; s < item->share_count; s++) {
            uint64_t free = umsim_timeline_peek(t, item->share[s].line, from, item->share[s].duration_ns);
            next = free > next ? free : next;
        }
        if (next == from)
            return from;
    }
}

/** The rule of timeline.h taken literally: look at everything, every time. */
static void settle_literally(struct umsim_timeline *t, struct umsim_item *items, size_t count)
{
    for (size_t i = 0; i < count; i++)
        items[i].end_ns = UINT64_MAX;
    for (size_t round = 0; round < count; round++) {
        size_t best = count;
        uint64_t best_start = 0, best_ready = 0;
        for (size_t i = 0; i < count; i++) {
            uint64_t ready = items[i].issue_ns > items[i].ready_ns ? items[i].issue_ns : items[i].ready_ns;
            int candidate = items[i].end_ns == UINT64_MAX;
            for (uint32_t d = 0; d < items[i].dependency_count; d++) {
                uint64_t end = items[items[i].dependencies[d]].end_ns;
                if (end == UINT64_MAX)
                    candidate = 0;
                else if (end > ready)
                    ready = end;
            }
            if (!candidate)
                continue;
            uint64_t start = start_literally(t, &items[i], ready);
            int better = best == count || start < best_start || (start == best_start && ready < best_ready) ||
                         (start == best_start && ready == best_ready &&
                          items[i].issue_number < items[best].issue_number);
            if (better)
                best = i, best_start = start, best_ready = ready;
        }
        struct umsim_item *item = &items[best];
        item->start_ns = best_start;
        umsim_timeline_place(t, item->line, best_start, item->duration_ns);
        for (unsigned s = 0; s < item->share_count; s++)
            UM_EQUAL(umsim_timeline_place(t, item->share[s].line, best_start, item->share[s].duration_ns),
                     best_start);
        item->end_ns = item->start_ns + item->duration_ns;
    }
}

/** Fills `items` with random work whose dependencies point at earlier issues only, then shuffles the order of
 * issue. */
static void random_items(struct umsim_item *items, uint32_t (*dependencies)[3],
                         struct umsim_share (*shares)[2], uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t n = i ? random_below(4) : 0;
        for (uint32_t d = 0; d < n; d++)
            dependencies[i][d] = random_below(i);
        uint64_t duration = random_below(8) ? 1 + random_below(60) : 0;
        items[i] = (struct umsim_item){random_below(UMSIM_LINK_IN),
                                       duration,
                                       random_below(400),
                                       random_below(200),
                                       (i * 17) % count,
                                       dependencies[i],
                                       n,
                                       0,
                                       0,
                                       shares[i],
                                       0};
        if (random_below(3) == 0)
            shares[i][items[i].share_count++] = (struct umsim_share){UMSIM_LINK_IN, 1 + random_below(60)};
        if (random_below(4) == 0)
            shares[i][items[i].share_count++] = (struct umsim_share){UMSIM_LINK_OUT, 1 + random_below(60)};
    }
}

static void the_3000_random_sets_settle_as_the_rule_taken_literally_says(void)
{
    enum { LARGEST = 61 };
    static struct umsim_item fast[LARGEST], slow[LARGEST];
    static uint32_t dependencies[LARGEST][3];
    static struct umsim_share shares[LARGEST][2];
    static struct umsim_timeline other;
    int differ = 0;
    for (uint32_t seed = 1; seed <= 3000; seed++) {
        random_state = seed;
        struct umsim_timeline *t = fresh();
        uint32_t count = 1 + random_below(LARGEST);
        for (uint32_t i = random_below(40); i-- > 0;) /* what earlier settling left: gaps */
            umsim_timeline_place(t, 1 + random_below(3), random_below(700), 1 + random_below(30));
        if (random_below(4) == 0)
            umsim_timeline_prune(t, random_below(300));
        other = *t;
        random_items(fast, dependencies, shares, count);
        memcpy(slow, fast, sizeof slow);
        CU_ASSERT_EQUAL_FATAL(settle_with(t, fast, count, (int)seed), UMSIM_SETTLED);
        settle_literally(&other, slow, count);
        for (uint32_t i = 0; i < count; i++)
            differ += fast[i].start_ns != slow[i].start_ns || fast[i].end_ns != slow[i].end_ns;
        CU_ASSERT_TRUE(list_is_sound(&t->engines[COMPUTE]));
    }
    UM_EQUAL(differ, 0);
}

static void the_same_set_gives_the_same_bytes(void)
{
    enum { N = 2000 };
    static struct umsim_item items[2][N];
    static uint32_t dependencies[N][3];
    static struct umsim_share shares[N][2];
    static struct umsim_timeline after[2];
    for (int run = 0; run < 2; run++) {
        random_state = 42;
        struct umsim_timeline *t = fresh();
        memset(t->engines[COMPUTE].busy, run ? 0xff : 0, sizeof t->engines[COMPUTE].busy);
        random_items(items[run], dependencies, shares, N);
        UM_EQUAL(settle_with(t, items[run], N, run ? 0xa5 : 0), UMSIM_SETTLED);
        after[run] = *t;
    }
    UM_EQUAL(memcmp(items[0], items[1], sizeof items[0]), 0);
    for (int e = 0; e < UMSIM_ENGINES; e++) {
        const struct umsim_engine_line *a = &after[0].engines[e], *b = &after[1].engines[e];
        UM_EQUAL(a->count, b->count);
        UM_EQUAL(memcmp(a->busy, b->busy, a->count * sizeof *a->busy), 0);
    }
}

static double seconds_of(void (*work)(void))
{
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    work();
    clock_gettime(CLOCK_MONOTONIC, &b);
    return (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
}

enum { MANY = 20000, WIDE = 2000 };
static struct umsim_item many[MANY];

/** 20,000 launches on one stream, faster than the device takes them, then slower. */
static void a_long_queue(void)
{
    static uint32_t before[MANY];
    for (int slower = 0; slower < 2; slower++) {
        for (uint32_t i = 0; i < MANY; i++) {
            before[i] = i - 1;
            many[i] = (struct umsim_item){
                COMPUTE, 2800, (slower ? 5000 : 2000) * (uint64_t)i, 0, i, &before[i], i > 0, 0, 0, NULL, 0};
        }
        UM_EQUAL(settle_with(fresh(), many, MANY, 0), UMSIM_SETTLED);
        UM_EQUAL(many[MANY - 1].end_ns, slower ? 5000ull * (MANY - 1) + 2800 : 2800ull * MANY);
    }
}

/** The first operations of 2,000 streams: all could start at once, on an engine with 1,000 gaps left over. */
static void a_wide_set(void)
{
    struct umsim_timeline *t = fresh();
    for (uint64_t i = 0; i < 1000; i++)
        umsim_timeline_place(t, COMPUTE, 100 * i, 60);
    for (uint32_t i = 0; i < WIDE; i++)
        many[i] = (struct umsim_item){COMPUTE, i % 3 ? 20 : 500, 0, 0, i, NULL, 0, 0, 0, NULL, 0};
    UM_EQUAL(settle_with(t, many, WIDE, 0), UMSIM_SETTLED);
    UM_EQUAL(t->engines[COMPUTE].busy_ns,
             60ull * 1000 + 500ull * ((WIDE + 2) / 3) + 20ull * (WIDE - (WIDE + 2) / 3));
}

static void thousands_of_operations_settle_at_once(void)
{
    /* Milliseconds where it is near-linear, tens of seconds where it is not; the limit leaves room for a busy
     * machine. */
    double queue = seconds_of(a_long_queue), wide = seconds_of(a_wide_set);
    if (queue > 2)
        UM_FAIL("a queue of %d took %.3f s", MANY, queue);
    if (wide > 5)
        UM_FAIL("a set of %d took %.3f s", WIDE, wide);
}

UM_TESTS("model: timeline",
         {"an operation takes the first gap that fits", an_operation_takes_the_first_gap_that_fits},
         {"engines are independent", engines_are_independent},
         {"devices' engines are independent", devices_engines_are_independent},
         {"an operation of no length waits for the engine but occupies nothing",
          an_operation_of_no_length_waits_for_the_engine_but_occupies},
         {"pruning forgets the past and keeps the future", pruning_forgets_the_past_and_keeps_the_future},
         {"a full list gives up gaps, and never reserves a time twice",
          a_full_list_gives_up_gaps_and_never_reserves_a_time_twice},
         {"three engines overlap on two streams", three_engines_overlap_on_two_streams},
         {"nothing starts before it was issued or is ready", nothing_starts_before_it_was_issued_or_is_ready},
         {"ties go to the earlier ready, then to the earlier issue",
          ties_go_to_the_earlier_ready_then_to_the_earlier_issue},
         {"cycles, wrong indices and short scratch memory are refused",
          cycles_wrong_indices_and_short_scratch_memory_are_refused},
         {"3000 random sets settle as the rule taken literally says",
          the_3000_random_sets_settle_as_the_rule_taken_literally_says},
         {"the same set gives the same bytes", the_same_set_gives_the_same_bytes},
         {"thousands of operations settle at once", thousands_of_operations_settle_at_once});
