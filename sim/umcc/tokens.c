/**
 * @file tokens.c
 * @brief The tokenizer: cuts the preprocessor's output into tokens, each of which knows the user's file and
 * line.
 *
 * Whatever stands between two tokens (space, line markers, pragmas) is kept with the second, so that an
 * unchanged unit can be written byte for byte as it was read.
 */
#include "umcc.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    struct umcc_unit *unit;
    const char *at, *end;
    const char *seen,
        *line_start; /* for columns: how far line breaks were searched for, and where the last one ends */
    const char *file;
    int line;
    bool system;
    int capacity;
};

static inline bool starts(const struct reader *r, const char *text)
{
    const size_t length = strlen(text);
    return (size_t)(r->end - r->at) >= length && memcmp(r->at, text, length) == 0;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 128;
}

/* `# 12 "file" 1 3`: what follows is line 12; flag 3 says that it is a system header. */
static void read_line_marker(struct reader *r, const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t' || *p == '#'))
        p++;
    if (p + 4 < end && strncmp(p, "line", 4) == 0)
        p += 4;
    while (p < end && *p == ' ')
        p++;
    if (p == end || !isdigit((unsigned char)*p))
        return;
    long line = 0;
    while (p < end && isdigit((unsigned char)*p) && line < 100000000)
        line = line * 10 + (*p++ - '0');
    r->line = (int)line - 1; /* the line break that ends the marker adds one */
    while (p < end && *p == ' ')
        p++;
    if (p == end || *p != '"')
        return;
    const char *name = ++p;
    while (p < end && *p != '"')
        p += *p == '\\' && p + 1 < end ? 2 : 1;
    r->file = umcc_format(&r->unit->arena, "%.*s", (int)(p - name), name);
    r->system = false;
    for (; p < end; p++)
        if (*p == '3')
            r->system = true;
}

/* nvcc's own pragmas mean nothing to g++, which would warn about them with -Wall. gcc decides about unrolling
 * itself. */
static void blank_pragma(char *p, char *end)
{
    static const char *const words[] = {"unroll", "nounroll", "nv_", "hd_warning_disable"};
    char *q = p + 1;
    while (q < end && (*q == ' ' || *q == '\t'))
        q++;
    if (end - q < 7 || memcmp(q, "pragma", 6) != 0)
        return;
    for (q += 6; q < end && (*q == ' ' || *q == '\t'); q++)
        ;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i]);
        if ((size_t)(end - q) >= length && memcmp(q, words[i], length) == 0)
            memset(p, ' ', (size_t)(end - p));
    }
}

static void skip_directive(struct reader *r)
{
    const char *p = r->at;
    while (r->at < r->end && *r->at != '\n')
        r->at++;
    read_line_marker(r, p, r->at);
    blank_pragma((char *)p, (char *)r->at);
}

static void skip_comment(struct reader *r)
{
    if (r->at[1] == '/') {
        while (r->at < r->end && *r->at != '\n')
            r->at++;
        return;
    }
    for (r->at += 2; r->at < r->end && !starts(r, "*/"); r->at++)
        r->line += *r->at == '\n';
    r->at += r->at < r->end ? 2 : 0;
}

static bool ends_line(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t' || *p == '\r'))
        p++;
    return p < end && *p == '\n';
}

/* A backslash at a line's end is one where a comment stood between: `+ \ // more`. */
static void skip_space(struct reader *r, bool line_start)
{
    while (r->at < r->end) {
        char c = *r->at;
        if (c == '\n') {
            line_start = true;
            r->line++;
            r->at++;
        } else if (isspace((unsigned char)c)) {
            r->at++;
        } else if (c == '\\' && ends_line(r->at + 1, r->end)) {
            *(char *)r->at++ = ' '; /* nvcc reads its preprocessor's output once more, g++ does not */
        } else if (starts(r, "//") || starts(r, "/*")) {
            skip_comment(r);
        } else if (c == '#' && line_start) {
            skip_directive(r);
        } else {
            return;
        }
    }
}

/* R"delimiter( ... )delimiter" */
static void read_raw_string(struct reader *r)
{
    const char *delimiter = ++r->at;
    while (r->at < r->end && *r->at != '(')
        r->at++;
    size_t length = (size_t)(r->at - delimiter);
    for (; r->at < r->end; r->at++) {
        r->line += *r->at == '\n';
        if (*r->at == ')' && (size_t)(r->end - r->at) >= length + 2 && r->at[length + 1] == '"' &&
            memcmp(r->at + 1, delimiter, length) == 0) {
            r->at += length + 2;
            return;
        }
    }
}

/* A line break ends an unterminated literal: g++ then complains about it. */
static void read_quoted(struct reader *r)
{
    char quote = *r->at++;
    while (r->at < r->end && *r->at != quote && *r->at != '\n')
        r->at += *r->at == '\\' && r->at + 1 < r->end && r->at[1] != '\n' ? 2 : 1;
    r->at += r->at < r->end && *r->at == quote;
}

static void skip_suffix(struct reader *r)
{
    while (r->at < r->end && is_word(*r->at))
        r->at++;
}

static enum umcc_kind read_word(struct reader *r)
{
    const char *start = r->at;
    skip_suffix(r);
    size_t length = (size_t)(r->at - start);
    if (r->at == r->end || (*r->at != '"' && *r->at != '\'') || length > 3)
        return UMCC_IDENTIFIER;
    bool raw = start[length - 1] == 'R';
    size_t prefix = length - (raw ? 1 : 0);
    bool encoding =
        prefix == 0 || (prefix == 1 && strchr("uUL", *start)) || (prefix == 2 && memcmp(start, "u8", 2) == 0);
    if (!encoding || (raw && *r->at == '\''))
        return UMCC_IDENTIFIER;
    enum umcc_kind kind = *r->at == '"' ? UMCC_STRING : UMCC_CHARACTER;
    if (raw)
        read_raw_string(r);
    else
        read_quoted(r);
    skip_suffix(r);
    return kind;
}

