/**
 * @file rows.c
 * @brief Implementation of rows.h: asks the short way of each access, and stores their effects.
 */
#include "rows.h"
#include "check.h"
#include "init.h"
#include "own_array.h"
#include "quick.h"
#include "../base/layout.h"
#include "../base/processes.h"

#define SHADOW_STEP (UMSIM_SHADOW_WORDS * sizeof(uint64_t) / UMSIM_SHADOWED_BYTES) /* for each byte */
#define INLINE static inline __attribute__((always_inline))

struct umsim_rows_place umsim_rows_places[UMSIM_ROWS_PLACES];

/* A row, and what is known of its place. */
struct judged {
    const struct umsim_quick_place *place;
    const void *pc;
    uintptr_t first, low, high; /* of its first byte to behind its last one */
    uint64_t step;
    size_t bytes;
    bool is_write, is_shared;
    bool is_noted;  /* pretest.h */
    bool is_free;   /* nothing is to be stored */
    bool is_plain;  /* quick_done_at_once() would do each of its accesses */
    bool is_fresh;  /* and its shadow words are all of what comes before */
    bool is_spread; /* each pass has bytes of its own */
    bool is_dense;  /* which lie side by side */
    bool is_near;   /* some passes' shadow words are in one page: else a hook in each pass costs less */
    bool is_repeat; /* of another read: its effects are there */
};

struct rows {
    struct judged row[UMSIM_ROWS_MAX];
    unsigned count;
    uint64_t passes;
    struct umsim_fiber *thread; /* the first pass's, if each is another one's; else NULL */
    bool by_passes;             /* what they store depends on which comes first */
};

/* ---- who runs ---- */

/* The short way, for the first pass's thread. */
static bool opens(struct rows *r, int threads)
{
    struct umsim_worker *const worker = umsim_this_worker;
    if (threads < 0)
        return umsim_quick_is_stamped() || umsim_quick_restamp();
    if (!umsim_in_gpu || !umsim_checks || !worker || !worker->in_kernel || worker->current)
        return false;
    struct umsim_fiber *const before = worker->alone;
    r->thread = threads ? before + 1 : worker->fibers;
    worker->alone = r->thread;
    if ((umsim_quick_next(r->thread) || umsim_quick_reopen()) && umsim_quick.is_uniform)
        return true;
    worker->alone = before;
    return false;
}

/* A pass's thread is the one that quick.h compares. */
static inline void pass_begins(const struct rows *r, uint64_t pass)
{
    struct umsim_quick *const q = &umsim_quick;
    if (!r->thread)
        return;
    q->number = (unsigned)(r->thread - q->worker->fibers) + (unsigned)pass;
    q->stamp = (q->stamp & ~QUICK_THREADS) | (uint64_t)q->number << QUICK_THREAD_SHIFT;
}

/* What a pass adds to the stamp. */
INLINE uint64_t next_stamp(const struct rows *r)
{
    return r->thread ? UINT64_C(1) << QUICK_THREAD_SHIFT : 0;
}

/* ---- what the rows are ---- */

INLINE bool know(struct judged *it, const uint64_t *access, const struct umsim_row *row, uint64_t passes)
{
    const struct umsim_rows_place *const at = umsim_rows_place_of(access);
    const struct umsim_quick_place *const place = umsim_quick_place_of(at->pc);
    const uintptr_t last = row->first + (passes - 1) * row->step;
    const uint64_t width = (int64_t)row->step < 0 ? -row->step : row->step,
                   bytes = *access % UMSIM_ROWS_WRITE;
    if (at->access != access || !at->pc || !quick_knows(&umsim_quick, place, at->pc) ||
        place->bytes != bytes || row->first - place->base > place->limit || last - place->base > place->limit)
        return false;
    *it = (struct judged){.place = place,
                          .pc = at->pc,
                          .first = row->first,
                          .low = row->first < last ? row->first : last,
                          .high = (row->first < last ? last : row->first) + bytes,
                          .step = row->step,
                          .bytes = bytes,
                          .is_write = *access & UMSIM_ROWS_WRITE,
                          .is_shared = place->kind == UMSIM_QUICK_SHARED,
                          .is_free = place->kind >= UMSIM_QUICK_CONSTANT,
                          .is_spread = width >= bytes || passes == 1,
                          .is_dense = width == bytes || passes == 1,
                          .is_near = width <= UMSIM_PAGE / SHADOW_STEP};
    if (it->is_free)
        return place->kind == UMSIM_QUICK_FREE || !it->is_write;
    it->is_noted = !it->is_write;
    return ((row->first | row->step) & ((bytes > 8 ? 8 : bytes) - 1)) == 0;
}

