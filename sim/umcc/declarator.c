/**
 * @file declarator.c
 * @brief Implementation of declarator.h: names in parentheses, attributes between a name and its parameters,
 * constraints, parameters.
 */
#include "declarator.h"

bool umcc_is_group_word(const struct umcc_unit *unit, int i)
{
    static const char *const words[] = {"__attribute__",
                                        "__attribute",
                                        "alignas",
                                        "noexcept",
                                        "decltype",
                                        "explicit",
                                        "throw",
                                        "requires",
                                        "asm",
                                        "__asm__",
                                        "__launch_bounds__",
                                        "typeof",
                                        "__typeof__",
                                        "__typeof",
                                        "__decltype",
                                        "__cluster_dims__",
                                        "__maxnreg__",
                                        "__block_size__",
                                        "alignof",
                                        "__underlying_type",
                                        NULL};
    return umcc_is_identifier(unit, i) && umcc_is_any(unit, i, words);
}

static bool is_attribute_word(const struct umcc_unit *unit, int i)
{
    static const char *const words[] = {
        "__attribute__",    "__attribute", "alignas",        "__launch_bounds__",
        "__cluster_dims__", "__maxnreg__", "__block_size__", NULL};
    return umcc_is_identifier(unit, i) && umcc_is_any(unit, i, words);
}

/* Words that say something about a function and are no part of its type. */
static bool is_plain_attribute(const struct umcc_unit *unit, int i)
{
    static const char *const words[] = {"__noinline__", "__forceinline__", "__extension__", NULL};
    return umcc_mark_of(unit, i) != 0 || umcc_is_any(unit, i, words);
}

int umcc_before_attributes(const struct umcc_unit *unit, int i, int first)
{
    while (i > first) {
        const int match = unit->tokens[i].match;
        if (is_plain_attribute(unit, i))
            i--;
        else if (umcc_is(unit, i, "]") && umcc_is(unit, match + 1, "[") && match > first)
            i = match - 1;
        else if (umcc_is(unit, i, ")") && match > first && is_attribute_word(unit, match - 1))
            i = match - 2;
        else
            break;
    }
    return i;
}

static int behind_attributes(const struct umcc_unit *unit, int i)
{
    for (;;) {
        if (is_plain_attribute(unit, i))
            i++;
        else if (umcc_is(unit, i, "[") && umcc_is(unit, i + 1, "["))
            i = unit->tokens[i].match + 1;
        else if (is_attribute_word(unit, i) && umcc_is(unit, i + 1, "("))
            i = unit->tokens[i + 1].match + 1;
        else
            return i;
    }
}

/* Passes over `*`, `&`, qualifiers and attributes, before a name. */
static int behind_pointers(const struct umcc_unit *unit, int i, bool *pointer)
{
    static const char *const marks[] = {"*", "&", "&&", NULL};
    static const char *const qualifiers[] = {"const", "volatile", "__restrict__", "__restrict", NULL};
    for (;;) {
        const int behind = behind_attributes(unit, i);
        if (behind > i)
            i = behind;
        else if (umcc_is_any(unit, i, marks))
            *pointer = true, i++;
        else if (umcc_is_any(unit, i, qualifiers))
            i++;
        else
            return i;
    }
}

/* Reads `::a::b<c>::d` at `i`. @return the token behind it, or -1 */
static int read_name(const struct umcc_unit *unit, int i, struct umcc_declarator *found)
{
    found->name_first = i;
    i += umcc_is(unit, i, "::");
    for (;;) {
        if (!umcc_is_name(unit, i))
            return -1;
        i++;
        if (umcc_is(unit, i, "<") && umcc_skip_angles(unit, i) > i)
            i = umcc_skip_angles(unit, i);
        found->name_last = i - 1;
        if (!umcc_is(unit, i, "::"))
            return i;
        i++;
    }
}

/* What stands between the parentheses of a declarator, the first of which is at `i`. Recursion is bounded by
 * `depth`. */
static bool read_inside(const struct umcc_unit *unit, int i, struct umcc_declarator *found, int depth)
{
    const int close = unit->tokens[i].match;
    bool pointer = false;
    int at = behind_pointers(unit, i + 1, &pointer);
    if (depth > 20)
        return false;
    if (umcc_is(unit, at, "(")) {
        if (!read_inside(unit, at, found, depth + 1))
            return false;
        at = unit->tokens[at].match + 1;
    } else {
        at = read_name(unit, at, found);
        if (at < 0)
            return false;
    }
    at = behind_attributes(unit, at);
    if (found->open >= 0)
        return true;
    if (umcc_is(unit, at, "(") && !found->pointer) {
        found->open = at;
        return true;
    }
    found->pointer |= pointer || at < close;
    while (umcc_is(unit, at, "["))
        at = behind_attributes(unit, unit->tokens[at].match + 1);
    return at == close;
}

