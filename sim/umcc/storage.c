/**
 * @file storage.c
 * @brief Decides where device-side variables are stored.
 *
 * - __managed__, __device__, __constant__ variables go to the sections um_managed, um_device, um_constant,
 *   which the simulator moves into its arenas when the program starts;
 * - `__shared__ T a[8], b;` becomes a structure with these members, in the block of memory that each
 *   worker keeps for the thread block it runs, and references a and b to them;
 * - `extern __shared__ T a[];` becomes a reference to the launch's dynamic shared memory. Outside
 *   functions the declaration is remembered, and each device function that mentions the name gets the
 *   reference.
 */
#include "umcc.h"

#include <string.h>

/* gcc requires all variables of a section to be alike (const or not), unless the section's name differs. So
 * the section name of each variable contains a different number, behind the assembler's comment sign. */
#if defined(__aarch64__)
#define ASM_COMMENT "//"
#else
#define ASM_COMMENT "#"
#endif

static char *section_attribute(struct umcc_unit *unit, const char *section)
{
    return umcc_format(&unit->arena,
                       "__attribute__((section(\"%s,\\\"aw\\\",@progbits " ASM_COMMENT "%d\"), used)) ",
                       section, unit->serial++);
}

/* Skips `struct S { ... }` at `i`. @return the token behind its body, `i` if there is none */
static int behind_body(const struct umcc_unit *unit, int i, int last)
{
    static const char *const keys[] = {"struct", "union", "class", "enum", NULL};
    if (!umcc_is_any(unit, i, keys))
        return i;
    for (int j = i + 1; j < last && !umcc_is(unit, j, ";") && !umcc_is(unit, j, "="); j++) {
        if (umcc_is(unit, j, "{"))
            return unit->tokens[j].match + 1;
        if (unit->tokens[j].match > j)
            j = unit->tokens[j].match;
    }
    return i;
}

/* Finds the declaration's first name, which stands before the first `[ , ; =` outside brackets. */
static int declared_name(const struct umcc_unit *unit, int first, int last)
{
    for (int i = first; i <= last; i++) {
        i = behind_body(unit, i, last);
        if (umcc_is(unit, i, "<") && umcc_is_name(unit, i - 1) && umcc_skip_angles(unit, i) > i)
            i = umcc_skip_angles(unit, i) - 1;
        else if (umcc_is_name(unit, i) &&
                 (umcc_is(unit, i + 1, "[") || umcc_is(unit, i + 1, ",") || umcc_is(unit, i + 1, ";") ||
                  umcc_is(unit, i + 1, "=") || umcc_is(unit, i + 1, "{") || umcc_is(unit, i + 1, ")")))
            return i;
        else if (umcc_is(unit, i, "__attribute__") || umcc_is(unit, i, "alignas"))
            i = unit->tokens[i + 1].match;
    }
    return -1;
}

/* Finds the declaration's next name behind the one at `j`. @return -1 if there is none */
static int next_name(const struct umcc_unit *unit, int j, int last)
{
    while (j < last && !umcc_is(unit, j, ","))
        j = unit->tokens[j].match > j ? unit->tokens[j].match + 1 : j + 1;
    return j < last ? declared_name(unit, j + 1, last) : -1;
}

/* A variable's name in an object file, if it had one that others see: in a namespace `_ZN1a1xE`. */
static const char *symbol_of(struct umcc_unit *unit, const char *scope, const char *name)
{
    if (!scope || !*scope)
        return name;
    const char *text = "_ZN";
    for (const char *at = scope; *at != '\0';) {
        at += strspn(at, ":");
        const int length = (int)strcspn(at, ":");
        text = umcc_format(&unit->arena, "%s%d%.*s", text, length, length, at);
        at += length;
    }
    return umcc_format(&unit->arena, "%s%zu%sE", text, strlen(name), name);
}

/* cudaMemcpyToSymbol() and related functions have to know where a variable ends, cuModuleGetGlobal() finds it
 * by its name. For a template's variable that is not known. */
static void register_variables(struct umcc_unit *unit, const struct umcc_decl *d)
{
    if (d->template_open >= 0 || d->in_class || !umcc_is(unit, d->last, ";"))
        return;
    for (const struct umcc_name *n = d->names; n; n = n->next)
        umcc_insert_after(unit, d->last,
                          umcc_format(&unit->arena,
                                      " namespace { const ::umsim::variable um_variable_%d(%s, \"%s\"); }",
                                      unit->serial++, umcc_spelling(unit, n->token),
                                      symbol_of(unit, d->scope, umcc_spelling(unit, n->token))));
}

