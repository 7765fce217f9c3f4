/**
 * @file tellers.c
 * @brief Implementation of loops.h: which segments need no note, as others tell of them.
 *
 * Two segments of which each way comes to one and then to the other, and to none of them twice in between,
 * are come by equally often. So are what a block does before a loop over its threads, which is noted for each
 * of them, and what each thread does first.
 */
#include "loops.h"

/* Larger functions keep all their notes. */
#define MOST_SEGMENTS 4096

struct walk {
    const struct umcc_flow *flow;
    int *stack, *seen; /* by which walk */
    int depth, number;
    bool *is_thread;
};

static void walk_from(struct walk *w, int s)
{
    w->number++;
    w->depth = 0;
    w->stack[w->depth++] = s;
}

static void walk_on(struct walk *w, int s)
{
    for (int k = 0; k < 2; k++) {
        const int to = w->flow->segment[s].next[k];
        if (to == UMCC_NONE || w->seen[to] == w->number)
            continue;
        w->seen[to] = w->number;
        w->stack[w->depth++] = to;
    }
}

/* Whether all ways from `first` come to `then`, without an end, `first` again or other threads before. */
static bool always_follows(struct walk *w, int first, int then)
{
    walk_from(w, first);
    while (w->depth) {
        const int s = w->stack[--w->depth];
        const struct umcc_segment *it = &w->flow->segment[s];
        if (s == then)
            continue;
        if (it->share != UMCC_GOES_ON || it->owner == UMCC_LOOP || w->seen[first] == w->number ||
            (it->next[0] == UMCC_NONE && it->next[1] == UMCC_NONE))
            return false;
        walk_on(w, s);
    }
    return w->seen[first] != w->number;
}

/* Whether what comes to `then` again has come by `first` again. */
static bool never_alone(struct walk *w, int first, int then)
{
    walk_from(w, then);
    w->seen[first] = w->number;
    while (w->depth)
        walk_on(w, w->stack[--w->depth]);
    return w->seen[then] != w->number;
}

/* `first` is above `then`. */
static bool tells_of(struct walk *w, int first, int then)
{
    const struct umcc_segment *a = &w->flow->segment[first], *b = &w->flow->segment[then];
    const int loop = a->is_header ? first : a->header;
    return first != then && !b->is_header && b->header == loop && a->owner != UMCC_LOOP &&
           b->owner != UMCC_LOOP && !b->is_guard && always_follows(w, first, then) &&
           never_alone(w, first, then);
}

/* ---- what a thread does first ---- */

/* Marks what a thread does: all up to where it is told that another one goes on. */
static void find_thread(struct walk *w, int first)
{
    walk_from(w, first);
    w->seen[first] = w->number;
    while (w->depth) {
        const int s = w->stack[--w->depth];
        if (w->flow->segment[s].owner != UMCC_LOOP && w->flow->segment[s].share == UMCC_GOES_ON)
            walk_on(w, s);
    }
    for (int s = 0; s < w->flow->segments; s++)
        w->is_thread[s] = w->seen[s] == w->number;
}

/* Marks what leads to a segment. */
static void walk_back(struct walk *w, int s)
{
    for (int from = 0; from < w->flow->segments; from++) {
        const struct umcc_segment *it = &w->flow->segment[from];
        if ((it->next[0] != s && it->next[1] != s) || w->seen[from] == w->number)
            continue;
        w->seen[from] = w->number;
        w->stack[w->depth++] = from;
    }
}

/* What the block does before the loop in which `call` tells of a thread. @return UMCC_NONE if that is not one
 * segment */
static int before_threads(struct walk *w, int call)
{
    int before = UMCC_NONE, count = 0;
    find_thread(w, call + 1);
    for (walk_from(w, call); w->depth;) {
        const int s = w->stack[--w->depth];
        if (w->flow->segment[s].owner == UMCC_LOOP)
            walk_back(w, s);
        else if (!w->is_thread[s])
            before = s, count++;
    }
    return count == 1 ? before : UMCC_NONE;
}