static enum umcc_kind read_number(struct reader *r)
{
    for (r->at++; r->at < r->end; r->at++) {
        char c = *r->at, before = r->at[-1];
        bool sign = (c == '+' || c == '-') && strchr("eEpP", before);
        bool separator = c == '\'' && r->at + 1 < r->end && is_word(r->at[1]);
        if (!is_word(c) && c != '.' && !sign && !separator)
            break;
    }
    return UMCC_NUMBER;
}

static enum umcc_kind read_punctuator(struct reader *r)
{
    static const char *const longer[] = {"->*", "...", "<=>", "->", "::", "++", "--", "&&",
                                         "||",  "==",  "!=",  "<=", ">=", "+=", "-=", "*=",
                                         "/=",  "%=",  "&=",  "|=", "^=", ".*", "##"};
    const bool alone = r->at + 1 == r->end || !strchr(".=>:+-&|*#", r->at[1]); /* as most are */
    for (size_t i = 0; !alone && i < sizeof longer / sizeof *longer; i++)
        if (starts(r, longer[i])) {
            r->at += strlen(longer[i]);
            return UMCC_PUNCTUATOR;
        }
    r->at++;
    return UMCC_PUNCTUATOR;
}

static enum umcc_kind read_token(struct reader *r)
{
    char c = *r->at;
    if (isdigit((unsigned char)c) || (c == '.' && r->at + 1 < r->end && isdigit((unsigned char)r->at[1])))
        return read_number(r);
    if (is_word(c))
        return read_word(r);
    if (c == '"' || c == '\'') {
        read_quoted(r);
        skip_suffix(r);
        return c == '"' ? UMCC_STRING : UMCC_CHARACTER;
    }
    return read_punctuator(r);
}

static struct umcc_token *new_token(struct reader *r)
{
    struct umcc_unit *unit = r->unit;
    if (unit->count == r->capacity) {
        /* headers have a token each five bytes or so: seldom more than once */
        const int guess = 1024 + (int)((r->end - r->at) / 4);
        int capacity = r->capacity == 0 ? guess : r->capacity * 2;
        struct umcc_token *bigger = umcc_alloc(&unit->arena, (size_t)capacity * sizeof *bigger);
        if (unit->count > 0)
            memcpy(bigger, unit->tokens, (size_t)unit->count * sizeof *bigger);
        unit->tokens = bigger;
        r->capacity = capacity;
    }
    return &unit->tokens[unit->count];
}

static void pair_brackets(struct umcc_unit *unit)
{
    int *open = umcc_alloc(&unit->arena, (size_t)(unit->count + 1) * sizeof *open);
    int depth = 0;
    for (int i = 0; i < unit->count; i++) {
        struct umcc_token *token = &unit->tokens[i];
        if (token->kind != UMCC_PUNCTUATOR || token->length != 1)
            continue;
        if (strchr("([{", token->text[0])) {
            open[depth++] = i;
        } else if (strchr(")]}", token->text[0])) {
            char want = token->text[0] == ')' ? '(' : token->text[0] == ']' ? '[' : '{';
            if (depth == 0) {
                umcc_error(unit, i, "'%c' closes nothing", token->text[0]);
                return;
            }
            depth--;
            if (unit->tokens[open[depth]].text[0] != want) {
                umcc_error(unit, i, "'%c' does not match the '%c' of line %d", token->text[0],
                           unit->tokens[open[depth]].text[0], unit->tokens[open[depth]].line);
                return;
            }
            token->match = open[depth];
            unit->tokens[open[depth]].match = i;
        }
    }
    if (depth > 0)
        umcc_error(unit, open[depth - 1], "'%c' is never closed", unit->tokens[open[depth - 1]].text[0]);
}

/* The column at which the reader stands. */
static int column_of(struct reader *r)
{
    for (; r->seen < r->at; r->seen++)
        if (*r->seen == '\n')
            r->line_start = r->seen + 1;
    return r->at - r->line_start < 100000 ? (int)(r->at - r->line_start) : 0;
}

void umcc_tokenize(struct umcc_unit *unit, const char *source, size_t length)
{
    char *copy = umcc_alloc(&unit->arena, length + 1);
    memcpy(copy, source, length);
    struct reader r = {.unit = unit,
                       .at = copy,
                       .end = copy + length,
                       .seen = copy,
                       .line_start = copy,
                       .file = "<input>",
                       .line = 1};
    unit->count = 0;
    for (;;) {
        struct umcc_token *token = new_token(&r);
        const char *space = r.at;
        skip_space(&r, space == copy);
        *token = (struct umcc_token){.space = space,
                                     .space_length = (size_t)(r.at - space),
                                     .joined = r.at == space,
                                     .text = r.at,
                                     .file = r.file,
                                     .line = r.line,
                                     .column = column_of(&r),
                                     .system = r.system,
                                     .match = -1,
                                     .next = unit->count + 1,
                                     .previous = unit->count - 1};
        if (r.at == r.end)
            break;
        token->kind = read_token(&r);
        token->length = (size_t)(r.at - token->text);
        unit->count++;
    }
    unit->tokens[unit->count].next = -1;
    pair_brackets(unit);
}

void umcc_unit_free(struct umcc_unit *unit)
{
    umcc_text_free(&unit->messages);
    umcc_kernels_free(&unit->kernels);
    umcc_arena_free(&unit->arena);
    *unit = (struct umcc_unit){0};
}
