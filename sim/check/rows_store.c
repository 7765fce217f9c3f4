/**
 * @file rows_store.c
 * @brief Stores what the accesses of a loop's rows would have stored, one after another.
 */
#include "init.h"
#include "rows_judged.h"
#include "../base/processes.h"

/* As quick_done_at_once() does. */
INLINE void store_at_once(const struct judged *it, uintptr_t p, uint64_t me)
{
    uint64_t *shadow = shadow_of(it, p);
    for (size_t w = 0; w < it->bytes / UMSIM_SHADOWED_BYTES; w++, shadow += UMSIM_SHADOW_WORDS) {
        const uint64_t reader = shadow[1];
        if (it->is_write)
            shadow[0] = me;
        else if (reader < umsim_quick.ordered_below)
            shadow[1] = me;
        else if (!(reader & QUICK_FLAG) && (reader ^ me) >> QUICK_THREAD_SHIFT)
            shadow[1] = reader | QUICK_FLAG;
    }
}

static void store_one(const struct judged *it, uintptr_t p)
{
    struct umsim_quick *const q = &umsim_quick;
    if (!it->is_shared)
        quick_global(q, it->place, p, it->bytes, it->is_write);
    else if (it->is_write || !quick_is_quiet(q, p, it->bytes))
        quick_shared(q, it->place, p, it->bytes, it->is_write);
}

/* One shadow word for each, which is theirs now. */
static void store_fresh(const struct rows *r, const struct judged *it, uint64_t me)
{
    const int64_t inner_step = (int64_t)(it->inner_step * SHADOW_STEP / sizeof(uint64_t));
    const uint64_t next = next_stamp(r), passes = r->passes, inner = it->inner;
    const size_t words = it->bytes / UMSIM_SHADOWED_BYTES;
    for (uint64_t i = 0; i < passes; i++, me += next) {
        uint64_t *shadow = shadow_of(it, it->first + i * it->step) + (it->is_write ? 0 : 1);
        for (uint64_t j = 0; j < inner; j++, shadow += inner_step)
            for (size_t w = 0; w < words; w++)
                shadow[w * UMSIM_SHADOW_WORDS] = me;
    }
}

void umsim_rows_set_written(const struct rows *r, const struct judged *it)
{
    if (it->place->written)
        FOR_RANGES(r, it, umsim_init_written(low, high - low));
}

/* A pass's accesses of one row. */
INLINE void store_pass(const struct judged *it, uint64_t pass, uint64_t me)
{
    uintptr_t p = it->first + pass * it->step;
    for (uint64_t j = 0; j < it->inner; j++, p += it->inner_step)
        if (it->is_plain)
            store_at_once(it, p, me);
        else
            store_one(it, p);
}

/* Whether reads by two threads have made quiet what all passes read. */
static bool is_quiet_now(const struct judged *it)
{
    uintptr_t p = it->first;
    for (uint64_t j = 0; j < it->inner; j++, p += it->inner_step)
        if (!quick_is_quiet(&umsim_quick, p, it->bytes))
            return false;
    return true;
}

static void store_row(const struct rows *r, const struct judged *it)
{
    pass_begins(r, 0);
    uint64_t me = umsim_quick.stamp | it->place->site;
    if (it->is_fresh && it->is_spread) {
        if (!it->is_repeat)
            store_fresh(r, it, me);
        return;
    }
    for (uint64_t i = 0; i < r->passes; i++, me += next_stamp(r)) {
        if (i == 2 && it->is_shared && !it->is_write && it->step == 0 && is_quiet_now(it))
            return;
        pass_begins(r, i);
        store_pass(it, i, me);
    }
}

/* Rows of one loop inside, from `from` on, are made together in each pass of that. @return the next row */
static unsigned store_inner(const struct rows *r, unsigned from, uint64_t pass, uint64_t stamp)
{
    unsigned end = from + 1;
    while (end < r->count && r->row[end].loop == r->row[from].loop)
        end++;
    for (uint64_t j = 0; j < r->row[from].inner; j++)
        for (unsigned k = from; k < end; k++) {
            const struct judged *const it = &r->row[k];
            const uintptr_t p = it->first + pass * it->step + j * it->inner_step;
            if (it->is_free)
                continue;
            if (it->is_plain)
                store_at_once(it, p, stamp | it->place->site);
            else
                store_one(it, p);
        }
    return end;
}

