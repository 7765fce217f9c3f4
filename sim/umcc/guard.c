/**
 * @file guard.c
 * @brief The condition that most kernels begin with: `if (i < n) ...` or `if (i >= n) return;`.
 *
 * The index is computed before it, as in `int i = ...;`. A condition inside the loop over threads keeps gcc
 * from vectorising the loop, and launches often have many threads for which it does not hold. So the
 * condition is asked once for a row of threads: the declarations and the condition are written a second
 * time, with threadIdx.x as the values of the whole row (prefix.c, umsim/affine.h):
 *
 *     if (um_guard.asks) { const ::umsim::row_index threadIdx = um_guard.row; DECLARATIONS
 *                          *um_guard.answer = CONDITION; return; }
 *     declarations
 *     if (um_guard.known ? um_guard.value : (condition)) ...
 *
 * Where the answer is that it holds for all threads of the row or for none, the row runs with that value in
 * its place; else each thread evaluates the condition (umsim/rows.h). What follows the `if` plays no part.
 */
#include "steady.h"

/* What is asked at the body's beginning. */
static void ask(struct umcc_unit *unit, const struct umcc_decl *kernel, const struct umcc_steady *steady,
                const char *condition)
{
    const struct umcc_prefix *prefix = steady->prefix;
    const char *rest =
        steady->count ? umcc_format(&unit->arena, "*um_guard.rest = %s; ", umcc_steady_answer(steady)) : "";
    umcc_insert_before(
        unit, kernel->body + 1,
        umcc_format(&unit->arena,
                    "\n# 1 \"um-probe %d\" 3\n"
                    "if (um_guard.asks) { __attribute__((unused)) const ::umsim::row_index threadIdx = "
                    "um_guard.row; %s%s*um_guard.answer = %s; %sreturn; } %s%s",
                    steady->number, prefix->checks, prefix->text, condition, rest,
                    steady->count
                        ? umcc_declare_unproven(unit, steady->number, "a condition is what it was at first")
                        : "",
                    steady->before));
}

bool umcc_mark_guard(struct umcc_unit *unit, const struct umcc_decl *kernel, int number)
{
    struct umcc_prefix prefix = umcc_begin_prefix(unit);
    struct umcc_kernel *it = &unit->kernels.items[number];
    struct umcc_steady steady;
    int i = kernel->body + 1;
    while (i >= 0 && !umcc_is(unit, i, "if"))
        i = umcc_read_prefix(&prefix, i);
    if (i < 0 || !umcc_is(unit, i + 1, "("))
        return false;
    const int open = i + 1, close = unit->tokens[open].match;
    const char *condition = umcc_row_condition(&prefix, open + 1, close - 1);
    if (!condition)
        return false;
    if (umcc_begin_steady(&steady, &prefix, kernel, number, "um_guard") && !it->stays_unturned)
        umcc_find_steady(&steady, close + 1, kernel->body_end - 1);
    it->is_steady = steady.count > 0;
    ask(unit, kernel, &steady, condition);
    umcc_space_evenly(&steady);
    umcc_insert_after(unit, open, "um_guard.known ? um_guard.value : (");
    umcc_insert_before(unit, close, ")");
    return true;
}
