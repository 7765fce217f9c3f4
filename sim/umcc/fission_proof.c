/**
 * @file fission_proof.c
 * @brief What g++ has to prove of a kernel that fission.c has cut at its barriers.
 *
 * What fission.c and uniform.c conclude from tokens only says what is tried. The cut body is compiled a
 * second time in a form that never runs (um_trial), in which g++ has to find out (umsim/proof.h), and
 * where it does not, the kernel keeps its fibers:
 *
 * - What is executed once for a block has no effect but on its own variables, and gives the same values at
 * any time: conditions, values, what is assigned. threadIdx is not declared there at all.
 * - A thread's part changes none of the block's variables and none of the parameters.
 * - A variable that is computed again has that value still when its part ends.
 * - No address of a thread's variable is left when the part ends in which it was declared: the variable is
 *   then copied, or gone.
 *
 * Types are tested by static_assert: what is copied is trivially copyable, what is dropped early has no
 * destructor, and what is assigned once for a block is of the language's own types.
 */
#include "fission.h"

#include <string.h>

static bool has_effect(const struct umcc_unit *unit, int first, int last)
{
    static const char *const effects[] = {
        "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--", NULL};
    for (int i = first; i <= last; i++) {
        const bool shift = (umcc_is(unit, i, "<") || umcc_is(unit, i, ">")) &&
                           (umcc_is(unit, i + 1, "<=") || umcc_is(unit, i + 1, ">=")) &&
                           unit->tokens[i + 1].joined;
        if (umcc_is_any(unit, i, effects) || shift)
            return true;
    }
    return false;
}

/* ---- expressions that are evaluated once for a block ---- */

/* Gives `, t, p.n`: the block's variables and the parameters that the tokens mention. */
static const char *mentioned(struct umcc_body *body, int first, int last)
{
    struct umcc_unit *unit = body->unit;
    const char *names = "";
    for (int i = first; i <= last; i++) {
        const struct umcc_local *local = umcc_find_local(body, i);
        const bool member =
            umcc_is(unit, i - 1, ".") || umcc_is(unit, i - 1, "->") || umcc_is(unit, i - 1, "::");
        if (local && local->uniform) {
            names = umcc_format(&unit->arena, "%s, %s", names, umcc_spelling(unit, i));
        } else if (!local && !member && umcc_is_name(unit, i) &&
                   umcc_is_parameter(unit, &body->parameters, i)) {
            const int end = umcc_chain_end(unit, i);
            names = umcc_format(&unit->arena, "%s, %s", names, umcc_join(unit, i, end));
            i = end;
        }
    }
    return names;
}

/* An expression without a value: compiled only if the tokens repeat. */
static const char *repeats(struct umcc_body *body, int first, int last, bool condition)
{
    struct umcc_unit *unit = body->unit;
    const char *names = mentioned(body, first, last);
    return umcc_format(&unit->arena,
                       "(um_trial && !::umsim::repeats([&]() __attribute__((always_inline)) "
                       "{ return (%s)%s; }%s) ? um_unproven_%d() : (void)0)",
                       umcc_join(unit, first, last), condition ? " ? true : false" : "", names, body->number);
}

static void prove_condition(struct umcc_body *body, int first, int last)
{
    struct umcc_unit *unit = body->unit;
    if (first > last)
        return;
    umcc_insert_before(unit, first, umcc_format(&unit->arena, "(%s, (", repeats(body, first, last, true)));
    umcc_insert_after(unit, last, "))");
}

static const char *own_operators(const struct umcc_body *body)
{
    return body->unit->own_operators ? "true" : "false";
}

/* That `type x = value` only copies. */
static const char *copies(struct umcc_body *body, const char *type, int first, int last)
{
    return umcc_format(
        &body->unit->arena,
        "static_assert(::umsim::is_copied<%s, decltype((%s)), %s>::value, \"a value's type\"); ", type,
        umcc_join(body->unit, first, last), own_operators(body));
}

/* The operator of `x += ...` at `i`. @return the token behind it, or `i` */
static int behind_assignment(const struct umcc_unit *unit, int i)
{
    static const char *const assigns[] = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", NULL};
    if (umcc_is_any(unit, i, assigns))
        return i + 1;
    return (umcc_is(unit, i, "<") || umcc_is(unit, i, ">")) && has_effect(unit, i, i + 1) ? i + 2 : i;
}

