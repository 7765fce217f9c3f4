/**
 * @file uniform.c
 * @brief Finds the variables and statements of a kernel's body that are the same for all threads of a block
 * (fission.h).
 *
 * At first every plain variable counts as uniform. Then variables that are not computed from uniform
 * variables alone, or that single threads may change, are removed, until no more have to be.
 */
#include "fission.h"

static bool is_parameter(const struct umcc_body *body, int i)
{
    const struct umcc_unit *unit = body->unit;
    if (!umcc_is_name(unit, i) || umcc_is(unit, i - 1, ".") || umcc_is(unit, i - 1, "->"))
        return false;
    for (int p = body->kernel->open + 1; p < body->kernel->close; p++)
        if (umcc_same_text(unit, p, i))
            return true;
    return false;
}

/* Variables in memory that threads may change: the file's, or shared ones (an array's address alone is not a
 * memory access). */
bool umcc_is_in_memory(const struct umcc_body *body, int i)
{
    const struct umcc_unit *unit = body->unit;
    for (const struct umcc_decl *d = unit->decls; d; d = d->next)
        for (const struct umcc_name *n = d->form == UMCC_VARIABLE ? d->names : NULL; n; n = n->next)
            if ((d->marks & (UMCC_DEVICE | UMCC_MANAGED | UMCC_SHARED)) != 0 &&
                umcc_same_text(unit, n->token, i))
                return true;
    for (int p = 0; p < body->piece_count; p++) {
        const struct umcc_piece *piece = &body->pieces[p];
        for (int j = piece->first; piece->form == UMCC_SHARED_DECLARATION && j <= piece->last; j++)
            if (umcc_is(unit, j, "["))
                j = unit->tokens[j].match;
            else if (umcc_same_text(unit, j, i) && umcc_is_name(unit, j))
                return !umcc_is(unit, j + 1, "[");
    }
    return false;
}

static bool is_called(const struct umcc_unit *unit, int i)
{
    static const char *const known[] = {
        "min", "max",  "abs",  "ceil", "ceilf", "floor", "floorf", "sqrt",  "sqrtf", "log2", "log2f",
        "pow", "powf", "fmin", "fmax", "fminf", "fmaxf", "exp2",   "exp2f", "fabsf", "fabs", NULL};
    if (!umcc_is(unit, i + 1, "(") || umcc_is_type_keyword(unit, i) || umcc_is_any(unit, i, known))
        return false;
    static const char *const words[] = {"for", "while", "if", "sizeof", "return", NULL};
    return umcc_is_identifier(unit, i) && !umcc_is_any(unit, i, words);
}

/* Whether the tokens are only arithmetic on uniform values. Assignments have to be checked separately. */
static bool is_uniform_text(struct umcc_body *body, int first, int last)
{
    static const char *const refused[] = {"threadIdx", "[",   "]",      "{",     "}",    "->",      "->*",
                                          ".*",        "new", "delete", "throw", "this", "um_pass", NULL};
    const struct umcc_unit *unit = body->unit;
    for (int i = first; i <= last; i++) {
        const bool unary = (umcc_is(unit, i, "*") || umcc_is(unit, i, "&")) &&
                           !umcc_is_operand_end(unit, i - 1) && !umcc_is_type_keyword(unit, i - 1) &&
                           !umcc_is(unit, i + 1, ")") && !umcc_is(unit, i + 1, ">");
        if (unary || umcc_is_any(unit, i, refused) || unit->tokens[i].kind == UMCC_STRING ||
            is_called(unit, i))
            return false;
        const struct umcc_local *local = umcc_find_local(body, i);
        if (local ? !local->uniform
                  : umcc_is_name(unit, i) && !umcc_is(unit, i - 1, ".") && umcc_is_in_memory(body, i))
            return false;
    }
    return true;
}

/* Whether a variable is an argument as it is, `f(x)`, `f(a, x.y)`, so that a reference may take it. */
static bool is_argument(const struct umcc_unit *unit, int i, bool pointer)
{
    static const char *const before[] = {"(", ",", "?", ":", NULL}, *const behind[] = {",", ")", ":", "?",
                                                                                       NULL};
    int next = i + 1;
    while (umcc_is(unit, next, ".") || (!pointer && umcc_is(unit, next, "[")))
        next = umcc_is(unit, next, ".") ? next + 2 : unit->tokens[next].match + 1;
    return umcc_is_any(unit, i - 1, before) && umcc_is_any(unit, next, behind);
}

bool umcc_changed_at(const struct umcc_body *body, const struct umcc_piece *piece, int i, bool pointer)
{
    static const char *const words[] = {"swap", "exchange", "tie", "move", "forward", "ref", NULL};
    const struct umcc_unit *unit = body->unit;
    if (umcc_may_change(unit, i, pointer))
        return true;
    for (int j = piece->first; j <= piece->last; j++) {
        const bool lambda = umcc_is(unit, j, "[") && !umcc_is_operand_end(unit, j - 1);
        const bool takes = umcc_takes_references(unit, j) || umcc_is_any(unit, j, words);
        if (lambda || umcc_is(unit, j, "asm") || (takes && is_argument(unit, i, pointer)))
            return true;
    }
    return false;
}

static bool head_declares(const struct umcc_body *body, int p, int name)
{
    for (int l = 0; l < body->local_count; l++)
        for (int s = 0; s < body->locals[l].scope_count; s++)
            if (body->locals[l].scopes[s].piece == p &&
                umcc_same_text(body->unit, body->locals[l].name, name))
                return body->pieces[p].form == UMCC_HEAD;
    return false;
}

