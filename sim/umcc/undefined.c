/**
 * @file undefined.c
 * @brief Has operations of device code that C++ leaves undefined made as a GPU makes them.
 *
 * Nobody here knows an operand's type. So umcc only names the operation, and the overloads of
 * umsim/undefined.h decide what it is: numbers are treated, anything else passes through to the operator that
 * it would have met. A name that is put beside an operator needs no end of the operand to be found, and
 * leaves precedence as it is:
 *
 *     a << b     becomes  a >> ::umsim::defined::left_shift() << b
 *     a <<= b    becomes  a <<= ::umsim::defined::shift_count() |= b
 *     x = e      becomes  x = ::umsim::defined::made<decltype(x)>() |= e      (conversions.c)
 *     a / b      becomes  a / ::umsim::defined::quotient() / b                (where the processor is an
 * arm64)
 *
 * It is done last, on the tokens that are left: no other pass sees it. What it does not find stays C++'s
 * operation, which gives the same wherever that is defined. docs/undefined.md says what is not found.
 * x86-64 needs nothing for divisions, because it traps (sim/fault/instruction.h); arm64 goes on with 0.
 */
#include "undefined.h"

#include <stdlib.h>
#include <string.h>

/* A shift by less is defined for every type. */
#define LEAST_WIDTH 32

bool umcc_ends_operand(const struct umcc_unit *unit, int i)
{
    static const char *const words[] = {"return", "case", "else", "do", "throw", "operator", NULL};
    if (i < 0)
        return false;
    const enum umcc_kind kind = unit->tokens[i].kind;
    return kind == UMCC_NUMBER || kind == UMCC_CHARACTER || umcc_is(unit, i, ")") || umcc_is(unit, i, "]") ||
           umcc_is(unit, i, "}") || (kind == UMCC_IDENTIFIER && !umcc_is_any(unit, i, words));
}

bool umcc_is_untouched(const struct umcc_unit *unit, int i)
{
    const struct umcc_token *token = &unit->tokens[i];
    return !token->instead && !token->dropped && !token->after;
}

bool umcc_is_bit_field(const struct umcc_unit *unit, int i)
{
    while (umcc_is(unit, i, ")"))
        i--;
    if (!umcc_is_name(unit, i))
        return false;
    for (int j = 1; j + 1 < unit->count; j++)
        if (umcc_is(unit, j + 1, ":") && umcc_same_text(unit, i, j) && !umcc_is(unit, j - 1, "case") &&
            (umcc_is_identifier(unit, j - 1) || umcc_is(unit, j - 1, ",")))
            return true;
    return false;
}

bool umcc_is_literal(const struct umcc_unit *unit, int i)
{
    static const char *const ends[] = {";", ",", ")",  "]",  "}",  ":",  "?",  "<",  ">", "&",
                                       "|", "^", "==", "!=", "<=", ">=", "&&", "||", "=", NULL};
    const struct umcc_token *token = &unit->tokens[i];
    return (token->kind == UMCC_NUMBER || token->kind == UMCC_CHARACTER) &&
           !memchr(token->text, '.', token->length) && umcc_is_any(unit, i + 1, ends);
}

static bool is_small_count(const struct umcc_unit *unit, int i)
{
    return umcc_is_literal(unit, i) && unit->tokens[i].kind == UMCC_NUMBER &&
           strtoull(unit->tokens[i].text, NULL, 0) < LEAST_WIDTH && !memchr(unit->tokens[i].text, '\'', 3);
}

char *umcc_rewritten(struct umcc_unit *unit, int first, int last)
{
    struct umcc_text text = {0};
    for (int i = first; i <= last; i++) {
        const struct umcc_token *token = &unit->tokens[i];
        umcc_text_printf(&text, "%s", token->joined ? "" : " ");
        if (token->instead)
            umcc_text_printf(&text, "%s", token->instead);
        else if (!token->dropped)
            umcc_text_add(&text, token->text, token->length);
    }
    char *copy = umcc_format(&unit->arena, "%s", text.data);
    umcc_text_free(&text);
    return copy;
}

bool umcc_ends_head(const struct umcc_unit *unit, int i)
{
    static const char *const words[] = {"if", "for", "while", "switch", "constexpr", NULL};
    return umcc_is(unit, i, ")") && umcc_is_any(unit, unit->tokens[i].match - 1, words);
}

int umcc_operand_first(const struct umcc_unit *unit, int j)
{
    while (j >= 0) {
        if (umcc_is(unit, j, "]") || umcc_is(unit, j, ")")) {
            const int open = unit->tokens[j].match;
            const bool goes_on = umcc_is_name(unit, open - 1) || umcc_is(unit, open - 1, "]") ||
                                 (umcc_is(unit, open - 1, ")") && !umcc_ends_head(unit, open - 1));
            if (!goes_on)
                return umcc_is(unit, j, ")") ? open : -1;
            j = open - 1;
        } else if (umcc_is_name(unit, j) || umcc_is(unit, j, "this")) {
            if (umcc_is(unit, j - 1, ".") || umcc_is(unit, j - 1, "->"))
                j -= 2;
            else if (umcc_is(unit, j - 1, "::"))
                j -= umcc_is_name(unit, j - 2) ? 2 : 1;
            else
                return j;
        } else {
            return umcc_is(unit, j, "::") ? j : -1;
        }
    }
    return -1;
}

