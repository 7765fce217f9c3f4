/**
 * @file lockstep.c
 * @brief Supports old code for warps: `s[t] += s[t + 32]; s[t] += s[t + 16];` on a volatile array, without
 * __syncwarp().
 *
 * Such code relies on all lanes making each step at the same time. CUDA has not promised that since Volta,
 * but many programs still rely on it. In the simulator, threads run one after another. So an assignment to
 * an element of a volatile array, such as `s[i] += value;`, becomes `s[i] += ::umsim::lockstep(value),
 * ::umsim_yield();`: all lanes have read before the first one writes, and all have written before the first
 * one continues. The first of several such statements begins with a yield as well: many programs have no
 * barrier between their last step in shared memory and the first warp's own steps. On a GPU the other warps
 * have mostly written by then, so they get their turn here (umcc --check=race tells of it).
 *
 * What is volatile is known by the declarations (volatiles.c), where the program gave the type a name, too:
 * parameters, variables, members, the file's __shared__ arrays, what `auto`, `decltype` and a template's
 * parameter make of these, and casts. A name that is volatile elsewhere only costs the kernel its loops over
 * threads, and changes no result.
 *
 * Volatile arrays among a kernel's own parameters, and the file's variables in global memory, are left alone:
 * they serve to communicate with the host or with another block.
 */
#include "umcc.h"

#include <string.h>

/** What of a function is volatile. */
struct volatiles {
    const struct umcc_decl *function;
    struct umcc_name *own; /* its parameters and variables */
};

/* Parameters whose type the caller chooses: `template <class P> void add(P s)`, called as `add(s)` with a
 * volatile s. */
static bool is_called_with_volatile(const struct umcc_unit *unit, const struct umcc_decl *d)
{
    for (int i = 0; i < unit->count; i++) {
        if (unit->tokens[i].system || i == d->name || !umcc_same_text(unit, i, d->name))
            continue;
        int j = i + 1;
        const int angles = umcc_is(unit, j, "<") ? umcc_skip_angles(unit, j) : j;
        const int last = umcc_is(unit, angles, "(") ? unit->tokens[angles].match : angles;
        for (; j < last; j++)
            if (umcc_is_volatile(unit, j) ||
                (umcc_is_name(unit, j) && umcc_is_listed(unit, j, unit->volatile_names)))
                return true;
    }
    return false;
}

static bool is_template_type(const struct umcc_unit *unit, const struct umcc_decl *d, int i)
{
    for (int j = d->template_open + 1; d->template_open >= 0 && j < d->template_close; j++)
        if (umcc_is_name(unit, i) && umcc_same_text(unit, i, j))
            return true;
    return umcc_is(unit, i, "auto");
}

static void add_template_parameters(struct umcc_unit *unit, const struct umcc_decl *d,
                                    struct volatiles *found)
{
    if ((!d->abbreviated && d->template_open < 0) || !is_called_with_volatile(unit, d))
        return;
    for (int i = d->open + 1; i < d->close; i++)
        if (is_template_type(unit, d, i))
            umcc_add_volatiles(unit, i, d->close, true, &found->own);
}

/* `auto s = static_cast<volatile int *>(p);` and `decltype(s) t = s;`: what mentions something volatile. */
static void add_deduced(struct umcc_unit *unit, int i, struct volatiles *found)
{
    int name = i + 1;
    bool is_volatile = false;
    if (umcc_is(unit, name, "("))
        name = unit->tokens[name].match + 1;
    while (name < found->function->body_end && !umcc_is_name(unit, name) && !umcc_is(unit, name, ";"))
        name++;
    for (int j = i; j < found->function->body_end && !umcc_is(unit, j, ";"); j++)
        is_volatile |= umcc_is_volatile(unit, j) ||
                       (j != name && umcc_is_name(unit, j) && umcc_is_listed(unit, j, found->own));
    if (is_volatile && umcc_is_name(unit, name))
        umcc_add_name(unit, name, &found->own);
}

static void find_names(struct umcc_unit *unit, const struct umcc_decl *d, struct volatiles *found)
{
    if ((d->marks & UMCC_GLOBAL) == 0) {
        for (int i = d->open + 1; i < d->close; i++)
            if (umcc_is_volatile(unit, i))
                umcc_add_volatiles(unit, i, d->close, true, &found->own);
        add_template_parameters(unit, d, found);
    }
    for (int i = d->body + 1; i < d->body_end; i++) {
        if (umcc_is_volatile(unit, i))
            umcc_add_volatiles(unit, i, d->body_end, false, &found->own);
        else if (umcc_is(unit, i, "auto") || umcc_is(unit, i, "decltype"))
            add_deduced(unit, i, found);
    }
}