/* Whether what follows is nothing but the loop over threads of which `call` tells. */
static bool leads_to_threads(struct walk *w, int before, int call)
{
    const struct umcc_segment *segment = w->flow->segment;
    walk_from(w, before);
    for (bool is_first = true; w->depth; is_first = false) {
        const int s = w->stack[--w->depth];
        const bool is_loop = segment[s].owner == UMCC_LOOP;
        if (is_loop == is_first || (is_loop && segment[s].share == UMCC_TO_THREAD && s != call))
            return false;
        if (is_first || (segment[s].share == UMCC_GOES_ON && s != call))
            walk_on(w, s);
    }
    return true;
}

static bool is_only_behind(const struct umcc_flow *n, int s, int call)
{
    for (int from = 0; from < n->segments; from++)
        if (from != call && (n->segment[from].next[0] == s || n->segment[from].next[1] == s))
            return false;
    return true;
}

/* What the block does is noted for each of its threads, and tells of what each does first. */
static void tell_of_first(struct walk *w, int call)
{
    const struct umcc_flow *n = w->flow;
    struct umcc_segment *first = &n->segment[call + 1];
    if (call + 1 >= n->segments || n->segment[call].owner != UMCC_LOOP || first->owner != UMCC_KERNEL ||
        first->is_header || first->is_guard || !is_only_behind(n, call + 1, call))
        return;
    const int before = before_threads(w, call);
    if (before == UMCC_NONE || !leads_to_threads(w, before, call))
        return;
    if (first->header == (n->segment[before].is_header ? before : n->segment[before].header))
        first->told_by = before;
}

/* ---- all of a function ---- */

/* Whether what accesses memory there finds the same number of passes made one (umsim_segment_counts.latest),
 * be it noted or not. */
static bool is_unrolled_alike(const struct umcc_flow *flow, int s)
{
    for (int from = 0; from < flow->segments; from++)
        for (int k = 0; k < 2; k++)
            if (flow->segment[from].next[k] == s && flow->segment[from].unrolled != flow->segment[s].unrolled)
                return false;
    return true;
}

/* What tells of a segment does its work, too. */
static void tell(const struct umcc_flow *flow, int s)
{
    struct umcc_segment *it = &flow->segment[s];
    if (it->told_by == s)
        return;
    tell(flow, it->told_by);
    it->told_by = flow->segment[it->told_by].told_by;
    struct umcc_segment *by = &flow->segment[it->told_by];
    bool fits = is_unrolled_alike(flow, s);
    for (int c = 0; c < UMSIM_WORK_CLASSES; c++)
        fits &= it->work[c] + by->work[c] < 65535;
    it->told_by = fits ? it->told_by : s;
    for (int c = 0; c < UMSIM_WORK_CLASSES && fits; c++) {
        by->work[c] += it->work[c];
        it->work[c] = 0;
    }
}

void umcc_find_tellers(const struct umcc_flow *n)
{
    const size_t all = (size_t)n->segments + 1;
    struct walk w = {.flow = n,
                     .stack = umcc_alloc(n->arena, all * sizeof *w.stack),
                     .seen = umcc_alloc(n->arena, all * sizeof *w.seen),
                     .is_thread = umcc_alloc(n->arena, all * sizeof *w.is_thread)};
    if (n->segments > MOST_SEGMENTS || n->is_left)
        return;
    for (int s = 1; s < n->segments; s++)
        if (n->segment[s].above != UMCC_NONE && tells_of(&w, n->segment[s].above, s))
            n->segment[s].told_by = n->segment[s].above;
    for (int s = 0; s < n->segments; s++)
        if (n->segment[s].share == UMCC_TO_THREAD)
            tell_of_first(&w, s);
    for (int s = 0; s < n->segments; s++)
        tell(n, s);
}
