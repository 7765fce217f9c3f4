/**
 * @file parse.c
 * @brief Finds the declarations at namespace and class scope.
 *
 * This is not a C++ parser. It follows brackets and a few keywords, which is enough to tell functions from
 * variables and classes, and to find names, parameter lists and bodies. What it does not recognise it
 * skips, up to the next `;` or `}`. It does not enter bodies. It puts declarations with a CUDA keyword, and
 * the user's own variables, on unit->decls.
 */
#include "declarator.h"

#include <stdlib.h>
#include <string.h>

/** Scopes nest at most this deep, so that no input can exhaust the stack. */
#define MAX_DEPTH 200

struct scope {
    int depth;
    bool in_class, in_namespace, templated;
    const char *path; /* `::a::S` */
};

/* The state while a declaration is read. */
struct state {
    struct umcc_decl d;
    int class_key;    /* class, struct, union or enum; -1 */
    bool class_done;  /* its body has been passed */
    bool initializer; /* behind `=`, until the next `,` */
    bool constructor; /* behind the `:` of a constructor */
    bool alias;       /* typedef or friend class */
    struct umcc_name **names_end;
};

static int parse_scope(struct umcc_unit *unit, int i, struct scope scope);

static int skip_to_semicolon(const struct umcc_unit *unit, int i)
{
    for (; i < unit->count; i++) {
        int match = unit->tokens[i].match;
        if (umcc_is(unit, i, ";"))
            return i + 1;
        if (match >= 0 && match < i)
            return i;
        if (match > i)
            i = match;
    }
    return i;
}

static bool is_public_private(const struct umcc_unit *unit, int i)
{
    return umcc_is(unit, i, "public") || umcc_is(unit, i, "private") || umcc_is(unit, i, "protected");
}

static void start(struct state *s, int i, const struct scope *scope)
{
    *s = (struct state){.class_key = -1};
    s->d = (struct umcc_decl){.form = UMCC_VARIABLE,
                              .first = i,
                              .last = -1,
                              .name = -1,
                              .name_last = -1,
                              .name_first = -1,
                              .open = -1,
                              .close = -1,
                              .body = -1,
                              .body_end = -1,
                              .template_open = -1,
                              .template_close = -1,
                              .templated = scope->templated,
                              .in_class = scope->in_class,
                              .in_namespace = scope->in_namespace,
                              .scope = scope->path};
}

static void keep(struct umcc_unit *unit, const struct umcc_decl *d)
{
    struct umcc_decl *copy = umcc_alloc(&unit->arena, sizeof *copy);
    *copy = *d;
    copy->next = NULL;
    if (!unit->decls_end)
        unit->decls_end = &unit->decls;
    *unit->decls_end = copy;
    unit->decls_end = &copy->next;
}

/* The name at `n` is a variable's. */
static void take_name(struct umcc_unit *unit, struct state *s, int n)
{
    if (n <= s->d.first || !umcc_is_name(unit, n) || s->initializer || s->d.form == UMCC_FUNCTION)
        return;
    if (s->class_key >= 0 && !s->class_done && n == s->class_key + 1)
        return;
    if (!s->names_end)
        s->names_end = &s->d.names;
    if (s->d.name < 0)
        s->d.name = s->d.name_first = s->d.name_last = n;
    else if (s->d.name == n)
        return;
    struct umcc_name *name = umcc_alloc(&unit->arena, sizeof *name);
    name->token = n;
    *s->names_end = name;
    s->names_end = &name->next;
}

/* Adds the name before `[ = , ; { :`. Called at one of these, at the declaration's own level. */
static void add_name(struct umcc_unit *unit, struct state *s, int i)
{
    int n = i - 1;
    while (umcc_is(unit, n, "]") && unit->tokens[n].match > s->d.first)
        n = unit->tokens[n].match - 1;
    if (umcc_is(unit, n, ")") && unit->tokens[n].match > s->d.first) {
        int group = unit->tokens[n].match; /* int (*f)(int), or an attribute */
        if (umcc_is_group_word(unit, group - 1))
            n = group - 2;
        else if (umcc_is(unit, group - 1, ")"))
            n = unit->tokens[group - 1].match + 1;
        else
            return;
        while (umcc_is(unit, n, "*") || umcc_is(unit, n, "&"))
            n++;
    }
    take_name(unit, s, n);
}