bool umcc_is_changed(const struct umcc_body *body, int name, bool pointer, bool heads_may)
{
    for (int p = 0; p < body->piece_count; p++) {
        const struct umcc_piece *piece = &body->pieces[p];
        if (heads_may && head_declares(body, p, name))
            continue;
        for (int i = piece->first; i <= piece->last; i++)
            if (i != name && umcc_same_text(body->unit, name, i) && !umcc_is(body->unit, i - 1, ".") &&
                !umcc_is(body->unit, i - 1, "->") && umcc_changed_at(body, piece, i, pointer))
                return true;
    }
    return false;
}

/* Whether the statement is `x = ...;`, `x += ...;`, `x++;` of a uniform variable or a parameter, with uniform
 * values. */
static bool is_uniform_statement(struct umcc_body *body, const struct umcc_piece *piece)
{
    static const char *const assigns[] = {
        "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--", NULL};
    const struct umcc_unit *unit = body->unit;
    const bool before = umcc_is(unit, piece->first, "++") || umcc_is(unit, piece->first, "--");
    const int name = before ? piece->first + 1 : piece->first;
    const bool shifts =
        umcc_is(unit, name + 2, "<=") || umcc_is(unit, name + 2, ">="); /* <<= is two tokens */
    const struct umcc_local *local = umcc_find_local(body, name);
    if (!local ? !is_parameter(body, name) : !local->uniform)
        return false;
    return (before || shifts || umcc_is_any(unit, name + 1, assigns)) &&
           is_uniform_text(body, piece->first, piece->last);
}

static bool is_uniform_piece(struct umcc_body *body, int p)
{
    struct umcc_piece *piece = &body->pieces[p];
    if (piece->form == UMCC_STATEMENT)
        return is_uniform_statement(body, piece);
    if (piece->form == UMCC_LEAVE)
        return is_uniform_text(body, piece->first, body->unit->tokens[piece->first + 1].match);
    if (piece->form != UMCC_DECLARATION)
        return true;
    for (int l = 0; l < body->local_count; l++)
        if (body->locals[l].piece == p && !body->locals[l].uniform)
            return false;
    return true;
}

/* Whether single threads change the variable that `name` names. */
static bool threads_change(const struct umcc_body *body, int name, bool pointer)
{
    for (int p = 0; p < body->piece_count; p++) {
        const struct umcc_piece *piece = &body->pieces[p];
        for (int i = piece->first; !piece->uniform && i <= piece->last; i++)
            if (umcc_same_text(body->unit, name, i) && i != name && !umcc_is(body->unit, i - 1, ".") &&
                !umcc_is(body->unit, i - 1, "->") && umcc_changed_at(body, piece, i, pointer))
                return true;
    }
    return false;
}

static bool stays_uniform(struct umcc_body *body, const struct umcc_local *local)
{
    const struct umcc_piece *piece = &body->pieces[local->piece];
    const bool valued = local->value < 0 || is_uniform_text(body, local->value, local->value_last);
    const bool twice = local->value >= 0 && !umcc_is_changed(body, local->name, local->pointer, false);
    return valued && (local->in_head || piece->uniform || twice) &&
           !threads_change(body, local->name, local->pointer);
}

static bool parameter_is_pointer(const struct umcc_body *body, int name)
{
    const struct umcc_unit *unit = body->unit;
    return umcc_is(unit, name - 1, "*") || umcc_is(unit, name + 1, "[") ||
           umcc_is(unit, name - 1, "__restrict__") || umcc_is(unit, name - 1, "__restrict") ||
           (umcc_is(unit, name - 1, "const") && umcc_is(unit, name - 2, "*"));
}

static bool mark_pieces(struct umcc_body *body)
{
    bool changed = false;
    for (int p = 0; p < body->piece_count; p++) {
        const bool uniform = is_uniform_piece(body, p);
        changed |= uniform != body->pieces[p].uniform;
        body->pieces[p].uniform = uniform;
    }
    return changed;
}

bool umcc_find_uniform(struct umcc_body *body)
{
    const struct umcc_unit *unit = body->unit;
    for (int l = 0; l < body->local_count; l++)
        body->locals[l].uniform = !body->locals[l].array && !body->locals[l].strange;
    mark_pieces(body);
    for (bool changed = true; changed;) {
        changed = false;
        for (int l = 0; l < body->local_count; l++)
            if (body->locals[l].uniform && !stays_uniform(body, &body->locals[l])) {
                body->locals[l].uniform = false;
                changed = true;
            }
        changed |= mark_pieces(body);
    }
    for (int i = body->kernel->open + 1; i < body->kernel->close; i++)
        if (umcc_is_name(unit, i) && threads_change(body, i, parameter_is_pointer(body, i)))
            return false;
    for (int p = 0; p < body->piece_count; p++) {
        const struct umcc_piece *piece = &body->pieces[p];
        const bool leaves = piece->form == UMCC_LEAVE && !piece->uniform;
        if ((piece->form == UMCC_HEAD && !is_uniform_text(body, piece->first, piece->last)) ||
            (leaves && (!body->kernel->has_barrier || unit->checked)))
            return false;
        body->some_leave |= leaves;
        for (int i = piece->first; piece->form == UMCC_FIXED && i <= piece->last; i++)
            if (umcc_is(unit, i, "threadIdx") ||
                (umcc_find_local(body, i) && !umcc_find_local(body, i)->uniform))
                return false;
    }
    return true;
}
