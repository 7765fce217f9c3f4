/**
 * @file body.c
 * @brief Divides a kernel's body into the pieces of fission.h: statements, loops, conditions and barriers.
 */
#include "fission.h"

static bool read_statements(struct umcc_body *body, int first, int last);

static bool has_barrier(const struct umcc_unit *unit, int first, int last)
{
    for (int i = first; i <= last; i++)
        if (umcc_is(unit, i, "__syncthreads"))
            return true;
    return false;
}

static bool add_piece(struct umcc_body *body, int form, int first, int last)
{
    if (body->piece_count == UMCC_PIECES_MAX)
        return false;
    struct umcc_piece *piece = &body->pieces[body->piece_count++];
    *piece = (struct umcc_piece){.first = first, .last = last, .segment = -1};
    piece->form = form;
    return true;
}

struct umcc_local *umcc_find_local(struct umcc_body *body, int i)
{
    const struct umcc_unit *unit = body->unit;
    if (!umcc_is_name(unit, i) || umcc_is(unit, i - 1, ".") || umcc_is(unit, i - 1, "->") ||
        umcc_is(unit, i - 1, "::"))
        return NULL;
    for (int l = 0; l < body->local_count; l++)
        if (umcc_same_text(unit, body->locals[l].name, i))
            return &body->locals[l];
    return NULL;
}

/* Reads the type that a declaration begins with. @return the token behind it, or `i` if there is no type */
static int read_type(const struct umcc_unit *unit, int i, bool *is_const, bool *is_auto)
{
    static const char *const qualifiers[] = {"const", "volatile", "typename", "struct", NULL};
    bool core = false;
    const int start = i;
    for (;; i++) {
        if (umcc_is_any(unit, i, qualifiers)) {
            *is_const |= umcc_is(unit, i, "const");
        } else if (umcc_is_type_keyword(unit, i)) {
            *is_auto |= umcc_is(unit, i, "auto");
            core = true;
        } else if (!core && umcc_is_name(unit, i)) {
            while (umcc_is(unit, i + 1, "::") && umcc_is_name(unit, i + 2))
                i += 2;
            if (umcc_is(unit, i + 1, "<") && umcc_skip_angles(unit, i + 1) > i + 1)
                i = umcc_skip_angles(unit, i + 1) - 1;
            core = true;
        } else {
            return core ? i : start;
        }
    }
}

/* One declarator at `i`, before `limit`. @return the `,` or `;` behind it, or -1 */
static int read_declarator(const struct umcc_unit *unit, struct umcc_local *local, int i, int limit)
{
    static const char *const marks[] = {"*", "const", "&", "&&", "__restrict__", "__restrict", NULL};
    local->declarator = i;
    local->value = local->value_last = -1;
    bool pointer_const = false;
    for (; umcc_is_any(unit, i, marks); i++) {
        local->pointer |= umcc_is(unit, i, "*");
        local->reference |= umcc_is(unit, i, "&") || umcc_is(unit, i, "&&");
        pointer_const |= umcc_is(unit, i, "const");
    }
    if (!umcc_is_name(unit, i))
        return -1;
    if (local->pointer) /* `const int *p` may be changed, `int *const p` not */
        local->is_const = pointer_const;
    local->name = i;
    while (umcc_is(unit, i + 1, "[")) {
        local->array = true;
        i = unit->tokens[i + 1].match;
    }
    local->dims_last = i++;
    const bool constructed = umcc_is(unit, i, "(") || umcc_is(unit, i, "{");
    if (!constructed && !umcc_is(unit, i, "=") && !umcc_is(unit, i, ",") && !umcc_is(unit, i, ";"))
        return -1;
    local->strange |= constructed || local->reference;
    if (umcc_is(unit, i, "="))
        local->value = i + 1;
    for (; i < limit && !umcc_is(unit, i, ",") && !umcc_is(unit, i, ";"); i++) {
        if (umcc_is(unit, i, "<") && umcc_is_name(unit, i - 1) && umcc_skip_angles(unit, i) > i)
            i = umcc_skip_angles(unit, i) - 1;
        else if (unit->tokens[i].match > i)
            i = unit->tokens[i].match;
    }
    if (local->value >= 0)
        local->value_last = i - 1;
    return i < limit ? i : -1;
}

