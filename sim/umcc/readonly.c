/**
 * @file readonly.c
 * @brief `const float4 me = body[i];` in device code becomes `float4 me = body[i];`.
 *
 * gcc keeps a structure that is `const` whole in memory, and makes no vectors of loops with such a variable.
 * The word makes no difference where the variable is only mentioned as `me.x`, a number that is read: not
 * assigned to, no operand of `&`, no argument that a function may take by reference. Then the word is
 * dropped.
 */
#include "umcc.h"

#include <string.h>

/* float4, uint2, longlong3 ... */
static bool is_vector_type(const struct umcc_unit *unit, int i)
{
    static const char *const numbers[] = {"char", "uchar", "short",    "ushort",    "int",   "uint",
                                          "long", "ulong", "longlong", "ulonglong", "float", "double"};
    const struct umcc_token *t = &unit->tokens[i];
    if (!umcc_is_identifier(unit, i) || !strchr("1234", t->text[t->length - 1]))
        return false;
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
        if (strlen(numbers[n]) == t->length - 1 && strncmp(numbers[n], t->text, t->length - 1) == 0)
            return true;
    return false;
}

/* Whether the number at `i` to `last` may be taken by reference: `f(a, me.x)`, `auto &x = me.x`. */
static bool is_taken(const struct umcc_unit *unit, int i, int last)
{
    static const char *const before[] = {"(", ",", "?", ":", "{", "return", NULL}, *const behind[] = {
                                                                                       ",", ")", "?", ":",
                                                                                       "}", ";", NULL};
    if (umcc_is(unit, i - 1, "=") && umcc_is(unit, i - 3, "&"))
        return true;
    if (!umcc_is_any(unit, i - 1, before) || !umcc_is_any(unit, last + 1, behind))
        return false;
    int open = i - 1;
    while (open > 0 && unit->tokens[open].match <= i)
        open = unit->tokens[open].match >= 0 && unit->tokens[open].match < open ? unit->tokens[open].match - 1
                                                                                : open - 1;
    return !umcc_is(unit, open, "(") || !umcc_is_identifier(unit, open - 1) ||
           strncmp(unit->tokens[open - 1].text, "make_", 5) != 0;
}

/* Whether the mention of a variable at `i` only reads a number of it. */
static bool reads_number(const struct umcc_unit *unit, int i)
{
    static const char *const changes[] = {
        "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--", "[", "(", "{", "->", ".", NULL};
    static const char *const parts[] = {"x", "y", "z", "w", NULL}, *const before[] = {"++", "--", "&", NULL};
    return umcc_is(unit, i + 1, ".") && umcc_is_any(unit, i + 2, parts) &&
           !umcc_is_any(unit, i + 3, changes) && !umcc_is_any(unit, i - 1, before) &&
           !is_taken(unit, i, i + 2);
}

/* Whether all mentions of the variable that is named at `name` do, up to `end`. */
static bool is_only_read(const struct umcc_unit *unit, int name, int end)
{
    for (int i = name + 1; i < end; i++)
        if (umcc_same_text(unit, i, name) && !umcc_is(unit, i - 1, ".") && !umcc_is(unit, i - 1, "->") &&
            !reads_number(unit, i))
            return false;
    return true;
}

/* `const float4 a = ..., b = ...;` at `i`. @return whether nobody would miss the word */
static bool is_needless(const struct umcc_unit *unit, int i, int end)
{
    static const char *const before[] = {";", "{", "}", NULL};
    int at = i + 2;
    if (!umcc_is_any(unit, i - 1, before) || !is_vector_type(unit, i + 1))
        return false;
    for (;; at++) {
        if (!umcc_is_name(unit, at) || !umcc_is(unit, at + 1, "=") || !is_only_read(unit, at, end))
            return false;
        while (at < end && !umcc_is(unit, at, ",") && !umcc_is(unit, at, ";"))
            at = unit->tokens[at].match > at ? unit->tokens[at].match + 1 : at + 1;
        if (!umcc_is(unit, at, ","))
            return at < end;
    }
}

void umcc_drop_readonly(struct umcc_unit *unit, const struct umcc_decl *function)
{
    for (int i = function->body + 1; i < function->body_end; i++)
        if (umcc_is(unit, i, "const") && is_needless(unit, i, function->body_end))
            umcc_drop(unit, i, i);
}
