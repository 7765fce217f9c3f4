/**
 * @file loop.c
 * @brief The grid-stride loop: `for (int i = ...; i < n; i += gridDim.x * blockDim.x) ...` as a kernel's
 * last statement.
 *
 * Run one thread after another, such a loop strides through memory. On a GPU the threads run side by side.
 * So the kernel is called once for each thread and each *pass* of its loop, and all threads of a worker's
 * blocks take one pass before the next begins (umsim/rows.h, umsim/strides.h). In each call the loop runs
 * its body once, with the value of `i` that it is given:
 *
 *     for (int i = ..., um_more = um_pass.start(i, n, step, 0); um_more && (um_pass.on || (i < n));
 *          um_pass.on ? (void)(um_more = 0) : (void)(i += step))
 *
 * One pass may hand values to the next only through memory, and the end of the loop must be known
 * beforehand:
 *
 * - before the loop there are only declarations that guard.c would accept, and nothing follows the loop;
 * - the condition is `i < limit` (or <=) and the step is `i += step`, where limit and step are the same
 *   for all threads of a row;
 * - the body does not leave the loop, and changes no variable from outside it, as far as tokens tell.
 *   Anything that might be a change (an address taken, a reference, a method) counts as one.
 *
 * If the body accesses no memory but its own elements, `p[i]`, the passes of one thread need not be in
 * order either. Then the workers divide the elements among themselves instead of the threads.
 *
 * Whether numbers wrap around, and whether passes are worthwhile, is decided exactly at run time. If not,
 * the loop runs as it is written. `while (i < n) { ...; i += step; }` is treated in the same way.
 */
#include "linear.h"
#include "statements.h"

struct loop {
    struct umcc_scope scope;
    const struct umcc_decl *kernel;
    int keyword, open, close;         /* `for` or `while`, its parentheses */
    int condition, condition_end;     /* tokens, both included */
    int step, step_end;               /* `i += s`; the last statement of a `while` */
    int body, body_end;               /* without the step */
    int limit, limit_end, by, by_end; /* the expressions `limit` and `step` */
    int index;                        /* a token that names i */
    bool declares, is_while, or_equal;
};

/* Whether it is arithmetic on values that are the same for all threads of a row. */
static bool is_uniform(const struct loop *l, int first, int last)
{
    static const char *const operators[] = {"+", "-", "*", "/", "%", "(", ")", ".", NULL};
    const struct umcc_unit *unit = l->scope.unit;
    if (first > last || !umcc_is_pure(unit, first, last))
        return false;
    for (int i = first; i <= last; i++) {
        const struct umcc_variable *v = umcc_find_variable(&l->scope, i);
        if (umcc_varies(&l->scope, i) || (v && v->unknown) || umcc_same_text(unit, l->index, i))
            return false;
        if (unit->tokens[i].kind != UMCC_NUMBER && !umcc_is_identifier(unit, i) &&
            !umcc_is_any(unit, i, operators))
            return false;
    }
    for (const struct umcc_decl *d = unit->decls; d; d = d->next)
        for (const struct umcc_name *n = d->form == UMCC_VARIABLE ? d->names : NULL; n; n = n->next)
            for (int i = first; i <= last; i++)
                if ((d->marks & (UMCC_DEVICE | UMCC_MANAGED)) != 0 && umcc_same_text(unit, n->token, i))
                    return false; /* may change while the kernel runs */
    return true;
}

