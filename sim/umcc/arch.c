/**
 * @file arch.c
 * @brief `__CUDA_ARCH__`: nvcc defines it while it compiles a source for the GPU, but not while it compiles
 * it for the host.
 *
 * Here g++ compiles both sides at once. So a source whose files mention the macro is preprocessed a second
 * time, with the macro defined, and the two results are merged before any other pass. Bodies of kernels and
 * `__device__` functions come from the second result, everything else from the first. A `__host__
 * __device__` function whose two bodies differ gets both, and chooses between them at run time. A
 * declaration that exists only for the GPU is added. A constant that differs between the two sides is there
 * twice, and device bodies name the device's one (arch_constants.c). Any other declaration that differs is
 * refused, because the merged source can hold only one.
 *
 * Both results come from the same files, line by line, so equal tokens are found by their file, line and
 * column.
 */
#include "arch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORD "__CUDA_ARCH__"

/* ---- whether the second preprocessing is needed ---- */

static bool file_mentions(const char *path)
{
    FILE *file = fopen(path, "rb");
    char buffer[65536 + sizeof WORD];
    size_t kept = 0, n;
    bool found = false;
    while (file && !found && (n = fread(buffer + kept, 1, 65536, file)) > 0) {
        found = memmem(buffer, kept + n, WORD, strlen(WORD)) != NULL;
        kept = kept + n < sizeof WORD ? kept + n : sizeof WORD;
        memmove(buffer, buffer + n, kept);
    }
    if (file)
        fclose(file);
    return found;
}

/* The user's files are those that a line marker opens: `# 1 "x.cu" 1`, without the 3 of system headers. */
bool umcc_mentions_arch(const char *source, size_t length)
{
    const char *end = source + length;
    for (const char *p = source; p && p < end; p = memchr(p, '\n', (size_t)(end - p)), p += p ? 1 : 0) {
        char path[4096];
        if (strncmp(p, "# 1 \"", 5) != 0)
            continue;
        const char *line_end = memchr(p + 5, '\n', (size_t)(end - p - 5));
        const char *close = !line_end ? NULL : memchr(p + 5, '"', (size_t)(line_end - p - 5));
        if (!close || (size_t)(close - p - 5) >= sizeof path)
            continue;
        const bool system = memmem(close, (size_t)(line_end - close), " 3", 2) != NULL;
        snprintf(path, sizeof path, "%.*s", (int)(close - p - 5), p + 5);
        if (!system && path[0] != '<' && file_mentions(path))
            return true;
    }
    return false;
}

/* ---- twins ---- */

static bool same_file(const struct umcc_token *a, const struct umcc_token *b)
{
    return a->file == b->file || strcmp(a->file, b->file) == 0;
}

static bool same(const struct umcc_token *a, const struct umcc_token *b)
{
    return a->line == b->line && a->length == b->length && memcmp(a->text, b->text, a->length) == 0 &&
           same_file(a, b);
}

/* How far behind `from` there is a token that equals `token`. */
static int distance(const struct umcc_unit *unit, int from, const struct umcc_token *token)
{
    for (int i = from; i < unit->count; i++)
        if (same(&unit->tokens[i], token))
            return i - from;
    return unit->count;
}

static int skip_line(const struct umcc_unit *unit, int i)
{
    const struct umcc_token *first = &unit->tokens[i];
    while (i < unit->count && unit->tokens[i].line == first->line && same_file(&unit->tokens[i], first))
        i++;
    return i;
}

static void find_twins(struct umcc_merge *m)
{
    const struct umcc_unit *host = m->host, *device = m->device;
    int i = 0, j = 0;
    while (i < host->count && j < device->count) {
        const struct umcc_token *a = &host->tokens[i], *b = &device->tokens[j];
        if (same(a, b)) {
            m->twin[i++] = j;
            m->shared[j++] = true;
        } else if (!same_file(a, b)) { /* an #include on one side only */
            if (distance(host, i, b) <= distance(device, j, a))
                i++;
            else
                j++;
        } else if (a->line == b->line) { /* a macro that differs between the sides */
            int end = skip_line(host, i), other_end = skip_line(device, j);
            const int next = end, other_next = other_end;
            while (end > i && other_end > j && same(&host->tokens[end - 1], &device->tokens[other_end - 1])) {
                m->twin[--end] = --other_end;
                m->shared[other_end] = true;
            }
            i = next;
            j = other_next;
        } else if (a->line < b->line) {
            i++;
        } else {
            j++;
        }
    }
}

