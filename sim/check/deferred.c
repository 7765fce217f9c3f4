/**
 * @file deferred.c
 * @brief Implementation of deferred.h: the chunks, and the log.
 */
#include "deferred.h"
#include "deferred_log.h"
#include "init.h"
#include "rows_judged.h"
#include "../base/devices.h"
#include "../base/layout.h"
#include "../base/memory.h"
#include "../space/arena.h"

#include <stdatomic.h>
#include <sys/mman.h>

#define LOG_MAX (1U << 18)
#define SHARED_LOG_MAX 4096

/* Two of each: all memory's, and __shared__ memory's. */
static struct log {
    union entry *entry;
    uint32_t count, most;
    uint32_t last; /* its last question */
} * logs;          /* shared by both processes, as the first one's entries are */

/* Whose the first log is: a launch's that runs, nobody's, the host's. */
enum log_owner { RUNS, ENDED, SETTLES };

/* What the processes of several devices go on with, one after the other. */
static struct {
    _Atomic(enum log_owner) owner;
    bool has_begun;       /* some launch, since the GPU processes were started */
    uint32_t since, log;  /* of all memory: the numbers in use */
    uint64_t last_launch; /* whose the log is */
} * common;

static struct umsim_chunk *of_device, *of_shared; /* of_shared: of each device's */

uint32_t umsim_deferred_since[2] = {1, 1}, umsim_deferred_log[2] = {1, 1};

static size_t shared_bytes(void)
{
    return umsim_round_up((UMSIM_SHARED_BYTES / UMSIM_CHUNK_BYTES + 2) * sizeof *of_shared, UMSIM_PAGE);
}

static struct umsim_chunk *own_shared(void)
{
    return (struct umsim_chunk *)((char *)of_shared + umsim_own_device * shared_bytes());
}

void umsim_deferred_start(void)
{
    logs = umsim_shared_memory(2 * sizeof *logs);
    common = umsim_shared_memory(sizeof *common);
    common->since = common->log = 1;
    common->last_launch = UINT64_MAX;
    logs[0] = (struct log){umsim_shared_memory(LOG_MAX * sizeof(union entry)), 0, LOG_MAX, 0};
    logs[1] = (struct log){umsim_shared_memory(SHARED_LOG_MAX * sizeof(union entry)), 0, SHARED_LOG_MAX, 0};
    of_device =
        umsim_shared_memory(umsim_arenas[UMSIM_ARENA_DEVICE].size / UMSIM_CHUNK_BYTES * sizeof *of_device);
    of_shared = umsim_shared_memory(umsim_devices * shared_bytes());
}

uintptr_t umsim_deferred_chunks(uintptr_t p)
{
    const struct umsim_arena *device = &umsim_arenas[UMSIM_ARENA_DEVICE];
    if (!of_device || p - (uintptr_t)device->base >= device->size)
        return 0;
    return (uintptr_t)of_device - (uintptr_t)device->base / UMSIM_CHUNK_BYTES * sizeof *of_device;
}

uintptr_t umsim_deferred_shared_chunks(uintptr_t start)
{
    return (uintptr_t)own_shared() - start / UMSIM_CHUNK_BYTES * sizeof *of_shared;
}

/* ---- the log ends ---- */

/* Numbers begin again: what chunks say of them is no more. */
static void forget(bool shared)
{
    const size_t all = umsim_arenas[UMSIM_ARENA_DEVICE].size / UMSIM_CHUNK_BYTES * sizeof *of_device;
    madvise(shared ? own_shared() : of_device, shared ? shared_bytes() : all, MADV_REMOVE);
}

static void next_number(uint32_t *number, bool shared)
{
    if (++*number == 0) {
        forget(shared);
        *number = 1;
    }
}

/* Stores all that is in the log. */
static void empty(bool shared)
{
    struct log *const log = &logs[shared];
    for (uint32_t i = 0; i < log->count;) {
        const struct asked *const q = &log->entry[i].asked;
        umsim_deferred_store(q, &log->entry[i + 1].row);
        i += 1 + q->count;
    }
    log->count = 0;
}

