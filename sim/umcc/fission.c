/**
 * @file fission.c
 * @brief Rewrites a kernel whose barriers are reached by all threads of a block together as loops over the
 * threads between the barriers.
 *
 *     float sum = 0;                                  for (threads) { sum = 0; keep sum }
 *     for (int t = 0; t < n; t++) {                   for (int t = 0; t < n; t++) {
 *         tile[y][x] = a[...];                            for (threads) { tile[y][x] = a[...]; }
 *         __syncthreads();                   becomes
 *         sum += tile[y][k] ...;                          for (threads) { take sum; sum += ...; keep sum }
 *         __syncthreads();
 *     }                                               }
 *
 * gcc vectorises such loops, and a barrier costs nothing; with a fiber for each thread, neither is
 * possible. A loop without a barrier is cut like one with a barrier where that is better (turned.c).
 * The rewrite needs each __syncthreads() to be a statement of the body itself, or of a loop or
 * condition in it whose head is the same for all threads (uniform.c). A thread's variables that are needed
 * after a barrier become arrays with one value for each thread. Variables that are computed only from the
 * thread's indices (`int x = threadIdx.x`) are computed again. Where single threads return early, it is noted
 * which, and the parts behind pass them by. Every other kernel keeps its fibers.
 */
#include "fission.h"
#include "prefix.h"

#include <string.h>

static bool mentions(struct umcc_body *body, const struct umcc_local *local, int first, int last)
{
    for (int i = first; i <= last; i++)
        if (umcc_find_local(body, i) == local)
            return true;
    return false;
}

static bool in_segment(struct umcc_body *body, const struct umcc_local *local, int segment)
{
    for (int p = 0; p < body->piece_count; p++)
        if (body->pieces[p].segment == segment &&
            mentions(body, local, body->pieces[p].first, body->pieces[p].last))
            return true;
    return false;
}

static int segment_of(const struct umcc_body *body, const struct umcc_local *local)
{
    return body->pieces[local->piece].segment;
}

/* Whether a uniform variable is declared beside others: then it is also declared for all threads. */
static bool is_declared_twice(const struct umcc_body *body, const struct umcc_local *local, int piece)
{
    return local->piece == piece && local->uniform && !local->in_head && !body->pieces[piece].uniform;
}

static bool declares_twice(const struct umcc_body *body, int piece)
{
    for (int l = 0; l < body->local_count; l++)
        if (is_declared_twice(body, &body->locals[l], piece))
            return true;
    return false;
}

/* Numbers the runs of pieces that each thread goes through without a barrier. @return how many there are */
static int number_segments(struct umcc_body *body)
{
    int count = 0;
    for (int p = 0; p < body->piece_count; p++) {
        struct umcc_piece *piece = &body->pieces[p];
        const bool threads =
            (piece->form == UMCC_DECLARATION || piece->form == UMCC_STATEMENT || piece->form == UMCC_LEAVE) &&
            !piece->uniform;
        const bool goes_on = threads && p > 0 && body->pieces[p - 1].segment >= 0 &&
                             body->pieces[p - 1].form != UMCC_LEAVE && !declares_twice(body, p) &&
                             !piece->strided && !body->pieces[p - 1].strided;
        piece->segment = !threads ? -1 : goes_on ? count - 1 : count++;
    }
    return count;
}

bool umcc_is_lasting(struct umcc_body *body, int first, int last)
{
    const struct umcc_unit *unit = body->unit;
    if (!umcc_is_pure(unit, first, last))
        return false;
    for (int i = first; i <= last; i++) {
        if (!umcc_is_name(unit, i) || umcc_is(unit, i - 1, "."))
            continue;
        const struct umcc_local *local = umcc_find_local(body, i);
        if (local ? !(local->uniform ? !umcc_is_changed(body, local->name, local->pointer, local->in_head)
                                     : local->repeatable)
                  : umcc_is_in_memory(body, i) || umcc_is_changed(body, i, false, false))
            return false;
    }
    return true;
}

/* In the order of declarations, because each depends on what was declared before. @return false if a variable
 * can be neither repeated nor kept */