/* Reads `i < limit`, `i <= limit`, `limit > i`, `limit >= i`. */
static bool read_condition(struct loop *l)
{
    const struct umcc_unit *unit = l->scope.unit;
    const int first = l->condition, last = l->condition_end;
    if (umcc_is(unit, first + 1, "<") || umcc_is(unit, first + 1, "<=")) {
        l->index = first;
        l->or_equal = umcc_is(unit, first + 1, "<=");
        l->limit = first + 2;
        l->limit_end = last;
    } else if (umcc_is(unit, last - 1, ">") || umcc_is(unit, last - 1, ">=")) {
        l->index = last;
        l->or_equal = umcc_is(unit, last - 1, ">=");
        l->limit = first;
        l->limit_end = last - 2;
    } else {
        return false;
    }
    const struct umcc_variable *v = umcc_find_variable(&l->scope, l->index);
    return umcc_is_name(unit, l->index) && v && !v->unknown && is_uniform(l, l->limit, l->limit_end);
}

/* Reads `i += s`, `i = i + s`. */
static bool read_step(struct loop *l)
{
    const struct umcc_unit *unit = l->scope.unit;
    if (!umcc_same_text(unit, l->index, l->step))
        return false;
    if (umcc_is(unit, l->step + 1, "+="))
        l->by = l->step + 2;
    else if (umcc_is(unit, l->step + 1, "=") && umcc_same_text(unit, l->index, l->step + 2) &&
             umcc_is(unit, l->step + 3, "+"))
        l->by = l->step + 4;
    else
        return false;
    l->by_end = l->step_end;
    return is_uniform(l, l->by, l->by_end);
}

static bool read_for(struct loop *l)
{
    struct umcc_unit *unit = l->scope.unit;
    int semicolon = l->open + 1;
    l->declares = !umcc_is(unit, semicolon, ";");
    if (l->declares) {
        const int before = l->scope.count;
        semicolon = umcc_read_declaration(&l->scope, semicolon) - 1;
        if (semicolon < 0 || l->scope.count != before + 1)
            return false;
    }
    l->condition = semicolon + 1;
    for (semicolon = l->condition; semicolon < l->close && !umcc_is(unit, semicolon, ";");)
        semicolon++;
    l->condition_end = semicolon - 1;
    l->step = semicolon + 1;
    l->step_end = l->close - 1;
    l->body = l->close + 1;
    l->body_end = umcc_statement_end(unit, l->body, l->kernel->body_end);
    return l->body_end == l->kernel->body_end - 1 && read_condition(l) && read_step(l) &&
           (!l->declares || umcc_same_text(unit, l->scope.names[l->scope.count - 1].token, l->index));
}

static bool read_while(struct loop *l)
{
    struct umcc_unit *unit = l->scope.unit;
    const int end = l->kernel->body_end - 1;
    l->is_while = true;
    l->condition = l->open + 1;
    l->condition_end = l->close - 1;
    if (!umcc_is(unit, l->close + 1, "{") || unit->tokens[l->close + 1].match != end ||
        !umcc_is(unit, end - 1, ";"))
        return false;
    l->body = l->close + 1;
    l->step_end = end - 2;
    for (l->step = l->step_end; l->step > l->body && !umcc_is(unit, l->step - 1, ";") &&
                                !umcc_is(unit, l->step - 1, "}") && !umcc_is(unit, l->step - 1, "{");)
        l->step--;
    l->body_end = l->step - 1;
    return read_condition(l) && read_step(l);
}

/* ---- the body ---- */

/* Whether a parameter is a pointer: what it is indexed with, or points to, is memory. */
static bool is_pointer_parameter(const struct loop *l, int name)
{
    const struct umcc_unit *unit = l->scope.unit;
    bool pointer = false, found = false;
    for (int i = l->kernel->open + 1; i <= l->kernel->close; i++) {
        if (umcc_is(unit, i, ",") || i == l->kernel->close) {
            if (found)
                return pointer;
            pointer = false;
        } else if (umcc_is(unit, i, "<")) {
            const int end = umcc_skip_angles(unit, i);
            i = end > i ? end - 1 : i;
        } else {
            pointer |= umcc_is(unit, i, "*") || umcc_is(unit, i, "[");
            found |= umcc_same_text(unit, name, i);
        }
    }
    return false;
}

