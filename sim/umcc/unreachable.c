/**
 * @file unreachable.c
 * @brief Warns of a statement behind a `return` of the same block, which nothing can reach.
 *
 * EDG, nvcc's front end, calls it warning 111; g++ has none. It is the mistake of a kernel that returns
 * before its work is done. What stands behind on purpose is left out: another `return` (of an #ifdef),
 * `break`, a label, a declaration of a class, the macros that only tell a compiler.
 */
#include "umcc.h"

/* Whether the statement at `i` stands by itself: no condition and no `else` decides about it. */
static bool is_by_itself(const struct umcc_unit *unit, int i)
{
    if (umcc_is(unit, i - 1, ";") || umcc_is(unit, i - 1, "{"))
        return true;
    return umcc_is(unit, i - 1, "}") && !umcc_is(unit, unit->tokens[i - 1].match - 1, "=");
}

static bool may_be_reached(const struct umcc_unit *unit, int i)
{
    static const char *const words[] = {
        "}",      "case",    "default",       "return", "break",
        "goto",   "__asm__", "asm",           ";",      "continue",
        "struct", "class",   "union",         "enum",   "__builtin_unreachable",
        "using",  "typedef", "static_assert", "throw",  NULL};
    return umcc_is_any(unit, i, words) || umcc_is(unit, i + 1, ":") || !umcc_is_identifier(unit, i) ||
           (umcc_is(unit, i, "__attribute__") || umcc_is(unit, i, "__extension__"));
}

static void warn_in(struct umcc_unit *unit, const struct umcc_decl *d)
{
    for (int i = d->body + 1; i < d->body_end; i++) {
        if (!umcc_is(unit, i, "return") || !is_by_itself(unit, i))
            continue;
        int end = i + 1;
        while (end < d->body_end && !umcc_is(unit, end, ";"))
            end = unit->tokens[end].match > end ? unit->tokens[end].match + 1 : end + 1;
        if (!may_be_reached(unit, end + 1) && unit->tokens[end + 1].line > 0) {
            umcc_warning(unit, end + 1, "statement is unreachable: the return before it ends the function");
            return;
        }
        i = end;
    }
}

void umcc_warn_unreachable(struct umcc_unit *unit)
{
    for (const struct umcc_decl *d = unit->decls; d; d = d->next)
        if (d->form == UMCC_FUNCTION && d->body >= 0 && !unit->tokens[d->body].system)
            warn_in(unit, d);
}
