/**
 * @file device.c
 * @brief Finds on the tokens what a kernel's threads do: whether they wait for each other, whether device
 * functions use threadIdx, and whether they use anything that only the host has.
 *
 * A kernel whose threads never wait for each other runs as a plain loop; one whose threads do wait needs a
 * fiber for each thread. So the analysis must never miss a wait. It assumes that a function calls every
 * device function that it mentions by name, and that a device function that is only declared in this file
 * may do anything.
 */
#include "statements.h"
#include "umcc.h"

#include <stdlib.h>
#include <string.h>

static const char *const builtin_names[] = {"threadIdx", "blockIdx", "blockDim", "gridDim", NULL};
static const char *const builtin_lookups[] = {"::umsim::index_of(threadIdx)", "::umsim::index_of(blockIdx)",
                                              "::umsim::index_of(blockDim)", "::umsim::index_of(gridDim)"};

/* CUDA's own functions that wait, and what the methods of cooperative groups call (cooperative_groups.h). */
static const char *const barriers[] = {"__syncthreads",
                                       "__syncthreads_count",
                                       "__syncthreads_and",
                                       "__syncthreads_or",
                                       "__nanosleep",
                                       "__syncwarp",
                                       "__activemask",
                                       "__all_sync",
                                       "__any_sync",
                                       "__ballot_sync",
                                       "__match_all_sync",
                                       "__match_any_sync",
                                       "__reduce_add_sync",
                                       "__reduce_and_sync",
                                       "__reduce_max_sync",
                                       "__reduce_min_sync",
                                       "__reduce_or_sync",
                                       "__reduce_xor_sync",
                                       "__shfl_down_sync",
                                       "__shfl_sync",
                                       "__shfl_up_sync",
                                       "__shfl_xor_sync",
                                       "umsim_syncthreads",
                                       "umsim_warp",
                                       "umsim_activemask",
                                       "umsim_grid_sync",
                                       "umsim_wait_yield",
                                       "umsim_poll_yield",
                                       "umsim_tile_wait",
                                       "from_lane",
                                       NULL};

/** All device functions of one name. */
struct entry {
    const char *name;
    size_t length;
    bool defined;  /* at least one has a body here */
    bool declared; /* at least one is only declared, and not as `= default` or the like */
    bool plain;    /* at least one is the user's and not in a class: there may be a pointer to it */
    bool free;     /* at least one is called by its mere name, wherever: no method is, but for constructors */
    bool has_barrier, uses_builtins;
    struct entry *next;
};

struct table {
    struct entry *slots[4096];
    struct entry operators;
};

static unsigned hash(const char *text, size_t length)
{
    unsigned h = 2166136261u;
    for (size_t i = 0; i < length; i++)
        h = (h ^ (unsigned char)text[i]) * 16777619u;
    return h % 4096;
}

static struct entry *find_entry(const struct umcc_unit *unit, const struct table *table, int i)
{
    const struct umcc_token *token = &unit->tokens[i];
    struct entry *e = table->slots[hash(token->text, token->length)];
    while (e && (e->length != token->length || memcmp(e->name, token->text, e->length) != 0))
        e = e->next;
    return e;
}

static bool is_device_function(const struct umcc_decl *d)
{
    return d->form == UMCC_FUNCTION && (d->marks & UMCC_DEVICE) != 0;
}

static bool has_device_body(const struct umcc_decl *d)
{
    return d->form == UMCC_FUNCTION && (d->marks & (UMCC_DEVICE | UMCC_GLOBAL)) != 0 && d->body >= 0;
}

static struct entry *entry_of(struct umcc_unit *unit, struct table *table, const struct umcc_decl *d)
{
    if (d->is_operator)
        return &table->operators;
    struct entry *e = find_entry(unit, table, d->name);
    if (e)
        return e;
    const struct umcc_token *token = &unit->tokens[d->name];
    unsigned slot = hash(token->text, token->length);
    e = umcc_alloc(&unit->arena, sizeof *e);
    *e = (struct entry){.name = token->text, .length = token->length, .next = table->slots[slot]};
    table->slots[slot] = e;
    return e;
}

/* Whether only `object.name` and the like can mean it outside of classes: a method, unless it has the class's
 * own name. What a class calls a friend is none. */