/* The marks of a declaration that was understood. Those in its body belong to others. */
static void own_marks(struct umcc_unit *unit, const struct umcc_decl *d)
{
    for (int i = d->first; i <= d->last; i++)
        if (umcc_is(unit, i, "{"))
            i = unit->tokens[i].match;
        else if (umcc_mark_of(unit, i) == UMCC_GLOBAL)
            unit->tokens[i].owned = true;
}

/* `void k(auto x)`: a template without a header. */
static bool has_placeholder(const struct umcc_unit *unit, const struct umcc_decl *d)
{
    for (int i = d->open + 1; i < d->close; i++)
        if (umcc_is(unit, i, "auto"))
            return true;
        else if (unit->tokens[i].match > i)
            i = unit->tokens[i].match;
    return false;
}

static int finish(struct umcc_unit *unit, struct state *s, int last)
{
    s->d.last = last;
    if (s->d.form == UMCC_FUNCTION)
        s->d.templated |= s->d.abbreviated = has_placeholder(unit, &s->d);
    if ((s->d.marks & UMCC_GLOBAL) != 0 && s->d.form == UMCC_VARIABLE && (s->alias || !s->d.names))
        umcc_warning(unit, s->d.first, "attribute \"__global__\" does not apply here");
    if ((s->d.marks & UMCC_GLOBAL) != 0)
        own_marks(unit, &s->d);
    bool marked = (s->d.marks & ~(unsigned)UMCC_HOST) != 0;
    bool variable = s->d.form == UMCC_VARIABLE && s->d.names && !s->alias;
    if (!unit->tokens[s->d.first].system || marked)
        if (s->d.form == UMCC_FUNCTION || variable)
            keep(unit, &s->d);
    return last + 1;
}

/* Takes the name before the parameter list that begins at `i`. */
static int take_parameters(struct umcc_unit *unit, struct state *s, int i, int name_first, int name_last)
{
    s->d.form = UMCC_FUNCTION;
    s->d.open = i;
    s->d.close = unit->tokens[i].match;
    s->d.name_first = name_first;
    s->d.name_last = name_last;
    s->d.name = name_first;
    for (int j = name_first; j <= name_last; j++) {
        s->d.qualified |= umcc_is(unit, j, "::");
        if (umcc_is(unit, j, "operator")) {
            s->d.name = j;
            s->d.is_operator = true;
            break;
        }
        if (umcc_is(unit, j, "<") && umcc_skip_angles(unit, j) > j)
            j = umcc_skip_angles(unit, j) - 1;
        else if (umcc_is_identifier(unit, j))
            s->d.name = j;
    }
    s->names_end = NULL;
    s->d.names = NULL;
    return s->d.close + 1;
}

/* The start of a qualified name whose last identifier (or template-id) ends at `last`; -1 if there is no such
 * name. */
static int qualified_start(const struct umcc_unit *unit, int last, int first)
{
    int j = last;
    for (;;) {
        if (umcc_is(unit, j, ">")) {
            int depth = 0;
            for (; j > first; j--) {
                if (umcc_is(unit, j, ">"))
                    depth++;
                else if (umcc_is(unit, j, "<") && --depth == 0)
                    break;
                else if (unit->tokens[j].match >= 0 && unit->tokens[j].match < j)
                    j = unit->tokens[j].match;
            }
            if (j <= first) /* it closes nothing */
                return -1;
            j--;
        }
        if (umcc_is(unit, j - 1, "~"))
            j--;
        if (!umcc_is(unit, j - 1, "::") || j - 1 < first)
            return j;
        if (!umcc_is_name(unit, j - 2) && !umcc_is(unit, j - 2, ">"))
            return j - 1;
        j -= 2;
    }
}

