/**
 * @file linear.c
 * @brief Implementation of linear.h: decides from tokens whether an expression is evenly spaced along a row
 * of threads.
 */
#include "linear.h"

const struct umcc_variable *umcc_find_variable(const struct umcc_scope *scope, int i)
{
    for (int v = scope->count - 1; v >= 0; v--)
        if (umcc_same_text(scope->unit, scope->names[v].token, i))
            return &scope->names[v];
    return NULL;
}

static bool is_thread_x(const struct umcc_unit *unit, int i)
{
    return umcc_is(unit, i, "threadIdx") && umcc_is(unit, i + 1, ".") && umcc_is(unit, i + 2, "x");
}

/* Is token `i` a value that changes from thread to thread of a row? */
bool umcc_varies(const struct umcc_scope *scope, int i)
{
    if (!umcc_is_name(scope->unit, i) || umcc_is(scope->unit, i - 1, "."))
        return false;
    const struct umcc_variable *v = umcc_find_variable(scope, i);
    return is_thread_x(scope->unit, i) || (v && v->varies);
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
int umcc_skip_cast(const struct umcc_unit *unit, int i)
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

/* Whether the tokens only read existing values: no call, no memory access, no assignment. */
bool umcc_is_pure(const struct umcc_unit *unit, int first, int last)
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

/* Whether the tokens are a sum of products with at most one varying value in each. Subtraction may wrap
 * around, and other operators form no sum. */
bool umcc_is_linear(const struct umcc_scope *scope, int first, int last)
{
    int many = 0;
    bool times = false, other = false;
    for (int i = first; i <= last; i++) {
        if (umcc_skip_cast(scope->unit, i) > i) {
            i = umcc_skip_cast(scope->unit, i);
            continue;
        }
        many += umcc_varies(scope, i);
        times |= umcc_is(scope->unit, i, "*");
        const struct umcc_token *t = &scope->unit->tokens[i];
        const bool allowed = t->kind == UMCC_NUMBER || t->kind == UMCC_IDENTIFIER ||
                             umcc_is(scope->unit, i, "+") || umcc_is(scope->unit, i, "*") ||
                             umcc_is(scope->unit, i, "(") || umcc_is(scope->unit, i, ")") ||
                             umcc_is(scope->unit, i, ".") || umcc_is(scope->unit, i, "::");
        other |= !allowed || is_narrowing(scope->unit, i);
        if (umcc_is_name(scope->unit, i) && umcc_find_variable(scope, i) &&
            umcc_find_variable(scope, i)->unknown)
            return false;
    }
    return many == 0 || (!other && (!times || many == 1));
}

/* `int i = ..., j = ...;` at `i`. @return the token behind it, or -1 when it is anything else. */
int umcc_read_declaration(struct umcc_scope *scope, int i)
{
    const struct umcc_unit *unit = scope->unit;
    bool integer = true;
    int type = i;
    while (umcc_is_type_keyword(unit, i) || umcc_is(unit, i, "std") || umcc_is(unit, i, "::") ||
           (umcc_is_name(unit, i) && umcc_is_name(unit, i + 1)))
        integer &= is_wide_integer(unit, i++);
    if (i == type)
        return -1;
    for (;;) {
        if (!umcc_is_name(unit, i) || scope->count == UMCC_SCOPE_MAX)
            return -1;
        int name = i, value = i + 2;
        if (!umcc_is(unit, i + 1, "="))
            return -1;
        for (i = value; !umcc_is(unit, i, ",") && !umcc_is(unit, i, ";"); i++)
            if (i >= unit->count || umcc_is(unit, i, "{"))
                return -1;
        if (!umcc_is_pure(unit, value, i - 1))
            return -1;
        bool depends = false, unknown = false;
        for (int j = value; j < i; j++) {
            depends |= umcc_varies(scope, j);
            unknown |= umcc_is_name(unit, j) && umcc_find_variable(scope, j) &&
                       umcc_find_variable(scope, j)->unknown;
        }
        const bool linear = umcc_is_linear(scope, value, i - 1);
        scope->names[scope->count++] =
            (struct umcc_variable){name, depends, unknown || (depends && (!integer || !linear))};
        if (umcc_is(unit, i, ";"))
            return i + 1;
        i++;
    }
}
