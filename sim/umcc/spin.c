/**
 * @file spin.c
 * @brief Finds loops that wait until another thread has done something, and makes them yield.
 *
 * Such loops are, on a volatile flag, a counter and a lock:
 *
 *     while (*flag == 0);
 *     while (atomicAdd(count, 0) < n);
 *     while (lock.exchange(1));
 *
 * All of a GPU's threads make progress, so such loops end. Here the threads need fibers, and the loop has
 * to yield at each poll: the condition becomes `(condition) && ::umsim::poll_yield()`. It is enough to find
 * loops whose end depends on a *poll*: a volatile or atomic variable, an atomic function that changes
 * nothing (atomicAdd(p, 0)), one that takes a lock (atomicCAS(p, 0, 1), exchange()), nvcc's forms of these
 * (__nv_atomic_load_n()), or a device function that does one of these.
 *
 * Loops that make progress by themselves are left alone: those that draw numbers, and those that try again
 * with the value they saw.
 *
 *     while ((i = atomicAdd(next, 1)) < n)
 *     while (assumed != (old = atomicCAS(p, assumed, f(assumed))))
 */
#include "umcc.h"

#include <string.h>

/* A loop: its condition's tokens (none if last < first), and its body's braces, or -1. */
struct loop {
    int keyword, condition, condition_last, body, body_end, end;
};

static bool starts_with(const struct umcc_unit *unit, int i, const char *start)
{
    const struct umcc_token *token = &unit->tokens[i];
    return token->length >= strlen(start) && memcmp(token->text, start, strlen(start)) == 0;
}

static bool is_member(const struct umcc_unit *unit, int i)
{
    return umcc_is(unit, i - 1, ".") || umcc_is(unit, i - 1, "->");
}

/* ---- variables that loops poll ---- */

static bool is_atomic_type(const struct umcc_unit *unit, int i)
{
    static const char *const types[] = {"atomic", "atomic_ref", "atomic_flag", NULL};
    if (!umcc_is_identifier(unit, i) || is_member(unit, i))
        return false;
    return umcc_is_any(unit, i, types) ||
           (umcc_is(unit, i - 1, "::") && starts_with(unit, i, "atomic_") && umcc_is_name(unit, i + 1));
}

/* Finds what is declared behind the `volatile` or atomic type at `i`, if other threads may see it. @return
 * its token, or -1 */
static int watched_name(const struct umcc_unit *unit, int i, bool at_namespace)
{
    static const char *const ends[] = {"[", "=", ";", ",", "(", ")", "{", "}", NULL};
    bool is_shared = at_namespace || is_atomic_type(unit, i);
    int name = -1;
    for (int j = umcc_declaration_start(unit, i); j < i; j++)
        is_shared |= (umcc_mark_of(unit, j) & UMCC_SHARED) != 0;
    for (int j = i + 1; j < unit->count; j++) {
        if (umcc_is_any(unit, j, ends))
            return is_shared || umcc_is(unit, j, "[") ? name : -1;
        if (umcc_is(unit, j, "<") && umcc_skip_angles(unit, j) > j)
            j = umcc_skip_angles(unit, j) - 1;
        is_shared |= umcc_is(unit, j, "*") || umcc_is(unit, j, "&") || (umcc_mark_of(unit, j) & UMCC_SHARED);
        if (umcc_is_name(unit, j))
            name = j;
    }
    return -1;
}

/* Whether the variables that are declared together with the one at `name` are called as the name at `use`. */
static bool declares_beside(const struct umcc_unit *unit, int name, int last, int use)
{
    static const char *const opening[] = {"(", "[", "{", NULL}, *const closing[] = {")", "]", "}", NULL};
    int depth = 0;
    bool is_next = false; /* a comma has come by, and its name not yet */
    for (int j = name + 1; j < last && depth >= 0 && !(depth == 0 && umcc_is(unit, j, ";")); j++) {
        depth += umcc_is_any(unit, j, opening) - umcc_is_any(unit, j, closing);
        if (depth == 0 && umcc_is(unit, j, ",")) {
            is_next = true;
        } else if (depth == 0 && is_next && umcc_is_name(unit, j)) {
            if (umcc_same_text(unit, j, use))
                return true;
            is_next = false;
        }
    }
    return false;
}

