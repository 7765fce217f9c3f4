/**
 * @file quick.c
 * @brief Implementation of quick.h: what the short way knows.
 */
#include "quick.h"
#include "check.h"
#include "init.h"
#include "own_array.h"
#include "race.h"
#include "race_memory.h"

static const struct umsim_fiber *const none = NULL;

struct umsim_quick umsim_quick = {.stamped = UMSIM_QUICK_NOBODY, .running = &none};
uint32_t umsim_quick_quiet[UMSIM_QUICK_QUIET];

/* quick.h takes shadow words apart as whole numbers. */
_Static_assert(UNIT_BITS + THREAD_BITS + EPOCH_BITS + WARP_BITS + PART_BITS + 1 + SITE_BITS == 64 &&
                   __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "shadow words fill 64 bits, the unit highest");

/* All of these are judged on the short way; what else may be asked for is not. */
static bool is_asked_for(void)
{
    const unsigned judged = UMSIM_CHECK_MEMORY | UMSIM_CHECK_INIT | UMSIM_CHECK_RACE,
                   apart = UMSIM_CHECK_COALESCING | UMSIM_CHECK_EACH;
    return (umsim_checks & judged) == judged && !(umsim_checks & apart);
}

#define NOW (UINT64_C(1) << 48) /* addresses are smaller */

/* What is known of places holds no longer. */
static void forget_places(void)
{
    struct umsim_quick *const q = &umsim_quick;
    q->now += NOW;
    if (q->now == 0)
        memset(q->place, 0, sizeof q->place);
}

void umsim_quick_launch(void)
{
    umsim_quick_close();
    forget_places();
}

void umsim_quick_block(uint32_t number, uint32_t *written_in, uint32_t *written_words)
{
    umsim_quick_close();
    umsim_quick.block = number;
    umsim_quick.written_in = written_in;
    umsim_quick.written_words = written_words;
    umsim_quick.shared = umsim_this_worker->static_shared;
    umsim_quick.split_in = umsim_race_shared_shadow(0).split_in;
}

struct umsim_quick_range umsim_quick_global(uintptr_t base, size_t bytes, const uint64_t *shadow,
                                            bool tracks_init)
{
    const uintptr_t first = base / UMSIM_SHADOWED_BYTES * UMSIM_SHADOW_WORDS * sizeof *shadow;
    return (struct umsim_quick_range){.base = base,
                                      .bytes = bytes,
                                      .kind = shadow ? UMSIM_QUICK_GLOBAL : UMSIM_QUICK_NONE,
                                      .chunks = shadow ? umsim_deferred_chunks(base) : 0,
                                      .shadow = (uintptr_t)shadow - first,
                                      .written = tracks_init ? umsim_init_bits() : 0};
}

struct umsim_quick_range umsim_quick_shared(uintptr_t base, size_t bytes)
{
    struct umsim_quick_range range =
        umsim_quick_global((uintptr_t)umsim_quick.shared, 0, umsim_race_shared_shadow(0).word, false);
    range.kind = UMSIM_QUICK_SHARED;
    range.chunks = umsim_deferred_shared_chunks((uintptr_t)umsim_quick.shared);
    range.base = base;
    range.bytes = bytes;
    return range;
}

static bool stamp_in_full(struct umsim_quick *q)
{
    struct umsim_race_standing standing;
    if (!umsim_race_stands(&standing))
        return false;
    if (umsim_order_version < q->order_version) /* all numbers have been used */
        memset(umsim_quick_quiet, 0, sizeof umsim_quick_quiet);
    q->order_version = umsim_order_version;
    q->stamp = standing.stamp;
    q->unit = standing.unit;
    q->first_unit = standing.first_unit;
    q->barrier = standing.barrier;
    q->is_ordered = standing.is_ordered;
    q->is_uniform = standing.is_uniform;
    q->ordered_below = (uint64_t)(standing.is_ordered ? standing.first_unit : 1) << QUICK_UNIT_SHIFT;
    q->first_word = (uint64_t)standing.first_unit << QUICK_UNIT_SHIFT;
    /* of this block's own readers that is clear as long as it has not met at all */
    q->stays_below = (standing.unit + (uint64_t)(standing.is_uniform && standing.barrier == 0))
                     << QUICK_UNIT_SHIFT;
    q->interval = umsim_order_version;
    q->quiet_bytes = standing.is_uniform && umsim_order_version ? UMSIM_SHARED_BYTES : 0;
    q->number = quick_thread(standing.stamp);
    q->reads = umsim_pretest_reads_of(q->number, q->unit);
    q->stamped = *q->running;
    return true;
}

bool umsim_quick_restamp(void)
{
    struct umsim_quick *const q = &umsim_quick;
    return q->is_open && *q->running && (umsim_quick_next(*q->running) || stamp_in_full(q));
}

bool umsim_quick_is_own_stack(uintptr_t p, size_t bytes)
{
    struct umsim_quick *const q = &umsim_quick;
    if (!q->is_open || !*q->running)
        return false;
    if (q->of_stack != *q->running) {
        q->of_stack = *q->running;
        q->stack = umsim_access_own_stack(q->worker);
    }
    return p - q->stack.low < q->stack.high - q->stack.low && bytes <= q->stack.high - p;
}

/* Opens the short way for the current thread, if it may be. */
static void open_if_possible(struct umsim_quick *q)
{
    const unsigned version = umsim_table_version();
    q->worker = umsim_this_worker;
    q->table_version = umsim_table_version_at();
    q->running =
        (const struct umsim_fiber *const *)(q->worker->current ? &q->worker->current : &q->worker->alone);
    q->of_stack = NULL;
    q->stacks = umsim_access_stacks(q->worker);
    if (q->version != version)
        forget_places();
    q->version = version;
    q->stamped = UMSIM_QUICK_NOBODY;
    q->is_uniform = false; /* the stamp is made in full */
    q->is_open = is_asked_for();
    q->is_open = umsim_quick_restamp();
}

bool umsim_quick_reopen(void)
{
    if (!umsim_own_array_is_idle())
        return false;
    open_if_possible(&umsim_quick);
    return umsim_quick.is_open;
}

void umsim_quick_learn(const void *pc, size_t bytes, const struct umsim_quick_range *range)
{
    struct umsim_quick *const q = &umsim_quick;
    open_if_possible(q);
    if (!q->is_open || range->kind == UMSIM_QUICK_NONE || range->bytes < bytes || (uintptr_t)pc >= NOW)
        return;
    *umsim_quick_place_of(pc) = (struct umsim_quick_place){.key = (uint64_t)(uintptr_t)pc | q->now,
                                                           .base = range->base,
                                                           .limit = range->bytes - bytes,
                                                           .shadow = range->shadow,
                                                           .written = range->written,
                                                           .chunks = range->chunks,
                                                           .site = umsim_race_site(pc),
                                                           .bytes = (uint32_t)bytes,
                                                           .kind = range->kind};
}
