/**
 * @file deferred_store.c
 * @brief Implementation of deferred_log.h.
 */
#include "deferred_log.h"
#include "rows_judged.h"

/* What quick_read() would have stored then. */
INLINE uint64_t reader_after(const struct asked *q, uint64_t reader, uint64_t me)
{
    const bool is_same_block = quick_unit(reader) == quick_unit(me);
    if (reader < q->before)
        return me;
    if (is_same_block && (quick_epoch(reader) < q->barrier || quick_epoch(reader) == EPOCH_MAX ||
                          (quick_thread(reader) / UMSIM_WARP_LANES == quick_thread(me) / UMSIM_WARP_LANES &&
                           quick_warp(reader) != quick_warp(me))))
        return me;
    return is_same_block && quick_thread(reader) == quick_thread(me) ? reader : reader | QUICK_FLAG;
}

INLINE void store(const struct asked *q, const struct noted *it, int64_t offset, uint64_t stamp)
{
    uint64_t *shadow = it->shadow + offset / UMSIM_SHADOWED_BYTES * UMSIM_SHADOW_WORDS;
    const uint64_t me = stamp | it->site;
    for (unsigned w = 0; w < it->bytes / UMSIM_SHADOWED_BYTES; w++, shadow += UMSIM_SHADOW_WORDS)
        if (it->is_write)
            shadow[0] = me;
        else
            shadow[1] = reader_after(q, shadow[1], me);
}

/* Rows of one loop inside are made together in each pass of that. @return the next row */
static const struct noted *store_inner(const struct asked *q, const struct noted *from,
                                       const struct noted *end, uint32_t again, uint32_t pass)
{
    const uint64_t stamp = q->stamp + again * q->repeat_stamp + pass * q->next;
    const struct noted *next = from + 1;
    while (next < end && next->loop == from->loop)
        next++;
    for (uint32_t j = 0; j < from->inner; j++)
        for (const struct noted *it = from; it < next; it++)
            store(q, it, again * it->repeat_step + pass * it->step + j * it->inner_step, stamp);
    return next;
}

static void store_row(const struct asked *q, const struct noted *it, uint32_t again)
{
    uint64_t stamp = q->stamp + again * q->repeat_stamp;
    for (uint32_t i = 0; i < q->passes; i++, stamp += q->next)
        for (uint32_t j = 0; j < it->inner; j++)
            store(q, it, again * it->repeat_step + i * it->step + j * it->inner_step, stamp);
}

void umsim_deferred_store(const struct asked *q, const struct noted *rows)
{
    const struct noted *const end = rows + q->count;
    for (uint32_t again = 0; again < q->repeats; again++) {
        for (uint32_t i = 0; i < q->passes && q->by_passes; i++)
            for (const struct noted *it = rows; it < end;)
                it = store_inner(q, it, end, again, i);
        for (const struct noted *it = rows; it < end && !q->by_passes; it++)
            store_row(q, it, again);
    }
}