/* How two rows go together. @return false: that is not sure */
INLINE bool go_together(struct rows *r, const struct judged *earlier, struct judged *it)
{
    if (it->is_free || earlier->is_free || it->high <= earlier->low || earlier->high <= it->low)
        return true;
    if (earlier->first == it->first && earlier->step == it->step && earlier->bytes == it->bytes &&
        it->is_spread) {
        it->is_repeat |= !earlier->is_write && !it->is_write;
        return true;
    }
    r->by_passes = true;
    return !r->thread || (!earlier->is_write && !it->is_write);
}

static bool know_all(struct rows *r, const uint64_t *access, const struct umsim_row *row)
{
    for (unsigned i = 0; i < r->count; i++) {
        struct judged *const it = &r->row[i];
        if (!know(it, &access[i], &row[i], r->passes) || (r->thread && it->is_write && !it->is_spread) ||
            (!r->thread && !it->is_shared && !it->is_near))
            return false;
        for (unsigned j = 0; j < i; j++)
            if (!go_together(r, &r->row[j], it))
                return false;
    }
    return true;
}

/* ---- whether each access is sure ---- */

INLINE uint64_t *shadow_of(const struct judged *it, uintptr_t p)
{
    return (uint64_t *)(it->place->shadow + p * SHADOW_STEP);
}

INLINE bool may_access(const struct judged *it, const uint64_t *shadow, bool is_shared)
{
    const struct umsim_quick *const q = &umsim_quick;
    const uint64_t me = q->stamp | it->place->site;
    return it->is_write ? quick_may_write(q, shadow, me, is_shared)
                        : quick_may_read(q, shadow, me, is_shared);
}

static bool global_is_written(const struct judged *it, uint64_t passes)
{
    uintptr_t p = it->first;
    unsigned bits = 0xff;
    if (!it->place->written || it->is_write)
        return true;
    if (it->is_dense)
        return umsim_init_missing(it->low, it->high - it->low) == it->high;
    for (uint64_t i = 0; i < passes; i++, p += it->step) {
        const unsigned char *const at = (const unsigned char *)(it->place->written + p / 8);
        bits &= it->bytes == 16 ? at[0] & at[1] : it->bytes == 8 ? at[0] : at[0] >> p % 8 | 0xf0U;
    }
    return bits == 0xff;
}

/* What is seen of a row's readers. */
struct readers {
    bool are_before; /* some come before the launch: they are replaced */
    bool are_now;    /* some are of this launch: they stay */
    bool change;     /* and are now not the only ones */
};

/* @return how many passes quick_done_at_once() would do, up to the first that it would not */
INLINE uint64_t sure_at_once(const struct rows *r, const struct judged *it, size_t words, bool is_write,
                             struct readers *out)
{
    const uint64_t before = umsim_quick.ordered_below, first = umsim_quick.first_word,
                   stays_below = umsim_quick.stays_below, next = next_stamp(r), passes = r->passes;
    const int64_t step = (int64_t)(it->step * SHADOW_STEP / sizeof(uint64_t));
    const uint64_t *shadow = shadow_of(it, it->first);
    uint64_t me = umsim_quick.stamp, i;
    struct readers readers = {false, false, false};
    for (i = 0; i < passes; i++, shadow += step, me += next)
        for (size_t w = 0; w < words; w++) {
            const uint64_t writer = shadow[w * UMSIM_SHADOW_WORDS],
                           reader = shadow[w * UMSIM_SHADOW_WORDS + 1];
            if (writer >= before)
                goto out;
            if (reader < before) {
                readers.are_before = true;
                continue;
            }
            if (is_write || reader < first || reader >= stays_below || reader & QUICK_PARTS)
                goto out;
            readers.are_now = true;
            readers.change |= !(reader & QUICK_FLAG) && (reader ^ me) >> QUICK_THREAD_SHIFT;
        }
out:
    *out = readers;
    return i;
}