static bool is_method(const struct umcc_unit *unit, const struct umcc_decl *d)
{
    const struct umcc_token *name = &unit->tokens[d->name];
    const size_t length = d->scope ? strlen(d->scope) : 0;
    if (!d->in_class || d->qualified || length < name->length ||
        memcmp(d->scope + length - name->length, name->text, name->length) == 0)
        return false;
    for (int i = d->first; i < d->name; i++)
        if (umcc_is(unit, i, "friend"))
            return false;
    return true;
}

/* Whether the name at `i`, in the body of `d`, may be that of a function in the table. A method's name alone
 * is another thing's, as a local variable's, but within a class. */
static bool may_mean(const struct umcc_unit *unit, const struct umcc_decl *d, const struct entry *e, int i)
{
    static const char *const before_method[] = {".", "->", "::", "template", NULL};
    return e->free || d->in_class || d->qualified || d->has_nested || umcc_is_any(unit, i - 1, before_method);
}

static void build_table(struct umcc_unit *unit, struct table *table)
{
    for (struct umcc_decl *d = unit->decls; d; d = d->next) {
        if (!is_device_function(d))
            continue;
        struct entry *e = entry_of(unit, table, d);
        e->plain |= !d->in_class && !unit->tokens[d->name].system;
        e->free |= !is_method(unit, d);
        if (d->body >= 0)
            e->defined = true;
        else if (!d->has_initializer && !unit->tokens[d->name].system)
            e->declared = true;
    }
    for (size_t slot = 0; slot < 4096; slot++)
        for (struct entry *e = table->slots[slot]; e; e = e->next)
            e->has_barrier = e->uses_builtins = e->declared && !e->defined;
}

static int builtin_of(const struct umcc_unit *unit, int i)
{
    if (!umcc_is_identifier(unit, i) || umcc_is(unit, i - 1, ".") || umcc_is(unit, i - 1, "->"))
        return -1;
    for (int b = 0; builtin_names[b]; b++)
        if (umcc_is(unit, i, builtin_names[b]))
            return b;
    return -1;
}

static bool is_barrier_call(const struct umcc_unit *unit, int i)
{
    return strchr("_uf", unit->tokens[i].text[0]) && umcc_is_any(unit, i, barriers);
}

/* A nested function cannot see the parameters that hold the indices, unless it is a lambda that captures
 * them. */
static bool has_nested_function(const struct umcc_unit *unit, const struct umcc_decl *d)
{
    for (int i = d->body; i < d->body_end; i++) {
        if (umcc_is(unit, i, "struct") || umcc_is(unit, i, "class") || umcc_is(unit, i, "union"))
            return true;
        if (umcc_is(unit, i, "[") && unit->tokens[i].match == i + 1 && !umcc_is_name(unit, i - 1) &&
            !umcc_is(unit, i - 1, "[") && (umcc_is(unit, i + 2, "(") || umcc_is(unit, i + 2, "{")))
            return true;
    }
    return false;
}

/* In a checked program, the second barrier of a line and those behind it say so, because a place is no more
 * than a line: worker/thread.h. */
static void number_barrier(struct umcc_unit *unit, int i, int first)
{
    const struct umcc_token *it = &unit->tokens[i];
    int number = 0;
    if (!umcc_is(unit, i + 1, "(") || unit->tokens[i + 1].match < 0 || it->length < 13 ||
        memcmp(it->text, "__syncthreads", 13) != 0)
        return;
    for (int j = i - 1; j > first && unit->tokens[j].line == it->line; j--)
        number += is_barrier_call(unit, j) && unit->tokens[j].file == it->file;
    const int close = unit->tokens[i + 1].match;
    if (number)
        umcc_insert_before(unit, close,
                           umcc_format(&unit->arena, "%s__builtin_FILE(), __builtin_LINE() + (%d << 24)",
                                       close > i + 2 ? ", " : "", number));
}