static void store_by_passes(const struct rows *r)
{
    for (uint64_t i = 0; i < r->passes; i++) {
        pass_begins(r, i);
        for (unsigned k = 0; k < r->count;)
            k = store_inner(r, k, i, umsim_quick.stamp);
    }
}

void umsim_rows_store(const struct rows *r)
{
    if (r->by_passes)
        store_by_passes(r);
    for (unsigned i = 0; i < r->count; i++) {
        if (!r->row[i].is_free && !r->by_passes)
            store_row(r, &r->row[i]);
        if (r->row[i].is_plain && r->row[i].is_write)
            umsim_rows_set_written(r, &r->row[i]);
    }
}

/* ---- what threads have read last (pretest.h) ---- */

struct one_read {
    const struct judged *row;
    uint64_t offset; /* from where its pass begins */
};

/* The reads of a pass, from the last one on. */
struct backward {
    const struct rows *r;
    unsigned from, end, at; /* the rows of one loop inside, and behind the next one of them */
    uint64_t inner;         /* behind its pass of that loop */
};

static void begin_loop(struct backward *b, unsigned end)
{
    b->from = b->end = b->at = end;
    while (b->from > 0 && b->r->row[b->from - 1].loop == b->r->row[end - 1].loop)
        b->from--;
    b->inner = end ? b->r->row[end - 1].inner : 0;
}

/* @return false: there are no more */
static bool one_before(struct backward *b, struct one_read *out)
{
    for (;;) {
        if (b->at == b->from && b->inner > 1) {
            b->at = b->end;
            b->inner--;
        } else if (b->at == b->from) {
            if (b->from == 0)
                return false;
            begin_loop(b, b->from);
        }
        const struct judged *const it = &b->r->row[--b->at];
        if (it->is_noted) {
            *out = (struct one_read){it, (b->inner - 1) * it->inner_step};
            return true;
        }
    }
}

/* As many as are kept of each thread. @return how many that are */
static unsigned last_reads(const struct rows *r, struct one_read *last)
{
    struct backward b = {.r = r};
    unsigned some = 0;
    begin_loop(&b, r->count);
    while (some < UMSIM_PRETEST_READS && one_before(&b, &last[some]))
        some++;
    return some;
}

/* Of one thread, the last passes'. */
static void note_own_reads(const struct rows *r, const struct one_read *last, unsigned some, uint64_t all)
{
    const uint64_t first = r->passes < UMSIM_PRETEST_READS ? 0 : r->passes - UMSIM_PRETEST_READS;
    umsim_quick.reads->count += (unsigned)(first * all);
    for (uint64_t i = first; i < r->passes; i++) {
        umsim_quick.reads->count += (unsigned)(all - some);
        for (unsigned k = some; k-- > 0;)
            umsim_pretest_note(umsim_quick.reads, last[k].row->first + i * last[k].row->step + last[k].offset,
                               last[k].row->pc);
    }
}

/* Of threads that do not come again nobody asks any more. */
static void note_reads(const struct rows *r)
{
    struct one_read last[UMSIM_PRETEST_READS];
    const unsigned some = last_reads(r, last);
    uint64_t all = 0;
    for (unsigned j = 0; j < r->count; j++)
        all += r->row[j].is_noted * r->row[j].inner;
    if (!some)
        return;
    if (!r->thread) {
        note_own_reads(r, last, some, all);
        return;
    }
    struct umsim_pretest_rows rows = {.unit = umsim_quick.unit,
                                      .first = (unsigned)(r->thread - umsim_quick.worker->fibers),
                                      .threads = (unsigned)r->passes,
                                      .all = (unsigned)all,
                                      .some = some};
    for (unsigned k = 0; k < some; k++) {
        const struct one_read *const it = &last[some - 1 - k];
        rows.last[k].address = it->row->first + it->offset;
        rows.last[k].step = it->row->step;
        rows.last[k].pc = it->row->pc;
    }
    umsim_pretest_note_rows(&rows);
}

void umsim_rows_end(const struct rows *r)
{
    if (!r->thread || umsim_pretest_by_thread)
        note_reads(r);
    if (!r->thread)
        return;
    umsim_this_worker->alone = r->thread + r->passes - 1;
    umsim_quick_next(umsim_this_worker->alone);
}
