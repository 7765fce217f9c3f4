/**
 * @file launch.c
 * @brief Turns launches into calls.
 *
 * `kernel<<<grid, block, shared, stream>>>(arguments)` becomes
 *
 *     (::umsim::launching(grid, block, shared, stream).refused() ? (void)0 : (void)kernel(arguments))
 *
 * What is launched has to be a kernel. A name that no kernel of this file has may be a variable: the compiler
 * is asked, because a function's name has a function's type and a pointer has not. What a pointer leads to is
 * known only when the program runs: umsim_launched() tells that no stub has taken the launch.
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

/* ---- what is launched ---- */

/* Strips the parentheses of `((k))`, and finds the last name of `::a::k<T>`. @return -1 if it is something
 * else */
static int launched_name(const struct umcc_unit *unit, int *first, int *last)
{
    while (umcc_is(unit, *first, "(") && unit->tokens[*first].match == *last)
        ++*first, --*last;
    int name = -1;
    for (int i = *first + umcc_is(unit, *first, "::"); i <= *last; i++) {
        i += umcc_is(unit, i, "template");
        if (!umcc_is_name(unit, i))
            return -1;
        name = i++;
        if (umcc_is(unit, i, "<") && umcc_skip_angles(unit, i) > i)
            i = umcc_skip_angles(unit, i);
        if (i <= *last && !umcc_is(unit, i, "::"))
            return -1;
    }
    return name;
}

static bool declares(const struct umcc_unit *unit, const struct umcc_decl *d, int name)
{
    if (d->form == UMCC_FUNCTION)
        return d->name >= 0 && umcc_same_text(unit, d->name, name);
    for (const struct umcc_name *n = d->names; n; n = n->next)
        if (umcc_same_text(unit, n->token, name))
            return true;
    return false;
}

/* Whether the name at `i` can be nothing but a function of this file that is no kernel. */
static bool is_host_function(const struct umcc_unit *unit, int i)
{
    bool function = false;
    for (const struct umcc_decl *d = unit->decls; d; d = d->next) {
        function |= declares(unit, d, i) && d->form == UMCC_FUNCTION;
        const bool around = d->form == UMCC_FUNCTION && d->body >= 0 && d->body < i && i < d->body_end;
        if ((d->form == UMCC_VARIABLE && declares(unit, d, i)) || (around && umcc_is_hidden(unit, d, i)))
            return false;
    }
    return function;
}

/* Checks that tokens `first` to `last` name a kernel, as far as that can be known now. @return what has to be
 * asked of the compiler */
static const char *check_launched(struct umcc_unit *unit, int first, int last)
{
    const int name = launched_name(unit, &first, &last);
    if (name < 0)
        return "";
    for (const struct umcc_decl *d = unit->decls; d; d = d->next)
        if ((d->marks & UMCC_GLOBAL) != 0 && declares(unit, d, name))
            return "";
    if (is_host_function(unit, name))
        umcc_error(unit, name, "a host function call cannot be configured: \"%s\" is no kernel (__global__)",
                   umcc_spelling(unit, name));
    return umcc_format(
        &unit->arena,
        "[] { static_assert(::umsim::may_be_kernel<decltype(%s)>::value, \"a host function call cannot "
        "be configured: \\\"%s\\\" is neither a kernel (__global__) nor a pointer to one\"); }(), ",
        umcc_join(unit, first, last), umcc_spelling(unit, name));
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
    const char *check = check_launched(unit, start, i - 1);
    umcc_insert_before(unit, i + 3, umcc_format(&unit->arena, "((%s::umsim::launching(", check));
    umcc_insert_before(unit, start, ")).refused() ? (void)0 : (void)");
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
