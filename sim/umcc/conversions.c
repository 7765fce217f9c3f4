/**
 * @file conversions.c
 * @brief Has conversions of floating-point numbers to integers made as a GPU makes them (undefined.c says
 * how).
 *
 * A conversion stands in a cast, or is implied by an initializer, an assignment or a return. It is named
 * there, whatever the types are, because the overloads of umsim/undefined.h know them. Left out is what
 * cannot be one: a variable declared `auto`, a reference or a pointer, values in braces, a literal without a
 * point.
 */
#include "undefined.h"

#include <string.h>

static const char *const whole_words[] = {"char",   "short",    "int",   "long",
                                          "signed", "unsigned", "const", NULL};

/* @return whether tokens `first` to `last` are words of an integer's type */
static bool is_whole_type(const struct umcc_unit *unit, int first, int last)
{
    for (int i = first; i <= last; i++)
        if (!umcc_is_any(unit, i, whole_words))
            return false;
    return first <= last;
}

static bool is_class(const struct umcc_unit *unit, int i)
{
    static const char *const words[] = {"struct", "class", "union", NULL};
    static const char *const behind[] = {"{", ":", ";", "<", "final", NULL};
    for (int j = 1; j < unit->count; j++)
        if (umcc_same_text(unit, i, j) && umcc_is_any(unit, j - 1, words) && umcc_is_any(unit, j + 1, behind))
            return true;
    return false;
}

bool umcc_is_alias(const struct umcc_unit *unit, int i)
{
    static const char *const words[] = {"typename", "class", "using", NULL};
    for (int j = 1; j < unit->count; j++)
        if (umcc_same_text(unit, i, j) && umcc_is_any(unit, j - 1, words))
            return true;
    for (int j = 0, first = 0; j < unit->count; j++) {
        if (umcc_is(unit, j, "typedef"))
            first = j;
        if (first && umcc_is(unit, j, ";") && umcc_same_text(unit, j - 1, i))
            return true;
        if (umcc_is(unit, j, ";"))
            first = 0;
    }
    return false;
}

/* ---- casts ---- */

/* @return the `)` of `(type)` at `i`, if that is a cast for certain: of words, or before a name or a number
 */
static int cast_close(const struct umcc_unit *unit, int i)
{
    if (!umcc_is(unit, i, "("))
        return -1;
    const int close = unit->tokens[i].match;
    const enum umcc_kind behind = unit->tokens[close + 1].kind;
    if (is_whole_type(unit, i + 1, close - 1) || umcc_is(unit, i + 1, "float") ||
        umcc_is(unit, i + 1, "double"))
        return close;
    if (close != i + 2 || !umcc_is_name(unit, i + 1))
        return -1;
    if ((behind == UMCC_IDENTIFIER && umcc_is_name(unit, close + 1)) || behind == UMCC_NUMBER)
        return close;
    return umcc_is(unit, close + 1, "(") && umcc_is_alias(unit, i + 1) ? close : -1;
}

static int postfix_last(const struct umcc_unit *unit, int i)
{
    for (;; i++) {
        if (umcc_is(unit, i + 1, "<") && umcc_is_name(unit, i)) {
            const int behind = umcc_skip_angles(unit, i + 1);
            if (behind > i + 1 && (umcc_is(unit, behind, "(") || umcc_is(unit, behind, "::")))
                i = behind - 1;
        }
        if (umcc_is(unit, i + 1, "(") || umcc_is(unit, i + 1, "["))
            i = unit->tokens[i + 1].match - 1;
        else if ((umcc_is(unit, i + 1, ".") || umcc_is(unit, i + 1, "->") || umcc_is(unit, i + 1, "::")) &&
                 umcc_is_name(unit, i + 2))
            i++;
        else if (!umcc_is(unit, i + 1, "++") && !umcc_is(unit, i + 1, "--"))
            return i;
    }
}

int umcc_operand_last(const struct umcc_unit *unit, int i)
{
    static const char *const prefixes[] = {"-", "+", "*", "&", "!", "~", "++", "--", NULL};
    for (int close = cast_close(unit, i); close >= 0 || umcc_is_any(unit, i, prefixes);
         close = cast_close(unit, i))
        i = close >= 0 ? close + 1 : i + 1;
    const enum umcc_kind kind = unit->tokens[i].kind;
    if (umcc_is(unit, i, "("))
        return postfix_last(unit, unit->tokens[i].match);
    const bool names = umcc_is_name(unit, i) || (umcc_is_type_keyword(unit, i) && umcc_is(unit, i + 1, "("));
    return kind == UMCC_NUMBER || kind == UMCC_CHARACTER ? i : names ? postfix_last(unit, i) : -1;
}