static uint64_t count_sure(const struct rows *r, const struct judged *it, struct readers *out)
{
    const size_t words = it->bytes / UMSIM_SHADOWED_BYTES;
    if (words != 1)
        return sure_at_once(r, it, words, it->is_write, out);
    return it->is_write ? sure_at_once(r, it, 1, true, out) : sure_at_once(r, it, 1, false, out);
}

static bool is_sure_of_global(const struct rows *r, struct judged *it)
{
    struct readers readers;
    pass_begins(r, 0);
    const uint64_t sure = count_sure(r, it, &readers);
    it->is_plain = sure == r->passes;
    it->is_fresh = it->is_plain && !readers.are_now;
    it->is_free = it->is_plain && !it->is_write && !readers.are_before && !readers.change;
    for (uint64_t i = sure; i < r->passes; i++) {
        const uint64_t *shadow = shadow_of(it, it->first + i * it->step);
        pass_begins(r, i);
        for (size_t w = 0; w < it->bytes / UMSIM_SHADOWED_BYTES; w++)
            if (!may_access(it, shadow + w * UMSIM_SHADOW_WORDS, false))
                return false;
    }
    return global_is_written(it, r->passes);
}

INLINE bool are_quiet(const struct judged *it, uint64_t passes, size_t words)
{
    const struct umsim_quick *const q = &umsim_quick;
    const uint32_t *quiet = &umsim_quick_quiet[(it->first - (uintptr_t)q->shared) / UMSIM_SHADOWED_BYTES],
                   interval = q->interval;
    const int64_t step = (int64_t)it->step / UMSIM_SHADOWED_BYTES;
    uint32_t differs = 0;
    for (uint64_t i = 0; i < passes; i++, quiet += step)
        for (size_t w = 0; w < words; w++)
            differs |= quiet[w] ^ interval;
    return differs == 0;
}

/* Reads of what is quiet have no effect, and no write to it is sure. */
static bool is_quiet(const struct judged *it, uint64_t passes)
{
    if (it->is_write || it->high - (uintptr_t)umsim_quick.shared > umsim_quick.quiet_bytes)
        return false;
    return it->bytes == UMSIM_SHADOWED_BYTES ? are_quiet(it, passes, 1)
                                             : are_quiet(it, passes, it->bytes / UMSIM_SHADOWED_BYTES);
}

static bool is_sure_of_shared(const struct rows *r, struct judged *it)
{
    const struct umsim_quick *const q = &umsim_quick;
    uintptr_t p = it->first;
    it->is_free = is_quiet(it, r->passes);
    for (uint64_t i = 0; i < r->passes && !it->is_free; i++, p += it->step) {
        const size_t offset = p - (uintptr_t)q->shared;
        pass_begins(r, i);
        for (size_t w = 0; w < it->bytes / UMSIM_SHADOWED_BYTES; w++) {
            const size_t at = offset + w * UMSIM_SHADOWED_BYTES;
            uint32_t missing = 0;
            for (size_t b = at; b < at + UMSIM_SHADOWED_BYTES && !it->is_write; b++)
                missing |= q->written_in[b] ^ q->block;
            if (missing || q->split_in[at / UMSIM_SHADOWED_BYTES] == q->unit ||
                !may_access(it, shadow_of(it, p) + w * UMSIM_SHADOW_WORDS, true))
                return false;
        }
    }
    return true;
}

static bool is_sure_of_all(struct rows *r)
{
    for (unsigned i = 0; i < r->count; i++) {
        struct judged *const it = &r->row[i];
        if (!it->is_free && !(it->is_shared ? is_sure_of_shared(r, it) : is_sure_of_global(r, it)))
            return false;
    }
    return true;
}

