/**
 * @file loop.c
 * @brief The grid-stride loop: `for (int i = ...; i < n; i += gridDim.x * blockDim.x) ...` as a kernel's
 * last statement.
 *
 * Run one thread after another, such a loop strides through memory. On a GPU the threads run side by side.
 * So the kernel is called once for each thread and each *pass* of its loop, and all threads of a worker's
 * blocks take one pass before the next begins (umsim/strides.h). In each call the loop runs its body once,
 * with the value of `i` that it is given:
 *
 *     bool um_more = true;
 *     for (int i = ...; um_pass.on ? um_pass.begin(um_more, i) : (i < n);
 *          um_pass.on ? (void)(um_more = false) : (void)(i += step))
 *
 * That is right if nothing but memory passes from one turn to the next, and if the loop's course is known
 * beforehand. Nothing of this is concluded from the body's text:
 *
 * - Start, limit and step are computed for a row of threads (prefix.c); whether they are whole numbers,
 * evenly spaced, the same for all turns, and do not wrap around, is decided by their types and at run time.
 * - Each parameter and variable from outside the body that it mentions must have its old value at the end of
 * a turn, and its address must not have gone anywhere; so must i. What start, limit, step and the variables
 *   before the loop are computed from must not have changed. gcc has to prove that (umsim/proof.h). It also
 *   has to prove that no turn ends by `break`.
 *
 * What is asked of the text: only declarations without effects come before the loop, and nothing follows it;
 * the condition is `i < limit` (or <=), and the step `i += step` is the last part of a turn; `return` does
 * not occur in it. `while (i < n) { ...; i += step; }` is treated in the same way.
 */
#include "parameters.h"
#include "prefix.h"
#include "statements.h"

#include <string.h>

struct loop {
    struct umcc_prefix prefix;
    struct umcc_parameters parameters;
    const struct umcc_decl *kernel;
    int number;
    int keyword, open, close;         /* `for` or `while`, its parentheses */
    int condition, condition_end;     /* tokens, both included */
    int step, step_end;               /* `i += s`; the last statement of a `while` */
    int body, body_end;               /* without the step */
    int limit, limit_end, by, by_end; /* the expressions `limit` and `step` */
    int start, start_end;             /* the value that `for` gives i; -1 */
    int index;                        /* a token that names i */
    bool is_while, or_equal;
    const char *row;    /* the loop's course for a row, as a statement */
    const char *before; /* what is kept before the loop: declarations */
    const char *proof;  /* that a turn has changed nothing: an expression */
    int kept;
};

static bool mentions_index(const struct loop *l, int first, int last)
{
    for (int i = first; i <= last; i++)
        if (umcc_same_text(l->prefix.unit, l->index, i))
            return true;
    return false;
}

/* Reads `i < limit`, `i <= limit`, `limit > i`, `limit >= i`. */
static bool read_condition(struct loop *l)
{
    const struct umcc_unit *unit = l->prefix.unit;
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
    return umcc_is_name(unit, l->index) && l->limit <= l->limit_end &&
           !mentions_index(l, l->limit, l->limit_end);
}

/* Reads `i += s`, `i = i + s`. */
static bool read_step(struct loop *l)
{
    const struct umcc_unit *unit = l->prefix.unit;
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
    return l->by <= l->by_end && !mentions_index(l, l->by, l->by_end);
}

/* `int i = start;` in a loop's head. @return its `;`, or -1 */
static int read_start(struct loop *l, int i)
{
    const struct umcc_unit *unit = l->prefix.unit;
    const int before = l->prefix.count, behind = umcc_read_prefix(&l->prefix, i);
    if (behind < 0 || l->prefix.count != before + 1)
        return -1;
    l->start = l->prefix.names[before] + 2;
    l->start_end = behind - 2;
    return umcc_is(unit, behind - 1, ";") ? behind - 1 : -1;
}

static bool read_for(struct loop *l)
{
    struct umcc_unit *unit = l->prefix.unit;
    int semicolon = l->open + 1;
    const bool declares = !umcc_is(unit, semicolon, ";");
    if (declares)
        semicolon = read_start(l, semicolon);
    if (semicolon < 0)
        return false;
    l->condition = semicolon + 1;
    for (semicolon = l->condition; semicolon < l->close && !umcc_is(unit, semicolon, ";");)
        semicolon++;
    l->condition_end = semicolon - 1;
    l->step = semicolon + 1;
    l->step_end = l->close - 1;
    l->body = l->close + 1;
    l->body_end = umcc_statement_end(unit, l->body, l->kernel->body_end);
    return l->body_end == l->kernel->body_end - 1 && read_condition(l) && read_step(l) &&
           (!declares || umcc_same_text(unit, l->prefix.names[l->prefix.count - 1], l->index));
}

