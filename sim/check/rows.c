/**
 * @file rows.c
 * @brief Implementation of rows.h: asks the short way of each access, and stores their effects.
 */
#include "rows.h"
#include "check.h"
#include "deferred.h"
#include "rows_judged.h"
#include "../base/layout.h"
#include "../base/processes.h"

#define ONE_THREAD UINT64_MAX

struct umsim_rows_place umsim_rows_places[UMSIM_ROWS_PLACES];
unsigned umsim_rows_cut;
bool umsim_rows_idle;

/* ---- who runs ---- */

/* The short way, for the first pass's thread. */
static bool opens(struct rows *r, uint64_t threads)
{
    struct umsim_worker *const worker = umsim_this_worker;
    if (threads == ONE_THREAD)
        return umsim_quick_is_stamped() || umsim_quick_restamp();
    if (!umsim_checks || !worker || !worker->in_kernel || worker->current)
        return false;
    struct umsim_fiber *const before = worker->alone;
    r->thread = worker->fibers + threads;
    worker->alone = r->thread;
    if ((umsim_quick_next(r->thread) || umsim_quick_reopen()) && umsim_quick.is_uniform)
        return true;
    worker->alone = before;
    return false;
}

/* ---- what the rows are ---- */

#define PASSES_MAX (UINT64_C(1) << 24)
#define STEP_MAX (INT64_C(1) << 38) /* then steps times passes stay far from 64 bits */

INLINE uint64_t width_of(uint64_t step)
{
    return (int64_t)step < 0 ? -step : step;
}

/* The bytes that a row's passes span, of which `at` becomes the first. */
INLINE void span(struct judged *it, const struct umsim_row *row, uint64_t passes)
{
    const int64_t way = (int64_t)row->step * (int64_t)(passes - 1),
                  inside = (int64_t)row->inner_step * (int64_t)(row->inner - 1);
    it->low = row->first + (uint64_t)(way < 0 ? way : 0) + (uint64_t)(inside < 0 ? inside : 0);
    it->high = row->first + (uint64_t)(way > 0 ? way : 0) + (uint64_t)(inside > 0 ? inside : 0) + it->bytes;
}

/* Whether each pass has bytes of its own, and whether all have bytes side by side. */
INLINE void shape(struct judged *it, uint64_t passes)
{
    const uint64_t width = width_of(it->step), inner = width_of(it->inner_step), bytes = it->bytes,
                   row = (passes - 1) * width + bytes, column = (it->inner - 1) * inner + bytes;
    const bool is_side_by_side = width == bytes || passes == 1, is_inner = inner == bytes || it->inner == 1;
    it->is_spread = passes == 1 || width >= column || (width >= bytes && (inner == 0 || inner >= row));
    it->is_dense = (is_side_by_side && (it->inner == 1 || inner == row || inner == 0)) ||
                   (is_inner && (width == column || width == 0));
}

INLINE bool know(struct judged *it, const uint64_t *access, const struct umsim_row *row, uint64_t passes)
{
    const struct umsim_rows_place *const at = umsim_rows_place_of(access);
    const struct umsim_quick_place *const place = umsim_quick_place_of(at->pc);
    const uint64_t bytes = *access % UMSIM_ROWS_WRITE;
    if (at->access != access || !at->pc || !quick_knows(&umsim_quick, place, at->pc) ||
        place->bytes != bytes || passes > PASSES_MAX || row->inner > PASSES_MAX ||
        width_of(row->step) > STEP_MAX || width_of(row->inner_step) > STEP_MAX)
        return false;
    *it = (struct judged){.place = place,
                          .pc = at->pc,
                          .first = row->first,
                          .step = row->step,
                          .inner = row->inner,
                          .inner_step = row->inner_step,
                          .loop = (unsigned)row->loop,
                          .bytes = bytes,
                          .is_write = *access & UMSIM_ROWS_WRITE,
                          .is_shared = place->kind == UMSIM_QUICK_SHARED,
                          .is_free = place->kind >= UMSIM_QUICK_CONSTANT,
                          .is_near = width_of(row->step) <= UMSIM_PAGE / SHADOW_STEP};
    span(it, row, passes);
    shape(it, passes);
    if (it->low - place->base > place->limit || it->high - bytes - place->base > place->limit)
        return false;
    if (it->is_free)
        return place->kind == UMSIM_QUICK_FREE || !it->is_write;
    it->is_noted = !it->is_write;
    return ((row->first | row->step | row->inner_step) & ((bytes > 8 ? 8 : bytes) - 1)) == 0;
}