/* What the body itself does, apart from the functions that it calls. */
static void look_at_body(struct umcc_unit *unit, struct umcc_decl *d)
{
    bool kernel = (d->marks & UMCC_GLOBAL) != 0;
    bool mentions = false, needs_thread_index = false;
    d->has_nested = has_nested_function(unit, d);
    for (int i = d->body; i < d->body_end; i++) {
        d->has_barrier |= is_barrier_call(unit, i);
        if (unit->checked && is_barrier_call(unit, i))
            number_barrier(unit, i, d->body);
        d->has_other_barrier |= is_barrier_call(unit, i) && !umcc_is(unit, i, "__syncthreads");
        mentions |= builtin_of(unit, i) >= 0;
        needs_thread_index |= umcc_needs_thread_index(unit, i);
    }
    if (!unit->tokens[d->first].system) {
        d->has_other_barrier |= umcc_keep_lockstep(unit, d);
        d->has_other_barrier |= umcc_insert_yields(unit, d);
        umcc_use_ptx(unit, d, &d->has_other_barrier, &needs_thread_index);
    }
    d->has_barrier |= d->has_other_barrier;
    d->own_builtins = kernel && mentions && d->has_nested;
    d->uses_builtins = needs_thread_index || (mentions && (!kernel || d->own_builtins));
    umcc_use_library(unit, d->body, d->body_end);
}

static bool take_over(bool *flag, bool value)
{
    bool changed = value && !*flag;
    *flag |= value;
    return changed;
}

/* Adds what the functions that `d` mentions do. @return whether something new was found. */
static bool look_at_calls(struct umcc_unit *unit, struct table *table, struct umcc_decl *d)
{
    bool changed = false;
    for (int i = d->body; i < d->body_end; i++) {
        if (!umcc_is_identifier(unit, i))
            continue;
        struct entry *e = find_entry(unit, table, i);
        if (e && may_mean(unit, d, e, i)) {
            changed |= take_over(&d->has_barrier, e->has_barrier);
            d->has_other_barrier |= e->has_barrier;
            changed |= take_over(&d->uses_builtins, e->uses_builtins);
        }
    }
    changed |= take_over(&d->has_barrier, table->operators.has_barrier);
    d->has_other_barrier |= table->operators.has_barrier;
    changed |= take_over(&d->uses_builtins, table->operators.uses_builtins);
    if (is_device_function(d)) {
        struct entry *e = entry_of(unit, table, d);
        changed |= take_over(&e->has_barrier, d->has_barrier);
        changed |= take_over(&e->uses_builtins, d->uses_builtins);
    }
    return changed;
}

/* Whether the name may be declared or constructed here, as in `uint3 threadIdx`. If it is not, the compiler
 * refuses what is left: it has no such index. */
static bool may_be_declared(const struct umcc_unit *unit, int i)
{
    static const char *const behind_type[] = {">", "&", "*", "&&", "[", "}", NULL};
    static const char *const no_type[] = {"return", "case", "sizeof", "throw", "else", "do", NULL};
    if (umcc_is(unit, i + 1, "."))
        return false;
    if (umcc_is(unit, i + 1, "(") || umcc_is(unit, i + 1, "{"))
        return true;
    return umcc_is_identifier(unit, i - 1) ? !umcc_is_any(unit, i - 1, no_type)
                                           : umcc_is_any(unit, i - 1, behind_type);
}

/* In device functions and lambdas the built-in variables are the thread's own, where the compiler finds no
 * other of that name (umsim/indices.h); a kernel has them as parameters. */
static void name_builtins(struct umcc_unit *unit, int first, int last)
{
    for (int i = first; i < last; i++) {
        int b = builtin_of(unit, i);
        if (b >= 0 && !umcc_is(unit, i - 1, "::") && !may_be_declared(unit, i))
            umcc_replace(unit, i, builtin_lookups[b]);
    }
}

/* A marked lambda, or a marked member of a class inside a function, which is not among the declarations of
 * parse.c. */
static void look_at_marked(struct umcc_unit *unit, int mark)
{
    int open = mark;
    while (open < unit->count && !umcc_is(unit, open, "{") && !umcc_is(unit, open, ";"))
        open = unit->tokens[open].match > open ? unit->tokens[open].match + 1 : open + 1;
    if (!umcc_is(unit, open, "{"))
        return;
    for (int i = open; i < unit->tokens[open].match; i++) {
        unit->lambda_has_barrier |= is_barrier_call(unit, i);
        unit->lambda_builtins |= builtin_of(unit, i) >= 0 || umcc_needs_thread_index(unit, i);
    }
    umcc_use_library(unit, open, unit->tokens[open].match);
    name_builtins(unit, open, unit->tokens[open].match);
}

static void look_outside(struct umcc_unit *unit, const bool *inside)
{
    for (int i = 0; i < unit->count; i++)
        if (!inside[i] && umcc_mark_of(unit, i) == UMCC_DEVICE)
            look_at_marked(unit, i);
}