static bool declares(const struct umcc_unit *unit, int first, int last, int use, bool at_namespace)
{
    for (int i = first; i < last; i++) {
        if (!umcc_is_volatile(unit, i) && !is_atomic_type(unit, i))
            continue;
        const int name = watched_name(unit, i, at_namespace);
        if (name >= 0 && (umcc_same_text(unit, name, use) || declares_beside(unit, name, last, use)))
            return true;
    }
    return false;
}

/* Whether the name at `i` is a volatile or atomic variable: the function's own, the file's, or a member. */
static bool is_watched(const struct umcc_unit *unit, const struct umcc_decl *function, int i)
{
    if (!umcc_is_name(unit, i) || umcc_is(unit, i + 1, "("))
        return false;
    if (!is_member(unit, i) && (declares(unit, function->open, function->close + 1, i, false) ||
                                declares(unit, function->body, function->body_end, i, false)))
        return true;
    for (const struct umcc_decl *d = unit->decls; d; d = d->next)
        if (d->form == UMCC_VARIABLE && !unit->tokens[d->first].system &&
            declares(unit, d->first, d->last + 1, i, true))
            return true;
    return false;
}

/* ---- polls ---- */

/* Whether the last argument of the call whose parenthesis is at `open` is 0, (T)0 or T(0), so that nothing
 * changes. */
static bool adds_nothing(const struct umcc_unit *unit, int open)
{
    int last = unit->tokens[open].match - 1;
    if (umcc_is(unit, last, ")") && unit->tokens[last].match == last - 2)
        last--;
    const bool whole =
        umcc_is(unit, last - 1, ",") || umcc_is(unit, last - 1, ")") || umcc_is(unit, last - 1, "(");
    return whole && unit->tokens[last].kind == UMCC_NUMBER && unit->tokens[last].text[0] == '0' &&
           !strchr("0123456789xX.", unit->tokens[last].text[1]);
}

/* Whether the argument that the variable is compared with is a value that was seen, because the loop assigns
 * to it. */
static bool tries_what_it_saw(const struct umcc_unit *unit, const struct loop *loop, int argument)
{
    if (!umcc_is_name(unit, argument) || !umcc_is(unit, argument + 1, ","))
        return false;
    for (int i = loop->keyword; i < loop->end; i++)
        if (umcc_same_text(unit, i, argument) && umcc_is(unit, i + 1, "=") && !umcc_is(unit, i + 2, "="))
            return true;
    return false;
}

/* The token behind the first comma in the parentheses at `open`. */
static int second_argument(const struct umcc_unit *unit, int open)
{
    int i = open + 1;
    while (i < unit->tokens[open].match && !umcc_is(unit, i, ","))
        i = unit->tokens[i].match > i ? unit->tokens[i].match + 1 : i + 1;
    return i + 1;
}

static bool is_polling_call(const struct umcc_unit *unit, const struct loop *loop, int i)
{
    static const char *const polls[] = {
        "load", "test", "test_and_set", "exchange", "try_wait", "try_wait_parity", "try_acquire", NULL};
    static const char *const functions[] = {"__ldcv",
                                            "__ldcg",
                                            "atomicExch",
                                            "atomicExch_block",
                                            "atomicExch_system",
                                            "__atomic_load_n",
                                            "__nv_atomic_load_n",
                                            "__nv_atomic_exchange_n",
                                            NULL};
    if (!umcc_is_identifier(unit, i) || !umcc_is(unit, i + 1, "("))
        return false;
    if (is_member(unit, i))
        return umcc_is_any(unit, i, polls) || (starts_with(unit, i, "fetch_") && adds_nothing(unit, i + 1)) ||
               (starts_with(unit, i, "compare_exchange_") && tries_what_it_saw(unit, loop, i + 2));
    if (starts_with(unit, i, "atomicCAS"))
        return !tries_what_it_saw(unit, loop, second_argument(unit, i + 1));
    if (starts_with(unit, i, "__nv_atomic_")) {
        const int second = second_argument(unit, i + 1);
        if (starts_with(unit, i, "__nv_atomic_compare_exchange"))
            return tries_what_it_saw(unit, loop, second + 1);
        if (starts_with(unit, i, "__nv_atomic_fetch_"))
            return umcc_is(unit, second, "0") && umcc_is(unit, second + 1, ",");
    }
    return umcc_is_any(unit, i, functions) || (starts_with(unit, i, "atomic") && adds_nothing(unit, i + 1));
}

