/**
 * @file spans.c
 * @brief Tests of sim/base/spans.h, sim/space/allocator.h, allocator_small.h and registry.h against arrays
 * that are searched from their start, with pseudo-random operations.
 */
#include "base/spans.h"
#include "base/layout.h"
#include "space/allocator.h"
#include "space/allocator_small.h"
#include "space/registry.h"
#include "um_test.h"

#include <stdlib.h>
#include <string.h>

static uint64_t state = 1;

static size_t random_below(size_t end) /* xorshift64 */
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % end;
}

/* ---- the set ---- */

enum { PLACES = 600, STEPS = 60000 };

/* A place of 100 addresses may hold one span: the other implementation. */
static struct umsim_span place[PLACES];
static bool taken[PLACES];
static struct umsim_spans set;

static struct umsim_span *plainly_up_to(uintptr_t address)
{
    struct umsim_span *best = NULL;
    for (size_t i = 0; i < PLACES; i++)
        if (taken[i] && place[i].start <= address)
            best = &place[i];
    return best;
}

static struct umsim_span *plainly_behind(uintptr_t address)
{
    for (size_t i = 0; i < PLACES; i++)
        if (taken[i] && place[i].start > address)
            return &place[i];
    return NULL;
}

static struct umsim_span *plainly_first_of(size_t bytes)
{
    for (size_t i = 0; i < PLACES; i++)
        if (taken[i] && place[i].bytes >= bytes)
            return &place[i];
    return NULL;
}

static void change_one(size_t i)
{
    const uintptr_t start = i * 100 + random_below(50);
    const size_t bytes = 1 + random_below(50);
    if (taken[i] && random_below(2)) {
        umsim_spans_change(&set, &place[i], start, bytes);
        return;
    }
    if (taken[i]) {
        umsim_spans_remove(&set, &place[i]);
    } else {
        place[i] = (struct umsim_span){.start = start, .bytes = bytes};
        umsim_spans_add(&set, &place[i]);
    }
    taken[i] = !taken[i];
}

static size_t wrong_answers(void)
{
    const uintptr_t address = random_below(PLACES * 100);
    const size_t bytes = random_below(55);
    struct umsim_span *holder = plainly_up_to(address);
    if (holder && address - holder->start >= holder->bytes)
        holder = NULL;
    return (umsim_spans_up_to(&set, address) != plainly_up_to(address)) +
           (umsim_spans_behind(&set, address) != plainly_behind(address)) +
           (umsim_spans_first_of(&set, bytes) != plainly_first_of(bytes)) +
           (umsim_spans_find(&set, address) != holder);
}

static void a_set_of_spans_answers_as_an_array_does(void)
{
    size_t wrong = 0, count = 0;
    for (int step = 0; step < STEPS; step++) {
        change_one(random_below(PLACES));
        wrong += wrong_answers();
    }
    for (size_t i = 0; i < PLACES; i++)
        count += taken[i];
    UM_EQUAL(wrong, 0);
    UM_EQUAL(set.count, count);
}

static void spans_at_one_address_lie_in_the_order_in_which_they_were_added(void)
{
    struct umsim_span same[5];
    struct umsim_spans few = {0};
    for (int i = 0; i < 5; i++) {
        same[i] = (struct umsim_span){.start = 10, .bytes = 1};
        umsim_spans_add(&few, &same[i]);
    }
    for (int i = 4; i >= 0; i--) {
        CU_ASSERT_PTR_EQUAL(umsim_spans_up_to(&few, 10), &same[i]);
        umsim_spans_remove(&few, &same[i]);
    }
    CU_ASSERT_PTR_NULL(few.root);
}

enum { MANY = 100000 };

static size_t depth(const struct umsim_span *tree)
{
    const size_t lower = tree ? depth(tree->lower) : 0, higher = tree ? depth(tree->higher) : 0;
    return tree ? 1 + (lower > higher ? lower : higher) : 0;
}

static void shuffle(size_t *numbers)
{
    for (size_t i = 0; i < MANY; i++)
        numbers[i] = i;
    for (size_t i = MANY - 1; i > 0; i--) {
        const size_t other = random_below(i + 1), kept = numbers[i];
        numbers[i] = numbers[other];
        numbers[other] = kept;
    }
}