/* A cast stands where an operand begins. */
static bool may_begin_operand(const struct umcc_unit *unit, int i)
{
    if (umcc_is(unit, i - 1, ")") && cast_close(unit, unit->tokens[i - 1].match) == i - 1)
        return may_begin_operand(unit, unit->tokens[i - 1].match);
    return !umcc_ends_operand(unit, i - 1) && !umcc_is(unit, i - 1, ">");
}

/* @param tag of umsim/undefined.h: `into`, or `cast` where an address may be cast to a number too small for
 * it
 */
static void define_cast(struct umcc_unit *unit, int i, const char *tag)
{
    const int close = may_begin_operand(unit, i) ? cast_close(unit, i) : -1;
    const int last = close < 0 || umcc_is_literal(unit, close + 1) ? -1 : umcc_operand_last(unit, close + 1);
    if (last < 0 || umcc_is(unit, i + 1, "float") || umcc_is(unit, i + 1, "double") ||
        !umcc_is_untouched(unit, close))
        return;
    const char *after = unit->tokens[last].after;
    umcc_insert_after(unit, close,
                      umcc_format(&unit->arena, "(::umsim::defined::%s<%s>() |= ", tag,
                                  umcc_rewritten(unit, i + 1, close - 1)));
    unit->tokens[last].after = umcc_format(&unit->arena, ")%s", after ? after : ""); /* it is the inner one */
}

/* `static_cast<int>(e)`, `int(e)` */
static void define_call(struct umcc_unit *unit, int i, const char *tag)
{
    static const char *const no[] = {"*", "&", "float", "double", "bool", "void", "auto", ">", NULL};
    const bool is_static = umcc_is(unit, i, "static_cast") && umcc_is(unit, i + 1, "<");
    int first = i, behind = i + 1;
    if (is_static) {
        first = i + 2;
        behind = umcc_skip_angles(unit, i + 1);
        for (int j = first; j < behind - 1; j++)
            if (umcc_is_any(unit, j, no))
                return;
    } else if (!is_whole_type(unit, i, i) || umcc_is(unit, i, "const") || umcc_ends_operand(unit, i - 1) ||
               umcc_is(unit, i - 1, "<") || umcc_is(unit, i - 1, ";") || umcc_is(unit, i - 1, "{")) {
        return;
    }
    if (!umcc_is(unit, behind, "(") || !umcc_is_untouched(unit, behind) ||
        umcc_is_literal(unit, behind + 1) || umcc_is_any(unit, behind + 1, no) ||
        umcc_is_type_keyword(unit, behind + 1) || umcc_is(unit, behind + 1, ")"))
        return;
    umcc_insert_after(unit, behind,
                      umcc_format(&unit->arena, "::umsim::defined::%s<%s>() |= ", is_static ? "into" : tag,
                                  umcc_rewritten(unit, first, is_static ? behind - 2 : i)));
}

/* ---- conversions that are implied ---- */

/* Whether what is assigned at `i` can be left as it is. */
static bool is_no_conversion(const struct umcc_unit *unit, int i)
{
    static const char *const begins[] = {"{",       "[",      ";",       ")",      "]", ",",
                                         "nullptr", "__null", "default", "delete", NULL};
    if (umcc_is_any(unit, i, begins) || unit->tokens[i].kind == UMCC_STRING || umcc_is_literal(unit, i))
        return true;
    const int name =
        umcc_is(unit, i, "&") ? i + 1 : i; /* of a function: which one depends on what it is given to */
    if (!umcc_is_name(unit, name) || umcc_is(unit, name + 1, "("))
        return false;
    for (const struct umcc_decl *d = unit->decls; d; d = d->next)
        if (d->form == UMCC_FUNCTION && d->name >= 0 && umcc_same_text(unit, d->name, name))
            return true;
    return false;
}

/* Whether the statement around `i` is one in which `=` assigns, and names no type of its own. */
static bool is_in_statement(const struct umcc_unit *unit, int i, bool declares)
{
    static const char *const words[] = {"auto",     "using",    "typedef",  "enum",
                                        "template", "operator", "decltype", NULL};
    static const char *const heads[] = {"for", "if", "while", "switch", NULL};
    int j = i - 1;
    for (; j >= 0 && !umcc_is(unit, j, ";") && !umcc_is(unit, j, "{") && !umcc_is(unit, j, "}"); j--) {
        if (unit->tokens[j].match > j)
            break; /* the bracket that the statement stands in */
        if (unit->tokens[j].match >= 0)
            j = unit->tokens[j].match;
        else if (umcc_is_any(unit, j, words))
            return false;
    }
    if (umcc_is(unit, j, "[") || (umcc_is(unit, j, "(") && declares && !umcc_is_any(unit, j - 1, heads)))
        return false;
    for (int k = j - 1; umcc_is(unit, j, "{") && (umcc_is_identifier(unit, k) || umcc_is(unit, k, ":")); k--)
        if (umcc_is(unit, k, "enum"))
            return false;
    return true;
}