/* For --check: records the variable's name, and adds unused bytes behind it. Variables stand in the order in
 * which they are declared. */
static void set_apart(struct umcc_unit *unit, const struct umcc_decl *d, const char *section)
{
    const int gap = unit->serial++;
    if (umcc_is(unit, d->first, "template") || !umcc_is(unit, d->last, ";"))
        return;
    umcc_insert_after(
        unit, d->last,
        umcc_format(&unit->arena, " %sstatic char um_gap_%d[64];", section_attribute(unit, section), gap));
    for (const struct umcc_name *n = d->names; n; n = n->next)
        umcc_insert_after(
            unit, d->last,
            umcc_format(&unit->arena,
                        " namespace { const ::umsim::known_variable um_variable_%d(%s, \"%s\", um_gap_%d); }",
                        unit->serial++, umcc_spelling(unit, n->token), umcc_spelling(unit, n->token), gap));
}

static const char *section_of(unsigned marks)
{
    return (marks & UMCC_MANAGED) != 0    ? "um_managed"
           : (marks & UMCC_CONSTANT) != 0 ? "um_constant"
                                          : "um_device";
}

static void place_variable(struct umcc_unit *unit, const struct umcc_decl *d)
{
    const char *section = section_of(d->marks);
    if (d->is_constexpr || (d->is_extern && !d->has_initializer))
        return;
    if (d->template_open >= 0 && d->name >= 0) { /* gcc gives a template's instances no section */
        umcc_error(unit, d->name,
                   "a device variable that is a template is not provided: give it a type, or make "
                   "it constexpr");
        return;
    }
    umcc_insert_before(unit, umcc_behind_attributes(unit, d->first), section_attribute(unit, section));
    register_variables(unit, d);
    if (unit->checked && !d->in_class)
        set_apart(unit, d, section);
}

/* Reads on from the `static` at `i` to the end of what it declares. @return whether that is a variable */
static bool is_static_variable(const struct umcc_unit *unit, int i, int end, unsigned *marks, bool *constant)
{
    bool parentheses = false;
    *marks = 0;
    *constant = false;
    while (umcc_mark_of(unit, i - 1) != 0 || umcc_is(unit, i - 1, "const") ||
           umcc_is(unit, i - 1, "constexpr"))
        i--;
    for (; i < end && !umcc_is(unit, i, ";") && !umcc_is(unit, i, "="); i++) {
        i = behind_body(unit, i, end);
        *marks |= umcc_mark_of(unit, i);
        *constant |= umcc_is(unit, i, "const");
        parentheses |= umcc_is(unit, i, "(");
        if (umcc_is(unit, i, "constexpr") || (umcc_is(unit, i, "{") && parentheses))
            return false; /* a local class's function, too */
        if (umcc_is(unit, i, "{"))
            break;
        i = unit->tokens[i].match > i ? unit->tokens[i].match : i;
    }
    return true;
}

/* `static` variables of device functions are also stored on the device. */
static void place_local_variables(struct umcc_unit *unit, const struct umcc_decl *d)
{
    for (int i = d->body + 1; i < d->body_end; i++) {
        unsigned marks;
        bool constant;
        if (!umcc_is(unit, i, "static") || !is_static_variable(unit, i, d->body_end, &marks, &constant) ||
            (marks & UMCC_SHARED) != 0)
            continue;
        if (d->templated && !constant) /* as in place_variable() */
            umcc_error(
                unit, i,
                "a static variable in a template's device function is not provided: make it a __device__ "
                "variable of the file");
        umcc_insert_before(unit, i, section_attribute(unit, section_of(marks)));
    }
}

/** One `__shared__` declaration, anywhere. */
struct shared {
    int first, last; /* last is the `;` */
    int name;        /* of its first declarator */
    bool dynamic;
    int number;            /* of its structure */
    struct shared *before; /* the one before it, if both are not dynamic */
};

static bool ends_statement(const struct umcc_unit *unit, int i)
{
    return i < 0 || umcc_is(unit, i, ";") || umcc_is(unit, i, "{") || umcc_is(unit, i, "}") ||
           umcc_is(unit, i, ":") || umcc_is(unit, i, ")");
}

/* Reads the declaration around the `__shared__` at `i`. @return false, with an error, if it is not a
 * declaration */
