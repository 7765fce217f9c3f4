/**
 * @file marks.c
 * @brief Marks that a definition takes over from its declaration, and `__global__` that marks no kernel.
 *
 * As with nvcc, an explicit specialisation has its template's marks, and a function that one declaration
 * marks
 * `__device__` and another does not is `__host__ __device__`. Every `__global__` has to belong to a
 * declaration that parse.c understood: otherwise its function would be compiled for the host, and a launch
 * would run it there.
 */
#include "declarator.h"

#include <string.h>

static bool same_name(const struct umcc_unit *unit, const struct umcc_decl *a, const struct umcc_decl *b)
{
    return a->is_operator == b->is_operator && umcc_same_text(unit, a->name, b->name);
}

/* The namespaces and classes around the function, those that its name spells included. */
static const char *full_scope(struct umcc_unit *unit, const struct umcc_decl *d)
{
    const char *scope = d->scope;
    int last = d->name_first; /* the last name of the qualification */
    if (!d->qualified)
        return scope;
    for (int i = d->name_first; i < d->name_last; i++) {
        if (umcc_is(unit, i, "<") && umcc_skip_angles(unit, i) > i)
            i = umcc_skip_angles(unit, i);
        if (umcc_is(unit, i, "::") && umcc_is_name(unit, last) && last != d->name)
            scope = umcc_format(&unit->arena, "%s::%s", scope, umcc_spelling(unit, last));
        if (umcc_is_name(unit, i))
            last = i;
    }
    return scope;
}

/* The parameters' types as one text, without names and defaults; NULL where a parameter has an unknown form.
 */
static const char *types_of(struct umcc_unit *unit, const struct umcc_decl *d)
{
    struct umcc_parameter list[UMCC_PARAMETERS_MAX];
    const int count = umcc_read_parameters(unit, d, list, UMCC_PARAMETERS_MAX);
    const char *text = count < 0 ? NULL : "";
    for (int p = 0; p < count; p++)
        for (int i = list[p].first; i <= list[p].last + 1; i++)
            if (i > list[p].last)
                text = umcc_format(&unit->arena, "%s,", text);
            else if (i != list[p].name && umcc_mark_of(unit, i) == 0)
                text = umcc_format(&unit->arena, "%s %s", text, umcc_spelling(unit, i));
    return text;
}

static bool same_function(struct umcc_unit *unit, const struct umcc_decl *a, const struct umcc_decl *b)
{
    if (!same_name(unit, a, b) || a->templated != b->templated || a->template_open >= 0 ||
        b->template_open >= 0 || strcmp(full_scope(unit, a), full_scope(unit, b)) != 0)
        return false;
    const char *x = types_of(unit, a), *y = types_of(unit, b);
    return x && y && strcmp(x, y) == 0;
}

static bool is_users_function(const struct umcc_unit *unit, const struct umcc_decl *d)
{
    return d->form == UMCC_FUNCTION && d->name >= 0 && !unit->tokens[d->first].system;
}

/* ---- explicit specialisations ---- */

static bool is_specialisation(const struct umcc_decl *d)
{
    return d->template_open >= 0 && d->template_close == d->template_open + 1;
}

/* All templates of the name, if they have the same marks; or what is safe. */
static void inherit(struct umcc_unit *unit, struct umcc_decl *d)
{
    unsigned all = 0;
    bool any = false, differ = false;
    for (const struct umcc_decl *e = unit->decls; e; e = e->next) {
        if (e == d || e->form != UMCC_FUNCTION || is_specialisation(e) || !e->templated ||
            !same_name(unit, e, d))
            continue;
        differ |= any && e->marks != all;
        all |= e->marks;
        any = true;
    }
    if (differ && (all & UMCC_GLOBAL) != 0)
        umcc_error(
            unit, d->name,
            "some templates of this name are kernels, others are not: say whether this specialisation is "
            "a kernel (__global__ or __host__)");
    d->marks = differ ? all | UMCC_HOST : all;
}

/* ---- declarations that differ in their marks ---- */

static void compare(struct umcc_unit *unit, struct umcc_decl *before, struct umcc_decl *d)
{
    const bool device = (before->marks & UMCC_DEVICE) != 0, device_too = (d->marks & UMCC_DEVICE) != 0;
    const bool kernel = (before->marks & UMCC_GLOBAL) != 0, kernel_too = (d->marks & UMCC_GLOBAL) != 0;
    const bool host = (before->marks & UMCC_HOST) != 0, host_too = (d->marks & UMCC_HOST) != 0;
    if ((kernel == kernel_too && device == device_too) || !same_function(unit, before, d))
        return;
    const char *name = umcc_spelling(unit, d->name);
    if (kernel && !kernel_too)
        umcc_error(unit, d->name, "a __global__ function(\"%s\") redeclared without __global__", name);
    else if (kernel_too && !kernel)
        umcc_error(unit, d->name, "a __host__ function(\"%s\") redeclared with __global__", name);
    else if (!(device ? host_too : host)) {
        if (!host && !host_too)
            umcc_warning(
                unit, d->name,
                "a %s function(\"%s\") redeclared %s __device__, hence treated as a __host__ __device__ "
                "function",
                device ? "__device__" : "__host__", name, device ? "without" : "with");
        before->marks |= UMCC_HOST | UMCC_DEVICE;
        d->marks |= UMCC_HOST | UMCC_DEVICE;
    }
}

/* ---- `__global__` that marks no function ---- */

/* The first token of the statement that token `i` is in. */
static int statement_start(const struct umcc_unit *unit, int i)
{
    while (i > 0 && !umcc_is(unit, i - 1, ";") && !umcc_is(unit, i - 1, "{") && !umcc_is(unit, i - 1, "}"))
        i = umcc_is(unit, i - 1, ")") || umcc_is(unit, i - 1, "]") ? unit->tokens[i - 1].match : i - 1;
    return i;
}

static bool is_in_body(const struct umcc_unit *unit, int i)
{
    for (const struct umcc_decl *d = unit->decls; d; d = d->next)
        if (d->form == UMCC_FUNCTION && d->body >= 0 && d->body < i && i < d->body_end)
            return true;
    return false;
}

/* A kernel's declaration in a function's body is one like any other. */
static void check_owned(struct umcc_unit *unit)
{
    for (int i = 0; i < unit->count; i++) {
        if (umcc_mark_of(unit, i) != UMCC_GLOBAL || unit->tokens[i].owned)
            continue;
        if (is_in_body(unit, i))
            umcc_parse_local(unit, statement_start(unit, i));
        if (!unit->tokens[i].owned)
            umcc_error(
                unit, i,
                "this __global__ belongs to no function's declaration that umcc understands: a kernel is "
                "a function outside of classes and other functions, __global__ void k(parameters) { ... }");
    }
}

void umcc_settle_marks(struct umcc_unit *unit)
{
    check_owned(unit);
    for (struct umcc_decl *d = unit->decls; d; d = d->next)
        if (is_users_function(unit, d) && d->marks == 0 && is_specialisation(d))
            inherit(unit, d);
    for (struct umcc_decl *d = unit->decls; d; d = d->next)
        for (struct umcc_decl *before = unit->decls; is_users_function(unit, d) && before != d;
             before = before->next)
            if (is_users_function(unit, before) && same_name(unit, before, d))
                compare(unit, before, d);
}