static bool read_while(struct loop *l)
{
    struct umcc_unit *unit = l->prefix.unit;
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
    return !umcc_leaves_loop(unit, l->body, l->body_end, true) && read_condition(l) && read_step(l);
}

/* The loop's course as what a row of threads has in common. @return whether it can be said */
static bool read_course(struct loop *l)
{
    struct umcc_unit *unit = l->prefix.unit;
    if (!umcc_in_prefix(&l->prefix, l->index))
        return false;
    const char *limit = umcc_row_expression(&l->prefix, l->limit, l->limit_end);
    const char *by = limit ? umcc_row_expression(&l->prefix, l->by, l->by_end) : NULL;
    if (!by)
        return false;
    l->row = umcc_format(&unit->arena, "*um_pass.answer = ::umsim::course_of(%s, %s, %s, %d);",
                         umcc_spelling(unit, l->index), limit, by, l->or_equal);
    return true;
}

/* ---- the proof ---- */

/* @return the number of a copy of `value` that is made before the body */
static int copy_before(struct loop *l, const char *value)
{
    const int n = l->kept++;
    l->before = umcc_format(&l->prefix.unit->arena, "%sconst auto um_was_%d = ::umsim::bits_of(%s); ",
                            l->before, n, value);
    return n;
}

/* A value that has to be the same at the end of a turn. */
static void keep_value(struct loop *l, int first, int last)
{
    struct umcc_unit *unit = l->prefix.unit;
    const char *value = umcc_join(unit, first, last);
    const int n = copy_before(l, value);
    l->proof = umcc_format(&unit->arena, "%s && ::umsim::unchanged(um_was_%d, %s)", l->proof, n, value);
}

/* What a variable was initialized with has to give its value again. */
static void keep_origin(struct loop *l, int name)
{
    struct umcc_unit *unit = l->prefix.unit;
    int end = name + 2;
    while (!umcc_is(unit, end, ",") && !umcc_is(unit, end, ";"))
        end = unit->tokens[end].match > end ? unit->tokens[end].match + 1 : end + 1;
    const char *variable = umcc_spelling(unit, name);
    const int n = copy_before(l, variable);
    l->proof = umcc_format(&unit->arena, "%s && ::umsim::again<decltype(%s)>::gives(um_was_%d, %s)", l->proof,
                           variable, n, umcc_join(unit, name + 2, end - 1));
}

/* Whether `return` in the body would end the thread, and not a lambda. */
static bool returns(const struct umcc_unit *unit, int first, int last)
{
    for (int i = first; i <= last; i++) {
        int open = -1;
        for (int j = i; umcc_is(unit, i, "return") && j >= first; j--) {
            const bool list = umcc_is(unit, j, "{") && unit->tokens[j].match > i;
            const int head = list && umcc_is(unit, j - 1, ")") ? unit->tokens[j - 1].match - 1 : j - 1;
            if (list && umcc_is(unit, head, "]") && unit->tokens[head].match > 0)
                open = j;
        }
        if (umcc_is(unit, i, "return") && open < 0)
            return true;
    }
    return false;
}

static bool make_proof(struct loop *l)
{
    static const char *const refused[] = {"alloca",
                                          "__builtin_alloca",
                                          "__builtin_alloca_with_align",
                                          "setjmp",
                                          "co_await",
                                          "co_yield",
                                          "co_return",
                                          "goto",
                                          NULL};
    struct umcc_unit *unit = l->prefix.unit;
    l->before = "";
    l->proof = l->start >= 0 ? "true"
                             : umcc_format(&unit->arena, "um_pass.is_at(%s)", umcc_spelling(unit, l->index));
    const int variables = l->start >= 0 ? l->prefix.count - 1 : l->prefix.count;
    for (int v = 0; v < variables; v++) {
        const int name = l->prefix.names[v];
        if (umcc_same_text(unit, name, l->index))
            continue; /* is_at() */
        keep_value(l, name, name);
        keep_origin(l, name);
    }
    if (l->start >= 0)
        keep_value(l, l->start, l->start_end);
    keep_value(l, l->limit, l->limit_end);
    keep_value(l, l->by, l->by_end);
    for (int i = l->body; i <= l->body_end; i++) {
        if (umcc_is_any(unit, i, refused))
            return false;
        const bool member =
            umcc_is(unit, i - 1, ".") || umcc_is(unit, i - 1, "->") || umcc_is(unit, i - 1, "::");
        bool again = false;
        if (member || !umcc_is_name(unit, i) || !umcc_is_parameter(unit, &l->parameters, i))
            continue;
        const int end = umcc_chain_end(unit, i);
        const char *chain = umcc_join(unit, i, end);
        for (int j = l->body; j < i && !again; j++)
            again = umcc_same_text(unit, i, j) && umcc_chain_end(unit, j) - j == end - i &&
                    !umcc_is(unit, j - 1, ".") &&
                    strcmp(umcc_join(unit, j, umcc_chain_end(unit, j)), chain) == 0;
        if (!again)
            keep_value(l, i, end);
        i = end;
    }
    return !returns(unit, l->body, l->body_end);
}

