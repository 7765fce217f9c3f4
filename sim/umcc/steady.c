/**
 * @file steady.c
 * @brief Implementation of steady.h.
 *
 * What is taken for such a condition, and for what it mostly is, only says what is tried: a comparison with a
 * parameter, which does not hold where it leads out of the kernel or a loop, and holds elsewhere.
 */
#include "steady.h"
#include "statements.h"

#include <string.h>

bool umcc_begin_steady(struct umcc_steady *steady, struct umcc_prefix *prefix, const struct umcc_decl *kernel,
                       int number, const char *call)
{
    *steady = (struct umcc_steady){
        .prefix = prefix, .kernel = kernel, .number = number, .call = call, .asked = NULL, .before = ""};
    return !kernel->has_nested && umcc_find_parameters(prefix->unit, kernel, &steady->parameters);
}

const char *umcc_declare_unproven(struct umcc_unit *unit, int number, const char *what)
{
    return umcc_format(&unit->arena,
                       "\n# 1 \"um-probe %d\" 3\nvoid um_unproven_%d(void) "
                       "__attribute__((error(\"um-probe %d: it is not proved that %s\"))); ",
                       number, number, number, what);
}

/* ---- what is tried ---- */

static bool is_comparison_with_parameter(const struct umcc_steady *steady, int first, int last)
{
    static const char *const comparisons[] = {"<", ">", "<=", ">=", NULL};
    static const char *const others[] = {"==", "!=", "%", "!", NULL};
    const struct umcc_unit *unit = steady->prefix->unit;
    bool compares = false, has_parameter = false;
    for (int i = first; i <= last; i++) {
        if (umcc_is_any(unit, i, others))
            return false;
        compares |= umcc_is_any(unit, i, comparisons);
        has_parameter |= umcc_is_name(unit, i) && umcc_is_parameter(unit, &steady->parameters, i);
    }
    return compares && has_parameter;
}

/* Whether the statement at `i` is, or begins with, one that leaves. */
static bool leaves(const struct umcc_unit *unit, int i)
{
    static const char *const words[] = {"return", "continue", "break", NULL};
    return umcc_is_any(unit, umcc_is(unit, i, "{") ? i + 1 : i, words);
}

/* The beginning of the condition that ends before the `?` at `i`; -1: it is not known */
static int before_question(const struct umcc_unit *unit, int i, int first)
{
    static const char *const behind[] = {"=", "(", ",", "return", "+=", "-=", "*=", NULL};
    int at = i - 1;
    while (at > first && !umcc_is_any(unit, at, behind)) {
        const int match = unit->tokens[at].match;
        if (umcc_is(unit, at, ";") || umcc_is(unit, at, "{") || umcc_is(unit, at, "}") || match > at)
            return -1;
        at = match >= 0 && match < at ? match - 1 : at - 1;
    }
    return at > first ? at + 1 : -1;
}

/* Whether the body may declare a variable of the name at `i`. */
static bool may_be_local(const struct umcc_steady *steady, int i)
{
    static const char *const behind[] = {"=", ";", "[", "{", ",", NULL};
    const struct umcc_unit *unit = steady->prefix->unit;
    for (int j = steady->kernel->body + 1; j < i; j++)
        if (umcc_same_text(unit, i, j) && umcc_is_any(unit, j + 1, behind) &&
            (umcc_is_identifier(unit, j - 1) || umcc_is(unit, j - 1, "*") || umcc_is(unit, j - 1, "&") ||
             umcc_is(unit, j - 1, ",")))
            return true;
    return false;
}

/* Whether all its names are the prefix's variables, parameters, or of no variable of the body. */
static bool can_be_asked(const struct umcc_steady *steady, int first, int last)
{
    const struct umcc_unit *unit = steady->prefix->unit;
    for (int i = first, end; umcc_next_operand(unit, &i, last, &end); i = end + 1)
        if (!umcc_in_prefix(steady->prefix, i) && !umcc_is_parameter(unit, &steady->parameters, i) &&
            may_be_local(steady, i))
            return false;
    return true;
}

