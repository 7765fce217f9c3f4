/**
 * @file json.c
 * @brief See json.h. A recursive descent over a copy of the text: strings are unescaped where they stand.
 */
#include "json.h"
#include <locale.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A profile is four deep; what is deeper is no profile, and must not exhaust the stack. */
#define DEEPEST 32

/** What is left to read, and the nodes that are left to fill. */
struct reader {
    char *at, *end;
    struct umsim_json *free_node;
};

static bool read_value(struct reader *r, struct umsim_json *value, int depth);

static void skip_space(struct reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\n' || *r->at == '\t' || *r->at == '\r'))
        r->at++;
}

static bool take(struct reader *r, char wanted)
{
    if (r->at == r->end || *r->at != wanted)
        return false;
    r->at++;
    return true;
}

static bool take_word(struct reader *r, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length) != 0)
        return false;
    r->at += length;
    return true;
}

/* Four hexadecimal digits. */
static bool take_unit(struct reader *r, unsigned *unit)
{
    *unit = 0;
    for (int i = 0; i < 4; i++, r->at++) {
        if (r->at == r->end)
            return false;
        char c = *r->at, lower = (char)(c | 0x20);
        if (c >= '0' && c <= '9')
            *unit = *unit * 16 + (unsigned)(c - '0');
        else if (lower >= 'a' && lower <= 'f')
            *unit = *unit * 16 + (unsigned)(lower - 'a' + 10);
        else
            return false;
    }
    return true;
}

static char *put_utf8(char *out, unsigned code)
{
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    int bytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (bytes == 1) {
        *out = (char)code;
        return out + 1;
    }
    for (int i = bytes - 1; i > 0; i--, code >>= 6)
        out[i] = (char)(0x80 | (code & 0x3f));
    out[0] = (char)(lead[bytes] | code);
    return out + bytes;
}

