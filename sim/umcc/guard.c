/**
 * @file guard.c
 * @brief Recognises the condition that most kernels begin with: `if (i < n) ...` or `if (i >= n) return;`.
 *
 * The index is computed before it, as in `int i = ...;`. A condition inside the loop over threads keeps gcc
 * from vectorising the loop. Suppose that each comparison is between sums of threadIdx.x (times a factor)
 * and values that are the same in the whole row. Then the threads for which all comparisons hold are
 * consecutive: if the first and the last thread of a row pass, all of them pass (umsim::guard). If only one
 * comparison depends on threadIdx.x and both ends fail, all fail; the row is then left out, provided that
 * threads that fail do nothing. umcc recognises only the following form, and leaves any other condition
 * alone:
 *
 * - before the condition there are only declarations of variables, initialized without calls and without
 *   memory accesses;
 * - values that depend on threadIdx.x are integers made by + and *, with at most one such value in a
 *   product;
 * - they are compared by < <= > >=, and the comparisons are joined by && (by || where the condition leads
 *   to `return`).
 *
 * A sum must not wrap around within the row. Global indices below 2^31 do not, and larger grids are not run
 * this way (umsim/device.h). Differences of unsigned numbers may wrap around, and are refused.
 */
#include "linear.h"
#include "statements.h"

struct guard {
    struct umcc_scope scope;
    bool leaves; /* the condition leads to `return` */
    int varying; /* comparisons that depend on threadIdx.x */
};

static bool is_comparison(const struct umcc_unit *unit, int i)
{
    return umcc_is(unit, i, "<") || umcc_is(unit, i, ">") || umcc_is(unit, i, "<=") || umcc_is(unit, i, ">=");
}

/* Checks the sides of the comparisons one by one. What holds for a part in parentheses holds for what stands
 * between operators. */
static bool is_condition(struct guard *g, int first, int last)
{
    const char *join = g->leaves ? "||" : "&&";
    int start = first;
    if (!umcc_is_pure(g->scope.unit, first, last))
        return false;
    bool any = false, constant = true;
    for (int i = first; i <= last; i++) {
        any |= is_comparison(g->scope.unit, i);
        constant &= !umcc_varies(&g->scope, i) &&
                    !(umcc_find_variable(&g->scope, i) && umcc_find_variable(&g->scope, i)->unknown);
    }
    if (constant)
        return true;
    bool varies = false; /* the comparison, so far */
    for (int i = first; i <= last + 1; i++) {
        varies |= i <= last && umcc_varies(&g->scope, i);
        if (umcc_skip_cast(g->scope.unit, i) > i) {
            i = umcc_skip_cast(g->scope.unit, i);
            continue;
        }
        const bool split = i > last || is_comparison(g->scope.unit, i) || umcc_is(g->scope.unit, i, join);
        if (!split)
            continue;
        if (!umcc_is_linear(&g->scope, start, i - 1))
            return false;
        if (!is_comparison(g->scope.unit, i)) {
            g->varying += varies;
            varies = false;
        }
        start = i + 1;
    }
    return any;
}

static bool leads_to_return(const struct umcc_unit *unit, int i)
{
    if (umcc_is(unit, i, "{"))
        return umcc_is(unit, i + 1, "return") && umcc_is(unit, i + 2, ";") && umcc_is(unit, i + 3, "}");
    return umcc_is(unit, i, "return") && umcc_is(unit, i + 1, ";");
}

/* `close`: the end of the condition. @return whether a thread that fails the condition does nothing */
static bool ends_there(const struct umcc_unit *unit, const struct umcc_decl *kernel, bool leaves, int close)
{
    return leaves || umcc_statement_end(unit, close + 1, kernel->body_end) == kernel->body_end - 1;
}

bool umcc_mark_guard(struct umcc_unit *unit, const struct umcc_decl *kernel)
{
    struct guard g = {.scope.unit = unit};
    int i = kernel->body + 1;
    for (int next = i; next >= 0 && !umcc_is(unit, i, "if"); next = next < 0 ? -1 : i) {
        next = umcc_read_declaration(&g.scope, i);
        if (next < 0)
            return false;
        i = next;
    }
    if (!umcc_is(unit, i, "if") || !umcc_is(unit, i + 1, "("))
        return false;
    const int open = i + 1, close = unit->tokens[open].match;
    g.leaves = leads_to_return(unit, close + 1);
    if (close == open + 1 || !is_condition(&g, open + 1, close - 1))
        return false;
    const char *condition = umcc_join(unit, open + 1, close - 1);
    const char *form =
        "if (um_guard.probe) { *um_guard.held = %s(%s) ? ::umsim::holds : ::umsim::%s; return; } ";
    const bool all_fail = g.varying <= 1 && ends_there(unit, kernel, g.leaves, close);
    umcc_insert_before(
        unit, i,
        umcc_format(&unit->arena, form, g.leaves ? "!" : "", condition, all_fail ? "does_nothing" : "fails"));
    umcc_insert_after(unit, open, g.leaves ? "!um_guard.assume && (" : "um_guard.assume || (");
    umcc_insert_before(unit, close, ")");
    return true;
}