/* The end of the block in which the next piece stands. */
static int block_end(const struct umcc_body *body)
{
    const struct umcc_unit *unit = body->unit;
    int end = body->kernel->body_end;
    for (int p = 0; p < body->piece_count; p++) {
        const int open = body->pieces[p].first, close = unit->tokens[open].match;
        const bool inside = body->pieces[p].form == UMCC_BRACE && close > open &&
                            (p + 1 == body->piece_count || close > body->pieces[body->piece_count - 1].last);
        end = inside && close < end ? close : end;
    }
    return end;
}

/* @return whether there is a place for one more */
static bool add_scope(struct umcc_body *body, struct umcc_local *to, const struct umcc_local *as, int end)
{
    if (to->scope_count == UMCC_SCOPES_MAX)
        return false;
    struct umcc_local *copy = umcc_alloc(&body->unit->arena, sizeof *copy);
    *copy = *as;
    to->scopes[to->scope_count++] = (struct umcc_scope){as->name, end, body->piece_count, copy};
    return true;
}

/* Reads a declaration at `i` whose `;` is at `last`; `head_end`: the end of the loop whose head it is in, or
 * -1.
 * @return 1 and its variables, 0 if it is not a
 * declaration, -1 if it is one that is not understood */
static int read_declaration(struct umcc_body *body, int i, int last, int head_end)
{
    struct umcc_unit *unit = body->unit;
    const bool in_head = head_end >= 0;
    const int scope_end = in_head ? head_end : block_end(body);
    bool is_const = false, is_auto = false;
    const int type_end = read_type(unit, i, &is_const, &is_auto);
    struct umcc_local probe = {0};
    const bool wrapped = umcc_is(unit, type_end, "(") && umcc_is(unit, type_end + 1, "*") &&
                         unit->tokens[type_end].match == type_end + 3; /* T (*p)[4] */
    if (type_end == i || wrapped)
        return wrapped ? -1 : 0;
    if (read_declarator(unit, &probe, type_end, last + 1) < 0)
        return is_const || umcc_is_type_keyword(unit, type_end - 1) ? -1 : 0;
    for (int at = type_end; at < last;) {
        if (body->local_count == UMCC_LOCALS_MAX)
            return -1;
        struct umcc_local local = {.type = i,
                                   .type_last = type_end - 1,
                                   .piece = body->piece_count,
                                   .is_const = is_const,
                                   .in_head = in_head,
                                   .deduced = is_auto};
        const int end = read_declarator(unit, &local, at, last + 1);
        struct umcc_local *before = end < 0 ? NULL : umcc_find_local(body, local.name);
        at = end + 1;
        if (before && before->in_head && in_head && !local.array && !local.strange) {
            if (!add_scope(body, before, &local, scope_end))
                return -1;
            continue; /* heads have to be uniform: both are */
        }
        if (end < 0 || before)
            return -1;
        for (int p = body->kernel->open; p < body->kernel->close; p++)
            if (umcc_same_text(unit, p, local.name))
                return -1;
        add_scope(body, &local, &local, scope_end);
        body->locals[body->local_count++] = local;
    }
    return 1;
}

/* The head of the loop or condition that ends at `end`, and its variables. */
static bool read_head(struct umcc_body *body, int i, int close, int end)
{
    const struct umcc_unit *unit = body->unit;
    if (umcc_is(unit, i, "for")) {
        int semicolon = i + 2;
        while (semicolon < close && !umcc_is(unit, semicolon, ";"))
            semicolon++;
        if (semicolon == close || read_declaration(body, i + 2, semicolon, end) < 0)
            return false;
    }
    return add_piece(body, UMCC_HEAD, i, close);
}

/* A statement with a barrier in it. */
static bool read_around_barrier(struct umcc_body *body, int i, int end)
{
    static const char *const heads[] = {"for", "while", "if", NULL};
    const struct umcc_unit *unit = body->unit;
    if (umcc_is(unit, i, "{"))
        return add_piece(body, UMCC_BRACE, i, i) && read_statements(body, i + 1, end - 1) &&
               add_piece(body, UMCC_BRACE, end, end);
    if (!umcc_is_any(unit, i, heads) || !umcc_is(unit, i + 1, "("))
        return false;
    const int close = unit->tokens[i + 1].match, inner = close + 1;
    const int inner_end = umcc_is(unit, inner, "{") ? unit->tokens[inner].match : -1;
    if (inner_end < 0 || !read_head(body, i, close, inner_end) ||
        !read_around_barrier(body, inner, inner_end))
        return false;
    if (inner_end == end)
        return true;
    const int other = inner_end + 2; /* behind `else` */
    return add_piece(body, UMCC_HEAD, inner_end + 1, inner_end + 1) &&
           (umcc_is(unit, other, "{") || umcc_is(unit, other, "if")) && read_around_barrier(body, other, end);
}

