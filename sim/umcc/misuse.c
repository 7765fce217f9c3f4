/**
 * @file misuse.c
 * @brief Refuses mistakes that nvcc refuses and that g++ would not notice.
 *
 * These are kernels that return a value or are class members, kernels that are called like functions, host
 * functions that device code calls, and texture references, which CUDA no longer has.
 *
 * The pass works on tokens, so it refuses only where there is no doubt: if anything else in the file has
 * the same name, the use is accepted.
 */
#include "declarator.h"

#include <string.h>

static bool same_word(const struct umcc_unit *unit, int a, int b)
{
    const struct umcc_token *x = &unit->tokens[a], *y = &unit->tokens[b];
    return x->length == y->length && x->text[0] == y->text[0] && memcmp(x->text, y->text, x->length) == 0;
}

static bool is_users_function(const struct umcc_unit *unit, const struct umcc_decl *d)
{
    return d->form == UMCC_FUNCTION && d->name >= 0 && !unit->tokens[d->first].system;
}

static bool is_kernel(const struct umcc_decl *d)
{
    return (d->marks & UMCC_GLOBAL) != 0;
}

static bool is_device_only(const struct umcc_decl *d)
{
    return is_kernel(d) || ((d->marks & UMCC_DEVICE) != 0 && (d->marks & UMCC_HOST) == 0);
}

/* What a kernel's result is declared as. A name may stand for void: the compiler is asked (stubs.c). */
static void check_result(struct umcc_unit *unit, const struct umcc_decl *d)
{
    bool other = false, is_deduced = false;
    for (int i = d->first; i < d->name_first; i++) {
        if (umcc_is(unit, i, "<") && umcc_skip_angles(unit, i) > i)
            i = umcc_skip_angles(unit, i) - 1;
        else if (umcc_is_identifier(unit, i) && umcc_is(unit, i + 1, "("))
            i = unit->tokens[i + 1].match; /* decltype, attributes */
        is_deduced |= umcc_is(unit, i, "auto");
        other |= umcc_is(unit, i, "*") || umcc_is(unit, i, "&") ||
                 (umcc_is_type_keyword(unit, i) && !umcc_is(unit, i, "void") && !umcc_is(unit, i, "auto") &&
                  !umcc_is(unit, i, "const") && !umcc_is(unit, i, "volatile"));
    }
    for (int i = d->close + 1; is_deduced && i < d->last; i++)
        is_deduced = !umcc_is(unit, i, "->");
    if (other)
        umcc_error(unit, d->name, "a __global__ function must have a void return type");
    else if (is_deduced)
        umcc_error(unit, d->name, "a __global__ function must not have a deduced return type");
}

static void check_parameters(struct umcc_unit *unit, const struct umcc_decl *d)
{
    struct umcc_parameter list[UMCC_PARAMETERS_MAX];
    const int count = umcc_read_parameters(unit, d, list, UMCC_PARAMETERS_MAX);
    for (int p = 0; p < count; p++)
        if (list[p].rvalue)
            umcc_error(unit, list[p].last,
                       "a __global__ function cannot have a parameter with rvalue reference type");
    if (umcc_is(unit, d->close - 1, "...") &&
        (umcc_is(unit, d->close - 2, ",") || umcc_is(unit, d->close - 2, "(")))
        umcc_error(unit, d->close - 1, "a __global__ function cannot have ellipsis");
    for (int i = d->close + 1; i < (d->body >= 0 ? d->body : d->last); i++)
        if (umcc_is(unit, i, "noexcept") || umcc_is(unit, i, "throw"))
            umcc_error(unit, i, "an exception specification is not allowed for a __global__ function");
        else if (unit->tokens[i].match > i)
            i = unit->tokens[i].match;
}

static void check_kernel(struct umcc_unit *unit, const struct umcc_decl *d)
{
    bool is_friend = false;
    for (int i = d->first; i < d->name_first; i++)
        is_friend |= umcc_is(unit, i, "friend");
    check_result(unit, d);
    check_parameters(unit, d);
    if (d->is_operator)
        umcc_error(unit, d->name, "an operator function cannot be a __global__ function");
    else if (d->in_class && !is_friend)
        umcc_error(unit, d->name, "a member function cannot be a kernel: launch one that takes the object");
    if ((d->marks & (UMCC_HOST | UMCC_DEVICE)) != 0)
        umcc_error(unit, d->name, "a __global__ function can be neither __host__ nor __device__");
    if (d->is_constexpr)
        umcc_error(unit, d->name, "a __global__ function cannot be constexpr");
}

