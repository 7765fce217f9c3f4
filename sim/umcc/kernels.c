/**
 * @file kernels.c
 * @brief Turns __global__ functions into stubs that capture and launch their bodies.
 *
 * The stub is `void k(parameters) { auto um_body = [=](indices) { BODY };`, a call that launches um_body,
 * and `}`.
 *
 * The lambda captures the parameters by value, so umcc does not parse them, and overloads and templates
 * keep working. umcc only looks for parameters that are references.
 *
 * The code that registers the stub with cudaLaunchKernel() follows the definition. All inserted code is
 * placed on the lines of the braces.
 */
#include "umcc.h"

/* Accepts only `__cluster_dims__(1, 1, 1)`: all blocks have their __shared__ memory at the same address. */
static void check_clusters(struct umcc_unit *unit, int i)
{
    for (int j = i + 2; j < unit->tokens[i + 1].match; j++)
        if (!umcc_is(unit, j, ",") && !umcc_is(unit, j, "1")) {
            umcc_error(unit, i,
                       "clusters of more than one block are not provided (%s): let the blocks work through "
                       "global memory, or compile with __cluster_dims__(1, 1, 1)",
                       umcc_join(unit, i, unit->tokens[i + 1].match));
            return;
        }
}

/* Drops `__launch_bounds__(256)` and the like, which are hints for a compiler for real GPUs. */
static void drop_words(struct umcc_unit *unit)
{
    static const char *const with_arguments[] = {"__launch_bounds__", "__maxnreg__", "__block_size__", NULL};
    for (int i = 0; i < unit->count; i++) {
        if (!umcc_is_identifier(unit, i) || unit->tokens[i].text[0] != '_')
            continue;
        if (umcc_mark_of(unit, i) != 0)
            umcc_drop(unit, i, i);
        else if (umcc_is(unit, i, "__cluster_dims__") && umcc_is(unit, i + 1, "(")) {
            check_clusters(unit, i);
            umcc_drop(unit, i, unit->tokens[i + 1].match);
        } else if (umcc_is_any(unit, i, with_arguments) && umcc_is(unit, i + 1, "("))
            umcc_drop(unit, i, unit->tokens[i + 1].match);
        else if (umcc_is(unit, i, "__noinline__") && !umcc_is(unit, i - 1, "(") && !umcc_is(unit, i - 1, ","))
            umcc_replace(unit, i, "__attribute__((noinline))");
    }
}

/* Gives `, &a, &b`: the parameters that are references. They pass an address, as on a GPU. */
static const char *reference_captures(struct umcc_unit *unit, const struct umcc_decl *d)
{
    const char *captures = "";
    bool is_default = false;
    for (int i = d->open + 1; i < d->close; i++) {
        is_default = umcc_is(unit, i, "=") || (is_default && !umcc_is(unit, i, ","));
        if (unit->tokens[i].match > i)
            i = unit->tokens[i].match;
        else if (!is_default && umcc_is(unit, i, "&") && umcc_is_identifier(unit, i + 1) &&
                 (umcc_is(unit, i + 2, ",") || umcc_is(unit, i + 2, "=") || i + 2 == d->close))
            captures = umcc_format(&unit->arena, "%s, %s", captures, umcc_join(unit, i, i + 1));
    }
    return captures;
}

/* A kernel without barriers whose functions do not use indices. */
static const char *form_of_rows(struct umcc_unit *unit, const struct umcc_decl *d)
{
    const bool numbered = umcc_is_numbered(unit, d);
    if (umcc_mark_guard(unit, d))
        return numbered ? "guarded_numbered_blocks" : "guarded_blocks";
    return numbered ? "numbered_blocks" : "blocks";
}

