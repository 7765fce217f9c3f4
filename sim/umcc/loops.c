/**
 * @file loops.c
 * @brief Implementation of loops.h.
 *
 * A segment that all ways to another one go through is above it. A jump back to a segment above is the end of
 * a loop's pass. The nearest segment above each one is found as Cooper, Harvey and Kennedy do it.
 */
#include "loops.h"

/* Numbers segments: what is above has the larger number. @return how many can be come to */
static int put_in_order(const struct umcc_flow *n, int *sequence)
{
    int *stack = umcc_alloc(n->arena, ((size_t)n->segments + 1) * sizeof *stack), depth = 0, count = 0;
    char *seen = umcc_alloc(n->arena, (size_t)n->segments + 1);
    stack[depth++] = 0;
    seen[0] = 1;
    while (depth) {
        const struct umcc_segment *it = &n->segment[stack[depth - 1]];
        int next = UMCC_NONE;
        for (int i = 0; i < 2; i++)
            if (it->next[i] != UMCC_NONE && !seen[it->next[i]])
                next = it->next[i];
        if (next == UMCC_NONE) {
            n->segment[stack[depth - 1]].order = count;
            sequence[count++] = stack[--depth];
            continue;
        }
        seen[next] = 1;
        stack[depth++] = next;
    }
    return count;
}

static int common_above(const struct umcc_flow *n, int a, int b)
{
    while (a != b)
        if (n->segment[a].order < n->segment[b].order)
            a = n->segment[a].above;
        else
            b = n->segment[b].above;
    return a;
}

/* Finds the nearest segment above each one. */
static void find_above(const struct umcc_flow *n)
{
    int *sequence = umcc_alloc(n->arena, ((size_t)n->segments + 1) * sizeof *sequence);
    const int count = put_in_order(n, sequence);
    n->segment[0].above = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = count - 1; i >= 0; i--) {
            const int from = sequence[i];
            for (int k = 0; k < 2 && n->segment[from].above != UMCC_NONE; k++) {
                const int to = n->segment[from].next[k];
                if (to == UMCC_NONE || to == 0)
                    continue;
                struct umcc_segment *it = &n->segment[to];
                const int above = it->above == UMCC_NONE ? from : common_above(n, it->above, from);
                changed |= above != it->above;
                it->above = above;
            }
        }
    }
}

static bool is_above(const struct umcc_flow *n, int above, int s)
{
    while (s != above && s != 0)
        s = n->segment[s].above;
    return s == above;
}

/* Names the loop of a segment and of all from which it can be come to within the loop. The loops inside of
 * this one have named theirs. */
static void name_header(const struct umcc_flow *n, int header, int latch, bool *in)
{
    for (int s = 0; s < n->segments; s++)
        in[s] = s == header || s == latch;
    for (bool any = true; any;) {
        any = false;
        for (int s = 0; s < n->segments; s++)
            for (int k = 0; k < 2 && !in[s] && n->segment[s].order != UMCC_NONE; k++)
                if (n->segment[s].next[k] != UMCC_NONE && in[n->segment[s].next[k]] &&
                    n->segment[s].next[k] != header)
                    any = in[s] = true;
    }
}

static int size_of(const struct umcc_flow *n, const bool *in)
{
    int size = 0;
    for (int s = 0; s < n->segments; s++)
        size += in[s];
    return size;
}

/* Each segment is in the smallest of the loops that it is in; a loop's first segment in the one around it. */
void umcc_find_loops(const struct umcc_flow *n)
{
    const size_t all = (size_t)n->segments;
    find_above(n);
    bool *in = umcc_alloc(n->arena, all * sizeof *in);
    int *size = umcc_alloc(n->arena, all * sizeof *size);
    for (int s = 0; s < n->segments; s++)
        for (int k = 0; k < 2 && n->segment[s].order != UMCC_NONE; k++) {
            const int header = n->segment[s].next[k];
            if (header == UMCC_NONE || !is_above(n, header, s))
                continue;
            name_header(n, header, s, in);
            n->segment[header].is_header = true;
            n->segment[header].latch = s;
            const int own = size_of(n, in);
            for (int i = 0; i < n->segments; i++)
                if (in[i] && i != header && (!size[i] || own < size[i])) {
                    n->segment[i].header = header;
                    size[i] = own;
                }
        }
}

/* @return whether the only way out of the loop is behind its last segment, so that its passes can be reckoned
 */
bool umcc_ends_at_latch(const struct umcc_flow *n, int header)
{
    for (int s = 0; s < n->segments; s++) {
        const struct umcc_segment *it = &n->segment[s];
        if (s == n->segment[header].latch || (s != header && it->header != header))
            continue;
        for (int k = 0; k < 2; k++) {
            const int next = it->next[k];
            if (next != UMCC_NONE && next != header && n->segment[next].header != header &&
                !n->segment[next].is_guard)
                return false;
        }
    }
    return true;
}

/* The segment from which a loop is come to, if there is one. */
int umcc_entry_of(const struct umcc_flow *n, int header)
{
    int entry = UMCC_NONE;
    for (int s = 0; s < n->segments; s++)
        for (int k = 0; k < 2; k++)
            if (n->segment[s].next[k] == header && n->segment[s].order != UMCC_NONE &&
                !is_above(n, header, s)) {
                if (entry != UMCC_NONE && entry != s)
                    return UMCC_NONE;
                entry = s;
            }
    return entry;
}