/* Whether no type stands before token `i`: then it is a type itself, if it is what a kernel's declaration
 * begins with. */
static bool is_type_of_kernel(const struct umcc_unit *unit, const struct state *s, int i)
{
    static const char *const storage[] = {"static", "inline", "extern", "__inline__", NULL};
    if ((s->d.marks & UMCC_GLOBAL) == 0)
        return false;
    for (i = umcc_before_attributes(unit, i - 1, s->d.first - 1); i >= s->d.first;
         i = umcc_before_attributes(unit, i - 1, s->d.first - 1))
        if (!umcc_is_any(unit, i, storage))
            return false;
    return true;
}

/* Handles `(k)(int *)` and the like, where `type` says whether what stands before the parenthesis is a type.
 */
static bool parse_grouped(const struct umcc_unit *unit, struct umcc_declarator *found, int i, bool type)
{
    const int behind = unit->tokens[i].match + 1;
    if (!umcc_read_declarator(unit, i, found) || found->open < 0)
        return false;
    return type || found->open >= behind;
}

/* A variable's name at `name`, and its value in the parentheses at `i`. */
static int take_value(struct umcc_unit *unit, struct state *s, int i, int name)
{
    take_name(unit, s, name);
    s->initializer = s->d.has_initializer = true;
    return unit->tokens[i].match + 1;
}

static int parse_parenthesis(struct umcc_unit *unit, struct state *s, int i)
{
    const int close = unit->tokens[i].match, before = umcc_before_attributes(unit, i - 1, s->d.first);
    if (umcc_is_group_word(unit, i - 1) || s->d.form == UMCC_FUNCTION || s->initializer || i == s->d.first)
        return close + 1;
    const bool name = umcc_is_name(unit, before) || (umcc_is(unit, before, ">") && before > s->d.first);
    struct umcc_declarator found;
    if (name && umcc_holds_value(unit, i)) /* int x(3); */
        return take_value(unit, s, i, i - 1);
    if (umcc_read_declarator(unit, i, &found) && found.open > close && umcc_holds_value(unit, found.open))
        return take_value(unit, s, found.open, found.name_last); /* int (x)(3); */
    const int start_of_name = name ? qualified_start(unit, before, s->d.first) : -1;
    const bool type = start_of_name < 0 || is_type_of_kernel(unit, s, start_of_name);
    if (parse_grouped(unit, &found, i, type))
        return take_parameters(unit, s, found.open, found.name_first, found.name_last);
    if (start_of_name >= 0)
        return take_parameters(unit, s, i, start_of_name, before);
    return close + 1;
}

static int parse_operator(struct umcc_unit *unit, struct state *s, int i)
{
    int j = i + 1;
    if (umcc_is(unit, j, "(") && umcc_is(unit, j + 1, ")"))
        j += 2;
    while (j < unit->count && !umcc_is(unit, j, "(") && !umcc_is(unit, j, ";") && !umcc_is(unit, j, "{"))
        j++;
    if (!umcc_is(unit, j, "("))
        return j;
    int first = umcc_is(unit, i - 1, "::") ? qualified_start(unit, i, s->d.first) : i;
    return take_parameters(unit, s, j, first < 0 ? i : first, j - 1);
}

/* The path inside of the namespace or class whose name stands behind token `key`, before the brace `open`. */
static const char *path_inside(struct umcc_unit *unit, const char *path, int key, int open)
{
    for (int i = key + 1; i < open; i++)
        if (unit->tokens[i].match > i)
            i = unit->tokens[i].match; /* attributes */
        else if (umcc_is(unit, i, ":") || umcc_is(unit, i, "<"))
            break;
        else if (umcc_is_name(unit, i) && !umcc_is(unit, i, "final"))
            path = umcc_format(&unit->arena, "%s::%s", path, umcc_spelling(unit, i));
    return path;
}

/* Handles a `{` at the declaration's level. @return the next token, or -1 when the declaration ends with this
 * body */