/* ---- what has to be proved ---- */

/* The last token of the value of the prefix's variable whose name is at `name`. */
static int value_end(const struct umcc_unit *unit, int name)
{
    int i = name + 2;
    while (!umcc_is(unit, i + 1, ",") && !umcc_is(unit, i + 1, ";"))
        i = unit->tokens[i + 1].match > i + 1 ? unit->tokens[i + 1].match : i + 1;
    return i;
}

/* Which variable of the prefix token `i` names; -1: none */
static int variable_of(const struct umcc_prefix *prefix, int i)
{
    for (int v = 0; umcc_in_prefix(prefix, i) && v < prefix->count; v++)
        if (umcc_same_text(prefix->unit, prefix->names[v], i))
            return v;
    return -1;
}

/* The number of an operand among those whose first values are kept; -1: there are too many. */
static int first_value(struct umcc_steady *steady, int i, int end)
{
    struct umcc_unit *unit = steady->prefix->unit;
    const char *text = umcc_join(unit, i, end);
    for (int k = 0; k < steady->first_count; k++)
        if (strcmp(umcc_join(unit, steady->firsts[k], umcc_chain_end(unit, steady->firsts[k])), text) == 0)
            return k;
    if (steady->first_count == UMCC_STEADY_MAX)
        return -1;
    steady->firsts[steady->first_count] = i;
    steady->before = umcc_format(&unit->arena, "%sconst auto um_first_%d = ::umsim::bits_of(%s); ",
                                 steady->before, steady->first_count, text);
    return steady->first_count++;
}

/* Adds that the operands of an expression are what they were: the prefix's variables what they were
 * initialized with, all others what they were at the body's beginning. @return NULL: it cannot be said */
static const char *unchanged(struct umcc_steady *steady, int first, int last, bool *done, const char *proof)
{
    struct umcc_unit *unit = steady->prefix->unit;
    for (int i = first, end; proof && umcc_next_operand(unit, &i, last, &end); i = end + 1) {
        const int variable = variable_of(steady->prefix, i);
        if (variable >= 0 && !done[variable]) {
            const int name = steady->prefix->names[variable], value = value_end(unit, name);
            done[variable] = true;
            proof = umcc_format(
                &unit->arena, "%s && ::umsim::again<decltype(%s)>::gives(::umsim::bits_of(%s), %s)", proof,
                umcc_spelling(unit, i), umcc_spelling(unit, i), umcc_join(unit, name + 2, value));
            proof = unchanged(steady, name + 2, value, done, proof);
        } else if (variable < 0) {
            const int k = first_value(steady, i, end);
            proof = k < 0 ? NULL
                          : umcc_format(&unit->arena, "%s && ::umsim::unchanged(um_first_%d, %s)", proof, k,
                                        umcc_join(unit, i, end));
        }
    }
    return proof;
}

/* @return whether it is one of them now */
static bool mark(struct umcc_steady *steady, int first, int last, bool expected)
{
    struct umcc_unit *unit = steady->prefix->unit;
    bool done[UMCC_PREFIX_MAX] = {false};
    if (first > last || steady->count == UMCC_STEADY_MAX ||
        !is_comparison_with_parameter(steady, first, last) || !can_be_asked(steady, first, last))
        return false;
    const char *checks = steady->prefix->checks, *condition = umcc_row_condition(steady->prefix, first, last);
    const char *proof = condition ? unchanged(steady, first, last, done, "true") : NULL;
    if (!proof) {
        steady->prefix->checks = checks;
        return false;
    }
    condition = umcc_format(&unit->arena, "%s%s", expected ? "" : "!", condition);
    steady->asked = !steady->asked ? condition
                                   : umcc_format(&unit->arena, "::umsim::row_both(%s, [&] { return %s; })",
                                                 steady->asked, condition);
    for (int v = 0; v < steady->prefix->count; v++)
        steady->used[v] |= done[v];
    steady->count++;
    umcc_insert_after(
        unit, first - 1,
        umcc_format(&unit->arena, "(%s.trial && !(%s) ? um_unproven_%d() : (void)0, %s.steady ? %s : (",
                    steady->call, proof, steady->number, steady->call, expected ? "true" : "false"));
    umcc_insert_before(unit, last + 1, ") ? true : false)");
    return true;
}

