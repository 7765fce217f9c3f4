/**
 * @file arch_constants.c
 * @brief Constants that have another value where `__CUDA_ARCH__` is defined.
 *
 * The device's are put into a namespace, and the bodies of device functions begin with a using-declaration
 * of those that they mention. That is right where nothing else can have the name or depend on the value: so
 * it is done for constants of the global namespace which are mentioned in functions' bodies only, without a
 * `::` before them. A class's member, a parameter, or another constant made of it is a mention elsewhere.
 */
#include "arch.h"

#include <string.h>

static bool is_constant(const struct umcc_decl *d)
{
    return d->form == UMCC_VARIABLE && d->marks == 0 && (d->is_const || d->is_constexpr) &&
           d->has_initializer && !d->in_class && !d->in_namespace && !d->qualified && !d->templated &&
           !d->is_extern;
}

/* The constants' names if the tokens from `first` to before `end` are nothing but constants. */
static struct umcc_name *constants_of(struct umcc_unit *unit, int first, int end)
{
    struct umcc_name *names = NULL;
    int covered = first;
    for (const struct umcc_decl *d = unit->decls; d; d = d->next) {
        if (d->first != covered || d->last >= end)
            continue;
        if (!is_constant(d))
            return NULL;
        for (const struct umcc_name *name = d->names; name; name = name->next) {
            struct umcc_name *copy = umcc_alloc(&unit->arena, sizeof *copy);
            *copy = (struct umcc_name){.token = name->token, .next = names};
            names = copy;
        }
        covered = d->last + 1;
    }
    return covered == end ? names : NULL;
}

static bool is_same_text(const struct umcc_unit *a, int i, const struct umcc_unit *b, int j)
{
    return a->tokens[i].length == b->tokens[j].length &&
           memcmp(a->tokens[i].text, b->tokens[j].text, a->tokens[i].length) == 0;
}

static bool is_among(const struct umcc_unit *unit, const struct umcc_name *names,
                     const struct umcc_unit *other, int i)
{
    for (; names; names = names->next)
        if (is_same_text(unit, names->token, other, i))
            return true;
    return false;
}

static bool are_same_names(const struct umcc_merge *m, const struct umcc_name *host,
                           const struct umcc_name *device)
{
    for (; host && device; host = host->next, device = device->next)
        if (!is_same_text(m->host, host->token, m->device, device->token))
            return false;
    return !host && !device;
}

/* A system's header means something of its own by the name. */
static bool is_mentioned(const struct umcc_unit *names_of, const struct umcc_name *names,
                         const struct umcc_unit *unit, int first, int end)
{
    for (int i = first; i < end; i++)
        if (!unit->tokens[i].system && is_among(names_of, names, unit, i))
            return true;
    return false;
}

/* A marked lambda or member in a host function's body is not looked into. */
static bool is_plain_body(const struct umcc_unit *unit, const struct umcc_decl *d)
{
    for (int i = d->body; i < d->body_end; i++)
        if (umcc_mark_of(unit, i) == UMCC_DEVICE)
            return false;
    return true;
}

/* Whether functions' bodies mention them, and nothing else but their declarations at [first, end). */
static bool are_for_bodies(const struct umcc_unit *unit, const struct umcc_name *names, int first, int end)
{
    int i = 0;
    for (const struct umcc_decl *d = unit->decls; d; d = d->next) {
        if (d->form != UMCC_FUNCTION || d->body < i)
            continue;
        if (is_mentioned(unit, names, unit, i, i < first && d->body > first ? first : d->body) ||
            (i < end && d->body > end && is_mentioned(unit, names, unit, end, d->body)))
            return false;
        for (int j = d->body; j < d->body_end; j++)
            if (is_among(unit, names, unit, j) && (umcc_is(unit, j - 1, "::") || !is_plain_body(unit, d)))
                return false;
        i = d->body_end;
    }
    return !is_mentioned(unit, names, unit, i > end ? i : end, unit->count);
}

bool umcc_are_constants(struct umcc_merge *m, int first, int end, int device_first, int device_end)
{
    if (!m->device_is_parsed)
        umcc_parse(m->device);
    m->device_is_parsed = true;
    struct umcc_name *names = constants_of(m->host, first, end);
    const struct umcc_name *others = constants_of(m->device, device_first, device_end);
    if (!names || !are_same_names(m, names, others) || !are_for_bodies(m->host, names, first, end) ||
        !are_for_bodies(m->device, others, device_first, device_end))
        return false;
    for (const struct umcc_decl *d = m->host->decls; d; d = d->next) {
        if (d->form != UMCC_FUNCTION || d->body < 0 || (d->marks & (UMCC_DEVICE | UMCC_GLOBAL)) == 0 ||
            m->taken[d->body] != UMCC_AS_IT_IS || m->twin[d->body] < 0 ||
            !is_mentioned(m->host, names, m->host, d->body, d->body_end))
            continue;
        const bool both = (d->marks & UMCC_HOST) != 0 && (d->marks & UMCC_GLOBAL) == 0;
        m->taken[d->body] = both ? UMCC_FROM_BOTH : UMCC_FROM_DEVICE;
    }
    struct umcc_name *last = names;
    while (last->next)
        last = last->next;
    last->next = m->constants;
    m->constants = names;
    return true;
}

void umcc_name_constants(struct umcc_merge *m, int device_open)
{
    const int end = m->device->tokens[device_open].match;
    for (const struct umcc_name *name = m->constants; name; name = name->next)
        for (int i = device_open; i < end; i++)
            if (is_same_text(m->host, name->token, m->device, i)) {
                umcc_text_printf(m->out, " using ::" UMCC_ARCH_CONSTANTS "::%s;",
                                 umcc_spelling(m->host, name->token));
                break;
            }
}