static bool place_locals(struct umcc_body *body, int segments)
{
    for (int l = 0; l < body->local_count; l++) {
        struct umcc_local *local = &body->locals[l];
        if (local->uniform)
            continue;
        local->repeatable = local->value >= 0 && !local->array && !local->strange &&
                            umcc_is_lasting(body, local->value, local->value_last) &&
                            !umcc_is_changed(body, local->name, local->pointer, false);
        for (int s = 0; s < segments && !local->repeatable; s++)
            local->kept |= s != segment_of(body, local) && in_segment(body, local, s);
        if (local->kept && (local->strange || local->deduced))
            return false;
    }
    return true;
}

/* ---- writing ---- */

static const char *without(struct umcc_unit *unit, int first, int last, bool no_const)
{
    const char *text = "";
    for (int i = first; i <= last; i++)
        if (!umcc_is(unit, i, "__restrict__") && !umcc_is(unit, i, "__restrict") &&
            !unit->tokens[i].dropped && !(no_const && umcc_is(unit, i, "const")))
            text = umcc_format(&unit->arena, "%s %s", text, umcc_spelling(unit, i));
    return text;
}

/* `float *[4]`: the type of what is stored for a thread. */
const char *umcc_stored_type(struct umcc_unit *unit, const struct umcc_local *local)
{
    return umcc_format(&unit->arena, "%s%s%s", without(unit, local->type, local->type_last, !local->pointer),
                       without(unit, local->declarator, local->name - 1, true),
                       without(unit, local->name + 1, local->dims_last, false));
}

/* Adds to `needed` the variables that a repeated variable's value depends on. */
static void add_needs(struct umcc_body *body, bool *needed, int segment)
{
    for (int l = body->local_count - 1; l >= 0; l--) {
        const struct umcc_local *local = &body->locals[l];
        if (!needed[l] || !local->repeatable || segment_of(body, local) == segment)
            continue;
        for (int before = 0; before < l; before++)
            needed[before] |= mentions(body, &body->locals[before], local->value, local->value_last);
    }
}

static const char *repeat(struct umcc_body *body, const struct umcc_local *local)
{
    struct umcc_unit *unit = body->unit;
    const char *even = body->steady.count ? umcc_steady_value(&body->steady, local->name) : NULL;
    return umcc_format(&unit->arena, " __attribute__((unused)) %s%s = %s;",
                       without(unit, local->type, local->type_last, false),
                       without(unit, local->declarator, local->dims_last, false),
                       even ? even : umcc_join(unit, local->value, local->value_last));
}

const char *umcc_repeated(struct umcc_body *body, int segment, int first, int last)
{
    bool needed[UMCC_LOCALS_MAX] = {false};
    const char *text = "";
    for (int l = 0; l < body->local_count; l++)
        needed[l] = mentions(body, &body->locals[l], first, last);
    add_needs(body, needed, segment);
    for (int l = 0; l < body->local_count; l++)
        if (needed[l] && body->locals[l].repeatable)
            text = umcc_format(&body->unit->arena, "%s%s", text, repeat(body, &body->locals[l]));
    return text;
}

static const char *take(struct umcc_body *body, const struct umcc_local *local)
{
    struct umcc_unit *unit = body->unit;
    const char *type = without(unit, local->type, local->type_last, false);
    const char *name = without(unit, local->declarator, local->dims_last, false);
    if (local->repeatable)
        return repeat(body, local);
    if (local->array)
        return umcc_format(&unit->arena, " %s%s; ::umsim::copy(%s, um_kept_%d[um_thread]);", type, name,
                           umcc_spelling(unit, local->name), local->name);
    return umcc_format(&unit->arena, " __attribute__((unused)) %s%s = um_kept_%d%s;", type, name, local->name,
                       unit->counting ? ".give(um_thread)" : "[um_thread]");
}

#define EACH_ROW(first, last)                                                                                \
    "for (unsigned um_z = " first ".z; um_z < " last ".z; um_z++) "                                          \
    "for (unsigned um_y = " first ".y; um_y < " last ".y; um_y++) "

static const char all_threads[] =
    EACH_ROW("::uint3()", "blockDim") "for (int um_x = 0; um_x < (int)blockDim.x; um_x++) ";