/* Whether token `i` calls a device function that polls. */
static bool calls_a_poll(const struct umcc_unit *unit, int i)
{
    if (!umcc_is_name(unit, i) || !umcc_is(unit, i + 1, "("))
        return false;
    for (const struct umcc_decl *d = unit->decls; d; d = d->next)
        if (d->form == UMCC_FUNCTION && d->body >= 0 && (d->marks & UMCC_DEVICE) != 0 &&
            !unit->tokens[d->first].system && umcc_same_text(unit, d->name, i) && d->polls)
            return true;
    return false;
}

static bool has_poll(const struct umcc_unit *unit, const struct umcc_decl *function, const struct loop *loop,
                     int first, int last)
{
    for (int i = first; i <= last; i++)
        if (umcc_is_volatile(unit, i) || is_polling_call(unit, loop, i) || calls_a_poll(unit, i) ||
            is_watched(unit, function, i))
            return true;
    return false;
}

/* ---- loops ---- */

/* Has a checked program tell what is polled: the tokens from `first` to `last`. */
static void mark_poll(struct umcc_unit *unit, int first, int last)
{
    if (!unit->checked || umcc_is(unit, first, "{"))
        return;
    umcc_insert_before(unit, first, "::umsim::polled((void(::umsim_polls(1)), (");
    umcc_insert_after(unit, last, ")))");
}

/* Whether the loop contains `x = a poll;` and its condition depends on x. */
static bool condition_needs_a_poll(struct umcc_unit *unit, const struct umcc_decl *function,
                                   const struct loop *loop)
{
    for (int i = loop->body + 1; loop->body >= 0 && i < loop->body_end; i++) {
        if (!umcc_is_name(unit, i) || is_member(unit, i) || !umcc_is(unit, i + 1, "=") ||
            umcc_is(unit, i + 2, "="))
            continue;
        bool asked = false;
        for (int c = loop->condition; c <= loop->condition_last; c++)
            asked |= umcc_same_text(unit, c, i);
        int end = i + 2;
        while (end < loop->body_end && !umcc_is(unit, end, ";"))
            end = unit->tokens[end].match > end ? unit->tokens[end].match + 1 : end + 1;
        if (asked && has_poll(unit, function, loop, i + 2, end)) {
            mark_poll(unit, i + 2, end - 1);
            return true;
        }
    }
    return false;
}

static bool is_endless(const struct umcc_unit *unit, const struct loop *loop)
{
    return loop->condition > loop->condition_last ||
           (loop->condition == loop->condition_last &&
            (umcc_is(unit, loop->condition, "true") || umcc_is(unit, loop->condition, "1")));
}

/* Whether what is in an `if` or a loop's parentheses is `int x = ...`. */
static bool is_declaration(const struct umcc_unit *unit, int first)
{
    return umcc_is_type_keyword(unit, first) || umcc_is(unit, first, "const") ||
           (umcc_is_name(unit, first) && umcc_is_name(unit, first + 1));
}

/* Whether an endless loop contains `if (a poll) break;`. Locks need no treatment: the thread that holds one
 * runs until it has released it. */
static bool breaks_at_a_poll(struct umcc_unit *unit, const struct umcc_decl *function,
                             const struct loop *loop)
{
    bool any = false;
    for (int i = loop->body + 1; loop->body >= 0 && i < loop->body_end; i++) {
        if (!umcc_is(unit, i, "if") || !umcc_is(unit, i + 1, "("))
            continue;
        const int close = unit->tokens[i + 1].match;
        const int then = umcc_is(unit, close + 1, "{") ? close + 2 : close + 1;
        bool locks = false;
        for (int j = i + 2; j < close; j++)
            locks |= starts_with(unit, j, "atomicCAS") || starts_with(unit, j, "atomicExch") ||
                     starts_with(unit, j, "compare_exchange") || umcc_is(unit, j, "exchange");
        if (!locks && (umcc_is(unit, then, "break") || umcc_is(unit, then, "return")) &&
            has_poll(unit, function, loop, i + 2, close - 1)) {
            any = true;
            if (!is_declaration(unit, i + 2))
                mark_poll(unit, i + 2, close - 1);
        }
    }
    return any;
}

