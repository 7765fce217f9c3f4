/**
 * @file quick.c
 * @brief Implementation of quick.h: what the short way knows.
 */
#include "quick.h"
#include "check.h"
#include "init.h"
#include "race.h"
#include "race_memory.h"

struct umsim_quick umsim_quick;

/* quick.h takes shadow words apart as whole numbers: from the lowest bit on. */
_Static_assert(UNIT_BITS + THREAD_BITS + EPOCH_BITS + WARP_BITS + PART_BITS + 1 + SITE_BITS == 64 &&
                   __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "shadow words fill 64 bits, the unit lowest");

/* All of these are judged on the short way; what else may be asked for is not. */
static bool is_asked_for(void)
{
    const unsigned judged = UMSIM_CHECK_MEMORY | UMSIM_CHECK_INIT | UMSIM_CHECK_RACE,
                   apart = UMSIM_CHECK_COALESCING | UMSIM_CHECK_EACH;
    return (umsim_checks & judged) == judged && !(umsim_checks & apart);
}

void umsim_quick_launch(void)
{
    umsim_quick_close();
    umsim_quick.launch++;
}

void umsim_quick_block(uint32_t number, uint32_t *written_in)
{
    umsim_quick_close();
    umsim_quick.block = number;
    umsim_quick.written_in = written_in;
    umsim_quick.shared = umsim_this_worker->static_shared;
    umsim_quick.split_in = umsim_race_shared_shadow(0).split_in;
}

struct umsim_quick_place umsim_quick_global(uintptr_t base, size_t bytes, const uint64_t *shadow,
                                            bool tracks_init)
{
    const uintptr_t first = base / UMSIM_SHADOWED_BYTES * UMSIM_SHADOW_WORDS * sizeof *shadow;
    return (struct umsim_quick_place){.base = base,
                                      .bytes = bytes,
                                      .kind = shadow ? UMSIM_QUICK_GLOBAL : UMSIM_QUICK_NONE,
                                      .shadow = (uintptr_t)shadow - first,
                                      .written = tracks_init ? umsim_init_bits() : 0};
}

struct umsim_quick_place umsim_quick_shared(uintptr_t base, size_t bytes)
{
    struct umsim_quick_place range =
        umsim_quick_global((uintptr_t)umsim_quick.shared, 0, umsim_race_shared_shadow(0).word, false);
    range.kind = UMSIM_QUICK_SHARED;
    range.base = base;
    range.bytes = bytes;
    return range;
}

bool umsim_quick_restamp(void)
{
    struct umsim_race_standing standing;
    struct umsim_quick *const q = &umsim_quick;
    const struct umsim_fiber *const thread = umsim_worker_thread(q->worker);
    if (!thread || !umsim_race_stands(&standing))
        return false;
    q->thread = thread;
    q->order_version = umsim_order_version;
    q->stamp = standing.stamp;
    q->unit = standing.unit;
    q->first_unit = standing.first_unit;
    q->barrier = standing.barrier;
    q->is_ordered = standing.is_ordered;
    q->number = quick_thread(standing.stamp);
    q->reads = umsim_pretest_reads_of(q->number, q->unit);
    q->stack = umsim_access_own_stack(q->worker);
    return true;
}

void umsim_quick_learn(const void *pc, const struct umsim_quick_place *range)
{
    struct umsim_quick *const q = &umsim_quick;
    q->worker = umsim_this_worker;
    q->table_version = umsim_table_version_at();
    q->is_open = is_asked_for() && umsim_quick_restamp();
    if (!q->is_open || range->kind == UMSIM_QUICK_NONE)
        return;
    struct umsim_quick_place *const place = umsim_quick_place_of(pc);
    *place = *range;
    place->pc = pc;
    place->launch = q->launch;
    place->table_version = umsim_table_version();
    place->site = umsim_race_site(pc);
}