static bool read_shared(struct umcc_unit *unit, int i, struct shared *s)
{
    *s = (struct shared){.first = i, .last = i};
    while (!ends_statement(unit, s->first - 1))
        s->first--;
    while (s->last < unit->count && !umcc_is(unit, s->last, ";")) {
        s->last = behind_body(unit, s->last, unit->count);
        int match = unit->tokens[s->last].match;
        if (umcc_is(unit, s->last, "=") || umcc_is(unit, s->last, "{")) {
            umcc_error(unit, i, "a __shared__ variable cannot be initialized");
            return false;
        }
        if (match >= 0 && match < s->last)
            break;
        s->last = match > s->last ? match + 1 : s->last + 1;
    }
    s->name = declared_name(unit, s->first, s->last);
    if (!umcc_is(unit, s->last, ";") || s->name < 0) {
        umcc_error(unit, i, "__shared__ is not followed by a variable's declaration");
        return false;
    }
    for (int j = s->first; j < s->name; j++)
        s->dynamic |= umcc_is(unit, j, "extern");
    return true;
}

/* Drops the words that do not belong to the type. */
static void drop_storage_class(struct umcc_unit *unit, const struct shared *s)
{
    for (int j = s->first; j < s->name; j++)
        if (umcc_is(unit, j, "extern") || umcc_is(unit, j, "static") || umcc_mark_of(unit, j) != 0)
            umcc_drop(unit, j, j);
}

/* The kernel whose body token `i` is in; NULL: none. */
static const struct umcc_decl *kernel_around(const struct umcc_unit *unit, int i)
{
    for (const struct umcc_decl *d = unit->decls; d; d = d->next)
        if (d->form == UMCC_FUNCTION && (d->marks & UMCC_GLOBAL) != 0 && d->body >= 0 && d->body < i &&
            i < d->body_end)
            return d;
    return NULL;
}

/* The closing brace of the block that token `i` is in. */
static int block_end(const struct umcc_unit *unit, int i)
{
    while (!umcc_is(unit, i, "}"))
        i = unit->tokens[i].match > i ? unit->tokens[i].match + 1 : i + 1;
    return i;
}

static bool is_mentioned(const struct umcc_unit *unit, const struct shared *s, int end)
{
    for (int name = s->name; name >= 0; name = next_name(unit, name, s->last))
        for (int i = s->last; i < end; i++)
            if (umcc_same_text(unit, i, name))
                return true;
    return false;
}

/* As ptxas does, refuses more static shared memory than a block can have: what is declared in one kernel and
 * still known at this declaration. What the functions that it calls declare is counted when it runs. */
static char *limit_shared(struct umcc_unit *unit, const struct shared *s)
{
    const struct umcc_decl *kernel = kernel_around(unit, s->first);
    struct umcc_text sum = {0};
    for (const struct shared *e = s; kernel && e && e->first > kernel->body; e = e->before)
        if (block_end(unit, e->last) > s->last && is_mentioned(unit, e, kernel->body_end))
            umcc_text_printf(&sum, "%ssizeof(um_shared_%d)", sum.length > 0 ? " + " : "", e->number);
    char *text =
        sum.length == 0
            ? ""
            : umcc_format(
                  &unit->arena,
                  " static_assert(%s <= ::umsim::static_shared_max, \"kernel \\\"%s\\\" uses too much "
                  "shared memory (49152 bytes max): take extern __shared__, which the launch gives\");",
                  sum.data, umcc_spelling(unit, kernel->name));
    umcc_text_free(&sum);
    return text;
}

static void bind_static(struct umcc_unit *unit, struct shared *s)
{
    const int n = s->number = unit->serial++;
    drop_storage_class(unit, s);
    umcc_insert_before(unit, s->first, umcc_format(&unit->arena, "struct um_shared_%d { ", n));
    struct umcc_text names = {0};
    for (int j = s->name; j >= 0 && j < s->last;) {
        const char *name = umcc_spelling(unit, j);
        umcc_text_printf(&names, " __attribute__((unused)) auto &%s = ::umsim::shared<um_shared_%d>().%s;",
                         name, n, name);
        j = next_name(unit, j, s->last);
    }
    umcc_insert_after(unit, s->last, umcc_format(&unit->arena, " };%s%s", names.data, limit_shared(unit, s)));
    umcc_text_free(&names);
}

static char *dynamic_reference(struct umcc_unit *unit, const char *name, int n)
{
    return umcc_format(
        &unit->arena,
        " __attribute__((unused)) um_dynamic_%d &%s = ::umsim::dynamic_shared<um_dynamic_%d>();", n, name, n);
}