/* Splits `x += 1, y++`. @return the last token of the first */
static int item_end(const struct umcc_unit *unit, int first, int last)
{
    for (int i = first; i <= last; i++)
        if (umcc_is(unit, i, ","))
            return i - 1;
        else if (unit->tokens[i].match > i)
            i = unit->tokens[i].match;
    return last;
}

struct change {
    int name, value; /* `name += value`; -1: there is none */
};

/* Reads `x = ...`, `x += ...`, `++x`, `x++` of a variable of the block or a parameter. */
static struct change read_change(struct umcc_body *body, int first, int last)
{
    const struct umcc_unit *unit = body->unit;
    const bool before = umcc_is(unit, first, "++") || umcc_is(unit, first, "--");
    const bool behind = umcc_is(unit, last, "++") || umcc_is(unit, last, "--");
    struct change c = {before ? last : first, -1};
    const struct umcc_local *local = umcc_find_local(body, c.name);
    const int value = behind_assignment(unit, c.name + 1);
    if (local ? !local->uniform
              : !umcc_is_name(unit, c.name) || !umcc_is_parameter(unit, &body->parameters, c.name))
        return (struct change){-1, -1};
    if ((before || behind) && last == first + 1)
        return c;
    if (before || value == c.name + 1 || value > last)
        return (struct change){-1, -1};
    c.value = value;
    return c;
}

static bool can_prove_items(struct umcc_body *body, int first, int last)
{
    for (int i = first; i <= last;) {
        const int end = item_end(body->unit, i, last);
        const struct change c = read_change(body, i, end);
        if (c.name >= 0 ? c.value >= 0 && has_effect(body->unit, c.value, end)
                        : has_effect(body->unit, i, end))
            return false;
        i = end + 2;
    }
    return true;
}

/* The same as statements. */
static const char *prove_items(struct umcc_body *body, int first, int last)
{
    struct umcc_unit *unit = body->unit;
    const char *text = "";
    for (int i = first; i <= last;) {
        const int end = item_end(unit, i, last);
        const struct change c = read_change(body, i, end);
        const char *x = c.name >= 0 ? umcc_spelling(unit, c.name) : "";
        if (c.name >= 0 && (c.value < 0 || !umcc_is(unit, c.name + 1, "=")))
            text = umcc_format(
                &unit->arena,
                "%sstatic_assert(::umsim::is_plain<decltype(%s), %s>::value, \"a value's type\"); ", text, x,
                own_operators(body));
        if (c.name >= 0 && c.value >= 0)
            text = umcc_format(&unit->arena, "%s%s%s; ", text,
                               copies(body, umcc_format(&unit->arena, "decltype(%s)", x), c.value, end),
                               repeats(body, c.value, end, false));
        if (c.name < 0)
            text = umcc_format(&unit->arena, "%s%s; ", text, repeats(body, i, end, false));
        i = end + 2;
    }
    return text;
}

/* ---- heads ---- */

/* The semicolons of `for (...; ...; ...)`. */
static void find_clauses(const struct umcc_unit *unit, const struct umcc_piece *piece, int *one, int *two)
{
    *one = *two = -1;
    for (int i = piece->first + 2; i < piece->last; i++) {
        if (umcc_is(unit, i, ";")) {
            *two = *one >= 0 ? i : -1;
            *one = *one >= 0 ? *one : i;
        } else if (unit->tokens[i].match > i) {
            i = unit->tokens[i].match;
        }
    }
}

static bool declares(const struct umcc_body *body, int p)
{
    for (int l = 0; l < body->local_count; l++)
        for (int s = 0; s < body->locals[l].scope_count; s++)
            if (body->locals[l].scopes[s].piece == p)
                return true;
    return false;
}

/* That a declaration gives the block's variables their values only by copying. */
static const char *prove_declaration(struct umcc_body *body, int p, bool in_head)
{
    struct umcc_unit *unit = body->unit;
    const char *text = "";
    for (int l = 0; l < body->local_count; l++) {
        const struct umcc_local *local = &body->locals[l];
        for (int s = 0; s < local->scope_count; s++) {
            const struct umcc_scope *scope = &local->scopes[s];
            if (scope->piece != p || !local->uniform)
                continue;
            const struct umcc_local *as = scope->as;
            const char *value = as->value >= 0 ? umcc_join(unit, as->value, as->value_last) : NULL;
            const char *type =
                as->deduced && value ? umcc_format(&unit->arena, "::std::decay<decltype(%s)>::type", value)
                : in_head            ? umcc_stored_type(unit, as)
                          : umcc_format(&unit->arena, "decltype(%s)", umcc_spelling(unit, as->name));
            text = value ? umcc_format(&unit->arena, "%s%s%s; ", text,
                                       copies(body, type, as->value, as->value_last),
                                       repeats(body, as->value, as->value_last, false))
                         : umcc_format(
                               &unit->arena,
                               "%sstatic_assert(::umsim::is_plain<%s, %s>::value, \"a variable's type\"); ",
                               text, type, own_operators(body));
        }
    }
    return text;
}

