/**
 * @file statements.c
 * @brief Implementation of statements.h: finds the ends of statements, and the tokens that may change a
 * variable.
 */
#include "statements.h"

bool umcc_is_operand_end(const struct umcc_unit *unit, int i)
{
    return umcc_is_name(unit, i) || umcc_is(unit, i, ")") || umcc_is(unit, i, "]") ||
           unit->tokens[i].kind == UMCC_NUMBER;
}

int umcc_statement_end(const struct umcc_unit *unit, int i, int limit)
{
    if (umcc_is(unit, i, "{"))
        return unit->tokens[i].match;
    static const char *const headed[] = {"for", "if", "while", "switch", NULL};
    if (umcc_is_any(unit, i, headed)) {
        const int close = umcc_is(unit, i + 1, "(") ? unit->tokens[i + 1].match : -1;
        int end = close < 0 ? -1 : umcc_statement_end(unit, close + 1, limit);
        if (end >= 0 && umcc_is(unit, i, "if") && umcc_is(unit, end + 1, "else"))
            end = umcc_statement_end(unit, end + 2, limit);
        return end;
    }
    for (; i < limit && !umcc_is(unit, i, ";"); i++)
        if (unit->tokens[i].match > i)
            i = unit->tokens[i].match;
    return i < limit ? i : -1;
}

bool umcc_may_change(const struct umcc_unit *unit, int i, bool pointer)
{
    static const char *const changes[] = {
        "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--", "(", "{", NULL};
    int next = i + 1;
    const bool indexed = umcc_is(unit, next, "[") || umcc_is(unit, next, "->");
    if (indexed && pointer)
        return false;
    for (;;) {
        if (umcc_is(unit, next, ".") || umcc_is(unit, next, "->"))
            next += 2;
        else if (umcc_is(unit, next, "["))
            next = unit->tokens[next].match + 1;
        else
            break;
    }
    const bool shifted = (umcc_is(unit, next, "<") || umcc_is(unit, next, ">")) &&
                         (umcc_is(unit, next + 1, "<=") || umcc_is(unit, next + 1, ">="));
    const bool before = umcc_is(unit, i - 1, "++") || umcc_is(unit, i - 1, "--") ||
                        (umcc_is(unit, i - 1, "&") && !umcc_is_operand_end(unit, i - 2));
    const bool bound = umcc_is(unit, i - 1, "=") && umcc_is_name(unit, i - 2) &&
                       (umcc_is(unit, i - 3, "&") || umcc_is(unit, i - 3, "&&"));
    return before || bound || shifted || umcc_is_any(unit, next, changes);
}

bool umcc_takes_references(const struct umcc_unit *unit, int i)
{
    for (const struct umcc_decl *d = unit->decls; d; d = d->next) {
        if (d->form != UMCC_FUNCTION || (d->marks & UMCC_DEVICE) == 0 || unit->tokens[d->name].system ||
            !umcc_same_text(unit, d->name, i))
            continue;
        for (int p = d->open; p < d->close; p++)
            if (umcc_is(unit, p, "&") || umcc_is(unit, p, "&&"))
                return true;
    }
    return false;
}

/* Skips the loop or switch at `i`. @return the token behind it; `i` if there is none */
static int skip_inner(const struct umcc_unit *unit, int i, int last, bool passes_switch)
{
    static const char *const inner[] = {"for", "while", "switch", "do", NULL};
    if (!umcc_is_any(unit, i, inner) || (passes_switch && umcc_is(unit, i, "switch")))
        return i;
    const int close = umcc_is(unit, i, "do") ? i : umcc_is(unit, i + 1, "(") ? unit->tokens[i + 1].match : -1;
    const int end = close < 0 ? -1 : umcc_statement_end(unit, close + 1, last + 1);
    return end < 0 ? i : end + 1;
}

bool umcc_leaves_loop(const struct umcc_unit *unit, int first, int last, bool by_continue)
{
    for (int i = first; i <= last;) {
        const int behind = skip_inner(unit, i, last, by_continue);
        if (behind == i && (umcc_is(unit, i, "break") || (by_continue && umcc_is(unit, i, "continue"))))
            return true;
        i = behind > i ? behind : i + 1;
    }
    return false;
}
