/**
 * @file kernels.c
 * @brief Turns __global__ functions into stubs that capture and launch their bodies.
 *
 * The stub is `void k(parameters) { auto um_body = [=](indices) { BODY };`, a call that launches um_body,
 * and `}`.
 *
 * The lambda captures the parameters by value, so umcc does not parse them, and overloads and templates
 * keep working. stubs.c has what stands around it.
 *
 * The lambda's body has braces of its own around BODY, because there a program may declare what has the
 * name of a parameter of the lambda (`threadIdx`). All inserted code is placed on the lines of the braces.
 */
#include "prefix.h"
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

static bool is_declared(const struct umcc_unit *unit, const struct umcc_decl *d, const char *name)
{
    for (int i = d->open; i < d->close; i++)
        if (umcc_is(unit, i, name))
            return true;
    return false;
}

/* @return the declarator of one of the four variables: none where a parameter of the kernel's has its name */
static const char *unless_declared(const struct umcc_unit *unit, const struct umcc_decl *d, const char *name)
{
    return is_declared(unit, d, name) ? "" : name;
}

/* Whether a kernel may have given one of the four names to something of its own: it has it for a parameter,
 * or mentions it as something else than `threadIdx.x`. Its text then says nothing about indices. */
static bool has_own_names(const struct umcc_unit *unit, const struct umcc_decl *d)
{
    static const char *const names[] = {"threadIdx", "blockIdx", "blockDim", "gridDim", NULL};
    for (int i = d->open; i < d->body_end; i++)
        if (umcc_is_any(unit, i, names) && (i < d->close || !umcc_is(unit, i + 1, ".")))
            return true;
    return false;
}

/* A kernel without barriers whose functions do not use indices. */
static const char *form_of_rows(struct umcc_unit *unit, const struct umcc_decl *d, int number)
{
    const bool numbered = !has_own_names(unit, d) && umcc_is_numbered(unit, d);
    struct umcc_kernel *kernel = &unit->kernels.items[number];
    kernel->is_transformed = !kernel->stays_plain && umcc_mark_guard(unit, d, number);
    if (kernel->is_transformed && kernel->is_steady)
        return numbered ? "steady_numbered_blocks" : "steady_blocks";
    if (kernel->is_transformed)
        return numbered ? "guarded_numbered_blocks" : "guarded_blocks";
    return numbered ? "numbered_blocks" : "blocks";
}

/* What stands in the brackets of a kernel's lambda: all that it uses. Where it has a counting form, whose
 * text is another one, all that it could use. */
static const char *captures_of(struct umcc_unit *unit, const struct umcc_decl *d, bool *countable)
{
    const char *all = unit->countable || unit->counting ? umcc_all_captures(unit, d) : NULL;
    *countable = all != NULL;
    return all ? all : umcc_format(&unit->arena, "=%s", umcc_reference_captures(unit, d));
}

/* Whether a kernel can step by the grid's width. */
static bool knows_grid(const struct umcc_unit *unit, const struct umcc_decl *d, bool builtins)
{
    for (int i = d->body; i < d->body_end && !builtins; i++)
        builtins = umcc_is(unit, i, "gridDim");
    return builtins;
}

/* The members by which umsim/device.h finds the form that counts. */
static const char *name_members(struct umcc_unit *unit, const struct umcc_decl *d, bool builtins, bool waits,
                                bool cut)
{
    const char *counts = !unit->counting ? "::umsim::counts_elsewhere"
                         : cut           ? "::umsim::counts_blocks"
                                         : "::umsim::counts_threads";
    return umcc_format(&unit->arena,
                       " typedef decltype(um_body) body; enum { builtins = %d, waits = %d, knows_grid = %d, "
                       "counts = %s };",
                       builtins, waits, knows_grid(unit, d, builtins), counts);
}

