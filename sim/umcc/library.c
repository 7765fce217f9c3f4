/**
 * @file library.c
 * @brief Functions of C's library that device code calls: the simulated GPU has its own (umsim_library.h), under
 * names that no host function has.
 *
 * A call is a name before a parenthesis, `std::` or `::` allowed before it, that this source does not declare itself.
 */
#include "umcc.h"

#include <string.h>

static const struct {
    const char *name, *instead;
    bool asks_who; /* its answer depends on the thread: threadIdx and kin have to be known */
} library[] = {
    {"printf", "::umsim_printf", true},
    {"__assert_fail", "::umsim_assert_fail", true},
    {"abort", "::umsim_trap", false},
};

static bool is_own(const struct umcc_unit *unit, const char *name)
{
    for (const struct umcc_decl *d = unit->decls; d != NULL; d = d->next)
        if (d->form == UMCC_FUNCTION && !unit->tokens[d->name].system && umcc_is(unit, d->name, name))
            return true;
    return false;
}

/* @return the index in `library` of what token `i` calls, or -1. */
static int called(const struct umcc_unit *unit, int i)
{
    if (!umcc_is_identifier(unit, i) || !umcc_is(unit, i + 1, "("))
        return -1;
    if (umcc_is(unit, i - 1, ".") || umcc_is(unit, i - 1, "->"))
        return -1;
    if (umcc_is(unit, i - 1, "::") && umcc_is_identifier(unit, i - 2) && !umcc_is(unit, i - 2, "std") &&
        !umcc_is(unit, i - 2, "return"))
        return -1;
    for (int f = 0; f < (int)(sizeof library / sizeof library[0]); f++)
        if (umcc_is(unit, i, library[f].name))
            return is_own(unit, library[f].name) ? -1 : f;
    return -1;
}

bool umcc_asks_who(const struct umcc_unit *unit, int i)
{
    const int f = called(unit, i);
    return f >= 0 && library[f].asks_who;
}

void umcc_use_library(struct umcc_unit *unit, int first, int last)
{
    for (int i = first; i < last; i++) {
        const int f = called(unit, i);
        if (f < 0)
            continue;
        const bool global = umcc_is(unit, i - 1, "::");
        if (global)
            umcc_drop(unit, umcc_is(unit, i - 2, "std") ? i - 2 : i - 1, i - 1);
        umcc_replace(unit, i, library[f].instead);
    }
}