/* A perfect tree of 100,000 has 17 levels, a list 100,000. */
static void no_path_in_100_000_spans_is_long_in_whatever_order_they_come(void)
{
    struct umsim_span *span = calloc(MANY, sizeof *span);
    size_t *scattered = calloc(MANY, sizeof *scattered);
    CU_ASSERT_FATAL(span && scattered);
    shuffle(scattered);
    for (int order = 0; order < 3; order++) {
        struct umsim_spans many = {0};
        for (size_t i = 0; i < MANY; i++) {
            const size_t at = order == 0 ? i : order == 1 ? MANY - 1 - i : scattered[i];
            span[at] = (struct umsim_span){.start = at * 10, .bytes = 10};
            umsim_spans_add(&many, &span[at]);
        }
        CU_ASSERT_TRUE(depth(many.root) < 60);
        for (size_t i = 0; i < MANY; i += 2)
            umsim_spans_remove(&many, &span[i]);
        CU_ASSERT_TRUE(depth(many.root) < 60);
        UM_EQUAL(many.count, MANY / 2);
    }
    free(scattered);
    free(span);
}

/* ---- free ranges ---- */

enum { UNITS = 2000, HELD = 300 };

static bool used[UNITS]; /* the other implementation: one entry a unit */

static bool is_free(size_t start, size_t units)
{
    for (size_t i = start; i < start + units; i++)
        if (i >= UNITS || used[i])
            return false;
    return true;
}

static size_t plainly_take(size_t units)
{
    for (size_t start = 0; start < UNITS; start++)
        if (is_free(start, units)) {
            memset(&used[start], true, units);
            return start;
        }
    return UNITS;
}

static void ranges_are_taken_from_the_lowest_gap_that_holds_them(void)
{
    struct {
        size_t start, units;
    } held[HELD] = {0};
    struct umsim_free_ranges ranges = {0};
    size_t wrong = 0;
    CU_ASSERT_TRUE(umsim_free_ranges_put(&ranges, 0, UNITS));
    for (int step = 0; step < STEPS; step++) {
        const size_t i = random_below(HELD), units = 1 + random_below(20);
        if (held[i].units) {
            memset(&used[held[i].start], false, held[i].units);
            wrong += !umsim_free_ranges_put(&ranges, held[i].start, held[i].units);
            held[i].units = 0;
            continue;
        }
        size_t start = UNITS;
        const size_t expected = plainly_take(units);
        wrong += umsim_free_ranges_take(&ranges, units, &start) != (expected < UNITS);
        wrong += start != expected;
        held[i].start = start;
        held[i].units = start < UNITS ? units : 0;
    }
    UM_EQUAL(wrong, 0);
}

static void neighbouring_gaps_become_one_unless_a_border_lies_between(void)
{
    struct umsim_free_ranges ranges = {.unit = 100};
    for (size_t start = 0; start < 300; start += 10)
        umsim_free_ranges_put(&ranges, start, 10);
    UM_EQUAL(ranges.gaps.count, 3);
    umsim_free_ranges_drop(&ranges, 100, 100);
    UM_EQUAL(ranges.gaps.count, 2);
    CU_ASSERT_PTR_NULL(umsim_spans_find(&ranges.gaps, 150));
    CU_ASSERT_PTR_NOT_NULL(umsim_spans_find(&ranges.gaps, 250));
}

/* ---- small managed allocations ---- */

enum { BLOCKS = 40, PIECE = 65536, PIECES = (int)(((size_t)2 << 20) / PIECE), SMALL_HELD = 400 };

/* The other implementation: the pieces of each block, and whether the block is in use. */
static bool piece_used[BLOCKS][PIECES];
static bool block_used[BLOCKS];

static bool pieces_are(size_t block, size_t first, size_t pieces, bool wanted)
{
    for (size_t i = first; i < first + pieces; i++)
        if (i >= PIECES || piece_used[block][i] != wanted)
            return false;
    return true;
}

static size_t plainly_take_in(size_t block, size_t pieces)
{
    for (size_t first = 0; first < PIECES; first++)
        if (pieces_are(block, first, pieces, false)) {
            memset(&piece_used[block][first], true, pieces);
            return block * UMSIM_VA_BLOCK + first * PIECE;
        }
    return SIZE_MAX;
}

static size_t plainly_take_small(size_t pieces)
{
    size_t start = SIZE_MAX;
    for (size_t block = 0; block < BLOCKS && start == SIZE_MAX; block++)
        if (block_used[block])
            start = plainly_take_in(block, pieces);
    for (size_t block = 0; block < BLOCKS && start == SIZE_MAX; block++)
        if (!block_used[block]) {
            block_used[block] = true;
            start = plainly_take_in(block, pieces);
        }
    return start;
}

static void plainly_give_back(size_t start, size_t pieces)
{
    const size_t block = start / UMSIM_VA_BLOCK;
    memset(&piece_used[block][start % UMSIM_VA_BLOCK / PIECE], false, pieces);
    block_used[block] = !pieces_are(block, 0, PIECES, false);
}