static void end_log(bool shared)
{
    empty(shared);
    next_number(&umsim_deferred_log[shared], shared);
    common->log = umsim_deferred_log[false];
}

/* ---- what shadow words are used for ---- */

/* Does `use` for the words of [low, high), a multiple of 4 each: `mask` in `chunk`, `some_` from `w_` on. */
#define FOR_CHUNKS(chunks, low, high, use)                                                                   \
    for (uintptr_t w_ = (low) / UMSIM_SHADOWED_BYTES, end_ = (high) / UMSIM_SHADOWED_BYTES; w_ < end_;) {    \
        const unsigned at_ = w_ % 64;                                                                        \
        const uintptr_t left_ = end_ - w_, some_ = left_ < 64 - at_ ? left_ : 64 - at_;                      \
        const uint64_t mask = (some_ == 64 ? ~UINT64_C(0) : ((UINT64_C(1) << some_) - 1)) << at_;            \
        struct umsim_chunk *const chunk = umsim_chunk_of(chunks, w_ * UMSIM_SHADOWED_BYTES);                 \
        (void)mask;                                                                                          \
        use;                                                                                                 \
        w_ += some_;                                                                                         \
    }

INLINE bool knows(const struct umsim_chunk *chunk, uint64_t mask, bool shared)
{
    return chunk->since == umsim_deferred_since[shared] && chunk->log == umsim_deferred_log[shared] &&
           (chunk->logged & mask) != 0;
}

INLINE void touch(struct umsim_chunk *chunk, uint64_t mask, bool is_write, bool shared)
{
    if (chunk->since != umsim_deferred_since[shared]) {
        chunk->since = umsim_deferred_since[shared];
        chunk->written = chunk->read = chunk->logged = 0;
    }
    if (is_write)
        chunk->written |= mask;
    else
        chunk->read |= mask;
}

static void use_words(uintptr_t chunks, uintptr_t low, uintptr_t high, bool is_write, bool shared)
{
    FOR_CHUNKS(chunks, low, high, {
        if (knows(chunk, mask, shared))
            end_log(shared);
        touch(chunk, mask, is_write, shared);
    })
}

void umsim_deferred_use(uintptr_t chunks, uintptr_t p, size_t bytes, bool is_write, bool is_shared)
{
    const uintptr_t word = UMSIM_SHADOWED_BYTES;
    if (chunks)
        use_words(chunks, p / word * word, (p + bytes + word - 1) / word * word, is_write, is_shared);
}

void umsim_deferred_use_rows(const struct rows *r)
{
    for (unsigned k = 0; k < r->count; k++) {
        const struct judged *const it = &r->row[k];
        if (it->is_free || !it->place->chunks)
            continue;
        FOR_RANGES(r, it, use_words(it->place->chunks, low, high, it->is_write, it->is_shared));
    }
}

void umsim_deferred_split(size_t offset, uint32_t unit)
{
    own_shared()[offset / UMSIM_CHUNK_BYTES].split = unit;
}

/* ---- launches and barriers ---- */

/* The first launch of the processes that simulate GPUs, and of this one: what earlier ones have left holds no
 * more. */
static void begin(void)
{
    static bool has_begun;
    if (!common->has_begun) {
        forget(false);
        logs[0].count = 0;
    }
    if (!has_begun)
        forget(true);
    common->has_begun = has_begun = true;
}

void umsim_deferred_launch(uint64_t number, uint64_t waited_for)
{
    if (!logs)
        return;
    begin();
    enum log_owner ended = ENDED;
    while (!atomic_compare_exchange_weak(&common->owner, &ended, RUNS) && ended != RUNS)
        ended = ENDED; /* the host is at it */
    if (common->last_launch <= waited_for)
        logs[0].count = 0;
    common->last_launch = number ? number : UINT64_MAX;
    empty(false);
    umsim_deferred_log[0] = common->log;
    umsim_deferred_since[0] = common->since;
    next_number(&umsim_deferred_since[0], false);
    common->since = umsim_deferred_since[0];
}

