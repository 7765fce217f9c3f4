/**
 * @file guard.c
 * @brief The condition that most kernels begin with: `int i = ...; if (i < n) ...` or `if (i >= n) return;`.
 *
 * A condition inside the loop over threads keeps gcc from vectorising it. If each comparison is between sums
 * of threadIdx.x (times something) and values that are the same in the whole row, then the threads for which
 * all of them hold are consecutive: where the first and the last thread of a row pass, all pass
 * (umsim::guard). umcc looks for that form only, and leaves any other condition alone:
 *
 *  - before the condition there are only declarations of variables, initialized without calls and without
 *    memory accesses;
 *  - values that depend on threadIdx.x are integers made by + and *, one such value to a product;
 *  - they are compared by < <= > >=, the comparisons joined by && (by || where the condition leads to
 *    `return`).
 *
 * A sum may not wrap around within the row. Global indices below 2^31 do not, and larger grids are not run
 * this way (umsim_device.h); differences of unsigned numbers may, and are refused.
 */
#include "umcc.h"

#include <string.h>

#define MAX_NAMES 64

/* A variable declared before the condition. */
struct variable {
    int token;
    bool varies;  /* with threadIdx.x */
    bool unknown; /* how it varies is not known: not to be compared */
};

struct guard {
    struct umcc_unit *unit;
    struct variable names[MAX_NAMES];
    int count;
    bool leaves; /* the condition leads to `return` */
};

static bool same_text(const struct umcc_unit *unit, int a, int b)
{
    const struct umcc_token *x = &unit->tokens[a], *y = &unit->tokens[b];
    return x->length == y->length && memcmp(x->text, y->text, x->length) == 0;
}

static const struct variable *find_variable(const struct guard *g, int i)
{
    for (int v = g->count - 1; v >= 0; v--)
        if (same_text(g->unit, g->names[v].token, i))
            return &g->names[v];
    return NULL;
}

static bool is_thread_x(const struct umcc_unit *unit, int i)
{
    return umcc_is(unit, i, "threadIdx") && umcc_is(unit, i + 1, ".") && umcc_is(unit, i + 2, "x");
}

/* Is token `i` a value that changes from thread to thread of a row? */
static bool varies(const struct guard *g, int i)
{
    if (!umcc_is_name(g->unit, i) || umcc_is(g->unit, i - 1, "."))
        return false;
    const struct variable *v = find_variable(g, i);
    return is_thread_x(g->unit, i) || (v != NULL && v->varies);
}

static bool is_wide_integer(const struct umcc_unit *unit, int i)
{
    static const char *const words[] = {"int",     "long",     "unsigned", "signed",   "const",     "size_t",
                                        "int32_t", "uint32_t", "int64_t",  "uint64_t", "ptrdiff_t", "uint",
                                        "auto",    "std",      "::",       "ulong",    NULL};
    return umcc_is_any(unit, i, words);
}

/* `(int)`, `size_t(...)`: a conversion that changes no value below 2^31. */
static bool is_conversion(const struct umcc_unit *unit, int i)
{
    return is_wide_integer(unit, i) && !umcc_is(unit, i, "auto");
}

/* `static_cast<size_t>` at `i`: @return its `>`, else `i`. */
static int skip_cast(const struct umcc_unit *unit, int i)
{
    int j = i + 2;
    if (!umcc_is(unit, i, "static_cast") || !umcc_is(unit, i + 1, "<"))
        return i;
    while (is_conversion(unit, j))
        j++;
    return umcc_is(unit, j, ">") ? j : i;
}

/* `(char)i` keeps only a part of the value. */
static bool is_narrowing(const struct umcc_unit *unit, int i)
{
    const bool cast = umcc_is(unit, i - 1, "(") && umcc_is(unit, i + 1, ")") &&
                      (umcc_is_identifier(unit, i + 2) || umcc_is(unit, i + 2, "(") ||
                       (i + 2 < unit->count && unit->tokens[i + 2].kind == UMCC_NUMBER));
    const bool keyword = umcc_is_type_keyword(unit, i);
    return umcc_is_identifier(unit, i) && (cast || keyword) && !is_wide_integer(unit, i);
}

/* Reads nothing but values that are there: no call, no memory access, no assignment. */
static bool is_pure(const struct umcc_unit *unit, int first, int last)
{
    static const char *const refused[] = {
        "[",  "]",  "{",  "}",   "=",  "+=",  "-=",     "*=",    "/=",     "%=", "&=",       "|=", "^=",
        "++", "--", "->", "->*", ".*", "new", "delete", "throw", "sizeof", "::", "co_await", "?",  NULL};
    for (int i = first; i <= last; i++) {
        const enum umcc_kind kind = unit->tokens[i].kind;
        if (kind == UMCC_STRING || (umcc_is_any(unit, i, refused) && !umcc_is(unit, i - 1, "std") &&
                                    !umcc_is(unit, i + 1, "size_t")))
            return false;
        if (umcc_is(unit, i, "(") && umcc_is_identifier(unit, i - 1) && !is_conversion(unit, i - 1))
            return false;
        const bool operand_before = umcc_is_name(unit, i - 1) || umcc_is(unit, i - 1, ")") ||
                                    (i > first && unit->tokens[i - 1].kind == UMCC_NUMBER);
        if ((umcc_is(unit, i, "*") || umcc_is(unit, i, "&")) && (!operand_before || i == first))
            return false;
    }
    return true;
}