static void small_allocations_share_blocks_as_in_a_table_of_pieces(void)
{
    struct {
        size_t start, pieces;
    } held[SMALL_HELD] = {0};
    struct umsim_free_ranges arena = {0};
    size_t wrong = 0;
    CU_ASSERT_TRUE(umsim_free_ranges_put(&arena, 0, BLOCKS * UMSIM_VA_BLOCK));
    for (int step = 0; step < STEPS; step++) {
        const size_t i = random_below(SMALL_HELD), pieces = 1 + random_below(step / 1000 % 2 ? 5 : 25);
        if (held[i].pieces) {
            plainly_give_back(held[i].start, held[i].pieces);
            umsim_allocator_small_put(&arena, held[i].start, held[i].pieces * PIECE);
            held[i].pieces = 0;
            continue;
        }
        size_t start = SIZE_MAX;
        const size_t expected = plainly_take_small(pieces);
        wrong += umsim_allocator_small_take(&arena, pieces * PIECE, &start) != (expected != SIZE_MAX);
        wrong += start != expected;
        held[i].start = start;
        held[i].pieces = start != SIZE_MAX ? pieces : 0;
    }
    UM_EQUAL(wrong, 0);
    for (size_t i = 0; i < SMALL_HELD; i++)
        if (held[i].pieces)
            umsim_allocator_small_put(&arena, held[i].start, held[i].pieces * PIECE);
    UM_EQUAL(arena.gaps.count, 1); /* all blocks have gone back */
}

/* ---- allocations ---- */

enum { ENTRIES = 300 };
static struct umsim_alloc *entry[ENTRIES]; /* the one that starts at i * 100, or NULL */

static struct umsim_alloc *plainly_overlapping(uintptr_t address, size_t bytes)
{
    for (size_t i = 0; i < ENTRIES; i++)
        if (entry[i] && (uintptr_t)entry[i]->base < address + bytes &&
            (uintptr_t)entry[i]->base + entry[i]->bytes > address)
            return entry[i];
    return NULL;
}

struct visit {
    uintptr_t before;
    size_t count, wrong;
};

static void visit_one(struct umsim_alloc *allocation, void *context)
{
    struct visit *visit = context;
    visit->wrong += (uintptr_t)allocation->base <= visit->before;
    visit->before = (uintptr_t)allocation->base;
    visit->count++;
    if (visit->count % 2) {
        entry[(uintptr_t)allocation->base / 100 - 1] = NULL;
        umsim_registry_remove(allocation);
    }
}

static void the_registry_finds_what_a_search_from_the_start_finds(void)
{
    size_t wrong = 0, count = 0;
    for (int step = 0; step < STEPS; step++) {
        const size_t i = random_below(ENTRIES), bytes = 1 + random_below(100);
        const uintptr_t address = random_below((ENTRIES + 2) * 100), length = 1 + random_below(300);
        if (entry[i])
            umsim_registry_remove(entry[i]);
        entry[i] = entry[i]
                       ? NULL
                       : umsim_registry_add((void *)((i + 1) * 100), bytes, UMSIM_REGISTERED, "a test", NULL);
        wrong += umsim_registry_find((void *)address) != plainly_overlapping(address, 1);
        wrong += umsim_registry_overlap((void *)address, length) != plainly_overlapping(address, length);
    }
    UM_EQUAL(wrong, 0);
    for (size_t i = 0; i < ENTRIES; i++)
        count += entry[i] != NULL;
    struct visit all = {0}, rest = {0};
    umsim_registry_each(visit_one, &all); /* removes every other one */
    umsim_registry_each(visit_one, &rest);
    UM_EQUAL(all.count, count);
    UM_EQUAL(rest.count, count / 2);
    UM_EQUAL(all.wrong + rest.wrong, 0);
}

UM_TESTS("spans", {"a set of spans answers as an array does", a_set_of_spans_answers_as_an_array_does},
         {"spans at one address lie in the order in which they were added",
          spans_at_one_address_lie_in_the_order_in_which_they_were_added},
         {"no path in 100,000 spans is long, in whatever order they come",
          no_path_in_100_000_spans_is_long_in_whatever_order_they_come},
         {"ranges are taken from the lowest gap that holds them",
          ranges_are_taken_from_the_lowest_gap_that_holds_them},
         {"neighbouring gaps become one, unless a border lies between",
          neighbouring_gaps_become_one_unless_a_border_lies_between},
         {"small allocations share blocks as in a table of pieces",
          small_allocations_share_blocks_as_in_a_table_of_pieces},
         {"the registry finds what a search from the start finds",
          the_registry_finds_what_a_search_from_the_start_finds});