/* Writes `typedef T um_dynamic_1[];` in place of the declaration. @return its number */
static int name_dynamic_type(struct umcc_unit *unit, const struct shared *s)
{
    int n = unit->serial++;
    drop_storage_class(unit, s);
    for (int j = s->first; j < s->name; j++) /* any alignment up to 16 is given anyway */
        if (umcc_is(unit, j, "__attribute__") || umcc_is(unit, j, "alignas"))
            umcc_drop(unit, j, unit->tokens[j + 1].match);
    umcc_insert_before(unit, s->first, "typedef ");
    umcc_replace(unit, s->name, umcc_format(&unit->arena, "um_dynamic_%d", n));
    return n;
}

/* Whether the body's own declaration is the first that mentions the name, in the body's outermost scope: then
 * every mention means that one. */
static bool declares_its_own(const struct umcc_unit *unit, const struct umcc_decl *d, const char *name)
{
    for (int i = d->body + 1; i < d->body_end; i++) {
        if (umcc_is(unit, i, name))
            return umcc_may_be_declared(unit, i, d->body);
        for (int j = i; j < unit->tokens[i].match; j++)
            if (umcc_is(unit, j, name))
                return false;
        i = unit->tokens[i].match > i ? unit->tokens[i].match : i;
    }
    return false;
}

/* A shared variable at namespace scope: every device function that mentions it declares a reference of its
 * own. */
static void bind_in_functions(struct umcc_unit *unit, const char *name, const char *reference)
{
    for (struct umcc_decl *d = unit->decls; d; d = d->next) {
        if (d->form != UMCC_FUNCTION || (d->marks & (UMCC_DEVICE | UMCC_GLOBAL)) == 0 || d->body < 0)
            continue;
        bool mentions = false, parameter = false;
        for (int i = d->body; i < d->body_end; i++)
            mentions |= umcc_is(unit, i, name) && !umcc_is(unit, i - 1, ".") && !umcc_is(unit, i - 1, "->");
        for (int i = d->open; i < d->close; i++)
            parameter |= umcc_is(unit, i, name);
        if (mentions && !parameter && !declares_its_own(unit, d, name))
            umcc_insert_after(unit, d->body, reference);
    }
}

static void bind_global(struct umcc_unit *unit, const struct shared *s)
{
    if (s->dynamic) {
        const char *name = umcc_spelling(unit, s->name);
        bind_in_functions(unit, name, dynamic_reference(unit, name, name_dynamic_type(unit, s)));
        return;
    }
    int n = unit->serial++;
    drop_storage_class(unit, s);
    umcc_insert_before(unit, s->first, umcc_format(&unit->arena, "struct um_shared_%d { ", n));
    umcc_insert_after(unit, s->last, " };");
    for (int j = s->name; j >= 0 && j < s->last;) {
        const char *name = umcc_spelling(unit, j);
        bind_in_functions(
            unit, name,
            umcc_format(&unit->arena,
                        " __attribute__((unused)) auto &%s = ::umsim::shared<um_shared_%d>().%s;", name, n,
                        name));
        j = next_name(unit, j, s->last);
    }
}

static bool is_outside_functions(const struct umcc_unit *unit, int i)
{
    for (const struct umcc_decl *d = unit->decls; d; d = d->next)
        if (d->form == UMCC_VARIABLE && (d->marks & UMCC_SHARED) != 0 && d->first <= i && i <= d->last)
            return true;
    return false;
}

void umcc_rewrite_storage(struct umcc_unit *unit)
{
    for (const struct umcc_decl *d = unit->decls; d; d = d->next)
        if (d->form == UMCC_VARIABLE && (d->marks & (UMCC_DEVICE | UMCC_CONSTANT | UMCC_MANAGED)) != 0 &&
            (d->marks & UMCC_SHARED) == 0)
            place_variable(unit, d);
    for (const struct umcc_decl *d = unit->decls; d; d = d->next)
        if (d->form == UMCC_FUNCTION && d->body >= 0 && (d->marks & (UMCC_DEVICE | UMCC_GLOBAL)) != 0 &&
            (d->marks & UMCC_HOST) == 0)
            place_local_variables(unit, d);
    struct shared *before = NULL;
    for (int i = 0; i < unit->count; i++) {
        struct shared s;
        if (umcc_mark_of(unit, i) != UMCC_SHARED || !read_shared(unit, i, &s))
            continue;
        if (is_outside_functions(unit, i)) {
            bind_global(unit, &s);
        } else if (s.dynamic) {
            umcc_insert_after(
                unit, s.last,
                dynamic_reference(unit, umcc_spelling(unit, s.name), name_dynamic_type(unit, &s)));
        } else {
            s.before = before;
            bind_static(unit, &s);
            before = umcc_alloc(&unit->arena, sizeof *before);
            *before = s;
        }
        i = s.last;
    }
}
