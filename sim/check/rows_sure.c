/**
 * @file rows_sure.c
 * @brief Asks the short way (quick.h) of each access of a loop's rows.
 */
#include "init.h"
#include "rows_judged.h"

INLINE bool may_access(const struct judged *it, const uint64_t *shadow, bool is_shared)
{
    const struct umsim_quick *const q = &umsim_quick;
    const uint64_t me = q->stamp | it->place->site;
    return it->is_write ? quick_may_write(q, shadow, me, is_shared)
                        : quick_may_read(q, shadow, me, is_shared);
}

/* ---- memory with shadow words of all launches ---- */

bool umsim_rows_global_is_written(const struct rows *r, const struct judged *it)
{
    if (!it->place->written || it->is_write)
        return true;
    FOR_RANGES(r, it, if (umsim_init_missing(low, high - low) != high) return false);
    return true;
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
    const int64_t inner_step = (int64_t)(it->inner_step * SHADOW_STEP / sizeof(uint64_t));
    uint64_t me = umsim_quick.stamp, i;
    struct readers readers = {false, false, false};
    for (i = 0; i < passes; i++, me += next) {
        const uint64_t *shadow = shadow_of(it, it->first + i * it->step);
        for (uint64_t j = 0; j < it->inner; j++, shadow += inner_step)
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
        pass_begins(r, i);
        for (uint64_t j = 0; j < it->inner; j++) {
            const uint64_t *shadow = shadow_of(it, it->first + i * it->step + j * it->inner_step);
            for (size_t w = 0; w < it->bytes / UMSIM_SHADOWED_BYTES; w++)
                if (!may_access(it, shadow + w * UMSIM_SHADOW_WORDS, false))
                    return false;
        }
    }
    return umsim_rows_global_is_written(r, it);
}

/* ---- __shared__ memory ---- */

INLINE bool are_quiet(const struct judged *it, uint64_t passes, size_t words)
{
    const struct umsim_quick *const q = &umsim_quick;
    const uint32_t *const all = &umsim_quick_quiet[(it->first - (uintptr_t)q->shared) / UMSIM_SHADOWED_BYTES],
                          interval = q->interval;
    const int64_t step = (int64_t)it->step / UMSIM_SHADOWED_BYTES,
                  inner_step = (int64_t)it->inner_step / UMSIM_SHADOWED_BYTES;
    const uint64_t rows = different(passes, it->step), inner = different(it->inner, it->inner_step);
    uint32_t differs = 0;
    for (uint64_t i = 0; i < rows; i++) {
        const uint32_t *quiet = all + (int64_t)i * step;
        for (uint64_t j = 0; j < inner; j++, quiet += inner_step)
            for (size_t w = 0; w < words; w++)
                differs |= quiet[w] ^ interval;
    }
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

/* Whether a read of the word is sure, by which thread ever. */
INLINE bool may_all_read(const uint64_t *shadow)
{
    const struct umsim_quick *const q = &umsim_quick;
    return (quick_unit(shadow[0]) != q->unit || quick_epoch(shadow[0]) < q->barrier) &&
           quick_unit(shadow[1]) <= q->unit;
}

INLINE bool is_sure_of_shared_access(const struct judged *it, uintptr_t p, bool *all)
{
    const struct umsim_quick *const q = &umsim_quick;
    const size_t offset = p - (uintptr_t)q->shared;
    for (size_t w = 0; w < it->bytes / UMSIM_SHADOWED_BYTES; w++) {
        const size_t at = offset + w * UMSIM_SHADOWED_BYTES;
        const uint64_t *const shadow = shadow_of(it, p) + w * UMSIM_SHADOW_WORDS;
        if ((!it->is_write && !quick_word_is_written(q, at)) ||
            q->split_in[at / UMSIM_SHADOWED_BYTES] == q->unit || !may_access(it, shadow, true))
            return false;
        *all &= !it->is_write && may_all_read(shadow);
    }
    return true;
}

static bool is_sure_of_shared(const struct rows *r, struct judged *it)
{
    bool all = it->step == 0;
    for (uint64_t i = 0; i < r->passes && !(all && i > 0); i++) {
        uintptr_t p = it->first + i * it->step;
        pass_begins(r, i);
        for (uint64_t j = 0; j < it->inner; j++, p += it->inner_step)
            if (!is_sure_of_shared_access(it, p, &all))
                return false;
    }
    return true;
}

/* ---- all ---- */

/* How two rows go together. @return false: that is not sure */
INLINE bool go_together(struct rows *r, const struct judged *earlier, struct judged *it)
{
    if (earlier->is_free || it->high <= earlier->low || earlier->high <= it->low)
        return true;
    if (earlier->first == it->first && earlier->step == it->step && earlier->bytes == it->bytes &&
        earlier->loop == it->loop && earlier->inner_step == it->inner_step && it->is_spread) {
        it->is_repeat |= !earlier->is_write && !it->is_write;
        return true;
    }
    r->by_passes = true;
    return !r->thread || (!earlier->is_write && !it->is_write);
}

bool umsim_rows_go_together(struct rows *r)
{
    r->by_passes = false;
    for (unsigned i = 0; i < r->count; i++) {
        struct judged *const it = &r->row[i];
        it->is_repeat = false;
        for (unsigned j = 0; j < i && !it->is_free; j++)
            if (!go_together(r, &r->row[j], it))
                return false;
    }
    return true;
}

bool umsim_rows_are_sure(struct rows *r)
{
    for (unsigned i = 0; i < r->count; i++) {
        struct judged *const it = &r->row[i];
        it->is_free |= it->is_shared && is_quiet(it, r->passes);
    }
    if (!umsim_rows_go_together(r))
        return false;
    for (unsigned i = 0; i < r->count; i++) {
        struct judged *const it = &r->row[i];
        if (!it->is_free && !(it->is_shared ? is_sure_of_shared(r, it) : is_sure_of_global(r, it)))
            return false;
    }
    return true;
}
