/**
 * @file keyed.c
 * @brief --keyed: has what device code stores in global memory mixed with a grader's key.
 *
 * Nobody here knows what an operand's type is, or where it lies. So each assignment becomes another operator
 * of the same precedence, which umsim/keyed.h overloads, and that asks for the type when it is compiled and
 * for the address when it runs:
 *
 *     a = b      becomes  a <<= ::umsim::keyed::put<'='>() |= b
 *     a += b     becomes  a <<= ::umsim::keyed::put<'+'>() |= ::umsim::keyed::added() |= b
 *     ++a, a++   become   ::umsim::keyed::before<'+'>(a), ::umsim::keyed::after<'+'>(a)
 *
 * keyed_reads.c has what is read.
 *
 * All of a body's assignments are rewritten, also those to local variables. What is left as it is are the
 * initializers of declarations, which make new variables. If one of them is taken for an assignment, g++
 * refuses the text; only where a type, or the end of one, stands before the name is it taken for one. What
 * cannot be told apart is an error here, and so is an atomic function whose result would depend on the order
 * of threads.
 */
#include "keyed.h"
#include "undefined.h"

#include <string.h>

enum role { INITIALIZES, ASSIGNS, UNCLEAR };

int umcc_boundary(const struct umcc_unit *unit, int i)
{
    static const char *const of_values[] = {"=", ",", "(", ">", NULL};
    for (int j = i - 1; j >= 0; j--) {
        const int open = umcc_is(unit, j, "}") ? unit->tokens[j].match : -1;
        const bool is_value = umcc_is_any(unit, open - 1, of_values) || umcc_is_name(unit, open - 1);
        if (umcc_is(unit, j, ";") || (open >= 0 && !is_value) || unit->tokens[j].match > j)
            return j;
        if (unit->tokens[j].match >= 0)
            j = unit->tokens[j].match;
    }
    return -1;
}

/* Behind a name with its qualification and its template arguments; `i` where there is none. */
static int behind_name(const struct umcc_unit *unit, int i)
{
    int j = umcc_is(unit, i, "::") ? i + 1 : i;
    while (umcc_is_name(unit, j)) {
        j++;
        if (umcc_is(unit, j, "<"))
            j = umcc_skip_angles(unit, j);
        if (!umcc_is(unit, j, "::"))
            return j;
        j++;
    }
    return i;
}

bool umcc_declares(const struct umcc_unit *unit, int i)
{
    static const char *const first[] = {"static", "constexpr", "typename", "struct",  "class", "union",
                                        "enum",   "extern",    "register", "alignas", NULL};
    static const char *const between[] = {"*", "&", "&&", "const", "volatile", NULL};
    if (umcc_is_type_keyword(unit, i) || umcc_mark_of(unit, i) || umcc_is_any(unit, i, first))
        return true;
    int j = behind_name(unit, i);
    if (j == i)
        return false;
    while (umcc_is_any(unit, j, between))
        j++;
    return umcc_is_name(unit, j);
}

/* The role of `=` where its left side begins behind a comma. */
static enum role behind_comma(const struct umcc_unit *unit, int comma)
{
    static const char *const heads[] = {"for", "if", "while", "switch", "constexpr", NULL};
    const int before = umcc_boundary(unit, comma);
    int first = before + 1;
    if (umcc_is(unit, before, "[") && !umcc_ends_operand(unit, before - 1))
        return INITIALIZES; /* a lambda's capture */
    for (int j = before; umcc_is(unit, before, "{") && j > before - 6 && j >= 0; j--)
        if (umcc_is(unit, j, "enum"))
            return INITIALIZES;
    while (umcc_is_any(unit, first, heads) || umcc_is(unit, first, "else") || umcc_is(unit, first, "(")) {
        if (umcc_is(unit, first, "(") && !umcc_is_any(unit, first - 1, heads))
            break;
        first = umcc_is(unit, first, "(") ? unit->tokens[first].match + 1 : first + 1;
    }
    return umcc_declares(unit, first) ? INITIALIZES : ASSIGNS;
}

