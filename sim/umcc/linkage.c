/**
 * @file linkage.c
 * @brief Without -rdc=true, gives each source file its own device variables: another file may have others
 * of the same names.
 *
 * So several files can include a header that defines a `__constant__` table, as courses do. nvcc makes such
 * variables `static`, and so does this pass. Functions keep the linkage that C++ gives them, as with nvcc.
 */
#include "umcc.h"

#include <string.h>

static bool is_placed(const struct umcc_unit *unit, const struct umcc_decl *d)
{
    const unsigned device = UMCC_DEVICE | UMCC_CONSTANT | UMCC_MANAGED;
    return d->form == UMCC_VARIABLE && (d->marks & device) != 0 && (d->marks & UMCC_SHARED) == 0 &&
           d->name >= 0 && !unit->tokens[d->first].system;
}

/* Members and specializations cannot be static. What is static already needs no change, and constants are
 * static anyway. */
static bool can_be_static(const struct umcc_unit *unit, const struct umcc_decl *d)
{
    for (int i = d->first; i < d->name; i++)
        if (umcc_is(unit, i, "static") || umcc_is(unit, i, "typedef"))
            return false;
    return !d->in_class && !d->qualified && !d->is_extern && !d->is_const && !d->is_constexpr &&
           d->template_open < 0;
}

static bool same_name(const struct umcc_unit *unit, const struct umcc_decl *a, const struct umcc_decl *b)
{
    const struct umcc_token *x = &unit->tokens[a->name], *y = &unit->tokens[b->name];
    return x->length == y->length && memcmp(x->text, y->text, x->length) == 0;
}

/* `extern __constant__ int table[];` and its definition have to agree. */
static bool is_declared_extern(const struct umcc_unit *unit, const struct umcc_decl *d)
{
    for (const struct umcc_decl *other = unit->decls; other; other = other->next)
        if (other->is_extern && is_placed(unit, other) && same_name(unit, d, other))
            return true;
    return false;
}

void umcc_make_static(struct umcc_unit *unit)
{
    for (const struct umcc_decl *d = unit->decls; d; d = d->next)
        if (is_placed(unit, d) && can_be_static(unit, d) && !is_declared_extern(unit, d))
            umcc_insert_before(unit, umcc_behind_attributes(unit, d->first),
                               "static __attribute__((unused)) ");
}