static bool know_all(struct rows *r, const uint64_t *access, const struct umsim_row *row)
{
    for (unsigned i = 0; i < r->count; i++) {
        struct judged *const it = &r->row[i];
        if (!know(it, &access[i], &row[i], r->passes) ||
            (r->thread && it->is_write && !it->is_free && !it->is_spread) ||
            (!r->thread && !it->is_shared && !it->is_free && !it->is_near))
            return false;
    }
    return true;
}

/* ---- which passes ---- */

/* The passes from `first` to before `end`. */
struct passes {
    uint64_t first, end;
};

/* The passes in which `first + pass * step` is below 0, or not. */
static struct passes that_hold(const struct umsim_rows_condition *c, uint64_t passes)
{
    const bool is_below = c->kind == UMSIM_ROWS_BELOW, starts = (c->first < 0) == is_below;
    const uint64_t all = starts ? passes : 0;
    if (c->step == 0 || (c->first < 0) == (c->step < 0)) /* it never comes to the other side */
        return (struct passes){0, all};
    const int64_t change = c->first < 0 ? (-c->first + c->step - 1) / c->step : c->first / -c->step + 1;
    const uint64_t at = (uint64_t)change < passes ? (uint64_t)change : passes;
    return starts ? (struct passes){0, at} : (struct passes){at, passes};
}

static struct passes asked_for(const struct umsim_rows_question *question,
                               const struct umsim_rows_condition *condition)
{
    struct passes all = {0, question->passes};
    for (uint64_t i = 0; i < question->conditions; i++) {
        const struct passes some = that_hold(&condition[i], question->passes);
        all.first = some.first > all.first ? some.first : all.first;
        all.end = some.end < all.end ? some.end : all.end;
    }
    return all;
}

/* ---- the answer ---- */

static bool is_made(struct rows *r)
{
    if (umsim_rows_go_together(r) && umsim_deferred_take(r))
        return true;
    umsim_deferred_use_rows(r);
    if (!umsim_rows_are_sure(r))
        return false;
    umsim_rows_store(r);
    return true;
}

static bool judge(struct rows *r, const uint64_t *access, const struct umsim_rows_question *question,
                  const struct umsim_row *row)
{
    struct umsim_fiber *const alone = umsim_this_worker->alone;
    if (!opens(r, question->threads))
        return false;
    if (know_all(r, access, row) && is_made(r)) {
        umsim_rows_end(r);
        return true;
    }
    if (r->thread) {
        umsim_this_worker->alone = alone; /* the loop's first pass goes on from there */
        umsim_quick.stamped = UMSIM_QUICK_NOBODY;
    }
    return false;
}

__attribute__((visibility("default"))) uint64_t umsim_rows(const uint64_t *access,
                                                           const struct umsim_rows_question *question,
                                                           const struct umsim_row *row,
                                                           const struct umsim_rows_condition *condition)
{
    struct rows r; /* only what is used of it is set */
    const bool is_one = question->threads == ONE_THREAD;
    if (!is_one) {
        umsim_rows_cut = 0;
        umsim_rows_idle = false;
    }
    if (!question->ok || !umsim_in_gpu || !umsim_this_worker ||
        (is_one && question->passes * question->count < UMSIM_ROWS_LEAST))
        return 0;
    const struct passes passes = asked_for(question, condition);
    if (passes.first >= passes.end) {
        umsim_rows_idle = !is_one;
        umsim_quick.stamped = UMSIM_QUICK_NOBODY;
        return 0;
    }
    if (passes.first > 0) {
        umsim_rows_cut = (unsigned)(question->passes - passes.first);
        return 0;
    }
    r.count = (unsigned)question->count;
    r.passes = passes.end;
    r.thread = NULL;
    r.by_passes = false;
    if (!judge(&r, access, question, row))
        return 0;
    if (!is_one)
        umsim_rows_cut = (unsigned)(question->passes - passes.end);
    return passes.end;
}