static bool is_outer(const struct loop *l, int i)
{
    const struct umcc_unit *unit = l->scope.unit;
    if (!umcc_is_name(unit, i) || umcc_is(unit, i - 1, ".") || umcc_is(unit, i - 1, "->"))
        return false;
    if (umcc_find_variable(&l->scope, i))
        return true;
    for (int p = l->kernel->open + 1; p < l->kernel->close; p++)
        if (umcc_same_text(unit, p, i))
            return true;
    return false;
}

static bool stays_in_loop(const struct loop *l)
{
    static const char *const leaves[] = {
        "return",     "goto",   "asm",     "__asm__", "static",     "try",
        "throw",      "struct", "class",   "union",   "swap",       "exchange",
        "tie",        "move",   "forward", "ref",     "const_cast", "reinterpret_cast",
        "__shared__", NULL};
    const struct umcc_unit *unit = l->scope.unit;
    bool refused = false;
    for (int i = l->body; i <= l->body_end; i++) {
        const bool lambda = umcc_is(unit, i, "[") && !umcc_is_operand_end(unit, i - 1);
        const bool unpacked =
            umcc_is(unit, i, "[") && (umcc_is(unit, i - 1, "&") || umcc_is(unit, i - 1, "&&"));
        refused |= umcc_is_any(unit, i, leaves) || lambda || unpacked || umcc_takes_references(unit, i);
        refused |= is_outer(l, i) && umcc_may_change(unit, i, is_pointer_parameter(l, i));
    }
    return !refused && !umcc_leaves_loop(unit, l->body, l->body_end, l->is_while);
}

/* ---- the elements that the body accesses ---- */

/* Whether a device function only computes a value from values, as far as its own tokens tell. */
static bool is_of_values(const struct umcc_unit *unit, const struct umcc_decl *d)
{
    for (int i = d->open; i < d->body_end; i++) {
        const bool unary =
            (umcc_is(unit, i, "*") || umcc_is(unit, i, "&")) && !umcc_is_operand_end(unit, i - 1);
        if (unary || umcc_is(unit, i, "[") || umcc_is(unit, i, "->") || umcc_is(unit, i, "&&") ||
            (i > d->open && i < d->close && (umcc_is(unit, i, "*") || umcc_is(unit, i, "&"))))
            return false;
        for (const struct umcc_decl *other = unit->decls; other; other = other->next) {
            if (other->form == UMCC_FUNCTION && !unit->tokens[other->name].system &&
                umcc_same_text(unit, other->name, i))
                return false;
            for (const struct umcc_name *n = other->form == UMCC_VARIABLE ? other->names : NULL; n;
                 n = n->next)
                if (umcc_same_text(unit, n->token, i))
                    return false;
        }
    }
    return true;
}

/* Whether token `i` names something in this file that may access other memory. */
static bool reaches_elsewhere(const struct umcc_unit *unit, int i)
{
    for (const struct umcc_decl *d = unit->decls; d; d = d->next) {
        if (unit->tokens[d->first].system)
            continue;
        if (d->form == UMCC_FUNCTION && umcc_same_text(unit, d->name, i) &&
            (d->body < 0 || !is_of_values(unit, d)))
            return true;
        for (const struct umcc_name *n = d->form == UMCC_VARIABLE ? d->names : NULL; n; n = n->next)
            if (umcc_same_text(unit, n->token, i) && (d->marks & UMCC_CONSTANT) == 0 && !d->is_const &&
                !d->is_constexpr)
                return true;
    }
    return false;
}

/* Whether all memory that the body accesses is `p[i]`, where p is a parameter. @return the parameters as `,
 * a, c`, or NULL */