/* UMSIM_THREADS_ALONE(um_x, 0u, blockDim.x): the preprocessor has been here. */
static const char checked_threads[] = EACH_ROW(
    "::uint3()",
    "blockDim") "for (unsigned um_x_from = 0, um_x_end = 0; um_x_from < blockDim.x; um_x_from = um_x_end) "
                "if (const unsigned um_x_most = um_x_end = ::umsim_threads_alone(blockDim.x)) "
                "for (unsigned um_x = um_x_from; um_x < um_x_end; um_x++)";
/* Counted as umsim/rows.h counts them, so that g++ sees which elements lie beside each other. */
static const char parts_threads[] =
    EACH_ROW("um_part.first", "um_part.last") "for (int um_i = um_base + (int)um_part.first.x; um_i < "
                                              "um_base + (int)um_part.last.x; um_i++) ";

/* The same in the form that counts. What the loop does itself is not counted, nor does g++ reckon one
 * thread's values from another one's. */
static const char counted_threads[] = "::umsim::count_nothing(); { unsigned long um_next = 0; " EACH_ROW(
    "::uint3()",
    "blockDim") "for (unsigned "
                "um_x = 0; um_x < blockDim.x; um_x++) { const unsigned um_own_x = ::umsim::own(um_x), "
                "um_own_y = "
                "::umsim::own(um_y), um_own_z = ::umsim::own(um_z); "
                "__attribute__((unused)) const ::uint3 threadIdx = {um_own_x, um_own_y, um_own_z}; "
                "const unsigned long um_thread = um_next++; ";

/* The loop over the threads. */
static const char *each_thread(struct umcc_body *body, bool builtins)
{
    struct umcc_unit *unit = body->unit;
    const char *loop =
        unit->counting
            ? counted_threads
            : umcc_format(&unit->arena,
                          "%s{ %s"
                          "__attribute__((unused)) const ::uint3 threadIdx = {(unsigned)um_x, um_y, um_z}; "
                          "__attribute__((unused)) const unsigned long um_thread = "
                          "((unsigned long)um_z * blockDim.y + um_y) * blockDim.x + (unsigned long)um_x; %s",
                          unit->checked               ? checked_threads
                          : body->kernel->has_barrier ? all_threads
                                                      : parts_threads,
                          !body->kernel->has_barrier ? "const int um_x = um_i - um_base; " : "",
                          unit->checked ? "um_x_end = ::umsim_thread_alone((unsigned)um_thread, um_x_most); "
                                        : "");
    return umcc_format(&unit->arena, "%s%s%s", loop,
                       body->some_leave ? "if (um_some_left && um_left[um_thread]) continue; " : "",
                       builtins ? "umsim_builtins.thread_index = threadIdx; " : "");
}

/* @param head what each thread's part begins with */
static void open_segment(struct umcc_body *body, int segment, int first, const char *head)
{
    struct umcc_unit *unit = body->unit;
    bool needed[UMCC_LOCALS_MAX] = {false};
    for (int l = 0; l < body->local_count; l++)
        needed[l] = in_segment(body, &body->locals[l], segment);
    add_needs(body, needed, segment);
    umcc_insert_before(unit, first, head);
    for (int l = 0; l < body->local_count; l++) {
        struct umcc_local *local = &body->locals[l];
        local->taken = needed[l] && segment_of(body, local) != segment && (local->repeatable || local->kept);
        if (!local->taken)
            continue;
        umcc_insert_before(unit, first, take(body, local));
        if (unit->counting)
            umcc_insert_before(
                unit, first,
                umcc_format(&unit->arena, " ::umsim::have(%s);", umcc_spelling(unit, local->name)));
    }
    if (unit->counting)
        umcc_insert_before(unit, first, " ::umsim_count_thread(um_thread); ");
    umcc_insert_before(unit, first, umcc_begin_proof(body, segment));
}

static void close_segment(struct umcc_body *body, int segment, int behind)
{
    struct umcc_unit *unit = body->unit;
    for (int l = 0; l < body->local_count; l++) {
        const struct umcc_local *local = &body->locals[l];
        const bool own = segment_of(body, local) == segment;
        if (local->kept && (own || (!local->is_const && in_segment(body, local, segment))))
            umcc_insert_before(unit, behind,
                               umcc_format(&unit->arena, " um_kept_%d.keep(um_thread, %s);", local->name,
                                           umcc_spelling(unit, local->name)));
    }
    umcc_insert_before(unit, behind, umcc_end_proof(body, segment));
    umcc_insert_before(unit, behind,
                       unit->counting ? " ::umsim::count_nothing(); } ::umsim_count_common(); } " : " }");
    for (int p = 0; p < body->piece_count; p++)
        if (body->pieces[p].segment == segment && body->pieces[p].strided)
            umcc_insert_before(unit, behind, umcc_close_strided());
}

