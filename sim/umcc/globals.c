/**
 * @file globals.c
 * @brief Refuses device code that uses a host variable: it does not exist on a GPU, and nvcc refuses it
 * too.
 *
 * In the simulator the variable would exist, but only as a stale copy. The pass works on tokens, so it
 * refuses only where there is no doubt: an ordinary variable that is not constant, defined at the top level
 * of the file, and used by name in a top-level function of the same file that does not itself declare that
 * name.
 */
#include "umcc.h"

#include <string.h>

static bool same(const struct umcc_unit *unit, int a, int b)
{
    const struct umcc_token *x = &unit->tokens[a], *y = &unit->tokens[b];
    return x->length == y->length && x->text[0] == y->text[0] && memcmp(x->text, y->text, x->length) == 0;
}

static bool is_host_variable(const struct umcc_unit *unit, const struct umcc_decl *d)
{
    const unsigned placed = UMCC_DEVICE | UMCC_CONSTANT | UMCC_MANAGED | UMCC_SHARED;
    return d->form == UMCC_VARIABLE && (d->marks & placed) == 0 && !d->in_class && !d->in_namespace &&
           !d->is_const && !d->is_constexpr && !d->is_extern && !d->templated &&
           !unit->tokens[d->first].system;
}

static bool is_checked(const struct umcc_unit *unit, const struct umcc_decl *d)
{
    const bool device = (d->marks & (UMCC_DEVICE | UMCC_GLOBAL)) != 0 && (d->marks & UMCC_HOST) == 0;
    return d->form == UMCC_FUNCTION && device && d->body >= 0 && !d->in_class && !d->in_namespace &&
           !d->qualified && !unit->tokens[d->first].system;
}

/* The first token of the statement or parameter list that contains token `i`. */
static int statement_start(const struct umcc_unit *unit, int i, int first)
{
    for (int j = i - 1; j > first; j--) {
        const int match = unit->tokens[j].match;
        const bool boundary = umcc_is(unit, j, ";") || umcc_is(unit, j, "{") || umcc_is(unit, j, "}");
        if (boundary || match > j)
            return j + 1;
        if (match >= 0)
            j = match;
    }
    return first + 1;
}

/* Whether the statement that starts at `i` could be a declaration: `T *x`, `T<A> x`, `T x`, `int x`, `const
 * ...` */
static bool may_declare(const struct umcc_unit *unit, int i)
{
    if (umcc_is_type_keyword(unit, i))
        return true;
    if (umcc_is_identifier(unit, i) && !umcc_is_name(unit, i))
        return !umcc_is(unit, i, "return");
    return umcc_is_name(unit, i) &&
           (umcc_is_identifier(unit, i + 1) || umcc_is(unit, i + 1, "*") || umcc_is(unit, i + 1, "&") ||
            umcc_is(unit, i + 1, "&&") || umcc_is(unit, i + 1, "<") || umcc_is(unit, i + 1, "::"));
}

bool umcc_may_be_declared(const struct umcc_unit *unit, int i, int first)
{
    static const char *const followers[] = {"=", ";", ",", "[", ")", "(", "{", ":", "]", NULL};
    static const char *const leaders[] = {"*", "&", "&&", ">", ",", NULL};
    static const char *const keywords[] = {"struct", "class",     "union",    "enum", "using",
                                           "goto",   "namespace", "typename", NULL};
    if (umcc_is_any(unit, i - 1, keywords))
        return true;
    if (!umcc_is_any(unit, i + 1, followers))
        return false;
    const bool led =
        umcc_is_name(unit, i - 1) || umcc_is_type_keyword(unit, i - 1) || umcc_is_any(unit, i - 1, leaders);
    const int start = statement_start(unit, i, first);
    if (umcc_is(unit, start - 1, "[") && (umcc_is(unit, start - 2, "auto") || umcc_is(unit, start - 2, "&")))
        return true; /* auto [a, b] = ... */
    return led && start < i && may_declare(unit, start);
}

bool umcc_is_hidden(const struct umcc_unit *unit, const struct umcc_decl *d, int name)
{
    const int head = d->template_open >= 0 ? d->template_open : d->first;
    for (int i = head; i < d->body; i++)
        if (same(unit, i, name))
            return true;
    for (int i = d->body + 1; i < d->body_end; i++) {
        if (umcc_is(unit, i, "enum"))
            return true;
        if (same(unit, i, name) && umcc_may_be_declared(unit, i, d->body))
            return true;
    }
    return false;
}

bool umcc_is_use(const struct umcc_unit *unit, int i)
{
    static const char *const unevaluated[] = {"sizeof",     "decltype", "alignof", "typeof",
                                              "__typeof__", "noexcept", NULL};
    const int before = umcc_is(unit, i - 1, "(") ? i - 2 : i - 1;
    if (umcc_is(unit, i - 1, ".") || umcc_is(unit, i - 1, "->") || umcc_is(unit, i + 1, "::"))
        return false;
    if (umcc_is(unit, i - 1, "::") && (umcc_is_name(unit, i - 2) || umcc_is(unit, i - 2, ">")))
        return false;
    return !umcc_is_any(unit, before, unevaluated);
}

static void check(struct umcc_unit *unit, const struct umcc_decl *d, int name)
{
    for (int i = d->body + 1; i < d->body_end; i++) {
        if (!same(unit, i, name) || !umcc_is_use(unit, i))
            continue;
        if (umcc_is_hidden(unit, d, name))
            return;
        umcc_error(unit, i,
                   "identifier \"%s\" is undefined in device code: it is a host variable (line %d); pass its "
                   "value as an argument, or declare it __device__ or __managed__",
                   umcc_spelling(unit, i), unit->tokens[name].line);
        return;
    }
}

void umcc_check_globals(struct umcc_unit *unit)
{
    for (const struct umcc_decl *v = unit->decls; v; v = v->next)
        if (is_host_variable(unit, v))
            for (const struct umcc_decl *d = v->next; d; d = d->next)
                if (is_checked(unit, d))
                    for (const struct umcc_name *n = v->names; n; n = n->next)
                        check(unit, d, n->token);
}