/* What follows a backslash and a u: a unit, or two that make one character. Not NUL, which would end a C string. */
static bool take_character(struct reader *r, char **out)
{
    unsigned code, low;
    if (!take_unit(r, &code) || code == 0 || (code >= 0xdc00 && code < 0xe000))
        return false;
    if (code >= 0xd800 && code < 0xdc00) {
        if (!take_word(r, "\\u") || !take_unit(r, &low) || low < 0xdc00 || low >= 0xe000)
            return false;
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    *out = put_utf8(*out, code);
    return true;
}

static bool take_escape(struct reader *r, char **out)
{
    static const char names[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    if (r->at == r->end)
        return false;
    char c = *r->at++;
    if (c == 'u')
        return take_character(r, out);
    const char *found = c ? strchr(names, c) : NULL;
    if (found)
        *(*out)++ = meanings[found - names];
    return found != NULL;
}

/* A string becomes shorter or stays as it is; its closing quote makes room for the NUL. */
static bool read_string(struct reader *r, const char **string)
{
    if (!take(r, '"'))
        return false;
    char *out = r->at;
    *string = r->at;
    while (r->at < r->end && *r->at != '"') {
        char c = *r->at;
        if ((unsigned char)c < 0x20)
            return false;
        r->at++;
        if (c != '\\')
            *out++ = c;
        else if (!take_escape(r, &out))
            return false;
    }
    char *close = out;
    if (!take(r, '"'))
        return false;
    *close = '\0';
    return true;
}

static size_t take_digits(struct reader *r, uint64_t *digits)
{
    const char *start = r->at;
    for (; r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++)
        *digits = *digits * 10 + (uint64_t)(*r->at - '0');
    return (size_t)(r->at - start);
}

/* Digits of a number; a longer one is no figure of a machine. */
#define LONGEST_NUMBER 400

/* The nearest double. Up to 15 digits times or by a power of ten that is a double itself, one operation gives it; the
 * rest is left to the C library, in a locale whose decimal point is a point. */
static double nearest(const char *start, const char *end, uint64_t digits, size_t count, long power)
{
    static const double ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (count <= 15 && power >= -22 && power <= 22)
        return power < 0 ? (double)digits / ten[-power] : (double)digits * ten[power];
    char copy[LONGEST_NUMBER + 1];
    memcpy(copy, start, (size_t)(end - start));
    copy[end - start] = '\0';
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    double value = plain ? strtod_l(copy, NULL, plain) : strtod(copy, NULL);
    if (plain)
        freelocale(plain);
    return value;
}

/* -? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)? */
static bool read_number(struct reader *r, double *number)
{
    bool negative = take(r, '-'), small = false;
    const char *start = r->at;
    uint64_t digits = 0, exponent = 0;
    size_t whole = take_digits(r, &digits), fraction = 0;
    if (whole == 0 || (whole > 1 && *start == '0'))
        return false;
    if (take(r, '.') && (fraction = take_digits(r, &digits)) == 0)
        return false;
    if (take(r, 'e') || take(r, 'E')) {
        small = take(r, '-');
        if (!small)
            take(r, '+');
        size_t places = take_digits(r, &exponent);
        if (places == 0)
            return false;
        if (places > 6)
            exponent = 1000000;
    }
    if (r->at - start > LONGEST_NUMBER)
        return false;
    long power = (small ? -(long)exponent : (long)exponent) - (long)fraction;
    double value = nearest(start, r->at, digits, whole + fraction, power);
    *number = negative ? -value : value;
    return true;
}

/* Elements, or members with their keys, up to the closing bracket. */
static bool read_children(struct reader *r, struct umsim_json *value, int depth)
{
    const bool has_keys = value->type == UMSIM_JSON_OBJECT;
    const char close = has_keys ? '}' : ']';
    struct umsim_json **link = &value->child;
    skip_space(r);
    if (take(r, close))
        return true;
    do {
        struct umsim_json *child = r->free_node++;
        skip_space(r);
        if (has_keys) {
            if (!read_string(r, &child->key))
                return false;
            skip_space(r);
            if (!take(r, ':'))
                return false;
        }
        if (!read_value(r, child, depth + 1))
            return false;
        *link = child;
        link = &child->next;
        skip_space(r);
    } while (take(r, ','));
    return take(r, close);
}

static bool read_value(struct reader *r, struct umsim_json *value, int depth)
{
    skip_space(r);
    if (r->at == r->end || depth > DEEPEST)
        return false;
    switch (*r->at) {
    case '{':
    case '[':
        value->type = *r->at++ == '{' ? UMSIM_JSON_OBJECT : UMSIM_JSON_ARRAY;
        return read_children(r, value, depth);
    case '"':
        value->type = UMSIM_JSON_STRING;
        return read_string(r, &value->text);
    case 't':
        value->type = UMSIM_JSON_TRUE;
        return take_word(r, "true");
    case 'f':
        value->type = UMSIM_JSON_FALSE;
        return take_word(r, "false");
    case 'n':
        value->type = UMSIM_JSON_NULL;
        return take_word(r, "null");
    default:
        value->type = UMSIM_JSON_NUMBER;
        return read_number(r, &value->number);
    }
}

struct umsim_json *umsim_json_parse(const char *text, size_t length, const char **end)
{
    /* A value and what parts it from the next, or closes it, take two characters; arrays that the text does not close
     * take one, and are not many. What is not used of this costs nothing. */
    size_t nodes = length / 2 + DEEPEST + 4;
    *end = text;
    struct umsim_json *root = calloc(1, nodes * sizeof *root + length);
    if (!root)
        return NULL;
    char *copy = memcpy(root + nodes, text, length);
    struct reader reader = {copy, copy + length, root + 1};
    bool valid = read_value(&reader, root, 0);
    *end = text + (reader.at - copy);
    if (valid)
        return root;
    free(root);
    return NULL;
}

const struct umsim_json *umsim_json_member(const struct umsim_json *object, const char *key)
{
    const struct umsim_json *member = object->type == UMSIM_JSON_OBJECT ? object->child : NULL;
    while (member && strcmp(member->key, key) != 0)
        member = member->next;
    return member;
}

size_t umsim_json_count(const struct umsim_json *value)
{
    size_t count = 0;
    for (const struct umsim_json *child = value->child; child; child = child->next)
        count++;
    return count;
}