/* A sum of products with at most one varying value in each. Subtracting may wrap; the rest is no sum. */
static bool is_linear(const struct guard *g, int first, int last)
{
    int many = 0;
    bool times = false, other = false;
    for (int i = first; i <= last; i++) {
        if (skip_cast(g->unit, i) > i) {
            i = skip_cast(g->unit, i);
            continue;
        }
        many += varies(g, i);
        times |= umcc_is(g->unit, i, "*");
        const struct umcc_token *t = &g->unit->tokens[i];
        const bool allowed = t->kind == UMCC_NUMBER || t->kind == UMCC_IDENTIFIER ||
                             umcc_is(g->unit, i, "+") || umcc_is(g->unit, i, "*") ||
                             umcc_is(g->unit, i, "(") || umcc_is(g->unit, i, ")") ||
                             umcc_is(g->unit, i, ".") || umcc_is(g->unit, i, "::");
        other |= !allowed || is_narrowing(g->unit, i);
        if (umcc_is_name(g->unit, i) && find_variable(g, i) != NULL && find_variable(g, i)->unknown)
            return false;
    }
    return many == 0 || (!other && (!times || many == 1));
}

static bool is_comparison(const struct umcc_unit *unit, int i)
{
    return umcc_is(unit, i, "<") || umcc_is(unit, i, ">") || umcc_is(unit, i, "<=") || umcc_is(unit, i, ">=");
}

/* Sides of comparisons, one by one; what holds for a part in parentheses holds for what stands between
 * operators. */
static bool is_condition(const struct guard *g, int first, int last)
{
    const char *join = g->leaves ? "||" : "&&";
    int start = first;
    if (!is_pure(g->unit, first, last))
        return false;
    bool any = false, constant = true;
    for (int i = first; i <= last; i++) {
        any |= is_comparison(g->unit, i);
        constant &= !varies(g, i) && !(find_variable(g, i) != NULL && find_variable(g, i)->unknown);
    }
    if (constant)
        return true;
    for (int i = first; i <= last + 1; i++) {
        if (skip_cast(g->unit, i) > i) {
            i = skip_cast(g->unit, i);
            continue;
        }
        const bool split = i > last || is_comparison(g->unit, i) || umcc_is(g->unit, i, join);
        if (!split)
            continue;
        if (!is_linear(g, start, i - 1))
            return false;
        start = i + 1;
    }
    return any;
}

/* `int i = ..., j = ...;` at `i`. @return the token behind it, or -1 when it is anything else. */
static int read_declaration(struct guard *g, int i)
{
    const struct umcc_unit *unit = g->unit;
    bool integer = true;
    int type = i;
    while (umcc_is_type_keyword(unit, i) || umcc_is(unit, i, "std") || umcc_is(unit, i, "::") ||
           (umcc_is_name(unit, i) && umcc_is_name(unit, i + 1)))
        integer &= is_wide_integer(unit, i++);
    if (i == type)
        return -1;
    for (;;) {
        if (!umcc_is_name(unit, i) || g->count == MAX_NAMES)
            return -1;
        int name = i, value = i + 2;
        if (!umcc_is(unit, i + 1, "="))
            return -1;
        for (i = value; !umcc_is(unit, i, ",") && !umcc_is(unit, i, ";"); i++)
            if (i >= unit->count || umcc_is(unit, i, "{"))
                return -1;
        if (!is_pure(unit, value, i - 1))
            return -1;
        bool depends = false, unknown = false;
        for (int j = value; j < i; j++) {
            depends |= varies(g, j);
            unknown |= umcc_is_name(unit, j) && find_variable(g, j) != NULL && find_variable(g, j)->unknown;
        }
        const bool linear = is_linear(g, value, i - 1);
        g->names[g->count++] =
            (struct variable){name, depends, unknown || (depends && (!integer || !linear))};
        if (umcc_is(unit, i, ";"))
            return i + 1;
        i++;
    }
}

static bool leads_to_return(const struct umcc_unit *unit, int i)
{
    if (umcc_is(unit, i, "{"))
        return umcc_is(unit, i + 1, "return") && umcc_is(unit, i + 2, ";") && umcc_is(unit, i + 3, "}");
    return umcc_is(unit, i, "return") && umcc_is(unit, i + 1, ";");
}

bool umcc_mark_guard(struct umcc_unit *unit, const struct umcc_decl *kernel)
{
    struct guard g = {.unit = unit};
    int i = kernel->body + 1;
    for (int next = i; next >= 0 && !umcc_is(unit, i, "if"); next = next < 0 ? -1 : i) {
        next = read_declaration(&g, i);
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
    const char *form = "if (um_guard.probe) { *um_guard.held = %s(%s); return; } ";
    umcc_insert_before(unit, i, umcc_format(&unit->arena, form, g.leaves ? "!" : "", condition));
    umcc_insert_after(unit, open, g.leaves ? "!um_guard.assume && (" : "um_guard.assume || (");
    umcc_insert_before(unit, close, ")");
    return true;
}
