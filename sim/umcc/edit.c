/**
 * @file edit.c
 * @brief Queries about tokens, and the changes that umcc_emit() writes.
 *
 * The array of tokens is never changed after it is read, so passes may inspect it in any order. Changes are
 * attached to the tokens (before, instead, after, dropped) or to the list that gives the order in which
 * they are written.
 */
#include "umcc.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/** Template arguments longer than this many tokens are taken for comparisons, so that malformed input cannot
 * take for ever. */
#define MAX_ANGLES 10000

static void say(const struct umcc_unit *unit, int token, struct umcc_text *to, const char *kind,
                const char *format, va_list args)
{
    char text[1024];
    vsnprintf(text, sizeof text, format, args);
    const struct umcc_token *t = &unit->tokens[token];
    umcc_text_printf(to, "%s:%d:%d: %s: %s\n", t->file, t->line, t->column + 1, kind, text);
}

void umcc_error(struct umcc_unit *unit, int token, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (unit->errors++ < 50)
        say(unit, token, &unit->messages, "error", format, args);
    va_end(args);
}

static FILE *warnings;
void umcc_warn_on(FILE *stream)
{
    warnings = stream;
}

/* A source may be rewritten several times, in other forms: what was printed is not printed again. */
static bool is_printed(const char *text)
{
    static char *printed[50];
    static size_t count;
    for (size_t i = 0; i < count; i++)
        if (strcmp(printed[i], text) == 0)
            return true;
    if (count < sizeof printed / sizeof printed[0])
        printed[count++] = strdup(text);
    return false;
}

void umcc_warning(struct umcc_unit *unit, int token, const char *format, ...)
{
    va_list args;
    struct umcc_text text = {0};
    if (!warnings || unit->tokens[token].system || unit->warnings++ >= 50)
        return;
    va_start(args, format);
    say(unit, token, &text, "warning", format, args);
    va_end(args);
    if (!is_printed(text.data))
        fputs(text.data, warnings);
    umcc_text_free(&text);
}

bool umcc_same_text(const struct umcc_unit *unit, int a, int b)
{
    const struct umcc_token *x = &unit->tokens[a], *y = &unit->tokens[b];
    return x->length == y->length && memcmp(x->text, y->text, x->length) == 0;
}

bool umcc_is_any(const struct umcc_unit *unit, int i, const char *const *words)
{
    for (; *words; words++)
        if (umcc_is(unit, i, *words))
            return true;
    return false;
}

bool umcc_is_type_keyword(const struct umcc_unit *unit, int i)
{
    static const char *const words[] = {
        "void",       "bool",       "char",         "short",        "int",
        "long",       "float",      "double",       "signed",       "unsigned",
        "auto",       "wchar_t",    "char16_t",     "char32_t",     "char8_t",
        "const",      "volatile",   "__restrict__", "__restrict",   "__int128",
        "__signed__", "__float128", "__const",      "__volatile__", NULL};
    return umcc_is_identifier(unit, i) && umcc_is_any(unit, i, words);
}

bool umcc_is_name(const struct umcc_unit *unit, int i)
{
    static const char *const words[] = {"if",
                                        "else",
                                        "for",
                                        "while",
                                        "do",
                                        "switch",
                                        "case",
                                        "default",
                                        "return",
                                        "break",
                                        "continue",
                                        "goto",
                                        "sizeof",
                                        "new",
                                        "delete",
                                        "throw",
                                        "try",
                                        "catch",
                                        "namespace",
                                        "using",
                                        "typedef",
                                        "template",
                                        "typename",
                                        "class",
                                        "struct",
                                        "union",
                                        "enum",
                                        "public",
                                        "private",
                                        "protected",
                                        "static",
                                        "extern",
                                        "inline",
                                        "constexpr",
                                        "register",
                                        "mutable",
                                        "virtual",
                                        "friend",
                                        "explicit",
                                        "operator",
                                        "noexcept",
                                        "decltype",
                                        "alignas",
                                        "alignof",
                                        "asm",
                                        "__asm__",
                                        "__asm",
                                        "__attribute__",
                                        "__attribute",
                                        "__extension__",
                                        "static_assert",
                                        "thread_local",
                                        "__thread",
                                        "typeid",
                                        "requires",
                                        "concept",
                                        "co_return",
                                        "co_await",
                                        "co_yield",
                                        "and",
                                        "or",
                                        "not",
                                        "__inline__",
                                        "__inline",
                                        "typeof",
                                        "__typeof__",
                                        "__typeof",
                                        "throw",
                                        "__launch_bounds__",
                                        "consteval",
                                        "constinit",
                                        "__constinit",
                                        "__decltype",
                                        "__forceinline__",
                                        "__noinline__",
                                        NULL};
    return umcc_is_identifier(unit, i) && !umcc_is_type_keyword(unit, i) && !umcc_is_any(unit, i, words) &&
           umcc_mark_of(unit, i) == 0;
}