void umsim_deferred_launched(void)
{
    if (common)
        atomic_store(&common->owner, ENDED);
}

void umsim_deferred_settle(void)
{
    enum log_owner ended = ENDED;
    if (!common || !atomic_compare_exchange_strong(&common->owner, &ended, SETTLES))
        return;
    empty(false);
    atomic_store(&common->owner, ENDED);
}

void umsim_deferred_anew(void)
{
    umsim_deferred_settle();
    common->has_begun = false;
    logs[1].count = 0;
}

void umsim_deferred_barrier(void)
{
    if (!logs)
        return;
    logs[1].count = 0;
    next_number(&umsim_deferred_since[1], true);
}

/* ---- into the log ---- */

/* Whether the words are in order with what was touched. */
INLINE bool is_clear(const struct judged *it, const struct umsim_chunk *chunk, uint64_t mask)
{
    if (it->is_shared && chunk->split == umsim_quick.unit)
        return false;
    if (chunk->since != umsim_deferred_since[it->is_shared])
        return true;
    return ((it->is_write ? chunk->written | chunk->read : chunk->written) & mask) == 0;
}

static bool is_range_clear(const struct judged *it, uintptr_t low, uintptr_t high)
{
    FOR_CHUNKS(it->place->chunks, low, high, if (!is_clear(it, chunk, mask)) return false)
    return true;
}

static bool is_row_clear(const struct rows *r, const struct judged *it)
{
    FOR_RANGES(r, it, if (!is_range_clear(it, low, high)) return false);
    return true;
}

static void log_range(const struct judged *it, uintptr_t low, uintptr_t high)
{
    FOR_CHUNKS(it->place->chunks, low, high, {
        touch(chunk, mask, it->is_write, it->is_shared);
        if (chunk->log != umsim_deferred_log[it->is_shared]) {
            chunk->log = umsim_deferred_log[it->is_shared];
            chunk->logged = 0;
        }
        chunk->logged |= mask;
    })
}

/* ---- what was written ---- */

static bool is_range_written(const struct judged *it, uintptr_t low, uintptr_t high)
{
    const struct umsim_quick *const q = &umsim_quick;
    FOR_CHUNKS(it->place->chunks, low, high, {
        const uint32_t *const words =
            q->written_words + (w_ * UMSIM_SHADOWED_BYTES - (uintptr_t)q->shared) / UMSIM_SHADOWED_BYTES;
        uint32_t missing = 0;
        for (uintptr_t w = 0; w < some_ && chunk->full != q->block; w++)
            missing |= words[w] ^ q->block;
        if (missing)
            return false;
        if (some_ == 64)
            chunk->full = q->block;
    })
    return true;
}

static void set_range_written(const struct judged *it, uintptr_t low, uintptr_t high)
{
    const struct umsim_quick *const q = &umsim_quick;
    FOR_CHUNKS(it->place->chunks, low, high, {
        uint32_t *const words =
            q->written_words + (w_ * UMSIM_SHADOWED_BYTES - (uintptr_t)q->shared) / UMSIM_SHADOWED_BYTES;
        for (uintptr_t w = 0; w < some_ && chunk->full != q->block; w++)
            words[w] = q->block;
        if (some_ == 64)
            chunk->full = q->block;
    })
}

static bool is_shared_written(const struct rows *r, const struct judged *it)
{
    FOR_RANGES(r, it, if (!is_range_written(it, low, high)) return false);
    return true;
}

/* ---- a question ---- */

static bool is_in_order(const struct rows *r, const struct judged *it)
{
    if (!it->place->chunks || (!it->is_shared && !umsim_quick.is_ordered) || !is_row_clear(r, it))
        return false;
    if (it->is_write)
        return true;
    return it->is_shared ? is_shared_written(r, it) : umsim_rows_global_is_written(r, it);
}