/* A __host__ __device__ function may make the call where it runs on the host. */
static void refuse(struct umcc_unit *unit, const struct umcc_decl *d)
{
    if ((d->marks & UMCC_HOST) != 0 && (d->marks & UMCC_GLOBAL) == 0)
        return;
    for (int i = d->body; i < d->body_end; i++)
        umcc_refuse_host_call(unit, i);
}

/* Finds functions that are named but not called: in a table, or as an argument. Any kernel may have the
 * pointer. */
static void look_for_pointers(struct umcc_unit *unit, struct table *table)
{
    for (int i = 0; i < unit->count; i++) {
        if (unit->tokens[i].system || !umcc_is_name(unit, i))
            continue;
        const struct entry *e = find_entry(unit, table, i);
        if (!e || !e->plain || (!e->has_barrier && !e->uses_builtins))
            continue;
        const int behind = umcc_is(unit, i + 1, "<") ? umcc_skip_angles(unit, i + 1) : i + 1;
        if (umcc_is(unit, behind, "("))
            continue;
        unit->pointer_has_barrier |= e->has_barrier;
        unit->pointer_builtins |= e->uses_builtins;
    }
}

/* ---- conditions of barriers, in checked programs ---- */

static bool waits_between(const struct umcc_unit *unit, const struct table *table, int first, int last)
{
    for (int i = first; i <= last; i++) {
        const struct entry *e =
            umcc_is_identifier(unit, i) && !is_barrier_call(unit, i) ? find_entry(unit, table, i) : NULL;
        if (is_barrier_call(unit, i) || (e && e->has_barrier))
            return true;
    }
    return false;
}

/* The end of the `if`, loop or switch at `i`; -1: it is none, or no statement can stand behind it. */
static int conditional_end(const struct umcc_unit *unit, int i, int limit)
{
    static const char *const words[] = {"if", "for", "while", "switch", NULL};
    int end = umcc_is_any(unit, i, words) ? umcc_statement_end(unit, i, limit) : -1;
    if (umcc_is(unit, i, "do"))
        end = umcc_statement_end(unit, unit->tokens[i + 1].match + 1, limit);
    return end < 0 || umcc_is(unit, end + 1, "else") ? -1 : end;
}

/* A thread tells that it leaves what a barrier is in: one that passes the barrier by did so there. */
static void mark_conditions(struct umcc_unit *unit, const struct table *table, const struct umcc_decl *d)
{
    for (int i = d->body + 1; i < d->body_end; i++)
        if (umcc_is(unit, i, "do") && !umcc_is(unit, i + 1, "{"))
            return;
    for (int i = d->body_end - 1; i > d->body; i--) { /* from inside to outside */
        const int end = conditional_end(unit, i, d->body_end);
        if (end > 0 && waits_between(unit, table, i, end))
            umcc_insert_after(
                unit, end,
                umcc_format(&unit->arena, " ::umsim_left(__builtin_FILE(), %d);", unit->tokens[i].line));
    }
}

void umcc_analyse_device(struct umcc_unit *unit)
{
    struct table *table = umcc_alloc(&unit->arena, sizeof *table);
    bool *inside = umcc_alloc(&unit->arena, (size_t)unit->count + 1);
    build_table(unit, table);
    umcc_find_volatiles(unit);
    umcc_find_polls(unit);
    for (struct umcc_decl *d = unit->decls; d; d = d->next) {
        if (!has_device_body(d))
            continue;
        memset(inside + d->first, 1, (size_t)(d->body_end - d->first));
        look_at_body(unit, d);
        if (!unit->tokens[d->first].system)
            refuse(unit, d);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (struct umcc_decl *d = unit->decls; d; d = d->next)
            if (has_device_body(d))
                changed |= look_at_calls(unit, table, d);
    }
    for (struct umcc_decl *d = unit->decls; d; d = d->next)
        if (has_device_body(d) && ((d->marks & UMCC_GLOBAL) == 0 || d->own_builtins))
            name_builtins(unit, d->open, d->body_end);
    for (struct umcc_decl *d = unit->decls; unit->checked && d; d = d->next)
        if (has_device_body(d) && !unit->tokens[d->first].system)
            mark_conditions(unit, table, d);
    look_outside(unit, inside);
    look_for_pointers(unit, table);
}
