/**
 * @file keyed_reads.c
 * @brief --keyed: has the floating-point numbers that device code reads from global memory mixed with a
 * grader's key.
 *
 * What may be such a number is an element, a member, what a pointer leads to, or a device variable:
 *
 *     a[i] * p->x + *q   becomes   read(a[i]) * read(p->x) + read(*q)     (::umsim::keyed::read)
 *
 * umsim/keyed.h asks for the type, and at run time for the address; whatever is no such number passes through
 * as it is, as a place. A place is left alone where something is done to it: it is assigned to, counted up,
 * or its address is taken. Where that is missed, g++ refuses the text, because what read() gives of a
 * floating-point number is no place.
 */
#include "keyed.h"
#include "undefined.h"

/* Whether the parentheses that end at `i` are a cast, as far as a name of a type tells. */
static bool ends_cast(const struct umcc_unit *unit, int i)
{
    const int open = umcc_is(unit, i, ")") ? unit->tokens[i].match : -1;
    return open >= 0 && !umcc_ends_operand(unit, open - 1) &&
           (umcc_is_type_keyword(unit, open + 1) || umcc_is(unit, i - 1, "*") || umcc_is(unit, i - 1, ">") ||
            (open == i - 2 && umcc_is_alias(unit, i - 1)));
}

/* Whether the token at `i` ends an operand, so that an operator behind it has two of them. */
static bool ends_operand(const struct umcc_unit *unit, int i)
{
    if (umcc_is(unit, i, "++") || umcc_is(unit, i, "--"))
        return ends_operand(unit, i - 1); /* x++ * y */
    return umcc_ends_operand(unit, i) && !umcc_is(unit, i, "}") && !umcc_is(unit, i, "sizeof") &&
           !umcc_ends_head(unit, i) && !ends_cast(unit, i);
}

static bool is_prefix(const struct umcc_unit *unit, int i, const char *text)
{
    return umcc_is(unit, i, text) && !ends_operand(unit, i - 1);
}

/* Whether the place of tokens `first` to `last` is used as one. Parentheses around it make no difference. */
static bool is_used_as_place(const struct umcc_unit *unit, int first, int last)
{
    static const char *const behind[] = {"++", "--", "[", "(", ".", "->", "::", "{", NULL};
    while (umcc_is(unit, last + 1, ")") && umcc_is(unit, first - 1, "(") && !umcc_is_name(unit, first - 2) &&
           !umcc_ends_head(unit, last + 1)) {
        first--;
        last++;
    }
    return umcc_is_any(unit, last + 1, behind) || umcc_is_assignment(unit, last + 1) ||
           is_prefix(unit, first - 1, "&") || is_prefix(unit, first - 1, "++") ||
           is_prefix(unit, first - 1, "--") || umcc_is(unit, first - 1, "new");
}

static void key(struct umcc_unit *unit, int first, int last)
{
    if (is_used_as_place(unit, first, last))
        return;
    umcc_insert_before(unit, first, "::umsim::keyed::read(");
    umcc_insert_after(unit, last, ")");
}

static bool is_device_variable(const struct umcc_unit *unit, int i)
{
    for (const struct umcc_decl *d = unit->decls; d; d = d->next)
        for (const struct umcc_name *name = d->form == UMCC_VARIABLE ? d->names : NULL; name;
             name = name->next)
            if (d->marks & (UMCC_DEVICE | UMCC_MANAGED | UMCC_CONSTANT) && name->token != i &&
                umcc_same_text(unit, name->token, i))
                return true;
    return false;
}

/*
 * Whether tokens `first` to `last` are a declarator: they stand beside a type, or behind a comma of a
 * statement that declares. Behind `*` only a keyword tells, or that nothing else is in the statement: `T
 * *a[3];`.
 */
static bool is_declared(const struct umcc_unit *unit, int first, int last)
{
    static const char *const of_types[] = {"decltype", "__typeof__", "typeof", "alignas", NULL};
    int before = first - 1;
    while (umcc_is(unit, before, "*"))
        before--;
    const int edge = umcc_boundary(unit, first);
    const bool alone = umcc_is(unit, last + 1, ";") && umcc_declares(unit, edge + 1) &&
                       umcc_operand_first(unit, before) == edge + 1;
    if (umcc_is_type_keyword(unit, before) || umcc_mark_of(unit, before) || alone)
        return true;
    if (umcc_is(unit, before, ","))
        return umcc_declares(unit, edge + 1);
    return before == first - 1 &&
           (umcc_is_name(unit, before) || umcc_closes_arguments(unit, before) ||
            (umcc_is(unit, before, ")") && umcc_is_any(unit, unit->tokens[before].match - 1, of_types)));
}

/* A `*` with one operand. */
static void key_pointed(struct umcc_unit *unit, int i)
{
    static const char *const of_types[] = {")", ",", ">", "[", "&", "...", NULL};
    int last = umcc_operand_last(unit, i + 1);
    while (ends_cast(unit, last))
        last = umcc_operand_last(unit, last + 1);
    if (umcc_is_any(unit, i + 1, of_types) || umcc_is_type_keyword(unit, i + 1) ||
        is_declared(unit, i + 1, last < 0 ? i : last))
        return;
    if (last < 0)
        umcc_error(unit, i, "--keyed: it is not clear what is read here; write p[0]");
    else
        key(unit, i, last);
}

void umcc_key_read(struct umcc_unit *unit, int i)
{
    const int open = umcc_is(unit, i, "]") ? unit->tokens[i].match : -1;
    const bool member = umcc_is_name(unit, i) && (umcc_is(unit, i - 1, ".") || umcc_is(unit, i - 1, "->"));
    const bool element = open > 0 && (umcc_is_name(unit, open - 1) || umcc_is(unit, open - 1, "]") ||
                                      umcc_is(unit, open - 1, ")"));
    if (is_prefix(unit, i, "*")) {
        key_pointed(unit, i);
    } else if (member || element || (umcc_is_name(unit, i) && is_device_variable(unit, i))) {
        const int first = umcc_operand_first(unit, i);
        if (first >= 0 && !is_declared(unit, first, i))
            key(unit, first, i);
        else if (first < 0 && !is_used_as_place(unit, i, i) &&
                 !umcc_is(unit, i - 2, "}")) /* T{1, 2}.x is nobody's memory */
            umcc_error(unit, i, "--keyed: it is not clear what is read here; give its place a name");
    }
}