/* Whether the `]` at `i` ends the names of a structured binding. */
static bool ends_binding(const struct umcc_unit *unit, int i)
{
    if (!umcc_is(unit, i, "]"))
        return false;
    int j = unit->tokens[i].match - 1;
    while (umcc_is(unit, j, "&") || umcc_is(unit, j, "&&"))
        j--;
    return umcc_is(unit, j, "auto");
}

/* What stands before the left side, which begins at `first`, tells whether it is declared there. */
static enum role role_behind(const struct umcc_unit *unit, int before, int first, bool stars)
{
    static const char *const words[] = {"using", "namespace", NULL};
    static const char *const of_types[] = {"decltype",      "__typeof__", "typeof",
                                           "__attribute__", "alignas",    NULL};
    if (umcc_is_any(unit, before, words))
        return INITIALIZES;
    if (umcc_is(unit, before, ">"))
        return umcc_is(unit, first, "(") && !stars ? ASSIGNS : INITIALIZES;
    if (umcc_is_name(unit, before) || umcc_is_type_keyword(unit, before) || umcc_mark_of(unit, before))
        return INITIALIZES;
    if (umcc_is(unit, before, ")") && umcc_is_any(unit, unit->tokens[before].match - 1, of_types))
        return INITIALIZES;
    if (umcc_is(unit, before, "[") && !umcc_ends_operand(unit, before - 1))
        return INITIALIZES; /* a lambda's capture */
    if (umcc_is(unit, before, ",") || umcc_is(unit, before, "{"))
        return behind_comma(unit, umcc_is(unit, before, "{") ? before + 1 : before);
    return ASSIGNS;
}

/* What the `=` at `i` does. */
static enum role role_of(const struct umcc_unit *unit, int i)
{
    const bool member = umcc_is_name(unit, i - 1) && umcc_is(unit, i - 2, ".");
    if (umcc_is(unit, i - 1, "++") || umcc_is(unit, i - 1, "--"))
        return ASSIGNS; /* *p++ = */
    if (umcc_is(unit, i - 1, "operator") || umcc_is(unit, i - 1, "[") || ends_binding(unit, i - 1) ||
        umcc_is_type_keyword(unit, i - 1) || (member && !umcc_ends_operand(unit, i - 3)))
        return INITIALIZES;
    const int first = umcc_operand_first(unit, i - 1);
    int before = first - 1;
    if (first < 0)
        return UNCLEAR;
    while (umcc_is(unit, before, "*") || umcc_is(unit, before, "&") || umcc_is(unit, before, "&&"))
        before--;
    return role_behind(unit, before, first, before < first - 1);
}

static void put(struct umcc_unit *unit, int i, char operation)
{
    const bool sums = operation == '+' || operation == '-';
    umcc_replace(unit, i, umcc_format(&unit->arena, "<<= ::umsim::keyed::put<'%c'>() |= ", operation));
    if (sums)
        umcc_insert_after(unit, i, " ::umsim::keyed::added() |= ");
}

static void key_assignment(struct umcc_unit *unit, int i)
{
    switch (role_of(unit, i)) {
    case ASSIGNS:
        put(unit, i, '=');
        break;
    case UNCLEAR:
        umcc_error(unit, i,
                   "--keyed: it is not clear what is assigned to here; write the left side as a name, a "
                   "member, or an element");
        break;
    default:
        break;
    }
}

/* `++` or `--`. */
static void key_step(struct umcc_unit *unit, int i)
{
    const char operation = unit->tokens[i].text[0];
    const bool ends =
        umcc_ends_operand(unit, i - 1) && !umcc_is(unit, i - 1, "}") &&
        !(umcc_is(unit, i - 1, ")") && (umcc_ends_head(unit, i - 1) || umcc_is_name(unit, i + 1)));
    const int first = ends ? umcc_operand_first(unit, i - 1) : i,
              last = ends ? i : umcc_operand_last(unit, i + 1);
    if (first < 0 || last < 0) {
        umcc_error(unit, i, "--keyed: it is not clear what changes here; write x += 1");
        return;
    }
    const char *text =
        umcc_format(&unit->arena, "::umsim::keyed::%s<'%c'>(", ends ? "after" : "before", operation);
    if (ends)
        umcc_insert_before(unit, first, text);
    umcc_replace(unit, i, ends ? ")" : text);
    if (!ends)
        umcc_insert_after(unit, last, ")");
}