/* ---- what they store ---- */

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
    const int64_t step = (int64_t)(it->step * SHADOW_STEP / sizeof(uint64_t));
    const uint64_t next = next_stamp(r), passes = r->passes;
    const size_t words = it->bytes / UMSIM_SHADOWED_BYTES;
    uint64_t *shadow = shadow_of(it, it->first) + (it->is_write ? 0 : 1);
    for (uint64_t i = 0; i < passes; i++, shadow += step, me += next)
        for (size_t w = 0; w < words; w++)
            shadow[w * UMSIM_SHADOW_WORDS] = me;
}

/* What a plain row has written. */
static void store_written(const struct rows *r, const struct judged *it)
{
    if (!it->is_plain || !it->is_write || !it->place->written)
        return;
    if (it->is_dense)
        umsim_init_written(it->low, it->high - it->low);
    for (uint64_t i = 0; i < r->passes && !it->is_dense; i++)
        quick_global_written(it->place->written, it->first + i * it->step, it->bytes, true);
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
    for (uint64_t i = 0; i < r->passes && it->is_plain; i++, me += next_stamp(r))
        store_at_once(it, it->first + i * it->step, me);
    for (uint64_t i = 0; i < r->passes && !it->is_plain; i++) {
        pass_begins(r, i);
        store_one(it, it->first + i * it->step);
    }
}

static void store_by_passes(const struct rows *r)
{
    pass_begins(r, 0);
    uint64_t me = umsim_quick.stamp;
    for (uint64_t i = 0; i < r->passes; i++, me += next_stamp(r))
        for (unsigned j = 0; j < r->count; j++) {
            const struct judged *const it = &r->row[j];
            if (it->is_free)
                continue;
            if (it->is_plain) {
                store_at_once(it, it->first + i * it->step, me | it->place->site);
            } else {
                pass_begins(r, i);
                store_one(it, it->first + i * it->step);
            }
        }
}

/* The thread's last reads (pretest.h); of threads that run alone nobody asks any more. */
static void note_reads(const struct rows *r)
{
    struct umsim_pretest_reads *const reads = umsim_quick.reads;
    const uint64_t some = r->passes < UMSIM_PRETEST_READS ? r->passes : UMSIM_PRETEST_READS;
    for (unsigned j = 0; j < r->count; j++)
        reads->count += (unsigned)(r->row[j].is_noted * (r->passes - some));
    for (uint64_t i = r->passes - some; i < r->passes; i++)
        for (unsigned j = 0; j < r->count; j++)
            if (r->row[j].is_noted)
                umsim_pretest_note(reads, r->row[j].first + i * r->row[j].step, r->row[j].pc);
}

static void store_all(const struct rows *r)
{
    if (r->by_passes)
        store_by_passes(r);
    for (unsigned i = 0; i < r->count; i++) {
        if (!r->row[i].is_free && !r->by_passes)
            store_row(r, &r->row[i]);
        store_written(r, &r->row[i]);
    }
    if (!r->thread) {
        note_reads(r);
        return;
    }
    umsim_this_worker->alone = r->thread + r->passes - 1;
    umsim_quick_next(umsim_this_worker->alone);
}

/* ---- the answer ---- */

__attribute__((visibility("default"))) int umsim_rows(const uint64_t *access, uint64_t count, uint64_t passes,
                                                      const struct umsim_row *row, int ok, int threads)
{
    struct rows r; /* only what is used of it is set */
    r.count = (unsigned)count;
    r.passes = passes;
    r.thread = NULL;
    r.by_passes = false;
    struct umsim_fiber *const alone = umsim_this_worker ? umsim_this_worker->alone : NULL;
    if (!ok || !umsim_in_gpu || (threads < 0 && passes * count < UMSIM_ROWS_LEAST) || !opens(&r, threads))
        return 0;
    if (know_all(&r, access, row) && is_sure_of_all(&r)) {
        store_all(&r);
        return 1;
    }
    if (r.thread) {
        umsim_this_worker->alone = alone; /* the loop's first pass goes on from there */
        umsim_quick.stamped = UMSIM_QUICK_NOBODY;
    }
    return 0;
}
