/**
 * @file fields.c
 * @brief Implementation of fields.h: JSON's punctuation, and text as valid UTF-8.
 */
#include "fields.h"

#include <stdlib.h>
#include <stdio.h>
#include <string.h>

static void put(struct umsim_fields *fields, const char *text, size_t bytes)
{
    fields->is_cut |= bytes >= sizeof fields->text - fields->used;
    if (fields->is_cut)
        return;
    memcpy(fields->text + fields->used, text, bytes);
    fields->used += bytes;
    fields->text[fields->used] = 0;
}

/* The length of the UTF-8 sequence at `text`, of at most `bytes`; 0 if it is none. */
static size_t sequence(const unsigned char *text, size_t bytes)
{
    const unsigned char first = text[0];
    const size_t length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
    if (length == 0 || length > bytes || first > 0xf4)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    const bool is_short = (first == 0xe0 && text[1] < 0xa0) || (first == 0xf0 && text[1] < 0x90);
    const bool is_none = (first == 0xed && text[1] > 0x9f) || (first == 0xf4 && text[1] > 0x8f);
    return is_short || is_none ? 0 : length;
}

static void put_quoted(struct umsim_fields *fields, const char *text, size_t bytes)
{
    char escaped[8];
    put(fields, "\"", 1);
    while (bytes > 0) {
        const size_t length = sequence((const unsigned char *)text, bytes);
        if (length == 0)
            put(fields, "\xef\xbf\xbd", 3); /* U+FFFD stands for what is no text */
        else if (*text == '"' || *text == '\\')
            put(fields, (const char[]){'\\', *text}, 2);
        else if ((unsigned char)*text < ' ')
            put(fields, escaped, (size_t)snprintf(escaped, sizeof escaped, "\\u%04x", (unsigned)*text));
        else
            put(fields, text, length);
        text += length ? length : 1;
        bytes -= length ? length : 1;
    }
    put(fields, "\"", 1);
}

static void put_name(struct umsim_fields *fields, const char *name)
{
    const char before = fields->used ? fields->text[fields->used - 1] : '{';
    if (before != '{' && before != '[')
        put(fields, ",", 1);
    if (!*name)
        return;
    put_quoted(fields, name, strlen(name));
    put(fields, ":", 1);
}

void umsim_field_part(struct umsim_fields *fields, const char *name, const char *value, size_t bytes)
{
    put_name(fields, name);
    put_quoted(fields, value, bytes);
}

void umsim_field_text(struct umsim_fields *fields, const char *name, const char *value)
{
    umsim_field_part(fields, name, value, strlen(value));
}

static void put_word(struct umsim_fields *fields, const char *name, const char *word)
{
    put_name(fields, name);
    put(fields, word, strlen(word));
}

void umsim_field_number(struct umsim_fields *fields, const char *name, uint64_t value)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
    put_word(fields, name, digits);
}

void umsim_field_true(struct umsim_fields *fields, const char *name, bool value)
{
    put_word(fields, name, value ? "true" : "false");
}

void umsim_field_null(struct umsim_fields *fields, const char *name)
{
    put_word(fields, name, "null");
}

void umsim_field_address(struct umsim_fields *fields, const char *name, uintptr_t value)
{
    char digits[24];
    snprintf(digits, sizeof digits, "0x%lx", (unsigned long)value);
    umsim_field_text(fields, name, digits);
}

void umsim_field_index(struct umsim_fields *fields, const char *name, unsigned x, unsigned y, unsigned z)
{
    char numbers[48];
    snprintf(numbers, sizeof numbers, "[%u,%u,%u]", x, y, z);
    put_word(fields, name, numbers);
}

void umsim_field_open(struct umsim_fields *fields, const char *name, char bracket)
{
    put_name(fields, name);
    put(fields, &bracket, 1);
}

void umsim_field_close(struct umsim_fields *fields, char bracket)
{
    put(fields, bracket == '{' ? "}" : "]", 1);
}

void umsim_field_rest(struct umsim_fields *fields, const struct umsim_fields *others)
{
    if (!others->used)
        return;
    put_name(fields, "");
    put(fields, others->text, others->used);
}

void umsim_field_line(struct umsim_fields *fields, const char *function, const char *line)
{
    const char *colon = strrchr(line, ':');
    char *end = NULL;
    const unsigned long number = colon ? strtoul(colon + 1, &end, 10) : 0;
    if (function && *function)
        umsim_field_text(fields, "function", function);
    if (number > 0 && *end == 0) {
        umsim_field_part(fields, "file", line, (size_t)(colon - line));
        umsim_field_number(fields, "line", number);
    } else {
        umsim_field_text(fields, "code", line);
    }
}