static void define_assignment(struct umcc_unit *unit, int i)
{
    static const char *const no_type[] = {"float", "double", "bool", "void", "&", "&&", ">", "*", NULL};
    const bool plain = umcc_is(unit, i, "=");
    const int first = umcc_assigned(unit, i);
    if (first < 0 || !umcc_is_untouched(unit, i) || is_no_conversion(unit, i + 1))
        return;
    const bool alone = first == i - 1 && plain,
               declares = umcc_is_name(unit, first - 1) || umcc_is_type_keyword(unit, first - 1);
    if (umcc_is_any(unit, first - 1, no_type) || !is_in_statement(unit, i, declares) ||
        (declares && is_class(unit, first - 1)) || (!plain && umcc_is_bit_field(unit, i - 1)))
        return;
    for (int j = first; j < i; j++)
        if (umcc_is(unit, j, "{"))
            return;
    umcc_insert_after(unit, i,
                      umcc_format(&unit->arena, " ::umsim::defined::%s<decltype(%s)>() |= ",
                                  alone   ? "made"
                                  : plain ? "into"
                                          : "operand_of",
                                  umcc_rewritten(unit, first, i - 1)));
}

/* @return the text of a function's type if that may be an integer's, else NULL */
static const char *return_type(struct umcc_unit *unit, const struct umcc_decl *d)
{
    static const char *const leading[] = {"static",   "inline",     "constexpr",       "extern",
                                          "friend",   "__inline__", "__forceinline__", "__noinline__",
                                          "__inline", NULL};
    int first = d->first;
    const int last = d->name_first - 1;
    while (first < last && (umcc_mark_of(unit, first) || umcc_is_any(unit, first, leading)))
        first++;
    int end = last;
    while (end > first && (umcc_mark_of(unit, end) || umcc_is_any(unit, end, leading)))
        end--;
    if (is_whole_type(unit, first, end))
        return umcc_rewritten(unit, first, end);
    return first == end && umcc_is_name(unit, first) && !is_class(unit, first)
               ? umcc_rewritten(unit, first, end)
               : NULL;
}

/* Another function inside of this one has returns of its own. */
static bool has_inner_function(const struct umcc_unit *unit, int first, int last)
{
    for (int i = first; i < last; i++)
        if (umcc_is(unit, i, "struct") || umcc_is(unit, i, "class") ||
            (umcc_is(unit, i, "[") && !umcc_ends_operand(unit, i - 1)))
            return true;
    return false;
}

/* nvcc has g++ compile a `__host__ __device__` function, too, which refuses such a cast. */
static const char *cast_tag(const struct umcc_decl *function)
{
    return function && !(function->marks & UMCC_HOST) ? "cast" : "into";
}

void umcc_define_casts(struct umcc_unit *unit, const struct umcc_decl *function, int first, int last)
{
    for (int i = first; i < last; i++) {
        if (umcc_is(unit, i, "("))
            define_cast(unit, i, cast_tag(function));
        else if (umcc_is_identifier(unit, i) && !umcc_is(unit, i, "return"))
            define_call(unit, i, cast_tag(function));
    }
}

void umcc_define_conversions(struct umcc_unit *unit, const struct umcc_decl *function, int first, int last)
{
    static const char *const assignments[] = {"=", "+=", "-=", "*=", "/=", NULL};
    const bool returns =
        function && function->name_first > function->first && !has_inner_function(unit, first, last);
    const char *type = returns ? return_type(unit, function) : NULL;
    for (int i = first; i < last; i++) {
        if (umcc_is_any(unit, i, assignments))
            define_assignment(unit, i);
        else if (umcc_is(unit, i, "("))
            define_cast(unit, i, cast_tag(function));
        else if (umcc_is_identifier(unit, i) && !umcc_is(unit, i, "return"))
            define_call(unit, i, cast_tag(function));
        else if (type && umcc_is(unit, i, "return") && umcc_is_untouched(unit, i) &&
                 !is_no_conversion(unit, i + 1))
            umcc_insert_after(unit, i, umcc_format(&unit->arena, " ::umsim::defined::made<%s>() |= ", type));
    }
}