/* ---- how each body is merged ---- */

static bool is_same_body(const struct umcc_merge *m, int open, int close)
{
    for (int i = open; i <= close; i++)
        if (m->twin[i] < 0 || m->twin[i] - m->twin[open] != i - open)
            return false;
    return true;
}

static void take_body(struct umcc_merge *m, int open, int close, unsigned marks)
{
    if (m->twin[open] < 0 || m->twin[close] < 0 || is_same_body(m, open, close))
        return;
    const bool both = (marks & UMCC_HOST) != 0 && (marks & UMCC_GLOBAL) == 0;
    m->taken[open] = both ? UMCC_FROM_BOTH : UMCC_FROM_DEVICE;
}

/* A marked lambda in a host function. */
static void take_lambda(struct umcc_merge *m, int mark, int end)
{
    const struct umcc_unit *unit = m->host;
    int open = mark;
    unsigned marks = umcc_mark_of(unit, mark - 1) | umcc_mark_of(unit, mark + 1);
    while (open < end && !umcc_is(unit, open, "{") && !umcc_is(unit, open, ";"))
        open = unit->tokens[open].match > open ? unit->tokens[open].match + 1 : open + 1;
    if (umcc_is(unit, open, "{"))
        take_body(m, open, unit->tokens[open].match, marks);
}

static void take_bodies(struct umcc_merge *m)
{
    for (const struct umcc_decl *d = m->host->decls; d; d = d->next) {
        if (d->form != UMCC_FUNCTION || d->body < 0)
            continue;
        if ((d->marks & (UMCC_DEVICE | UMCC_GLOBAL)) != 0)
            take_body(m, d->body, d->body_end, d->marks);
        else
            for (int i = d->body; i < d->body_end; i++)
                if (umcc_mark_of(m->host, i) == UMCC_DEVICE)
                    take_lambda(m, i, d->body_end);
    }
}

/* ---- the result ---- */

static void lead_to(struct umcc_merge *m, const struct umcc_token *token)
{
    umcc_text_printf(m->out, "\n# %d \"%s\"%s\n%*s", token->line, token->file, token->system ? " 3" : "",
                     token->column, "");
}

static void add_tokens(struct umcc_merge *m, const struct umcc_unit *unit, int first, int last)
{
    for (int i = first; i <= last; i++) {
        if (i == first)
            lead_to(m, &unit->tokens[i]);
        else
            umcc_text_add(m->out, unit->tokens[i].space, unit->tokens[i].space_length);
        umcc_text_add(m->out, unit->tokens[i].text, unit->tokens[i].length);
    }
}

/* Constants are the host's. */
static bool may_be_constant(const struct umcc_unit *unit, int open)
{
    for (const struct umcc_decl *d = unit->decls; d; d = d->next)
        for (int i = d->first; d->body == open && i < d->name; i++)
            if (umcc_is(unit, i, "constexpr"))
                return true;
    return false;
}

static void add_body(struct umcc_merge *m, int open)
{
    const int close = m->host->tokens[open].match, device = m->twin[open];
    if (m->taken[open] == UMCC_FROM_BOTH) {
        const struct umcc_token *token = &m->host->tokens[open];
        umcc_text_printf(m->out, "\n# %d \"%s\" 3\n{ if (%s::umsim_in_kernel()) ", token->line, token->file,
                         may_be_constant(m->host, open) ? "!__builtin_is_constant_evaluated() && " : "");
    }
    add_tokens(m, m->device, device, device);
    umcc_name_constants(m, device);
    add_tokens(m, m->device, device + 1, m->twin[close]);
    if (m->taken[open] != UMCC_FROM_BOTH)
        return;
    umcc_text_printf(m->out, " else ");
    add_tokens(m, m->host, open, close);
    umcc_text_printf(m->out, " }");
}

/* @return the first token of the innermost function body that contains token `i`, -1 outside of bodies */
static int body_around(const struct umcc_unit *unit, int i)
{
    for (const struct umcc_decl *d = unit->decls; d; d = d->next)
        if (d->form == UMCC_FUNCTION && d->body >= 0 && d->body < i && i <= d->body_end)
            return d->body;
    return -1;
}

