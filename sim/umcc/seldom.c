/**
 * @file seldom.c
 * @brief Functions of headers that few programs mention.
 *
 * Each of these functions has templates instantiated, which g++ puts off to the end of every program, used or
 * not: C++17's special functions, the video instructions, arithmetic with other roundings. In sum they take
 * longer than all the rest of a header that is compiled beforehand. A program in which none of their names
 * occurs, in whatever meaning, cannot tell whether they are there.
 *
 * Which functions are tried is a matter of time only. What is left out is what nothing else in the headers
 * names.
 */
#include "precompiled.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *const files[] = {"/bits/specfun.h", "/umsim/simd.h", "/umsim/math.h", "/umsim/rounding.h",
                                    NULL};

/* A function: its tokens, and that of its name. */
struct function {
    int first, name, last;
};

struct functions {
    struct function *items;
    int count, capacity;
};

static bool is_tried(const char *file)
{
    for (int i = 0; files[i]; i++) {
        const size_t length = strlen(file), ending = strlen(files[i]);
        if (length > ending && strcmp(file + length - ending, files[i]) == 0)
            return true;
    }
    return false;
}

/* @return whether an inline function, which is no template, begins at token `i` */
static bool is_function(const struct umcc_unit *unit, int i, struct function *f)
{
    if (!umcc_is(unit, i, "inline") || !is_tried(unit->tokens[i].file) ||
        !(umcc_is(unit, i - 1, "}") || umcc_is(unit, i - 1, ";") || umcc_is(unit, i - 1, "{")))
        return false;
    int open = i + 1;
    while (umcc_is_identifier(unit, open) || umcc_is(unit, open, "*") || umcc_is(unit, open, "::"))
        open++;
    if (!umcc_is(unit, open, "(") || !umcc_is_name(unit, open - 1))
        return false;
    const int body = unit->tokens[open].match + 1;
    *f = (struct function){i, open - 1, unit->tokens[body].match};
    return umcc_is(unit, body, "{");
}

static void find_functions(const struct umcc_unit *unit, struct functions *found)
{
    struct function f;
    for (int i = 1; i < unit->count; i++) {
        if (!is_function(unit, i, &f))
            continue;
        if (found->count == found->capacity) {
            found->capacity = found->capacity == 0 ? 256 : 2 * found->capacity;
            found->items = realloc(found->items, (size_t)found->capacity * sizeof *found->items);
            if (!found->items)
                abort();
        }
        found->items[found->count++] = f;
        i = f.last;
    }
}

/* Keeps the functions whose names occur outside of all. @return whether there are such functions */
static bool keep_named(const struct umcc_unit *unit, struct functions *found)
{
    int kept = 0;
    for (int f = 0; f < found->count; f++) {
        bool named = false;
        for (int i = 0, in = 0; i < unit->count && !named; i++) {
            if (in < found->count && i == found->items[in].first)
                i = found->items[in++].last;
            else
                named = umcc_is_identifier(unit, i) && umcc_same_text(unit, i, found->items[f].name);
        }
        if (named)
            found->items[f].name = -1;
    }
    const int before = found->count;
    for (int f = 0; f < before; f++)
        if (found->items[f].name >= 0)
            found->items[kept++] = found->items[f];
    found->count = kept;
    return kept < before;
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void list_names(struct umcc_unit *unit, const struct functions *found, struct umcc_text *names)
{
    char **list = umcc_alloc(&unit->arena, (size_t)(found->count + 1) * sizeof *list);
    for (int f = 0; f < found->count; f++)
        list[f] = umcc_spelling(unit, found->items[f].name);
    qsort(list, (size_t)found->count, sizeof *list, compare);
    for (int f = 0; f < found->count; f++)
        if (f == 0 || strcmp(list[f], list[f - 1]) != 0)
            umcc_text_printf(names, "%s\n", list[f]);
}

int umcc_leave_out_seldom(const struct umcc_text *headers, struct umcc_text *rest, struct umcc_text *names)
{
    struct umcc_unit unit = {0};
    struct functions found = {0};
    umcc_tokenize(&unit, headers->data, headers->length);
    if (unit.errors == 0) {
        find_functions(&unit, &found);
        while (keep_named(&unit, &found))
            ;
        for (int f = 0; f < found.count; f++)
            umcc_drop(&unit, found.items[f].first, found.items[f].last);
        umcc_emit(&unit, rest);
        list_names(&unit, &found, names);
    }
    const int status = unit.errors == 0 ? UMCC_OK : UMCC_FAILED;
    free(found.items);
    umcc_unit_free(&unit);
    return status;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Whether the word is one of the lines. */
static bool has_line(const char *const *lines, int count, const char *word, size_t length)
{
    int low = 0, high = count;
    while (low < high) {
        const int middle = (low + high) / 2;
        int order = strncmp(word, lines[middle], length);
        if (order == 0)
            order = lines[middle][length] == '\n' ? 0 : -1;
        if (order == 0)
            return true;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return false;
}

bool umcc_mentions_any(const char *names, const char *text)
{
    enum { MOST = 4096 };
    const char *lines[MOST];
    int count = 0;
    for (const char *line = names; *line; line = strchr(line, '\n') + 1) {
        if (count == MOST)
            return true;
        lines[count++] = line;
    }
    while (*text) {
        const char *word = text;
        while (is_word(*text))
            text++;
        if (text > word && has_line(lines, count, word, (size_t)(text - word)))
            return true;
        text += text == word;
    }
    return false;
}