/* The rows of one kind behind the end of the log. @return how many */
static uint32_t write_rows(const struct rows *r, bool shared, struct log *log)
{
    uint32_t count = 0;
    for (unsigned k = 0; k < r->count; k++) {
        const struct judged *const it = &r->row[k];
        if (!it->is_free && it->is_shared == shared)
            log->entry[log->count + ++count].row = (struct noted){.shadow = shadow_of(it, it->first),
                                                                  .first = it->first,
                                                                  .chunks = it->place->chunks,
                                                                  .step = (int64_t)it->step,
                                                                  .inner_step = (int64_t)it->inner_step,
                                                                  .site = it->place->site,
                                                                  .inner = (uint32_t)it->inner,
                                                                  .loop = it->loop,
                                                                  .bytes = (uint16_t)it->bytes,
                                                                  .is_write = it->is_write};
    }
    return count;
}

static bool is_like(const struct noted *a, const struct noted *b)
{
    return a->site == b->site && a->step == b->step && a->inner == b->inner &&
           a->inner_step == b->inner_step && a->bytes == b->bytes && a->is_write == b->is_write &&
           a->loop == b->loop && a->chunks == b->chunks;
}

/* Whether the question behind the log's end repeats its last one; of the second one the steps are set.
 */
static bool is_repeat_of_last(struct log *log, const struct asked *asked)
{
    struct asked *const q = &log->entry[log->last].asked;
    struct noted *const rows = &log->entry[log->last + 1].row;
    const struct noted *const now = &log->entry[log->count + 1].row;
    const bool is_second = log->count && q->repeats == 1;
    if (!log->count || q->count != asked->count || q->passes != asked->passes || q->next != asked->next ||
        q->before != asked->before || q->barrier != asked->barrier || q->by_passes != asked->by_passes ||
        (!is_second && asked->stamp != q->stamp + q->repeats * q->repeat_stamp))
        return false;
    for (uint32_t k = 0; k < q->count; k++)
        if (!is_like(&rows[k], &now[k]) ||
            (!is_second && now[k].first != rows[k].first + q->repeats * (uintptr_t)rows[k].repeat_step))
            return false;
    for (uint32_t k = 0; k < q->count && is_second; k++)
        rows[k].repeat_step = (int64_t)(now[k].first - rows[k].first);
    if (is_second)
        q->repeat_stamp = asked->stamp - q->stamp;
    return true;
}

static void log_rows(const struct rows *r, bool shared)
{
    struct umsim_quick *const q = &umsim_quick;
    struct log *const log = &logs[shared];
    if (log->most - log->count < UMSIM_ROWS_MAX + 1)
        end_log(shared);
    const uint32_t count = write_rows(r, shared, log);
    if (!count)
        return;
    pass_begins(r, 0);
    const struct asked asked = {.stamp = q->stamp,
                                .next = next_stamp(r),
                                .before = shared ? (uint64_t)q->unit << QUICK_UNIT_SHIFT : q->ordered_below,
                                .passes = (uint32_t)r->passes,
                                .count = count,
                                .repeats = 1,
                                .barrier = (uint16_t)q->barrier,
                                .by_passes = r->by_passes};
    if (is_repeat_of_last(log, &asked)) {
        log->entry[log->last].asked.repeats++;
        return;
    }
    log->last = log->count;
    log->entry[log->count].asked = asked;
    log->count += 1 + count;
}

bool umsim_deferred_take(const struct rows *r)
{
    for (unsigned k = 0; k < r->count; k++)
        if (!r->row[k].is_free && !is_in_order(r, &r->row[k]))
            return false;
    log_rows(r, false);
    log_rows(r, true);
    for (unsigned k = 0; k < r->count; k++) {
        const struct judged *const it = &r->row[k];
        if (it->is_free)
            continue;
        FOR_RANGES(r, it, log_range(it, low, high));
        if (it->is_write && it->is_shared) {
            FOR_RANGES(r, it, set_range_written(it, low, high));
        } else if (it->is_write) {
            umsim_rows_set_written(r, it);
        }
    }
    return true;
}
