/**
 * @file strided.c
 * @brief Grid-stride loops between barriers: all threads of a block make a pass before the next one begins.
 *
 *     for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
 *         sum += a[i];
 *
 * One thread after another would come to another page of memory at each pass. Side by side, threads read what
 * lies side by side, and g++ makes vectors of them. turned.c does not take such a loop, as it begins
 * elsewhere in each thread. The parts of its head, and its body, become functions:
 *
 *     start(t)  where thread t begins        goes(i)   whether there is a pass of i
 *     next(i)   what follows it              pass(t, i) the body; takes and keeps the thread's variables
 *
 * umsim::stride_together() (umsim/fission.h) asks start() of all threads. Only where each one's is one more
 * than its neighbour's do they go together, and only through passes that all of them make: as `i < n` holds
 * for the last thread, it does for all. In each thread, all is done in the order in which it is written.
 */
#include "fission.h"

#include <string.h>

/* The parts of `for (type name = start; name < end; name += step) inner`. */
struct stride {
    int type, name, start, start_last, end, end_last, step, step_last, inner;
};

static int clause_end(const struct umcc_unit *unit, int i, int close)
{
    while (i < close && !umcc_is(unit, i, ";"))
        i = unit->tokens[i].match > i ? unit->tokens[i].match + 1 : i + 1;
    return i;
}

static bool has_comma(const struct umcc_unit *unit, int first, int last)
{
    for (int i = first; i <= last; i = unit->tokens[i].match > i ? unit->tokens[i].match + 1 : i + 1)
        if (umcc_is(unit, i, ",") || umcc_is(unit, i, "?"))
            return true;
    return false;
}

static bool read_stride(const struct umcc_unit *unit, int i, struct stride *it)
{
    if (!umcc_is(unit, i, "for") || !umcc_is(unit, i + 1, "("))
        return false;
    const int close = unit->tokens[i + 1].match;
    const int one = clause_end(unit, i + 2, close), two = clause_end(unit, one + 1, close);
    *it = (struct stride){.type = i + 2, .name = i + 3, .inner = close + 1};
    while (it->name < one && !umcc_is(unit, it->name + 1, "="))
        it->name++;
    it->start = it->name + 2;
    it->start_last = one - 1;
    it->end = one + 3;
    it->end_last = two - 1;
    it->step = two + 3;
    it->step_last = close - 1;
    return it->name < one && umcc_is_name(unit, it->name) && two < close &&
           (umcc_is(unit, one + 2, "<") || umcc_is(unit, one + 2, "<=")) && !umcc_is(unit, it->end, "<") &&
           umcc_same_text(unit, it->name, one + 1) && umcc_same_text(unit, it->name, two + 1) &&
           umcc_is(unit, two + 2, "+=") && it->start <= it->start_last && it->end <= it->end_last &&
           it->step <= it->step_last && !has_comma(unit, it->start, it->start_last) &&
           !has_comma(unit, it->end, it->end_last) && !has_comma(unit, it->step, it->step_last);
}

static bool mentions_grid(struct umcc_body *body, int first, int last)
{
    for (int i = first; i <= last; i++) {
        const struct umcc_local *local = umcc_find_local(body, i);
        if (umcc_is(body->unit, i, "gridDim") ||
            (local && !local->in_head && local->value >= 0 && local->value < i &&
             mentions_grid(body, local->value, local->value_last)))
            return true;
    }
    return false;
}

/* A statement whose end is nowhere but at its end. */
static bool ends_at_end(const struct umcc_unit *unit, int first, int last)
{
    static const char *const words[] = {"return", "break",   "continue", "goto",     "asm",
                                        "static", "__asm__", "switch",   "__func__", NULL};
    for (int i = first; i <= last; i++)
        if (umcc_is_any(unit, i, words))
            return false;
    return true;
}

/* Whether code that the body does not show may run in it. */
static bool may_call(const struct umcc_unit *unit, int first, int last)
{
    static const char *const heads[] = {"if", "for", "while", NULL};
    for (int i = first + 1; i <= last; i++)
        if (umcc_is(unit, i, "(") && umcc_is_identifier(unit, i - 1) && !umcc_is_any(unit, i - 1, heads))
            return true;
    return unit->own_operators;
}

bool umcc_is_strided(struct umcc_body *body, int i, int end)
{
    struct stride it;
    return body->kernel->has_barrier && read_stride(body->unit, i, &it) &&
           mentions_grid(body, it.step, it.step_last) && !umcc_find_local(body, it.name) &&
           ends_at_end(body->unit, it.inner, end) && !(body->builtins && may_call(body->unit, it.inner, end));
}

/* Whether an expression has one value for the block, as long as the kernel runs. */
static bool is_of_block(struct umcc_body *body, int name, int first, int last)
{
    for (int i = first; i <= last; i++) {
        const struct umcc_local *local = umcc_find_local(body, i);
        if (umcc_is(body->unit, i, "threadIdx") || (local && !local->uniform) ||
            umcc_same_text(body->unit, i, name))
            return false;
    }
    return umcc_is_lasting(body, first, last);
}

bool umcc_can_stride(struct umcc_body *body)
{
    for (int p = 0; p < body->piece_count; p++) {
        const struct umcc_piece *piece = &body->pieces[p];
        struct stride it;
        if (!piece->strided || piece->segment < 0)
            continue;
        if (body->some_leave || !read_stride(body->unit, piece->first, &it) ||
            !umcc_is_lasting(body, it.start, it.start_last) ||
            !is_of_block(body, it.name, it.end, it.end_last) ||
            !is_of_block(body, it.name, it.step, it.step_last))
            return false;
        for (int i = it.inner; i <= piece->last; i++) {
            const struct umcc_local *local = umcc_find_local(body, i);
            if (local && local->array && local->kept) /* to copy it in each pass takes longer */
                return false;
        }
    }
    return true;
}

#define THREAD                                                                                               \
    "__attribute__((unused)) const ::uint3 threadIdx, __attribute__((unused)) const unsigned long um_thread"
#define INLINED "__attribute__((always_inline))"

const char *umcc_open_strided(struct umcc_body *body, const struct umcc_piece *piece, int *inner)
{
    struct umcc_unit *unit = body->unit;
    struct stride it;
    read_stride(unit, piece->first, &it);
    const char *type = umcc_join(unit, it.type, it.name - 1), *name = umcc_spelling(unit, it.name);
    const int first_end = it.start_last + 1, second_end = it.end_last + 1, close = it.step_last + 1;
    umcc_insert_before(unit, piece->first,
                       umcc_format(&unit->arena,
                                   "{ const auto um_start = [&](" THREAD ") " INLINED " { %s return (%s)(",
                                   umcc_repeated(body, piece->segment, it.start, it.start_last), type));
    umcc_drop(unit, piece->first, it.start - 1);
    umcc_replace(unit, first_end,
                 umcc_format(&unit->arena,
                             "); }; const auto um_goes = [&](const %s %s) " INLINED " { return (bool)(", type,
                             name));
    umcc_replace(
        unit, second_end,
        umcc_format(&unit->arena, "); }; const auto um_next = [&](%s %s) " INLINED " { ", type, name));
    umcc_replace(unit, close, umcc_format(&unit->arena, "; return %s; };", name));
    *inner = it.inner;
    return umcc_format(&unit->arena,
                       " const auto um_pass = [&](" THREAD ", __attribute__((unused)) const %s %s) " INLINED
                       " { ",
                       type, name);
}

const char *umcc_close_strided(void)
{
    return "; ::umsim::stride_together(um_start, um_goes, um_next, um_pass, blockDim); }";
}