/* Whether all declarations of this name are functions with the same marks. */
static bool all_alike(const struct umcc_unit *unit, const struct umcc_decl *d)
{
    for (const struct umcc_decl *other = unit->decls; other; other = other->next)
        if (other->name >= 0 && same_word(unit, other->name, d->name) &&
            (other->form != d->form || other->marks != d->marks || other->in_class || other->qualified))
            return false;
    return true;
}

/* Outside of function bodies there are no calls, and inside of one the name may be hidden. */
static bool is_called(const struct umcc_unit *unit, const struct umcc_decl *where, int i)
{
    int behind = i + 1;
    if (umcc_is(unit, behind, "<") && !umcc_is_launch(unit, behind))
        behind = umcc_skip_angles(unit, behind);
    return umcc_is(unit, behind, "(") && !umcc_is_name(unit, i - 1) && !umcc_is_type_keyword(unit, i - 1) &&
           umcc_is_use(unit, i) && !umcc_is_hidden(unit, where, i);
}

static void check_body(struct umcc_unit *unit, const struct umcc_decl *where,
                       const struct umcc_decl *function)
{
    const bool kernel = is_kernel(function);
    for (int i = where->body + 1; i < where->body_end; i++) {
        if (!same_word(unit, i, function->name) || !is_called(unit, where, i))
            continue;
        const char *name = umcc_spelling(unit, i);
        if (kernel)
            umcc_error(unit, i,
                       "a call of kernel \"%s\" needs its launch configuration: %s<<<grid, block>>>(...)",
                       name, name);
        else
            umcc_error(unit, i,
                       "calling the __host__ function \"%s\" from device code is not allowed: declare it "
                       "__host__ __device__",
                       name);
        return;
    }
}

/* A plain host function, defined here and identified by its name alone. */
static bool is_host_function(const struct umcc_decl *d)
{
    return d->body >= 0 && (d->marks & (UMCC_DEVICE | UMCC_GLOBAL)) == 0 && !d->in_class &&
           !d->in_namespace && !d->qualified && !d->templated && !d->is_constexpr && !d->is_operator;
}

/* CUDA has device functions of these names, and the program may overload them. */
static bool is_cudas_own(const struct umcc_unit *unit, int i)
{
    static const char *const names[] = {"min",   "max",  "abs",    "swap", "clamp",
                                        "rsqrt", "lerp", "assert", NULL};
    return umcc_is_any(unit, i, names);
}

/* Whether the program has its own template of this name. */
static bool is_declared(const struct umcc_unit *unit, int name)
{
    static const char *const heads[] = {"struct", "class", "union", "using", NULL};
    for (int i = 1; i < unit->count; i++)
        if (umcc_same_text(unit, i, name) && umcc_is_any(unit, i - 1, heads))
            return true;
    return false;
}

/* `texture<float, 2> image;` was part of CUDA until version 11. g++ would only say that there is no
 * `texture`. */
static void refuse_texture_references(struct umcc_unit *unit)
{
    static const char *const words[] = {"texture", "surface", NULL};
    static const char *const owners[] = {"::", ".", "->", "struct", "class", NULL};
    for (int i = 0; i < unit->count; i++) {
        if (!umcc_is_any(unit, i, words) || !umcc_is(unit, i + 1, "<") || unit->tokens[i].system ||
            umcc_is_any(unit, i - 1, owners))
            continue;
        const int behind = umcc_skip_angles(unit, i + 1);
        if (behind == i + 1 || !umcc_is_name(unit, behind) || is_declared(unit, i))
            continue;
        const char *word = umcc_spelling(unit, i);
        umcc_error(
            unit, i,
            "%s references are gone since CUDA 12: make a %s object (cudaCreate%sObject), and give it to "
            "the kernel as an argument",
            word, word, word[0] == 't' ? "Texture" : "Surface");
        return;
    }
}

void umcc_refuse_misuse(struct umcc_unit *unit)
{
    refuse_texture_references(unit);
    for (const struct umcc_decl *f = unit->decls; f; f = f->next) {
        if (!is_users_function(unit, f))
            continue;
        if (is_kernel(f))
            check_kernel(unit, f);
        const bool host = is_host_function(f) && !is_cudas_own(unit, f->name);
        if ((!is_kernel(f) && !host) || f->in_class || !all_alike(unit, f))
            continue;
        for (const struct umcc_decl *d = f->next; d; d = d->next)
            if (is_users_function(unit, d) && d->body >= 0 && !d->in_class &&
                (is_kernel(f) || is_device_only(d)))
                check_body(unit, d, f);
    }
}