static void prove_head(struct umcc_body *body, int p)
{
    struct umcc_unit *unit = body->unit;
    const struct umcc_piece *piece = &body->pieces[p];
    int one, two;
    if (umcc_is(unit, piece->first, "else"))
        return;
    if (!umcc_is(unit, piece->first, "for")) {
        prove_condition(body, piece->first + 2, piece->last - 1);
        return;
    }
    find_clauses(unit, piece, &one, &two);
    umcc_insert_before(unit, piece->first,
                       declares(body, p) ? prove_declaration(body, p, true)
                                         : prove_items(body, piece->first + 2, one - 1));
    prove_condition(body, one + 1, two - 1);
    /* where the loop's variables are declared: inside */
    const char *step = prove_items(body, two + 1, piece->last - 1);
    if (piece->bare)
        umcc_insert_after(unit, piece->last, umcc_format(&unit->arena, "{ %s", step));
    else
        umcc_insert_after(unit, piece->last + 1, step);
}

static bool can_prove_head(struct umcc_body *body, int p)
{
    const struct umcc_unit *unit = body->unit;
    const struct umcc_piece *piece = &body->pieces[p];
    int one, two;
    if (umcc_is(unit, piece->first, "else"))
        return true;
    if (!umcc_is(unit, piece->first, "for"))
        return !has_effect(unit, piece->first + 2, piece->last - 1);
    find_clauses(unit, piece, &one, &two);
    return one > 0 && two > 0 && !has_effect(unit, one + 1, two - 1) &&
           can_prove_items(body, two + 1, piece->last - 1) &&
           (declares(body, p) || can_prove_items(body, piece->first + 2, one - 1));
}

/* ---- pieces ---- */

/* Whether a variable's name means that variable wherever it is mentioned. */
static bool stays_in_scope(struct umcc_body *body)
{
    for (int i = body->kernel->body + 1; i < body->kernel->body_end; i++) {
        const struct umcc_local *local = umcc_find_local(body, i);
        bool inside = !local;
        for (int s = 0; local && s < local->scope_count; s++)
            inside |= i >= local->scopes[s].first && i <= local->scopes[s].last;
        if (!inside)
            return false;
    }
    return true;
}

bool umcc_can_prove(struct umcc_body *body)
{
    static const char *const hidden[] = {"threadIdx", "blockDim", NULL}; /* in the loops over threads */
    const struct umcc_unit *unit = body->unit;
    if (body->kernel->prologue || !stays_in_scope(body))
        return false;
    for (int i = 0; i < unit->count; i++) /* its elements are a variable that has no name */
        if (umcc_is(unit, i, "initializer_list") && !unit->tokens[i].system)
            return false;
    for (int l = 0; l < body->local_count; l++)
        if (umcc_is_any(unit, body->locals[l].name, hidden) ||
            (body->locals[l].reference && body->locals[l].value < 0))
            return false;
    for (int p = 0; p < body->piece_count; p++) {
        const struct umcc_piece *piece = &body->pieces[p];
        if (piece->form == UMCC_HEAD && !can_prove_head(body, p))
            return false;
        if (piece->form == UMCC_LEAVE && has_effect(unit, piece->first, piece->last))
            return false;
        if (piece->form == UMCC_STATEMENT && piece->uniform &&
            !can_prove_items(body, piece->first, piece->last - 1))
            return false;
    }
    for (int l = 0; l < body->local_count; l++)
        for (int s = 0; s < body->locals[l].scope_count; s++)
            if (body->locals[l].uniform && body->locals[l].scopes[s].as->value >= 0 &&
                has_effect(unit, body->locals[l].scopes[s].as->value,
                           body->locals[l].scopes[s].as->value_last))
                return false;
    return true;
}