static int parse_brace(struct umcc_unit *unit, struct state *s, int i, struct scope scope)
{
    int close = unit->tokens[i].match;
    if (s->d.form == UMCC_FUNCTION && !s->initializer) {
        bool member = umcc_is_name(unit, i - 1) || umcc_is(unit, i - 1, ">");
        if (s->constructor && member) /* : member{value} */
            return close + 1;
        s->d.body = i;
        s->d.body_end = close;
        return -1;
    }
    if (s->class_key >= 0 && !s->class_done && !s->initializer) {
        s->class_done = true;
        if (umcc_is(unit, s->class_key, "enum"))
            return close + 1;
        scope.in_class = true;
        scope.path = path_inside(unit, scope.path, s->class_key, i);
        scope.templated |= s->d.templated;
        scope.depth++;
        parse_scope(unit, i + 1, scope);
        return close + 1;
    }
    if (!s->initializer)
        add_name(unit, s, i);
    s->initializer = s->d.has_initializer = true;
    return close + 1;
}

/* Skips the catch blocks, if any, behind a function's body. */
static int skip_handlers(const struct umcc_unit *unit, int last)
{
    while (umcc_is(unit, last + 1, "catch") && umcc_is(unit, last + 2, "(")) {
        int body = unit->tokens[last + 2].match + 1;
        if (!umcc_is(unit, body, "{"))
            break;
        last = unit->tokens[body].match;
    }
    return last;
}

static int parse_template(struct umcc_unit *unit, struct state *s, int i)
{
    int end = umcc_skip_angles(unit, i + 1);
    if (end == i + 1)
        return i + 1;
    s->d.template_open = i + 1;
    s->d.template_close = end - 1;
    s->d.templated |= end - 1 > i + 2;
    s->d.first = end;
    return end;
}

/* Handles `requires`: before a declaration, behind a function's parameters, or in a concept's definition. */
static int parse_requires(const struct umcc_unit *unit, struct state *s, int i)
{
    const int end = umcc_behind_constraint(unit, s->initializer ? i : i + 1);
    if (i == s->d.first)
        s->d.first = end;
    return end > i ? end : i + 1;
}

static void parse_word(struct umcc_unit *unit, struct state *s, int i)
{
    unsigned mark = umcc_mark_of(unit, i);
    s->d.marks |= mark;
    if (umcc_is(unit, i, "class") || umcc_is(unit, i, "struct") || umcc_is(unit, i, "union") ||
        umcc_is(unit, i, "enum")) {
        if (s->class_key < 0)
            s->class_key = i;
    } else if (umcc_is(unit, i, "typedef")) {
        s->alias = true;
    } else if (umcc_is(unit, i, "extern")) {
        s->d.is_extern = true;
    } else if (umcc_is(unit, i, "constexpr")) {
        s->d.is_constexpr = true;
    } else if (umcc_is(unit, i, "const") && s->d.form == UMCC_VARIABLE) {
        s->d.is_const = true;
    }
}

static int parse_colon(struct umcc_unit *unit, struct state *s, int i, const struct scope *scope)
{
    if (is_public_private(unit, i - 1) && s->class_key < 0)
        start(s, i + 1, scope);
    else if (s->d.form == UMCC_FUNCTION)
        s->constructor = true;
    else if (s->class_key < 0 || s->class_done)
        add_name(unit, s, i);
    return i + 1;
}