static void make_stub(struct umcc_unit *unit, const struct umcc_decl *d, const char *name, int number)
{
    struct umcc_kernel *kernel = &unit->kernels.items[number];
    kernel->is_transformed = kernel->is_steady = false;
    kernel->stays_plain |= has_own_names(unit, d);
    const bool plain = unit->plain || kernel->stays_plain;
    /* ... in ways that the kernel's own text does not show */
    const bool hidden = unit->pointer_has_barrier || (unit->lambda_has_barrier && d->templated);
    const bool on_fibers = unit->checked || unit->counting;
    const bool alone = unit->checked && !d->has_barrier && !hidden;
    bool countable, has_barrier = d->has_barrier || hidden || on_fibers;
    bool builtins = d->uses_builtins || unit->pointer_builtins || (unit->lambda_builtins && d->templated);
    const char *strides =
        (has_barrier && !alone) || builtins || plain ? NULL : umcc_mark_loop(unit, d, number);
    const char *cut = (d->has_barrier || !has_barrier) && !hidden && !plain && !strides
                          ? umcc_mark_fission(unit, d, number, builtins)
                          : NULL;
    const char *form = cut           ? cut
                       : alone       ? strides ? "checked_strides" : "lone_threads"
                       : has_barrier ? "threads"
                       : unit->plain ? "plain_blocks"
                       : strides     ? strides
                       : builtins    ? "blocks"
                                     : form_of_rows(unit, d, number);
    kernel->form = form;
    kernel->is_transformed |= cut || strides;
    const char *own = "::uint3, ::uint3, ::dim3, ::dim3, ::umsim::guard";
    const char *indices =
        umcc_format(&unit->arena,
                    "__attribute__((unused)) const ::uint3 %s, __attribute__((unused)) const ::uint3 %s, "
                    "__attribute__((unused)) const ::dim3 %s, __attribute__((unused)) const ::dim3 %s, "
                    "__attribute__((unused)) const ",
                    cut ? "um_no_thread" : /* outside its loops, a cut body has no thread */
                        unless_declared(unit, d, "threadIdx"),
                    unless_declared(unit, d, "blockIdx"), unless_declared(unit, d, "blockDim"),
                    unless_declared(unit, d, "gridDim"));
    const char *how = strides           ? "::umsim::pass um_pass"
                      : cut             ? "::umsim::portion um_part"
                      : d->own_builtins ? ""
                                        : "::umsim::guard um_guard";
    umcc_insert_after(
        unit, d->body,
        umcc_format(&unit->arena,
                    " auto um_body = [%s](%s%s) mutable __attribute__((always_inline)) -> void {%s {",
                    captures_of(unit, d, &countable), d->own_builtins ? own : indices, how,
                    d->prologue ? d->prologue : ""));
    umcc_insert_before(
        unit, d->body_end,
        umcc_format(&unit->arena,
                    "}%s}; struct um_name { static constexpr const char *text() { return \"%s\"; }%s }; "
                    "%s::umsim::launch<::umsim::%s, %s, um_name%s>(um_body); ",
                    unit->checked && !alone && !cut ? " ::umsim_came_to_end(); " : "", name,
                    countable ? name_members(unit, d, builtins, d->has_barrier || hidden, cut != NULL) : "",
                    umcc_stub_checks(unit, d), form, builtins ? "true" : "false",
                    countable ? ", ::umsim::counted" : ""));
}

void umcc_rewrite_kernels(struct umcc_unit *unit)
{
    int number = 0;
    drop_words(unit);
    umcc_find_operators(unit);
    for (const struct umcc_decl *d = unit->decls; d && !unit->plain && !unit->checked && !unit->counting;
         d = d->next)
        if (d->form == UMCC_FUNCTION && (d->marks & (UMCC_GLOBAL | UMCC_DEVICE)) != 0 && d->body >= 0 &&
            !unit->tokens[d->body].system)
            umcc_drop_readonly(unit, d);
    for (const struct umcc_decl *d = unit->decls; d; d = d->next) {
        if (d->form != UMCC_FUNCTION || (d->marks & UMCC_GLOBAL) == 0 || d->body < 0)
            continue;
        const char *name = umcc_spelling(unit, d->name);
        const struct umcc_token *first = &unit->tokens[d->body], *last = &unit->tokens[d->body_end];
        umcc_describe_kernel(umcc_kernel_at(&unit->kernels, number), name, first->file, first->line,
                             last->line);
        make_stub(unit, d, name, number++);
        umcc_register_stub(unit, d);
    }
}
