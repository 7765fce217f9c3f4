/**
 * @file turned.c
 * @brief Which loops are turned inside out: all threads of a block make a pass before the next one begins.
 *
 *     if (x >= n || y >= n)                            (asked before, for all threads: guard.c)
 *         return;
 *     float sum = 0;                                   for (threads) { sum = 0; keep sum }
 *     for (int k = 0; k < n; k++)            becomes   for (int k = 0; k < n; k++)
 *         sum += a[y * n + k] * b[k * n + x];              for (threads) { take sum; sum += ...; keep sum }
 *     c[y * n + x] = sum;                              for (threads) { take sum; c[y * n + x] = sum; }
 *
 * That is as if a barrier stood at the end of the loop's body, and is done, and proved, in the same way
 * (fission.c). A GPU promises no order of a block's threads between barriers, so it is as right as any other.
 * Here it is only asked what is quicker. One thread after another walks down a matrix' column, and comes to
 * another line of memory at each step; side by side, threads read lines as they lie, and vectors are made of
 * them. But a thread that walks along a row of its own is better left alone.
 *
 * In a kernel without barriers a condition may come first. The block's threads for which it holds go through
 * the rest together if they are all, or whole rows; else each goes alone (umsim/fission.h).
 */
#include "fission.h"
#include "prefix.h"

#include <stdlib.h>

/* Loops of so few passes g++ unrolls itself. */
enum { FEW_PASSES = 16 };

static bool depends_on_thread(struct umcc_body *body, int i);

/* Whether an expression differs from a thread to its neighbour in x. */
static bool differs(struct umcc_body *body, int first, int last)
{
    for (int i = first; i <= last; i++)
        if (depends_on_thread(body, i))
            return true;
    return false;
}

static bool depends_on_thread(struct umcc_body *body, int i)
{
    struct umcc_unit *unit = body->unit;
    if (umcc_is(unit, i, "threadIdx"))
        return !umcc_is(unit, i + 2, "y") && !umcc_is(unit, i + 2, "z");
    const struct umcc_local *local = umcc_find_local(body, i);
    if (!local || local->in_head)
        return false;
    return local->value < 0 || local->value >= i || differs(body, local->value, local->value_last);
}

/* The loop's own variable: `int k = 0;`, `k = 0;`, or -1. */
static int variable_of(const struct umcc_unit *unit, int open)
{
    for (int i = open + 1; i < unit->tokens[open].match && !umcc_is(unit, i, ";"); i++)
        if (umcc_is(unit, i, "="))
            return umcc_is_name(unit, i - 1) ? i - 1 : -1;
    return -1;
}

/* `k < 4`: few passes, which are known. */
static bool is_short(const struct umcc_unit *unit, int open, int variable)
{
    for (int i = variable; i < unit->tokens[open].match; i++)
        if (umcc_same_text(unit, i, variable) && (umcc_is(unit, i + 1, "<") || umcc_is(unit, i + 1, "<=")) &&
            unit->tokens[i + 2].kind == UMCC_NUMBER && umcc_is(unit, i + 3, ";"))
            return atoi(unit->tokens[i + 2].text) <= FEW_PASSES;
    return false;
}

/* How a subscript goes with the loop's passes. */
enum walk {
    WALK_NONE,   /* the same place in all */
    WALK_ALL,    /* all threads read the same */
    WALK_ALONG,  /* each thread goes along a row of its own */
    WALK_ACROSS, /* each pass is in another row */
};

static enum walk walk_of(struct umcc_body *body, int open, int variable)
{
    const struct umcc_unit *unit = body->unit;
    enum walk walk = WALK_NONE;
    for (int i = open + 1; i < unit->tokens[open].match; i++) {
        if (!umcc_same_text(unit, i, variable) || umcc_is(unit, i - 1, "."))
            continue;
        if (umcc_is(unit, i + 1, "*") || umcc_is(unit, i - 1, "*"))
            return WALK_ACROSS;
        walk = differs(body, open + 1, unit->tokens[open].match - 1) ? WALK_ALONG : WALK_ALL;
    }
    return walk;
}

bool umcc_is_turned(struct umcc_body *body, int i, int end)
{
    const struct umcc_unit *unit = body->unit;
    if (!umcc_is(unit, i, "for") || !umcc_is(unit, i + 1, "("))
        return false;
    const int variable = variable_of(unit, i + 1);
    bool across = false, along = false, all = false;
    if (variable < 0 || is_short(unit, i + 1, variable))
        return false;
    for (int j = unit->tokens[i + 1].match + 1; j <= end; j++) {
        if (!umcc_is(unit, j, "[") || !umcc_is_operand_end(unit, j - 1))
            continue;
        const enum walk walk = walk_of(body, j, variable);
        across |= walk == WALK_ACROSS;
        along |= walk == WALK_ALONG;
        all |= walk == WALK_ALL;
    }
    return across || (all && !along);
}

/* The text that answers a row's question, and that ends a single thread's call if the condition says so. */
static const char *ask(struct umcc_body *body, const struct umcc_prefix *prefix, const char *condition)
{
    struct umcc_unit *unit = body->unit;
    const int open = body->guard + 1, close = unit->tokens[open].match;
    const bool declares = body->guard > body->kernel->body + 1;
    return umcc_format(
        &unit->arena,
        "if (um_part.asks) { __attribute__((unused)) const ::umsim::row_index threadIdx = "
        "um_part.row; %s%s*um_part.answer = %s%s; return; } "
        "if (um_part.alone) { __attribute__((unused)) const ::uint3 threadIdx = um_part.first; "
        "%s if (%s(%s)) return; } ",
        prefix->checks, prefix->text, body->leaves ? "!" : "", condition,
        declares ? umcc_join(unit, body->kernel->body + 1, body->guard - 1) : "", body->leaves ? "" : "!",
        umcc_join(unit, open + 1, close - 1));
}

bool umcc_find_guard(struct umcc_body *body)
{
    struct umcc_unit *unit = body->unit;
    struct umcc_prefix prefix = umcc_begin_prefix(unit);
    int i = body->kernel->body + 1;
    while (i >= 0 && !umcc_is(unit, i, "if"))
        i = umcc_read_prefix(&prefix, i);
    if (i < 0 || !umcc_is(unit, i + 1, "("))
        return true;
    const int close = unit->tokens[i + 1].match, end = umcc_statement_end(unit, i, body->kernel->body_end);
    const bool block = umcc_is(unit, close + 1, "{");
    const int first = block ? close + 2 : close + 1;
    const char *condition = umcc_row_condition(&prefix, i + 2, close - 1);
    body->leaves =
        umcc_is(unit, first, "return") && umcc_is(unit, first + 1, ";") && end == first + (block ? 2 : 1);
    if (!condition || end < 0)
        return false;
    if (!body->leaves &&
        (!block || unit->tokens[close + 1].match != end || end != body->kernel->body_end - 1))
        return false;
    body->guard = i;
    body->guard_text = ask(body, &prefix, condition);
    return true;
}
