/**
 * @file launch.c
 * @brief Turns launches into calls.
 *
 * `kernel<<<grid, block, shared, stream>>>(arguments)` becomes
 *
 *     (::umsim::push_call(grid, block, shared, stream) ? (void)0 : kernel(arguments))
 */
#include "umcc.h"

/* Whether `<<<` stands at `i`, or `<< <`, as a C++ editor may format it: nvcc accepts a space before the
 * third bracket, and no other. */
static bool is_three(const struct umcc_unit *unit, int i, const char *bracket)
{
    return umcc_is(unit, i, bracket) && umcc_is(unit, i + 1, bracket) && umcc_is(unit, i + 2, bracket) &&
           unit->tokens[i + 1].joined;
}

/* Finds the `>>>` for the `<<<` at `i`: it is outside brackets, with `(` behind it. A `>>>` before any comma
 * closes templates, `f<A<B<C>>>()`, unless no other follows. @return the index of its first `>`, or -1 */
static int find_close(const struct umcc_unit *unit, int i)
{
    int first = -1;
    bool comma = false;
    for (int j = i + 3; j < unit->count; j++) {
        int match = unit->tokens[j].match;
        if (umcc_is(unit, j, ";") || (match >= 0 && match < j))
            break;
        comma = comma || umcc_is(unit, j, ",");
        if (match > j) {
            j = match;
        } else if (is_three(unit, j, ">") && umcc_is(unit, j + 3, "(")) {
            if (comma)
                return j;
            first = first < 0 ? j : first;
        }
    }
    return first;
}

/* The start of the template-id whose `>` is at `i`. @return -1 if there is none */
static int template_start(const struct umcc_unit *unit, int i)
{
    int depth = 0;
    for (int j = i; j >= 0 && j > i - 10000; j--) {
        int match = unit->tokens[j].match;
        if (umcc_is(unit, j, ">"))
            depth++;
        else if (umcc_is(unit, j, "<") && --depth == 0)
            return umcc_is_name(unit, j - 1) ? j - 1 : -1;
        else if (umcc_is(unit, j, ";") || (match > j))
            return -1;
        else if (match >= 0 && match < j)
            j = match;
    }
    return -1;
}

/* The start of one part of a postfix expression that ends at `i`: a name, a template-id, or brackets with
 * what they apply to. */
static int part_start(const struct umcc_unit *unit, int i)
{
    if (umcc_is_name(unit, i) || umcc_is(unit, i, "this"))
        return i;
    if (umcc_is(unit, i, ">"))
        return template_start(unit, i);
    if (umcc_is(unit, i, ")") || umcc_is(unit, i, "]")) {
        int open = unit->tokens[i].match, before = open - 1;
        if (umcc_is_name(unit, before) || umcc_is(unit, before, ")") || umcc_is(unit, before, "]") ||
            umcc_is(unit, before, ">")) {
            bool after_condition = umcc_is(unit, before, ")") && umcc_is(unit, open, "(");
            int start = after_condition ? -1 : part_start(unit, before);
            return start >= 0 ? start : open;
        }
        return umcc_is(unit, open, "(") ? open : -1;
    }
    return -1;
}

/* The start of the launched expression, which ends before the `<<<` at `i`. */
static int expression_start(const struct umcc_unit *unit, int i)
{
    int start = part_start(unit, i - 1);
    while (start > 0) {
        int before = start - 1;
        if (umcc_is(unit, before, "template"))
            before--;
        if (umcc_is(unit, before, ".") || umcc_is(unit, before, "->")) {
            int more = part_start(unit, before - 1);
            if (more < 0)
                return start;
            start = more;
        } else if (umcc_is(unit, before, "::")) {
            int more = umcc_is_name(unit, before - 1) || umcc_is(unit, before - 1, ">")
                           ? part_start(unit, before - 1)
                           : -1;
            if (more < 0)
                return before;
            start = more;
        } else {
            return start;
        }
    }
    return start;
}

static int count_arguments(const struct umcc_unit *unit, int first, int last)
{
    int commas = 0;
    for (int i = first; i <= last; i++) {
        if (unit->tokens[i].match > i)
            i = unit->tokens[i].match;
        else
            commas += umcc_is(unit, i, ",");
    }
    return first > last ? 0 : commas + 1;
}

static void rewrite_launch(struct umcc_unit *unit, int i)
{
    int close = find_close(unit, i);
    if (close < 0) {
        umcc_error(unit, i, "this <<< has no matching >>> followed by (arguments)");
        return;
    }
    int start = expression_start(unit, i);
    if (start < 0) {
        umcc_error(unit, i, "<<< must follow the name of a kernel");
        return;
    }
    if (count_arguments(unit, i + 3, close - 1) < 2) {
        umcc_error(unit, i, "a launch needs at least the grid's and the block's size: <<<grid, block>>>");
        return;
    }
    umcc_drop(unit, i, i + 2);
    umcc_drop(unit, close, close + 2);
    umcc_move(unit, i + 3, close - 1, start);
    umcc_insert_before(unit, i + 3, "(::umsim::push_call(");
    umcc_insert_before(unit, start, ") ? (void)0 : ");
    umcc_insert_after(unit, unit->tokens[close + 3].match, ")");
}

bool umcc_is_launch(const struct umcc_unit *unit, int i)
{
    return is_three(unit, i, "<") && !umcc_is(unit, i - 1, "operator");
}

void umcc_rewrite_launches(struct umcc_unit *unit)
{
    for (int i = 0; i < unit->count; i++)
        if (umcc_is_launch(unit, i)) {
            rewrite_launch(unit, i);
            i += 2;
        }
}