void umcc_prove_piece(struct umcc_body *body, int p)
{
    struct umcc_unit *unit = body->unit;
    const struct umcc_piece *piece = &body->pieces[p];
    if (piece->form == UMCC_HEAD)
        prove_head(body, p);
    else if (piece->form == UMCC_LEAVE)
        prove_condition(body, piece->first + 2, unit->tokens[piece->first + 1].match - 1);
    else if (piece->form == UMCC_DECLARATION)
        umcc_insert_after(unit, piece->last, prove_declaration(body, p, false));
    else if (piece->form == UMCC_STATEMENT)
        umcc_insert_before(unit, piece->first, prove_items(body, piece->first, piece->last - 1));
}

/* ---- segments ---- */

/* Calls `use` for each variable of the block and each parameter that a segment mentions. */
static const char *for_each_mentioned(struct umcc_body *body, int segment, const char *format)
{
    struct umcc_unit *unit = body->unit;
    const char *text = "", *seen = ",";
    int serial = 0;
    for (int p = 0; p < body->piece_count; p++) {
        if (body->pieces[p].segment != segment)
            continue;
        const char *rest = mentioned(body, body->pieces[p].first, body->pieces[p].last);
        while (*rest != '\0') {
            const char *end = strstr(rest + 2, ", ");
            const int length = (int)(end ? end - rest - 2 : (ptrdiff_t)strlen(rest + 2));
            const char *name = umcc_format(&unit->arena, "%.*s", length, rest + 2);
            rest = end ? end : rest + 2 + length;
            if (strstr(seen, umcc_format(&unit->arena, ",%s,", name)))
                continue;
            seen = umcc_format(&unit->arena, "%s%s,", seen, name);
            text = umcc_format(&unit->arena, format, text, serial++, name);
        }
    }
    return text;
}

const char *umcc_begin_proof(struct umcc_body *body, int segment)
{
    return for_each_mentioned(body, segment, "%sconst auto um_was_%d = ::umsim::bits_of(%s); ");
}

/* What has to hold for a thread's variable in the segment that ends. */
static const char *prove_local(struct umcc_body *body, const struct umcc_local *local, const char **places,
                               const char *same)
{
    struct umcc_unit *unit = body->unit;
    const char *name = umcc_spelling(unit, local->name);
    *places = umcc_format(&unit->arena,
                          "%sstatic_assert(::umsim::is_dropped<decltype(%s)>::value, \"a destructor\"); "
                          "const auto um_place_%d = ::umsim::place_of<decltype(%s)>::of(%s); ",
                          *places, name, local->name, name, name);
    if (local->kept)
        *places = umcc_format(
            &unit->arena, "%sstatic_assert(::std::is_trivially_copyable<decltype(%s)>::value, \"no copy\"); ",
            *places, name);
    if (local->reference && local->value >= 0)
        *places = umcc_format(
            &unit->arena,
            "%sstatic_assert(::umsim::is_alias<decltype(%s), decltype((%s))>::value, \"no alias\"); ",
            *places, name, umcc_join(unit, local->value, local->value_last));
    return umcc_format(&unit->arena, "%s && ::umsim::place_of<decltype(%s)>::is(um_place_%d, %s)", same, name,
                       local->name, name);
}

const char *umcc_end_proof(struct umcc_body *body, int segment)
{
    struct umcc_unit *unit = body->unit;
    const char *places = "", *repeated = "";
    const char *same = for_each_mentioned(body, segment, "%s && ::umsim::unchanged(um_was_%d, %s)");
    for (int l = 0; l < body->local_count; l++) {
        const struct umcc_local *local = &body->locals[l];
        const bool here = body->pieces[local->piece].segment == segment && !local->uniform;
        const char *name = umcc_spelling(unit, local->name);
        if (here || local->taken)
            same = prove_local(body, local, &places, same);
        if (!local->repeatable || (!here && !local->taken))
            continue;
        const char *value = umcc_join(unit, local->value, local->value_last);
        same =
            umcc_format(&unit->arena, "%s && ::umsim::again<decltype(%s)>::gives(::umsim::bits_of(%s), %s)",
                        same, name, name, value);
        if (here)
            repeated = umcc_format(&unit->arena, "%s%s%s; ", repeated,
                                   copies(body, umcc_format(&unit->arena, "decltype(%s)", name), local->value,
                                          local->value_last),
                                   repeats(body, local->value, local->value_last, false));
    }
    return umcc_format(&unit->arena,
                       "if (um_trial) { %s%s::umsim::opaque(); if (!(true%s)) um_unproven_%d(); }", repeated,
                       places, same, body->number);
}