bool umcc_read_declarator(const struct umcc_unit *unit, int i, struct umcc_declarator *found)
{
    *found = (struct umcc_declarator){.name_first = -1, .name_last = -1, .open = -1};
    if (!read_inside(unit, i, found, 0))
        return false;
    const int behind = behind_attributes(unit, unit->tokens[i].match + 1);
    if (found->open < 0 && !found->pointer && umcc_is(unit, behind, "("))
        found->open = behind;
    return true;
}

/* Words that begin expressions, and nothing else. */
static bool is_word_of_value(const struct umcc_unit *unit, int i)
{
    static const char *const words[] = {"nullptr",          "true",         "false",  "sizeof", "alignof",
                                        "reinterpret_cast", "dynamic_cast", "typeid", "new",    "static_cast",
                                        "const_cast",       "noexcept",     "this",   NULL};
    return unit->tokens[i].kind != UMCC_IDENTIFIER
               ? unit->tokens[i].kind == UMCC_NUMBER || unit->tokens[i].kind == UMCC_STRING ||
                     unit->tokens[i].kind == UMCC_CHARACTER
               : umcc_is_any(unit, i, words);
}

/* Whether the name is a variable's that stands before. */
static bool is_variable(const struct umcc_unit *unit, int name)
{
    for (const struct umcc_decl *d = unit->decls; d; d = d->next)
        for (const struct umcc_name *n = d->in_class || d->form != UMCC_VARIABLE ? NULL : d->names; n;
             n = n->next)
            if (umcc_same_text(unit, n->token, name))
                return true;
    return false;
}

bool umcc_holds_value(const struct umcc_unit *unit, int open)
{
    /* behind a parameter's type stands none of these; in `T x(U(*y))` U may be a type */
    static const char *const operators[] = {".",  "->", "+",  "-", "/",  "%",  "|",  "^", "==", "!=",
                                            "<=", ">=", "<<", "?", "||", "++", "--", "{", NULL};
    static const char *const prefixes[] = {"&", "*", "-", "+", "!", "~", "(", "++", "--", NULL};
    struct umcc_declarator name;
    int at = open + 1;
    if (umcc_is_any(unit, at, prefixes) || is_word_of_value(unit, at))
        return true;
    at = read_name(unit, at, &name);
    if (at > 0 && (umcc_is(unit, at, ",") || umcc_is(unit, at, ")")))
        return name.name_first == name.name_last && is_variable(unit, name.name_last);
    while (at > 0 && umcc_is(unit, at, "(") && !is_word_of_value(unit, at + 1))
        at = read_name(unit, at + 1, &name);
    return at > 0 && (umcc_is(unit, at, "(") || umcc_is_any(unit, at, operators));
}

int umcc_behind_constraint(const struct umcc_unit *unit, int i)
{
    for (;;) {
        if (umcc_is(unit, i, "(")) {
            i = unit->tokens[i].match + 1;
        } else if (umcc_is(unit, i, "requires")) {
            i++;
            if (umcc_is(unit, i, "("))
                i = unit->tokens[i].match + 1;
            if (umcc_is(unit, i, "{"))
                i = unit->tokens[i].match + 1;
        } else {
            struct umcc_declarator name;
            const int behind =
                umcc_is(unit, i, "true") || umcc_is(unit, i, "false") ? i + 1 : read_name(unit, i, &name);
            if (behind < 0)
                return i;
            i = behind;
        }
        if (!umcc_is(unit, i, "&&") && !umcc_is(unit, i, "||"))
            return i;
        i++;
    }
}

/* ---- parameters ---- */

static bool is_qualifier(const struct umcc_unit *unit, int i)
{
    static const char *const words[] = {"const",   "volatile",     "__restrict__", "__restrict",
                                        "__const", "__volatile__", "register",     NULL};
    return umcc_is_any(unit, i, words) || umcc_mark_of(unit, i) != 0;
}

/* Whether the type is complete before token `i`, so that a name at `i` is the parameter's. */
static bool has_type_before(const struct umcc_unit *unit, int first, int i)
{
    static const char *const keys[] = {"struct", "class", "union", "enum", "typename", "::", NULL};
    int before = i - 1;
    while (before >= first && is_qualifier(unit, before))
        before--;
    return before >= first && !umcc_is_any(unit, before, keys);
}