/* @return whether the name at `i` may be that of a volatile array or pointer */
static bool is_volatile(const struct umcc_unit *unit, int i, const struct volatiles *found)
{
    if (!umcc_is_name(unit, i))
        return false;
    if (umcc_is(unit, i - 1, ".") || umcc_is(unit, i - 1, "->"))
        return umcc_is_listed(unit, i, unit->volatile_names);
    for (const struct umcc_name *n = found->own; n; n = n->next)
        if (n->token < i && umcc_same_text(unit, n->token, i))
            return true;
    return umcc_is_listed(unit, i, unit->volatile_names) && !umcc_is_hidden(unit, found->function, i);
}

/* @return whether tokens `first` to `last - 1`, a part of an assignment's left side in brackets, mention
 * something volatile */
static bool mentions_volatile(const struct umcc_unit *unit, int first, int last,
                              const struct volatiles *found)
{
    for (int i = first; i < last; i++)
        if (umcc_is_volatile(unit, i) || is_volatile(unit, i, found))
            return true;
    return false;
}

/* Finds the `=`, `+=` or similar operator of the statement that begins at `i`, if it assigns to an element:
 * `s[i] =`, `x.s[i] =`, `*s =`, `*(s + i) =`, `((volatile int *)s)[i] =`.
 * @return its token, or -1 where it is none, or nothing volatile is mentioned on its left side */
static int assignment_of(const struct umcc_unit *unit, int i, const struct volatiles *found)
{
    static const char *const starts[] = {";", "{", "}", ")", ":", "else", "do", NULL};
    static const char *const assigns[] = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", NULL};
    static const char *const casts[] = {"static_cast", "reinterpret_cast", "const_cast", NULL};
    static const char *const joins[] = {".", "->", "::", NULL};
    bool is_element = umcc_is(unit, i, "*"), is_wanted = false, was_name = false;
    if (!umcc_is_any(unit, i - 1, starts))
        return -1;
    for (int j = i + is_element; j < found->function->body_end; j++) {
        const int match = unit->tokens[j].match;
        if (umcc_is_any(unit, j, assigns))
            return is_element && is_wanted && !umcc_is(unit, j + 1, "{") ? j : -1;
        if (umcc_is(unit, j, "[") || umcc_is(unit, j, "(")) {
            is_element |= umcc_is(unit, j, "[");
            is_wanted |= umcc_is(unit, j, "(") && mentions_volatile(unit, j + 1, match, found);
            j = match;
        } else if (umcc_is_any(unit, j, casts) && umcc_is(unit, j + 1, "<")) {
            is_wanted |= mentions_volatile(unit, j + 1, umcc_skip_angles(unit, j + 1), found);
            j = umcc_skip_angles(unit, j + 1) - 1;
        } else if (umcc_is_name(unit, j) && !was_name) {
            is_wanted |= is_volatile(unit, j, found);
        } else if (!umcc_is_any(unit, j, joins) && !umcc_is(unit, j, "this")) {
            return -1;
        }
        was_name = umcc_is_name(unit, j);
    }
    return -1;
}

/* Divides the assignment that begins at `first` and whose operator is at `assign`.
 * @param goes_on the statement before it was divided, too
 * @return its `;`, or -1 when it is no statement of its own */
static int cut(struct umcc_unit *unit, int first, int assign, bool goes_on)
{
    int value_end = -1, j = assign + 1;
    for (; !umcc_is(unit, j, ";"); j++) {
        if (j >= unit->count || (unit->tokens[j].match >= 0 && unit->tokens[j].match < j))
            return -1;
        if (unit->tokens[j].match > j)
            j = unit->tokens[j].match;
        else if (umcc_is(unit, j, ",") && value_end < 0)
            value_end = j;
    }
    if (!goes_on)
        umcc_insert_before(unit, first, "::umsim_yield(), ");
    umcc_insert_after(unit, assign, " ::umsim::lockstep(");
    umcc_insert_before(unit, value_end < 0 ? j : value_end, ")");
    umcc_insert_before(unit, j, ", ::umsim_yield()");
    return j;
}

bool umcc_keep_lockstep(struct umcc_unit *unit, const struct umcc_decl *function)
{
    struct volatiles found = {.function = function};
    int end = -1; /* of the statement that was divided last */
    find_names(unit, function, &found);
    if (!found.own && !unit->volatile_names)
        return false;
    for (int i = function->body + 1; i < function->body_end; i++) {
        const int assign = assignment_of(unit, i, &found);
        const int cut_at = assign >= 0 ? cut(unit, i, assign, end == i - 1) : -1;
        end = cut_at >= 0 ? cut_at : end;
    }
    return end >= 0;
}