unsigned umcc_mark_of(const struct umcc_unit *unit, int i)
{
    static const struct {
        const char *word;
        unsigned mark;
    } marks[] = {{"__host__", UMCC_HOST},
                 {"__device__", UMCC_DEVICE},
                 {"__global__", UMCC_GLOBAL},
                 {"__shared__", UMCC_SHARED},
                 {"__constant__", UMCC_CONSTANT},
                 {"__managed__", UMCC_MANAGED},
                 {"__grid_constant__", UMCC_GRID_CONSTANT}};
    const struct umcc_token *t = &unit->tokens[i < 0 ? 0 : i];
    if (!umcc_is_identifier(unit, i) || t->text[0] != '_' || t->text[t->length - 1] != '_')
        return 0;
    for (size_t m = 0; m < sizeof marks / sizeof *marks; m++)
        if (umcc_is(unit, i, marks[m].word))
            return marks[m].mark;
    return 0;
}

char *umcc_spelling(struct umcc_unit *unit, int i)
{
    return umcc_format(&unit->arena, "%.*s", (int)unit->tokens[i].length, unit->tokens[i].text);
}

char *umcc_join(struct umcc_unit *unit, int first, int last)
{
    struct umcc_text text = {0};
    umcc_text_add(&text, "", 0);
    for (int i = first; i <= last; i++) {
        if (umcc_mark_of(unit, i) != 0)
            continue;
        if (text.length > 0 && !unit->tokens[i].joined)
            umcc_text_add(&text, " ", 1);
        umcc_text_add(&text, unit->tokens[i].text, unit->tokens[i].length);
    }
    char *copy = umcc_format(&unit->arena, "%s", text.data);
    umcc_text_free(&text);
    return copy;
}

int umcc_skip_angles(const struct umcc_unit *unit, int i)
{
    int depth = 0;
    for (int j = i; j < unit->count && j < i + MAX_ANGLES; j++) {
        if (umcc_is(unit, j, "<")) {
            depth++;
        } else if (umcc_is(unit, j, ">")) {
            if (--depth == 0)
                return j + 1;
        } else if (umcc_is(unit, j, ";") || (unit->tokens[j].match >= 0 && unit->tokens[j].match < j)) {
            return i;
        } else if (unit->tokens[j].match > j) {
            j = unit->tokens[j].match;
        }
    }
    return i;
}

int umcc_behind_attributes(const struct umcc_unit *unit, int i)
{
    int behind = i;
    for (;;) {
        if (umcc_is(unit, i, "[") && umcc_is(unit, i + 1, "[") && unit->tokens[i].match > i)
            behind = i = unit->tokens[i].match + 1;
        else if (umcc_is(unit, i, "alignas") && unit->tokens[i + 1].match > i)
            behind = i = unit->tokens[i + 1].match + 1;
        else if (umcc_mark_of(unit, i) != 0)
            i++;
        else
            return behind;
    }
}

static void add(struct umcc_unit *unit, const char **place, const char *text)
{
    *place =
        !*place ? umcc_format(&unit->arena, "%s", text) : umcc_format(&unit->arena, "%s%s", *place, text);
}

void umcc_insert_before(struct umcc_unit *unit, int i, const char *text)
{
    add(unit, &unit->tokens[i].before, text);
}

void umcc_insert_after(struct umcc_unit *unit, int i, const char *text)
{
    add(unit, &unit->tokens[i].after, text);
}

void umcc_replace(struct umcc_unit *unit, int i, const char *text)
{
    unit->tokens[i].instead = umcc_format(&unit->arena, "%s", text);
}

void umcc_drop(struct umcc_unit *unit, int first, int last)
{
    for (int i = first; i <= last; i++)
        unit->tokens[i].dropped = true;
}

void umcc_move(struct umcc_unit *unit, int first, int last, int place)
{
    struct umcc_token *t = unit->tokens;
    if (t[first].previous >= 0)
        t[t[first].previous].next = t[last].next;
    if (t[last].next >= 0)
        t[t[last].next].previous = t[first].previous;
    int before = t[place].previous;
    t[first].previous = before;
    t[last].next = place;
    t[place].previous = last;
    if (before >= 0)
        t[before].next = first;
    else
        unit->head = first;
    t[first].moved = t[place].moved = t[last + 1].moved = true;
}