/* Finds the body of a `do` whose `while` is at `i`. @return its brace, or -1 */
static int body_before(const struct umcc_unit *unit, int i)
{
    const int open = umcc_is(unit, i - 1, "}") ? unit->tokens[i - 1].match : -1;
    return open > 0 && umcc_is(unit, open - 1, "do") ? open : -1;
}

/* Reads the loop at `i`, a `while` or `for`. @return whether it is one */
static bool read_loop(const struct umcc_unit *unit, int i, struct loop *loop)
{
    if (!umcc_is(unit, i + 1, "("))
        return false;
    const int close = unit->tokens[i + 1].match;
    *loop = (struct loop){
        .keyword = i, .condition = i + 2, .condition_last = close - 1, .body = -1, .end = close};
    if (umcc_is(unit, i, "for")) {
        int semicolons[2], count = 0;
        for (int j = i + 2; j < close && count < 2; j++) {
            if (unit->tokens[j].match > j)
                j = unit->tokens[j].match;
            else if (umcc_is(unit, j, ";"))
                semicolons[count++] = j;
        }
        if (count < 2)
            return false;
        loop->condition = semicolons[0] + 1;
        loop->condition_last = semicolons[1] - 1;
    }
    loop->body = umcc_is(unit, i, "while") ? body_before(unit, i) : -1;
    if (loop->body >= 0)
        loop->keyword = loop->body - 1;
    else if (umcc_is(unit, close + 1, "{"))
        loop->body = close + 1;
    loop->body_end = loop->body >= 0 ? unit->tokens[loop->body].match : -1;
    if (loop->body_end > loop->end)
        loop->end = loop->body_end;
    return true;
}

static void insert_yields(struct umcc_unit *unit, const struct loop *loop)
{
    if (!is_endless(unit, loop) && !is_declaration(unit, loop->condition)) {
        umcc_insert_before(unit, loop->condition, "(");
        mark_poll(unit, loop->condition, loop->condition_last);
        umcc_insert_after(unit, loop->condition_last, ") && ::umsim::poll_yield()");
    } else if (loop->body >= 0) {
        umcc_insert_after(unit, loop->body, " ::umsim_poll_yield();");
    }
}

bool umcc_insert_yields(struct umcc_unit *unit, const struct umcc_decl *function)
{
    bool any = false;
    for (int i = function->body + 1; i < function->body_end; i++) {
        struct loop loop;
        if ((!umcc_is(unit, i, "while") && !umcc_is(unit, i, "for")) || !read_loop(unit, i, &loop))
            continue;
        const bool polls = is_endless(unit, &loop)
                               ? breaks_at_a_poll(unit, function, &loop)
                               : has_poll(unit, function, &loop, loop.condition, loop.condition_last) ||
                                     condition_needs_a_poll(unit, function, &loop);
        if (polls)
            insert_yields(unit, &loop);
        any |= polls;
    }
    return any;
}

/* Whether the function returns what it polled. */
static bool returns_a_poll(const struct umcc_unit *unit, const struct umcc_decl *d)
{
    const struct loop none = {.end = 0};
    for (int i = d->body; i < d->body_end; i++) {
        int end = i + 1;
        while (umcc_is(unit, i, "return") && end < d->body_end && !umcc_is(unit, end, ";"))
            end++;
        if (end > i + 1 && has_poll(unit, d, &none, i + 1, end))
            return true;
    }
    return false;
}

void umcc_find_polls(struct umcc_unit *unit)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (struct umcc_decl *d = unit->decls; d; d = d->next) {
            if (d->form != UMCC_FUNCTION || d->body < 0 || (d->marks & UMCC_DEVICE) == 0 || d->polls ||
                unit->tokens[d->first].system)
                continue;
            d->polls = returns_a_poll(unit, d);
            changed |= d->polls;
        }
    }
}