/* A loop that all threads make a pass of before the next one. */
static bool read_turned(struct umcc_body *body, int i, int end)
{
    const struct umcc_unit *unit = body->unit;
    const int inner = unit->tokens[i + 1].match + 1;
    body->turned++;
    if (!read_head(body, i, inner - 1, end))
        return false;
    if (umcc_is(unit, inner, "{"))
        return add_piece(body, UMCC_BRACE, inner, inner) && read_statements(body, inner + 1, end - 1) &&
               add_piece(body, UMCC_BRACE, end, end);
    body->pieces[body->piece_count - 1].bare = true;
    return read_statements(body, inner, end) && add_piece(body, UMCC_BEHIND, end + 1, end);
}

/* `if (...) return;` is not there for those that it lets pass, nor is the `if (...)` around all else. */
static bool read_guarded(struct umcc_body *body, int end)
{
    const struct umcc_unit *unit = body->unit;
    const int inner = unit->tokens[body->guard + 1].match + 1;
    return body->leaves ||
           (add_piece(body, UMCC_BRACE, inner, inner) && read_statements(body, inner + 1, end - 1) &&
            add_piece(body, UMCC_BRACE, end, end));
}

static bool read_statement(struct umcc_body *body, int i, int end)
{
    static const char *const fixed[] = {"constexpr", "typedef", "using", "enum", "static_assert", NULL};
    static const char *const refused[] = {"return", "goto",  "asm",   "__asm__", "static", "try",
                                          "throw",  "union", "class", "struct",  NULL};
    const struct umcc_unit *unit = body->unit;
    if (has_barrier(unit, i, end)) {
        const bool barrier = umcc_is(unit, i, "__syncthreads") && end == i + 3;
        return barrier ? add_piece(body, UMCC_BARRIER, i, end) : read_around_barrier(body, i, end);
    }
    if (i == body->guard)
        return read_guarded(body, end);
    const bool strided = body->tries_turned && umcc_is_strided(body, i, end);
    if (body->tries_turned && !strided && umcc_is_turned(body, i, end))
        return read_turned(body, i, end);
    for (int j = i; j <= end; j++)
        if (umcc_mark_of(unit, j) == UMCC_SHARED)
            return add_piece(body, UMCC_SHARED_DECLARATION, i, end);
    if (umcc_is_any(unit, i, fixed))
        return add_piece(body, UMCC_FIXED, i, end);
    const int close = umcc_is(unit, i, "if") && umcc_is(unit, i + 1, "(") ? unit->tokens[i + 1].match : end;
    if ((umcc_is(unit, close + 1, "return") && end == close + 2) ||
        (umcc_is(unit, close + 1, "{") && umcc_is(unit, close + 2, "return") && end == close + 4))
        return add_piece(body, UMCC_LEAVE, i, end);
    for (int j = i; j <= end; j++)
        if (umcc_is_any(unit, j, refused))
            return false;
    const int declares = umcc_is(unit, end, ";") ? read_declaration(body, i, end, -1) : 0;
    if (declares < 0 || umcc_leaves_loop(unit, i, end, true) ||
        !add_piece(body, declares ? UMCC_DECLARATION : UMCC_STATEMENT, i, end))
        return false;
    body->pieces[body->piece_count - 1].strided = strided;
    body->turned += strided;
    return true;
}

static bool read_statements(struct umcc_body *body, int first, int last)
{
    for (int i = first; i <= last;) {
        const int end = umcc_statement_end(body->unit, i, last + 1);
        if (end < 0 || !read_statement(body, i, end))
            return false;
        i = end + 1;
    }
    return true;
}

bool umcc_read_body(struct umcc_body *body)
{
    return read_statements(body, body->kernel->body + 1, body->kernel->body_end - 1);
}