/* `(*f)(int)`, `(&a)[4]`, `(S::*m)(int)`: what a declarator in parentheses declares; `f(int)`, too. */
static bool read_grouped(const struct umcc_unit *unit, struct umcc_parameter *p, int group)
{
    bool pointer = false;
    struct umcc_declarator class_name = {.name_last = -2};
    int at = read_name(unit, group + 1, &class_name);
    at = behind_pointers(unit,
                         at < 0 && umcc_is(unit, class_name.name_last + 1, "::") &&
                                 umcc_is(unit, class_name.name_last + 2, "*")
                             ? class_name.name_last + 2
                             : group + 1,
                         &pointer);
    if (!pointer && umcc_is_name(unit, group - 1) && has_type_before(unit, p->first, group - 1))
        p->name = group - 1;
    if (!pointer)
        return p->name >= 0;
    for (int i = group + 1; i < at; i++) {
        p->reference |= umcc_is(unit, i, "&");
        p->rvalue |= umcc_is(unit, i, "&&");
    }
    if (umcc_is(unit, at, "..."))
        p->pack = true, at++;
    if (umcc_is_name(unit, at))
        p->name = at;
    else
        p->place = at;
    return umcc_is_name(unit, at) || umcc_is(unit, at, ")") || umcc_is(unit, at, "[");
}

static bool read_parameter(const struct umcc_unit *unit, struct umcc_parameter *p)
{
    int last = umcc_before_attributes(unit, p->last, p->first - 1);
    for (int i = p->first; i <= last; i++) {
        if (umcc_is(unit, i, "<") && umcc_skip_angles(unit, i) > i) {
            i = umcc_skip_angles(unit, i) - 1;
        } else if (umcc_is(unit, i, "(") && !umcc_is_group_word(unit, i - 1)) {
            return read_grouped(unit, p, i);
        } else if (unit->tokens[i].match > i) {
            i = unit->tokens[i].match;
        } else {
            p->pack |= umcc_is(unit, i, "...");
            p->reference |= umcc_is(unit, i, "&");
            p->rvalue |= umcc_is(unit, i, "&&");
        }
    }
    while (last > p->first && umcc_is(unit, last, "]"))
        last = umcc_before_attributes(unit, unit->tokens[last].match - 1, p->first);
    if (umcc_is_name(unit, last) && has_type_before(unit, p->first, last))
        p->name = last;
    else
        p->place = last + 1;
    return last >= p->first;
}

/* Finds the end of the parameter at `i`, and where its default argument begins. */
static int split(const struct umcc_unit *unit, int i, int close, int *last)
{
    *last = -1;
    for (; i < close && !umcc_is(unit, i, ","); i++) {
        if (umcc_is(unit, i, "=") && *last < 0)
            *last = i - 1;
        if (umcc_is(unit, i, "<") && umcc_is_identifier(unit, i - 1) && umcc_skip_angles(unit, i) > i &&
            umcc_skip_angles(unit, i) <= close)
            i = umcc_skip_angles(unit, i) - 1;
        else if (unit->tokens[i].match > i)
            i = unit->tokens[i].match;
    }
    if (*last < 0)
        *last = i - 1;
    return i;
}

int umcc_read_parameters(const struct umcc_unit *unit, const struct umcc_decl *d, struct umcc_parameter *list,
                         int max)
{
    int count = 0;
    if (d->close == d->open + 1 || (d->close == d->open + 2 && umcc_is(unit, d->open + 1, "void")))
        return 0;
    for (int i = d->open + 1; i <= d->close; i++) {
        if (count == max)
            return -1;
        struct umcc_parameter *p = &list[count++];
        *p = (struct umcc_parameter){.first = i, .name = -1, .place = -1};
        i = split(unit, i, d->close, &p->last);
        if (p->last < p->first || !read_parameter(unit, p))
            return -1;
    }
    return count;
}

/* `class T`, `typename... Ts`, `template <class> class C`, with a name or without. */
static bool read_type_parameter(const struct umcc_unit *unit, struct umcc_parameter *p)
{
    int i = p->first;
    while (umcc_is(unit, i, "template") && umcc_is(unit, i + 1, "<")) {
        i = umcc_skip_angles(unit, i + 1);
        if (umcc_is(unit, i, "requires"))
            i = umcc_behind_constraint(unit, i + 1);
    }
    if (!umcc_is(unit, i, "class") && !umcc_is(unit, i, "typename"))
        return false;
    i++;
    p->pack = umcc_is(unit, i, "...");
    i += p->pack;
    if (i == p->last && umcc_is_name(unit, i))
        p->name = i;
    else
        p->place = i;
    return i >= p->last;
}

int umcc_read_template_parameter(const struct umcc_unit *unit, int i, int close, struct umcc_parameter *p)
{
    *p = (struct umcc_parameter){.first = i, .name = -1, .place = -1};
    const int end = split(unit, i, close, &p->last);
    const bool type = p->last >= i && read_type_parameter(unit, p);
    if (!type)
        p->name = p->place = -1, p->pack = false;
    return type || (p->last >= i && read_parameter(unit, p)) ? end : -1;
}