static const char *own_elements(const struct loop *l)
{
    struct umcc_unit *unit = l->scope.unit;
    const char *pointers = "";
    int known[16], count = 0;
    for (int i = l->body; i <= l->body_end; i++) {
        const bool unary =
            (umcc_is(unit, i, "*") || umcc_is(unit, i, "&")) && !umcc_is_operand_end(unit, i - 1);
        const bool declares_reference =
            umcc_is(unit, i, "&") && umcc_is_name(unit, i + 1) && umcc_is(unit, i + 2, "=");
        if ((unary && !declares_reference) || umcc_is(unit, i, "->") || reaches_elsewhere(unit, i))
            return NULL;
        const bool pointer = is_outer(l, i) && is_pointer_parameter(l, i);
        if (umcc_is(unit, i, "[") && !(is_outer(l, i - 1) && is_pointer_parameter(l, i - 1)))
            return NULL;
        if (!pointer)
            continue;
        if (!umcc_is(unit, i + 1, "[") || !umcc_same_text(unit, l->index, i + 2) ||
            !umcc_is(unit, i + 3, "]") || count == 16)
            return NULL;
        bool again = false;
        for (int k = 0; k < count; k++)
            again |= umcc_same_text(unit, known[k], i);
        if (again)
            continue;
        known[count++] = i;
        pointers = umcc_format(&unit->arena, "%s, %s", pointers, umcc_spelling(unit, i));
    }
    return pointers;
}

/* Whether the body distinguishes threads only by i. */
static bool is_anonymous(const struct loop *l)
{
    static const char *const builtins[] = {"threadIdx", "blockIdx", NULL};
    const struct umcc_unit *unit = l->scope.unit;
    for (int i = l->body; i <= l->body_end; i++)
        if (umcc_is_any(unit, i, builtins) ||
            (umcc_find_variable(&l->scope, i) && !umcc_same_text(unit, l->index, i) &&
             !umcc_is(unit, i - 1, ".")))
            return false;
    return true;
}

/* ---- the rewriting ---- */

static void rewrite(struct loop *l)
{
    struct umcc_unit *unit = l->scope.unit;
    const char *own = own_elements(l);
    const char *start =
        umcc_format(&unit->arena, "um_more = um_pass.%s(%s, %s, %s, %d%s)", own ? "start_own" : "start",
                    umcc_spelling(unit, l->index), umcc_join(unit, l->limit, l->limit_end),
                    umcc_join(unit, l->by, l->by_end), l->or_equal, own ? own : "");
    const char *form = l->is_while ? "auto %s; " : l->declares ? ", %s" : "auto %s";
    if (l->is_while)
        umcc_replace(unit, l->keyword, "for");
    umcc_insert_before(unit, l->is_while ? l->condition : l->condition - 1,
                       umcc_format(&unit->arena, form, start));
    umcc_insert_before(unit, l->condition, "um_more && (um_pass.on || (");
    umcc_insert_after(unit, l->condition_end, "))");
    if (l->is_while) {
        umcc_insert_before(unit, l->close, "; um_more = um_pass.on ? 0 : um_more");
    } else {
        umcc_insert_before(unit, l->step, "um_pass.on ? (void)(um_more = 0) : (void)(");
        umcc_insert_after(unit, l->step_end, ")");
    }
}

const char *umcc_mark_loop(struct umcc_unit *unit, const struct umcc_decl *kernel)
{
    static const char *const loops[] = {"for", "while", NULL};
    struct loop l = {.scope.unit = unit, .kernel = kernel};
    int i = kernel->body + 1;
    while (!umcc_is_any(unit, i, loops)) {
        i = umcc_read_declaration(&l.scope, i);
        if (i < 0)
            return NULL;
    }
    if (!umcc_is(unit, i + 1, "("))
        return NULL;
    l.keyword = i;
    l.open = i + 1;
    l.close = unit->tokens[l.open].match;
    const bool read = umcc_is(unit, i, "for") ? read_for(&l) : read_while(&l);
    if (!read || !stays_in_loop(&l))
        return NULL;
    rewrite(&l);
    return is_anonymous(&l) ? "anonymous_strides" : "strides";
}