/* CUDA's atomic functions. */
static void key_atomic(struct umcc_unit *unit, int i)
{
    static const char *const others[] = {"atomicExch", "atomicMin", "atomicMax", "atomicInc", "atomicDec",
                                         "atomicCAS",  "atomicAnd", "atomicOr",  "atomicXor", NULL};
    const bool adds = umcc_is(unit, i, "atomicAdd"), subtracts = umcc_is(unit, i, "atomicSub");
    if (!umcc_is_name(unit, i) || !umcc_is(unit, i + 1, "(") || umcc_is(unit, i - 1, ".") ||
        umcc_is(unit, i - 1, "->"))
        return;
    if (adds || subtracts)
        umcc_replace(unit, i, adds ? "umsim::keyed::atomic_add" : "umsim::keyed::atomic_sub");
    else if (umcc_is_any(unit, i, others))
        umcc_error(unit, i,
                   "--keyed: what %s leaves depends on the order of threads, or on what it finds; name the "
                   "function in --keyed-except",
                   umcc_spelling(unit, i));
}

static const char *const compound[] = {"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", NULL};

/* A shift is two tokens. */
static bool is_shift(const struct umcc_unit *unit, int i)
{
    return umcc_is(unit, i + 1, umcc_is(unit, i, "<") ? "<=" : ">=") && unit->tokens[i + 1].joined &&
           (umcc_is(unit, i, "<") || umcc_is(unit, i, ">"));
}

bool umcc_is_assignment(const struct umcc_unit *unit, int i)
{
    return umcc_is(unit, i, "=") || umcc_is_any(unit, i, compound) || is_shift(unit, i);
}

static void key_token(struct umcc_unit *unit, int i)
{
    if (umcc_is(unit, i - 1, "operator"))
        return;
    if (umcc_is(unit, i, "=")) {
        key_assignment(unit, i);
    } else if (umcc_is_any(unit, i, compound)) {
        put(unit, i, unit->tokens[i].text[0]);
    } else if (is_shift(unit, i)) {
        umcc_replace(unit, i, "");
        put(unit, i + 1, unit->tokens[i].text[0]);
    } else if (umcc_is(unit, i, "++") || umcc_is(unit, i, "--")) {
        key_step(unit, i);
    } else {
        key_atomic(unit, i);
        umcc_key_read(unit, i);
    }
}

/* Whether the list, which has commas, names the function. */
static bool is_left_out(const struct umcc_unit *unit, const struct umcc_decl *d)
{
    const struct umcc_token *name = &unit->tokens[d->name];
    for (const char *at = unit->keyed_except; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strncmp(at, name->text, name->length) == 0 &&
            (at[name->length] == '\0' || at[name->length] == ','))
            return true;
    return false;
}

/* A lambda or a function of a local class that is marked by itself. */
static void key_marked(struct umcc_unit *unit, int mark)
{
    int open = mark;
    while (open < unit->count && !umcc_is(unit, open, "{") && !umcc_is(unit, open, ";"))
        open = unit->tokens[open].match > open ? unit->tokens[open].match + 1 : open + 1;
    for (int i = open + 1; umcc_is(unit, open, "{") && i < unit->tokens[open].match; i++)
        key_token(unit, i);
}

void umcc_key_values(struct umcc_unit *unit)
{
    bool *inside = umcc_alloc(&unit->arena, (size_t)unit->count + 1);
    for (const struct umcc_decl *d = unit->decls; d; d = d->next) {
        if (d->form != UMCC_FUNCTION || !(d->marks & (UMCC_DEVICE | UMCC_GLOBAL)) || d->body < 0)
            continue;
        const bool is_keyed = !unit->tokens[d->body].system && !is_left_out(unit, d);
        for (int i = d->body + 1; i < d->body_end; i++)
            if (!inside[i] && is_keyed) /* a function in a function comes with that one */
                key_token(unit, i);
        memset(inside + d->first, 1, (size_t)(d->body_end - d->first));
    }
    for (int i = 0; i < unit->count; i++)
        if (!inside[i] && !unit->tokens[i].system && umcc_mark_of(unit, i) == UMCC_DEVICE)
            key_marked(unit, i);
}