/* Whether token `i` of the host is in the body of a function that both sides have. */
static bool in_shared_body(const struct umcc_merge *m, int i)
{
    const int body = i < m->host->count ? body_around(m->host, i) : -1;
    return body >= 0 && m->twin[body] >= 0;
}

/* The host's tokens from `i` on that the device has not, outside of bodies that both have. @return the token
 * behind them */
static int own_end(const struct umcc_merge *m, int i)
{
    while (i < m->host->count && m->twin[i] < 0 && !in_shared_body(m, i))
        i++;
    return i;
}

/* The device's tokens that stand before the host's token `i` and that the host has not. @return the first of
 * them; they end at `*end` */
static int only_device(const struct umcc_merge *m, int i, int *end)
{
    *end = i < m->host->count ? m->twin[i] : m->device->count;
    int first = *end;
    while (first > 0 && !m->shared[first - 1])
        first--;
    return first;
}

/* Whether the host's tokens from `first` to before `end` are whole functions that only the GPU runs. */
static bool are_device_functions(const struct umcc_unit *unit, int first, int end)
{
    int covered = first;
    for (const struct umcc_decl *d = unit->decls; d; d = d->next) {
        if (d->first != covered || d->last >= end)
            continue;
        if (d->form != UMCC_FUNCTION || (d->marks & (UMCC_GLOBAL | UMCC_DEVICE)) == 0 ||
            (d->marks & UMCC_HOST) != 0)
            return false;
        covered = d->last + 1;
    }
    return covered == end;
}

/* Decides between declarations that stand at one place and differ: `first` to before `end` are the host's.
 * @return whether the device's have to be added */
static bool take_other(struct umcc_merge *m, int first, int end, int *device_first, int *device_end)
{
    if (end < m->host->count && (m->twin[end] < 0 || in_shared_body(m, end)))
        return false;
    *device_first = only_device(m, end, device_end);
    if (*device_first == *device_end)
        return false;
    if (first < end && umcc_are_constants(m, first, end, *device_first, *device_end)) {
        add_tokens(m, m->host, first, end - 1);
        umcc_text_printf(m->out, "\nnamespace " UMCC_ARCH_CONSTANTS " {");
        add_tokens(m, m->device, *device_first, *device_end - 1);
        umcc_text_printf(m->out, "\n}");
        *device_first = *device_end;
    } else if (first < end && !are_device_functions(m->host, first, end))
        umcc_error(m->device, *device_first,
                   "this declaration is another one where " WORD
                   " is not defined: one of both is needed for host and device (umcc compiles them at once)");
    return true;
}

static void write_token(struct umcc_merge *m, int i, bool *led)
{
    const struct umcc_token *token = &m->host->tokens[i];
    umcc_text_add(m->out, token->space, token->space_length);
    if (!*led)
        lead_to(m, token);
    umcc_text_add(m->out, token->text, token->length);
    *led = true;
}

static void write_out(struct umcc_merge *m)
{
    const struct umcc_unit *host = m->host;
    bool led = true; /* the place of the next token is known */
    for (int i = 0; i <= host->count; i++) {
        const int end = own_end(m, i);
        int device_first, device_end;
        if (take_other(m, i, end, &device_first, &device_end)) {
            add_tokens(m, m->device, device_first, device_end - 1);
            led = false;
        } else {
            for (int j = i; j < end; j++)
                write_token(m, j, &led);
        }
        i = end;
        if (i < host->count && m->taken[i] != UMCC_AS_IT_IS) {
            add_body(m, i);
            i = host->tokens[i].match;
            led = false;
        } else if (i < host->count) {
            write_token(m, i, &led);
        }
    }
    umcc_text_printf(m->out, "\n");
}

int umcc_merge_arch(struct umcc_unit *host, struct umcc_unit *device, struct umcc_text *out)
{
    umcc_parse(host);
    struct umcc_merge m = {.host = host, .device = device, .out = out};
    m.twin = umcc_alloc(&host->arena, ((size_t)host->count + 1) * sizeof *m.twin);
    m.taken = umcc_alloc(&host->arena, (size_t)host->count + 1);
    m.shared = umcc_alloc(&host->arena, (size_t)device->count + 1);
    for (int i = 0; i < host->count; i++)
        m.twin[i] = -1;
    find_twins(&m);
    take_bodies(&m);
    write_out(&m);
    return host->errors + device->errors;
}
