/**
 * @file volatiles.c
 * @brief Finds what a program declares as volatile, also through names that it gave to volatile types.
 *
 *     typedef volatile int vi;             vi *s;
 *     using shared = volatile T *;         shared s = tile;
 *     struct lanes { volatile int *s; };
 *
 * Names are noted wherever they are declared: who asks (spin.c, lockstep.c) has to do what is right for a
 * name that is volatile in another place only.
 */
#include "umcc.h"

#include <string.h>

void umcc_add_name(struct umcc_unit *unit, int token, struct umcc_name **list)
{
    struct umcc_name *name = umcc_alloc(&unit->arena, sizeof *name);
    *name = (struct umcc_name){.token = token, .next = *list};
    *list = name;
}

bool umcc_is_listed(const struct umcc_unit *unit, int i, const struct umcc_name *list)
{
    for (; list; list = list->next)
        if (umcc_same_text(unit, list->token, i))
            return true;
    return false;
}

bool umcc_is_volatile(const struct umcc_unit *unit, int i)
{
    return umcc_is(unit, i, "volatile") ||
           (umcc_is_identifier(unit, i) && umcc_is_listed(unit, i, unit->volatile_types));
}

int umcc_declaration_start(const struct umcc_unit *unit, int i)
{
    static const char *const ends[] = {";", "{", "}", "(", ")", ",", NULL};
    while (i > 0 && !umcc_is_any(unit, i - 1, ends))
        i--;
    return i;
}

/* The `;` of the declaration that begins at `i`. */
static int declaration_end(const struct umcc_unit *unit, int i)
{
    while (i < unit->count && !umcc_is(unit, i, ";"))
        i = unit->tokens[i].match > i ? unit->tokens[i].match + 1 : i + 1;
    return i;
}

/* Adds the names of `typedef volatile int T, *P;`, which lie before `last`. */
static void add_typedef(struct umcc_unit *unit, int first, int last)
{
    for (int j = last; j > first; j--) {
        if (j != last && !umcc_is(unit, j, ","))
            continue;
        int name = j - 1;
        while (umcc_is(unit, name, "]"))
            name = unit->tokens[name].match - 1;
        if (umcc_is_name(unit, name))
            umcc_add_name(unit, name, &unit->volatile_types);
    }
}

/* Notes each `typedef volatile int T;` and `using T = volatile int;` of the program, and those made of them.
 */
static void find_types(struct umcc_unit *unit)
{
    for (int i = 0; i < unit->count; i++) {
        const bool alias = umcc_is(unit, i, "using") && umcc_is(unit, i + 2, "=");
        if (unit->tokens[i].system || (!alias && !umcc_is(unit, i, "typedef")))
            continue;
        const int last = declaration_end(unit, i);
        int j = i + (alias ? 3 : 1);
        while (j < last && !umcc_is_volatile(unit, j))
            j++;
        if (j < last && alias)
            umcc_add_name(unit, i + 1, &unit->volatile_types);
        else if (j < last)
            add_typedef(unit, i, last);
        i = last;
    }
}

/* @return the comma behind `i` that another declarator follows, or `last` */
static int next_declarator(const struct umcc_unit *unit, int i, int last)
{
    for (; i < last && !umcc_is(unit, i, ";"); i++) {
        if (umcc_is(unit, i, ",") || umcc_is(unit, i, ")"))
            return umcc_is(unit, i, ",") ? i : last;
        if (unit->tokens[i].match > i)
            i = unit->tokens[i].match;
    }
    return last;
}

void umcc_add_volatiles(struct umcc_unit *unit, int i, int last, bool is_parameter, struct umcc_name **list)
{
    static const char *const ends[] = {"[", "=", ";", ",", "{", NULL};
    const bool alias = !umcc_is(unit, i, "volatile"); /* it may be that of a pointer */
    bool is_pointer = alias;
    int name = -1;
    for (int j = i + 1; j < last; j++) {
        if (umcc_is_any(unit, j, ends)) {
            if (name >= 0 && (is_pointer || umcc_is(unit, j, "[")))
                umcc_add_name(unit, name, list);
            if (is_parameter || umcc_is(unit, j, ";"))
                return;
            j = next_declarator(unit, j, last);
            is_pointer = alias;
            name = -1;
            continue;
        }
        if (umcc_is(unit, j, "(") || umcc_is(unit, j, ")"))
            return;
        if (umcc_is(unit, j, "<") && umcc_skip_angles(unit, j) > j)
            j = umcc_skip_angles(unit, j) - 1;
        is_pointer |= umcc_is(unit, j, "*");
        if (umcc_is_name(unit, j))
            name = j;
    }
    if (is_parameter && is_pointer && name >= 0)
        umcc_add_name(unit, name, list);
}

void umcc_find_volatiles(struct umcc_unit *unit)
{
    find_types(unit);
    for (int i = 0; i < unit->count; i++) {
        if (unit->tokens[i].system || !umcc_is_volatile(unit, i))
            continue;
        const int first = umcc_declaration_start(unit, i);
        unsigned marks = 0;
        for (int j = first; j < i; j++)
            marks |= umcc_mark_of(unit, j);
        /* Global memory: it serves to communicate with other blocks and the host. */
        if ((marks & (UMCC_DEVICE | UMCC_MANAGED | UMCC_CONSTANT)) == 0 && !umcc_is(unit, first, "typedef") &&
            !umcc_is(unit, first, "using"))
            umcc_add_volatiles(unit, i, unit->count, false, &unit->volatile_names);
    }
}