/* What single threads do behind another condition is no loop's in any case: it is passed by. */
void umcc_find_steady(struct umcc_steady *steady, int first, int last)
{
    const struct umcc_unit *unit = steady->prefix->unit;
    for (int i = first; i <= last; i++) {
        if (umcc_is(unit, i, "if") && umcc_is(unit, i + 1, "(")) {
            const int close = unit->tokens[i + 1].match, end = umcc_statement_end(unit, i, last + 1);
            if (!mark(steady, i + 2, close - 1, !leaves(unit, close + 1)))
                i = end > close ? end : last;
        } else if (umcc_is(unit, i, "?")) {
            const int begin = before_question(unit, i, steady->kernel->body);
            if (begin > 0)
                mark(steady, begin, i - 1, true);
        }
    }
}

/* ---- their variables ---- */

const char *umcc_steady_answer(const struct umcc_steady *steady)
{
    struct umcc_unit *unit = steady->prefix->unit;
    const char *answer = steady->asked;
    for (int v = 0; v < steady->prefix->count; v++)
        if (steady->used[v])
            answer =
                umcc_format(&unit->arena, "::umsim::row_both(%s, [&] { return ::umsim::row_spaced(%s); })",
                            answer, umcc_spelling(unit, steady->prefix->names[v]));
    return answer;
}

/* The variables before `variable`, which its value may be of, for another thread. */
static const char *others(const struct umcc_steady *steady, int variable)
{
    struct umcc_unit *unit = steady->prefix->unit;
    const char *text = "";
    for (int v = 0; v < variable; v++) {
        const int name = steady->prefix->names[v];
        const char *const spelling = umcc_spelling(unit, name);
        if (steady->used[v])
            text = umcc_format(&unit->arena, "%s__attribute__((unused)) decltype(%s) %s = %s; ", text,
                               spelling, spelling, umcc_join(unit, name + 2, value_end(unit, name)));
    }
    return text;
}

/* `auto`: its own value does not know its type. */
static bool is_deduced(const struct umcc_unit *unit, int name)
{
    int i = name - 1;
    while (umcc_is(unit, i, "const"))
        i--;
    return umcc_is(unit, i, "auto");
}

/* What stands before a variable's value; behind it comes `; })`. */
static const char *open_value(const struct umcc_steady *steady, int variable)
{
    struct umcc_unit *unit = steady->prefix->unit;
    return umcc_format(
        &unit->arena,
        " ::umsim::evenly<decltype(%s)>(%s.steady, threadIdx, [&](__attribute__((unused)) const ::uint3 "
        "threadIdx) __attribute__((__always_inline__)) { %sreturn ",
        umcc_spelling(unit, steady->prefix->names[variable]), steady->call, others(steady, variable));
}

void umcc_space_evenly(const struct umcc_steady *steady)
{
    struct umcc_unit *unit = steady->prefix->unit;
    for (int v = 0; v < steady->prefix->count; v++) {
        const int name = steady->prefix->names[v];
        if (!steady->used[v] || is_deduced(unit, name))
            continue;
        umcc_insert_after(unit, name + 1, open_value(steady, v));
        umcc_insert_before(unit, value_end(unit, name) + 1, "; })");
    }
}

const char *umcc_steady_value(const struct umcc_steady *steady, int name)
{
    struct umcc_unit *unit = steady->prefix->unit;
    for (int v = 0; v < steady->prefix->count; v++)
        if (steady->used[v] && steady->prefix->names[v] == name && !is_deduced(unit, name))
            return umcc_format(&unit->arena, "%s%s; })", open_value(steady, v),
                               umcc_join(unit, name + 2, value_end(unit, name)));
    return NULL;
}