static void begin_segment(struct umcc_body *body, const struct umcc_piece *piece, bool builtins)
{
    int first = piece->first;
    const char *head = piece->strided ? umcc_open_strided(body, piece, &first) : each_thread(body, builtins);
    open_segment(body, piece->segment, first, head);
}

/* `if (...) return;` that single threads take, which is a segment's end: who has left makes no other. */
static void note_leaving(struct umcc_body *body, const struct umcc_piece *piece)
{
    struct umcc_unit *unit = body->unit;
    umcc_replace(unit, piece->first, "um_some_left |= um_left[um_thread] =");
    umcc_insert_after(unit, unit->tokens[piece->first + 1].match, " ? true : false;");
    umcc_drop(unit, unit->tokens[piece->first + 1].match + 1, piece->last);
}

/* The condition is asked before. */
static void drop_guard(struct umcc_body *body)
{
    struct umcc_unit *unit = body->unit;
    const int close = unit->tokens[body->guard + 1].match;
    umcc_insert_before(unit, body->kernel->body + 1, body->guard_text);
    umcc_drop(unit, body->guard,
              body->leaves ? umcc_statement_end(unit, body->guard, body->kernel->body_end) : close);
}

/* Reads the declarations that the body begins with, but for those of the block's memory. @return what is
 * behind them */
static int read_declarations(struct umcc_body *body, struct umcc_prefix *prefix)
{
    struct umcc_unit *unit = body->unit;
    int i = body->kernel->body + 1, next;
    do {
        const struct umcc_prefix before = *prefix;
        const bool shared = umcc_is(unit, i, "__shared__");
        next = shared ? umcc_statement_end(unit, i, body->kernel->body_end) + 1 : umcc_read_prefix(prefix, i);
        if (next <= i)
            *prefix = before;
        else
            i = next;
    } while (next == i);
    return i;
}

/* Has conditions within the segments asked for the whole block. @return whether there are any */
static bool ask_steady(struct umcc_body *body)
{
    struct umcc_unit *unit = body->unit;
    struct umcc_steady *steady = &body->steady;
    body->prefix = umcc_begin_prefix(unit);
    const int behind = read_declarations(body, &body->prefix);
    if (!umcc_begin_steady(steady, &body->prefix, body->kernel, body->number, "um_part"))
        return false;
    for (int p = 0; p < body->piece_count; p++) {
        const struct umcc_piece *piece = &body->pieces[p];
        if (piece->form == UMCC_STATEMENT && piece->segment >= 0 && !piece->strided && piece->first >= behind)
            umcc_find_steady(steady, piece->first, piece->last);
    }
    if (!steady->count)
        return false;
    umcc_insert_before(unit, body->kernel->body + 1,
                       umcc_format(&unit->arena,
                                   "if (um_part.asks) { __attribute__((unused)) const ::umsim::row_index "
                                   "threadIdx = um_part.row; %s%s*um_part.answer = %s; return; } %s",
                                   body->prefix.checks, body->prefix.text, umcc_steady_answer(steady),
                                   steady->before));
    umcc_space_evenly(steady);
    return true;
}