static void make_stub(struct umcc_unit *unit, const struct umcc_decl *d, const char *name)
{
    /* ... in ways that the kernel's own text does not show */
    const bool hidden = unit->pointer_has_barrier || (unit->lambda_has_barrier && d->templated);
    bool has_barrier = d->has_barrier || hidden || unit->checked;
    bool builtins = d->uses_builtins || unit->pointer_builtins || (unit->lambda_builtins && d->templated);
    const char *strides = has_barrier || builtins || unit->plain ? NULL : umcc_mark_loop(unit, d);
    const bool cut =
        has_barrier && !hidden && !unit->checked && !unit->plain && umcc_mark_fission(unit, d, builtins);
    const char *form = cut           ? "fission"
                       : has_barrier ? "threads"
                       : unit->plain ? "plain_blocks"
                       : strides     ? strides
                       : builtins    ? "blocks"
                                     : form_of_rows(unit, d);
    const char *indices =
        d->own_builtins ? "::uint3, ::uint3, ::dim3, ::dim3, ::umsim::guard"
                        : "__attribute__((unused)) const ::uint3 threadIdx, __attribute__((unused)) const "
                          "::uint3 blockIdx, __attribute__((unused)) const ::dim3 blockDim, "
                          "__attribute__((unused)) const ::dim3 gridDim, "
                          "__attribute__((unused)) const ";
    const char *how = strides ? "::umsim::pass um_pass" : d->own_builtins ? "" : "::umsim::guard um_guard";
    umcc_insert_after(
        unit, d->body,
        umcc_format(&unit->arena,
                    " auto um_body = [=%s](%s%s) mutable __attribute__((always_inline)) -> void {",
                    reference_captures(unit, d), indices, how));
    umcc_insert_before(
        unit, d->body_end,
        umcc_format(&unit->arena,
                    "}; struct um_name { static constexpr const char *text() { return \"%s\"; } }; "
                    "static_assert(sizeof um_body <= ::umsim::closure_max, "
                    "\"the kernel's parameters take more than 4096 bytes\"); "
                    "::umsim::launch<::umsim::%s, %s, um_name>(um_body); ",
                    name, form, builtins ? "true" : "false"));
}

/* Gives the stub the type of a function declared with the same parameters, so that overloads are
 * distinguished. */
static void register_stub(struct umcc_unit *unit, const struct umcc_decl *d, const char *name)
{
    int n = unit->serial++;
    const char *parameters = umcc_join(unit, d->open, d->close);
    const char *spelled = umcc_join(unit, d->name_first, d->name_last);
    umcc_insert_after(
        unit, d->body_end,
        umcc_format(
            &unit->arena,
            " namespace um_registry_%d { __attribute__((unused)) void um_signature_%d%s; static const "
            "::umsim::registrar um_registrar_%d(static_cast<decltype(&um_signature_%d)>(&%s), "
            "\"%s\"); }",
            n, n, parameters, n, n, spelled, name));
}

/* Gives `T, N, Rest...`: the arguments that name the template from inside. @return NULL if a parameter has no
 * name */
static char *template_arguments(struct umcc_unit *unit, const struct umcc_decl *d)
{
    char *arguments = NULL;
    for (int i = d->template_open + 1; i <= d->template_close;) {
        int name = -1;
        bool value = false, pack = false;
        for (; i < d->template_close && !umcc_is(unit, i, ","); i++) {
            value |= umcc_is(unit, i, "=");
            pack |= !value && umcc_is(unit, i, "...");
            if (umcc_is(unit, i, "<") && umcc_skip_angles(unit, i) > i)
                i = umcc_skip_angles(unit, i) - 1;
            else if (unit->tokens[i].match > i)
                i = unit->tokens[i].match;
            else if (!value)
                name = i;
        }
        const bool named = umcc_is_name(unit, name) && name > d->template_open + 1 &&
                           (umcc_is_identifier(unit, name - 1) || umcc_is(unit, name - 1, "...") ||
                            umcc_is(unit, name - 1, "*") || umcc_is(unit, name - 1, ">"));
        if (!named)
            return NULL;
        arguments = umcc_format(&unit->arena, "%s%s%s%s", !arguments ? "" : arguments, !arguments ? "" : ", ",
                                umcc_spelling(unit, name), pack ? "..." : "");
        i++;
    }
    return arguments;
}

/* A template's stubs are known only once they are instantiated: the body of each uses an object that
 * registers it. */
static void register_template(struct umcc_unit *unit, const struct umcc_decl *d)
{
    const bool plain = d->name == d->name_last && !d->in_class && d->template_open >= 0;
    const char *arguments = plain ? template_arguments(unit, d) : NULL;
    if (!arguments)
        return;
    umcc_insert_before(
        unit, d->body_end,
        umcc_format(&unit->arena,
                    "void um_signature%s; "
                    "(void)&::umsim::registered<decltype(&um_signature), &%s<%s>, um_name>::here; ",
                    umcc_join(unit, d->open, d->close), umcc_join(unit, d->name_first, d->name_last),
                    arguments));
}

void umcc_rewrite_kernels(struct umcc_unit *unit)
{
    drop_words(unit);
    for (const struct umcc_decl *d = unit->decls; d; d = d->next) {
        if (d->form != UMCC_FUNCTION || (d->marks & UMCC_GLOBAL) == 0 || d->body < 0)
            continue;
        const char *name = umcc_spelling(unit, d->name);
        make_stub(unit, d, name);
        if (d->templated)
            register_template(unit, d);
        else if (!d->in_class)
            register_stub(unit, d, name);
    }
}