int umcc_assigned(const struct umcc_unit *unit, int i)
{
    int first = umcc_operand_first(unit, i - 1), star = first;
    while (first >= 0 && umcc_is(unit, star - 1, "*"))
        star--;
    if (first < 0 || star == first)
        return first;
    const bool declared =
        umcc_is_name(unit, star - 1) || umcc_is_type_keyword(unit, star - 1) || umcc_is(unit, star - 1, ">");
    return declared ? -1 : star;
}

bool umcc_closes_arguments(const struct umcc_unit *unit, int i)
{
    for (int j = i - 1; j >= 0 && !umcc_is(unit, j, ";") && unit->tokens[j].match <= j; j--) {
        if (unit->tokens[j].match >= 0)
            j = unit->tokens[j].match;
        else if (umcc_is(unit, j, "<") && umcc_is_identifier(unit, j - 1)) {
            const int behind = umcc_skip_angles(unit, j);
            if (behind == i + 1 || behind == i + 2)
                return true;
        }
    }
    return false;
}

/* An operator of two tokens, `first` and `second`, at `i`. */
static bool is_pair(const struct umcc_unit *unit, int i, const char *first, const char *second)
{
    return umcc_is(unit, i, first) && umcc_is(unit, i + 1, second) && unit->tokens[i + 1].joined &&
           !umcc_is(unit, i - 1, first) && umcc_ends_operand(unit, i - 1) &&
           !umcc_is(unit, i - 1, "operator") && umcc_is_untouched(unit, i) && umcc_is_untouched(unit, i + 1);
}

/* Of a bit-field the type is not what it is computed with. */
static bool is_worth_it(const struct umcc_unit *unit, int i)
{
    return !is_small_count(unit, i + 2) && !umcc_is_bit_field(unit, i - 1);
}

static void define_shift(struct umcc_unit *unit, int i)
{
    const bool behind =
        unit->tokens[i + 2].joined && (umcc_is(unit, i + 2, "<") || umcc_is(unit, i + 2, ">"));
    if (is_pair(unit, i, "<", "<") && !behind && is_worth_it(unit, i))
        umcc_insert_before(unit, i, " >> ::umsim::defined::left_shift() ");
    else if (is_pair(unit, i, ">", ">") && !behind && is_worth_it(unit, i) && !umcc_closes_arguments(unit, i))
        umcc_insert_before(unit, i, " << ::umsim::defined::right_shift() ");
    else if ((is_pair(unit, i, "<", "<=") || is_pair(unit, i, ">", ">=")) && is_worth_it(unit, i))
        umcc_insert_after(unit, i + 1, " ::umsim::defined::shift_count() |= ");
}

#ifdef __aarch64__
static bool is_no_zero(const struct umcc_unit *unit, int i)
{
    return unit->tokens[i].kind == UMCC_NUMBER && strtod(unit->tokens[i].text, NULL) != 0;
}

static void define_division(struct umcc_unit *unit, int i)
{
    const bool is_quotient = umcc_is(unit, i, "/"), is_rest = umcc_is(unit, i, "%"),
               assigns = umcc_is(unit, i, "/=") || umcc_is(unit, i, "%=");
    if ((!is_quotient && !is_rest && !assigns) || !umcc_ends_operand(unit, i - 1) ||
        is_no_zero(unit, i + 1) || umcc_is_bit_field(unit, i - 1))
        return;
    const int last = umcc_operand_last(unit, i + 1);
    if (last >= 0 && umcc_is_bit_field(unit, last))
        return;
    if (assigns)
        umcc_insert_before(unit, i + 1, " ::umsim::defined::divisor() |= ");
    else
        umcc_insert_before(
            unit, i, is_quotient ? " / ::umsim::defined::quotient() " : " % ::umsim::defined::remainder() ");
}
#else
static void define_division(struct umcc_unit *unit, int i)
{
    (void)unit, (void)i;
}
#endif

static void define(struct umcc_unit *unit, const struct umcc_decl *function, int first, int last)
{
    if (unit->as_written) {
        umcc_define_casts(unit, function, first, last);
        return;
    }
    for (int i = first; i < last; i++)
        define_shift(unit, i);
    umcc_define_conversions(unit, function, first, last);
    for (int i = first; i < last; i++)
        define_division(unit, i);
}

/* A marked lambda, or a marked function in a class that is local to a function. */
static void define_marked(struct umcc_unit *unit, int mark)
{
    int open = mark;
    while (open < unit->count && !umcc_is(unit, open, "{") && !umcc_is(unit, open, ";"))
        open = unit->tokens[open].match > open ? unit->tokens[open].match + 1 : open + 1;
    if (umcc_is(unit, open, "{"))
        define(unit, NULL, open + 1, unit->tokens[open].match);
}

void umcc_define_undefined(struct umcc_unit *unit)
{
    bool *inside = umcc_alloc(&unit->arena, (size_t)unit->count + 1);
    for (const struct umcc_decl *d = unit->decls; d; d = d->next) {
        if (d->form != UMCC_FUNCTION || !(d->marks & (UMCC_DEVICE | UMCC_GLOBAL)) || d->body < 0)
            continue;
        memset(inside + d->first, 1, (size_t)(d->body_end - d->first));
        if (!unit->tokens[d->body].system)
            define(unit, d, d->body + 1, d->body_end);
    }
    for (int i = 0; i < unit->count; i++)
        if (!inside[i] && !unit->tokens[i].system && umcc_mark_of(unit, i) == UMCC_DEVICE)
            define_marked(unit, i);
}