static void rewrite_body(struct umcc_body *body, bool builtins)
{
    struct umcc_unit *unit = body->unit;
    int open = -1;
    umcc_insert_before(
        unit, body->kernel->body + 1,
        umcc_declare_unproven(unit, body->number, "all threads of a block go through it alike"));
    umcc_insert_before(unit, body->kernel->body + 1, "const bool um_trial = um_part.trial; ");
    struct umcc_kernel *it = &unit->kernels.items[body->number];
    it->is_steady = body->kernel->has_barrier && !unit->checked && !unit->counting && !it->stays_unturned &&
                    ask_steady(body);
    if (!body->kernel->has_barrier)
        umcc_insert_before(unit, body->kernel->body + 1,
                           "__attribute__((unused)) const int um_base = um_part.far ? 0 : (int)(blockIdx.x * "
                           "blockDim.x); ");
    if (body->some_leave)
        umcc_insert_before(unit, body->kernel->body + 1,
                           "bool um_some_left = false; ::umsim::kept<bool> um_left; "
                           "um_left.clear((unsigned long)blockDim.x * blockDim.y * blockDim.z); ");
    if (body->guard >= 0)
        drop_guard(body);
    for (int l = 0; l < body->local_count; l++)
        if (body->locals[l].kept)
            umcc_insert_before(
                unit, body->kernel->body + 1,
                umcc_format(&unit->arena,
                            "::umsim::kept<%s> um_kept_%d; if (um_trial) ::umsim::publish(um_kept_%d); ",
                            umcc_stored_type(unit, &body->locals[l]), body->locals[l].name,
                            body->locals[l].name));
    for (int p = 0; p < body->piece_count; p++) {
        const struct umcc_piece *piece = &body->pieces[p];
        if (open >= 0 && piece->segment != open)
            close_segment(body, open, piece->first);
        for (int l = 0; l < body->local_count; l++)
            if (is_declared_twice(body, &body->locals[l], p))
                umcc_insert_before(unit, piece->first, repeat(body, &body->locals[l]));
        if (piece->segment >= 0 && piece->segment != open)
            begin_segment(body, piece, builtins);
        open = piece->segment;
        if (piece->form == UMCC_BEHIND)
            umcc_insert_before(unit, piece->first, " } ");
        if (piece->segment < 0)
            umcc_prove_piece(body, p);
        if (piece->segment >= 0 && piece->form == UMCC_LEAVE)
            note_leaving(body, piece);
        if (piece->segment >= 0 && piece->form == UMCC_DECLARATION)
            umcc_insert_before(unit, piece->first, " __attribute__((unused)) ");
        if (piece->form == UMCC_BARRIER && unit->checked)
            umcc_replace(unit, piece->first, "::umsim::block_met");
        else if (piece->form == UMCC_BARRIER && unit->counting)
            umcc_replace(unit, piece->first, "::umsim_count_barrier");
        else if (piece->form == UMCC_BARRIER)
            umcc_drop(unit, piece->first, piece->first + 2);
    }
    if (open >= 0)
        close_segment(body, open, body->kernel->body_end);
}

/* @return the body, cut; NULL: it cannot be */
static struct umcc_body *read_cut(struct umcc_unit *unit, const struct umcc_decl *kernel, int number,
                                  bool tries_turned, bool builtins)
{
    struct umcc_body *body = umcc_alloc(&unit->arena, sizeof *body);
    body->unit = unit;
    body->kernel = kernel;
    body->number = number;
    body->tries_turned = tries_turned;
    body->builtins = builtins;
    body->guard = -1;
    if (kernel->has_other_barrier || kernel->own_builtins || unit->lambda_has_barrier ||
        unit->pointer_has_barrier || (!kernel->has_barrier && !umcc_find_guard(body)))
        return NULL;
    if (!umcc_find_parameters(unit, kernel, &body->parameters) || !umcc_read_body(body) ||
        (tries_turned && body->turned == 0) || !umcc_find_uniform(body) ||
        !place_locals(body, number_segments(body)) || !umcc_can_stride(body) || !umcc_can_prove(body))
        return NULL;
    return body;
}

const char *umcc_mark_fission(struct umcc_unit *unit, const struct umcc_decl *kernel, int number,
                              bool builtins)
{
    struct umcc_kernel *it = &unit->kernels.items[number];
    struct umcc_body *body = it->stays_unturned || unit->checked || unit->counting
                                 ? NULL
                                 : read_cut(unit, kernel, number, true, builtins);
    it->is_turned = body;
    if (!body && kernel->has_barrier)
        body = read_cut(unit, kernel, number, false, builtins);
    if (!body)
        return NULL;
    rewrite_body(body, builtins);
    return kernel->has_barrier ? unit->checked    ? "checked_fission"
                                 : unit->counting ? "fission"
                                 : it->is_steady  ? "steady_fission"
                                                  : "fission"
           : body->guard >= 0  ? "guarded_turned"
                               : "turned";
}