/* Handles one token (or group) in the middle of a declaration. */
static int parse_other(struct umcc_unit *unit, struct state *s, int i, const struct scope *scope)
{
    if (umcc_is(unit, i, "("))
        return parse_parenthesis(unit, s, i);
    if (unit->tokens[i].match > i)
        return unit->tokens[i].match + 1;
    if (umcc_is(unit, i, "operator") && s->d.form != UMCC_FUNCTION && !s->initializer)
        return parse_operator(unit, s, i);
    if (umcc_is(unit, i, "template") && umcc_is(unit, i + 1, "<") && s->d.form != UMCC_FUNCTION)
        return parse_template(unit, s, i);
    if (umcc_is(unit, i, "requires"))
        return parse_requires(unit, s, i);
    if (umcc_is(unit, i, "<") && !s->initializer && umcc_is_name(unit, i - 1))
        return umcc_skip_angles(unit, i) > i ? umcc_skip_angles(unit, i) : i + 1;
    if (umcc_is(unit, i, ":"))
        return parse_colon(unit, s, i, scope);
    if (umcc_is(unit, i, "=") || umcc_is(unit, i, ",")) {
        add_name(unit, s, i);
        s->initializer = umcc_is(unit, i, "=");
        s->d.has_initializer |= s->initializer;
    } else if (umcc_is(unit, i, "*") && s->d.form == UMCC_VARIABLE && !s->initializer) {
        s->d.is_const = false; /* what it points to is const, not the variable */
    } else if (umcc_is_identifier(unit, i) && !s->initializer) {
        parse_word(unit, s, i);
    }
    return i + 1;
}

/* Handles namespace, extern "C" {, using, static_assert, asm. @return `i` if it is none of these */
static int parse_special(struct umcc_unit *unit, int i, struct scope scope)
{
    if (umcc_is(unit, i, "using") || umcc_is(unit, i, "static_assert") || umcc_is(unit, i, "asm") ||
        umcc_is(unit, i, "__asm__") || umcc_is(unit, i, "_Static_assert"))
        return skip_to_semicolon(unit, i);
    int j = umcc_is(unit, i, "inline") ? i + 1 : i;
    scope.depth++;
    if (umcc_is(unit, j, "namespace")) {
        scope.in_namespace |= umcc_is_identifier(unit, j + 1);
        while (j < unit->count && !umcc_is(unit, j, "{") && !umcc_is(unit, j, ";"))
            j++;
        if (!umcc_is(unit, j, "{"))
            return j + 1;
        scope.path = path_inside(unit, scope.path, umcc_is(unit, i, "inline") ? i + 1 : i, j);
        parse_scope(unit, j + 1, scope);
        return unit->tokens[j].match + 1;
    }
    if (umcc_is(unit, i, "extern") && unit->tokens[i + 1].kind == UMCC_STRING && umcc_is(unit, i + 2, "{")) {
        parse_scope(unit, i + 3, scope);
        return unit->tokens[i + 2].match + 1;
    }
    return i;
}

static int parse_declaration(struct umcc_unit *unit, int i, struct scope scope)
{
    int special = parse_special(unit, i, scope);
    if (special > i)
        return special;
    struct state s;
    start(&s, i, &scope);
    if (umcc_is(unit, i, "extern") && unit->tokens[i + 1].kind == UMCC_STRING) {
        s.d.is_extern = true;
        s.d.first = i = i + 2;
    }
    while (i < unit->count) {
        if (umcc_is(unit, i, "}"))
            return i;
        if (umcc_is(unit, i, ";")) {
            add_name(unit, &s, i);
            return finish(unit, &s, i);
        }
        if (umcc_is(unit, i, "{")) {
            int close = unit->tokens[i].match;
            int next = parse_brace(unit, &s, i, scope);
            if (next < 0)
                return finish(unit, &s, skip_handlers(unit, close));
            i = next;
        } else {
            i = parse_other(unit, &s, i, &scope);
        }
    }
    return i;
}

/* Reads declarations up to the scope's closing brace. @return its index. */
static int parse_scope(struct umcc_unit *unit, int i, struct scope scope)
{
    if (scope.depth > MAX_DEPTH) {
        umcc_error(unit, i < unit->count ? i : unit->count, "scopes nest more than %d deep", MAX_DEPTH);
        return i;
    }
    while (i < unit->count && !umcc_is(unit, i, "}")) {
        int next = parse_declaration(unit, i, scope);
        i = next > i ? next : i + 1;
    }
    return i;
}

void umcc_parse_local(struct umcc_unit *unit, int i)
{
    parse_declaration(unit, i, (struct scope){.path = ""});
}

void umcc_parse(struct umcc_unit *unit)
{
    parse_scope(unit, 0, (struct scope){.path = ""});
}