/* Whether the body distinguishes threads only by i: then which thread runs a turn makes no difference. */
static bool is_anonymous(const struct loop *l)
{
    static const char *const builtins[] = {"threadIdx", "blockIdx", NULL};
    const struct umcc_unit *unit = l->prefix.unit;
    for (int i = l->body; i <= l->body_end; i++)
        if (umcc_is_any(unit, i, builtins) ||
            (umcc_in_prefix(&l->prefix, i) && !umcc_same_text(unit, l->index, i)))
            return false;
    return true;
}

/* ---- the rewriting ---- */

static void rewrite(struct loop *l)
{
    struct umcc_unit *unit = l->prefix.unit;
    const int k = l->number;
    const char *index = umcc_spelling(unit, l->index);
    umcc_insert_before(
        unit, l->kernel->body + 1,
        umcc_format(
            &unit->arena,
            "\n# 1 \"um-probe %d\" 3\nvoid um_unproven_%d(void) __attribute__((error(\"um-probe %d: it is "
            "not "
            "proved that nothing passes from one turn of the loop to the next\"))); "
            "if (um_pass.asks) { __attribute__((unused)) const ::umsim::row_index threadIdx = um_pass.row; "
            "%s%s%s return; } ",
            k, k, k, l->prefix.checks, l->prefix.text, l->row));
    umcc_insert_before(
        unit, l->keyword,
        umcc_format(&unit->arena, "\n# 1 \"um-probe %d\" 3\nbool um_more = true; %s", k, l->before));
    umcc_insert_before(unit, l->condition,
                       umcc_format(&unit->arena, "um_pass.on ? um_pass.begin(um_more, %s) : (", index));
    umcc_insert_after(unit, l->condition_end, ")");
    if (l->start >= 0) /* i ends with the loop */
        umcc_insert_before(unit, l->step,
                           umcc_format(&unit->arena,
                                       "um_pass.on ? (um_more = false, um_pass.trial ? (::umsim::opaque(), "
                                       "um_pass.is_at(%s) ? (void)0 : um_unproven_%d()) : (void)0) : (void)(",
                                       index, k));
    else
        umcc_insert_before(unit, l->step, "um_pass.on ? (void)(um_more = false) : (void)(");
    umcc_insert_after(unit, l->step_end, ")");
    umcc_insert_before(
        unit, l->kernel->body_end,
        umcc_format(&unit->arena,
                    "\n# 1 \"um-probe %d\" 3\nif (um_pass.trial) { ::umsim::opaque(); if (um_more || !(%s)) "
                    "um_unproven_%d(); } ",
                    k, l->proof, k));
}

const char *umcc_mark_loop(struct umcc_unit *unit, const struct umcc_decl *kernel, int number)
{
    static const char *const loops[] = {"for", "while", NULL};
    struct loop l = {.prefix = umcc_begin_prefix(unit), .kernel = kernel, .number = number, .start = -1};
    int i = kernel->body + 1;
    while (i >= 0 && !umcc_is_any(unit, i, loops))
        i = umcc_read_prefix(&l.prefix, i);
    if (i < 0 || !umcc_is(unit, i + 1, "(") || !umcc_find_parameters(unit, kernel, &l.parameters))
        return NULL;
    l.keyword = i;
    l.open = i + 1;
    l.close = unit->tokens[l.open].match;
    const bool read = umcc_is(unit, i, "for") ? read_for(&l) : read_while(&l);
    if (!read || !read_course(&l) || !make_proof(&l))
        return NULL;
    rewrite(&l);
    return is_anonymous(&l) ? "anonymous_strides" : "strides";
}
