/**
 * @file stubs.c
 * @brief What a kernel's stub has around its body: captures, checks that need the compiler, and the
 * registration for cudaLaunchKernel().
 *
 * The compiler is asked what tokens do not tell: whether the result's type is void, whether a parameter's
 * type is a reference, how many bytes the parameters take. In the stub `um_type` is the kernel's own type,
 * made of its parameters' names, so it is right for templates, packs and placeholders.
 */
#include "declarator.h"

#include <string.h>

const char *umcc_reference_captures(struct umcc_unit *unit, const struct umcc_decl *d)
{
    struct umcc_parameter list[UMCC_PARAMETERS_MAX];
    const int count = umcc_read_parameters(unit, d, list, UMCC_PARAMETERS_MAX);
    const char *captures = "";
    for (int p = 0; p < count; p++)
        if (list[p].reference && list[p].name >= 0)
            captures = umcc_format(&unit->arena, "%s, &%s%s", captures, umcc_spelling(unit, list[p].name),
                                   list[p].pack ? "..." : "");
    return captures;
}

const char *umcc_all_captures(struct umcc_unit *unit, const struct umcc_decl *d)
{
    struct umcc_parameter list[UMCC_PARAMETERS_MAX];
    const int count = umcc_read_parameters(unit, d, list, UMCC_PARAMETERS_MAX);
    const char *captures = "";
    for (int p = 0; p < count; p++)
        if (list[p].name >= 0)
            captures = umcc_format(&unit->arena, "%s%s%s%s%s", captures, *captures == '\0' ? "" : ", ",
                                   list[p].reference ? "&" : "", umcc_spelling(unit, list[p].name),
                                   list[p].pack ? "..." : "");
    return count >= 0 ? captures : NULL;
}

/* Gives every parameter a name. @return their types by these names, `decltype(a), decltype(b)...` of those
 * that are values if `values`; NULL if a parameter has an unknown form */
static const char *types_by_name(struct umcc_unit *unit, const struct umcc_decl *d, bool values)
{
    struct umcc_parameter list[UMCC_PARAMETERS_MAX];
    const int count = umcc_read_parameters(unit, d, list, UMCC_PARAMETERS_MAX);
    const char *types = count < 0 ? NULL : "";
    for (int p = 0; p < count; p++) {
        const char *name =
            list[p].name >= 0 ? umcc_spelling(unit, list[p].name) : umcc_format(&unit->arena, "um_p%d", p);
        if (list[p].name < 0 && !values)
            umcc_insert_before(unit, list[p].place, umcc_format(&unit->arena, " %s", name));
        if (!values || !list[p].reference)
            types = umcc_format(&unit->arena, "%s%stypename ::umsim::parameter_type<decltype(%s)>::type%s",
                                types, *types == '\0' ? "" : ", ", name, list[p].pack ? "..." : "");
    }
    return types;
}

/* ---- the result's type ---- */

static int behind_attribute(const struct umcc_unit *unit, int i)
{
    static const char *const words[] = {"static",          "inline",  "extern",     "friend",
                                        "constexpr",       "virtual", "__inline__", "__noinline__",
                                        "__forceinline__", NULL};
    static const char *const with_arguments[] = {"__attribute__",     "__attribute", "alignas",
                                                 "__launch_bounds__", "__maxnreg__", "__cluster_dims__",
                                                 "__block_size__",    NULL};
    if (umcc_is(unit, i, "[") && umcc_is(unit, i + 1, "["))
        return unit->tokens[i].match + 1;
    if (umcc_is_any(unit, i, with_arguments) && umcc_is(unit, i + 1, "("))
        return unit->tokens[i + 1].match + 1;
    return umcc_is_any(unit, i, words) || umcc_mark_of(unit, i) != 0 ? i + 1 : i;
}

static const char *type_between(struct umcc_unit *unit, int first, int end)
{
    const char *type = "";
    for (int i = first; i < end;) {
        const int behind = behind_attribute(unit, i);
        if (behind == i && umcc_is(unit, i, "(") && !umcc_is_group_word(unit, i - 1))
            break; /* of a name in parentheses */
        if (behind == i)
            type =
                umcc_format(&unit->arena, "%s%s%s", type, *type == '\0' ? "" : " ", umcc_spelling(unit, i));
        if (behind == i && umcc_is(unit, i, "(")) { /* decltype(...) */
            type = umcc_format(&unit->arena, "%s%s", type, umcc_join(unit, i + 1, unit->tokens[i].match));
            i = unit->tokens[i].match;
        }
        i = behind > i ? behind : i + 1;
    }
    return type;
}

static const char *result_of(struct umcc_unit *unit, const struct umcc_decl *d)
{
    int arrow = d->close + 1;
    while (arrow < d->body && !umcc_is(unit, arrow, "->"))
        arrow++;
    int end = arrow;
    while (end < d->body && !umcc_is(unit, end, "requires"))
        end = unit->tokens[end].match > end ? unit->tokens[end].match + 1 : end + 1;
    return arrow < d->body ? type_between(unit, arrow + 1, end) : type_between(unit, d->first, d->name_first);
}

/* ---- templates ---- */

/* Gives `<T, N, Rest...>`: the arguments that name the template from inside. Parameters without a name get
 * one. */
static const char *template_arguments(struct umcc_unit *unit, const struct umcc_decl *d)
{
    const char *arguments = "";
    int number = 0;
    if (d->template_open < 0)
        return ""; /* of a placeholder's template: all are found by its type */
    for (int i = d->template_open + 1, end; i < d->template_close; i = end + 1) {
        struct umcc_parameter p;
        end = umcc_read_template_parameter(unit, i, d->template_close, &p);
        if (end < 0) {
            umcc_error(unit, i,
                       "umcc does not understand this template parameter of a kernel: give it a name");
            return "";
        }
        const char *name =
            p.name >= 0 ? umcc_spelling(unit, p.name) : umcc_format(&unit->arena, "um_t%d", number++);
        if (p.name < 0)
            umcc_insert_after(unit, p.place - 1, umcc_format(&unit->arena, " %s", name));
        arguments = umcc_format(&unit->arena, "%s%s%s%s", arguments, *arguments == '\0' ? "" : ", ", name,
                                p.pack ? "..." : "");
    }
    return umcc_format(&unit->arena, "<%s>", arguments);
}

/* The kernel's name, as no parameter can hide it. */
static const char *full_name(struct umcc_unit *unit, const struct umcc_decl *d)
{
    const char *spelled = umcc_join(unit, d->name_first, d->name_last);
    const bool global = umcc_is(unit, d->name_first, "::");
    return d->in_class || global ? spelled : umcc_format(&unit->arena, "%s::%s", d->scope, spelled);
}

/* A template's stubs are known only once they are instantiated: the body of each uses an object that
 * registers it. What is defined outside of its namespace finds the names of its parameters' types only in its
 * body. */
static bool registers_itself(const struct umcc_decl *d)
{
    return d->templated || d->qualified;
}

const char *umcc_stub_checks(struct umcc_unit *unit, const struct umcc_decl *d)
{
    const char *types = types_by_name(unit, d, false), *values = types_by_name(unit, d, true);
    const char *result = result_of(unit, d), *text = "";
    if (strcmp(result, "void") != 0)
        text = umcc_format(&unit->arena,
                           "typedef %s um_result; static_assert(::std::is_void<um_result>::value, "
                           "\"a __global__ function must have a void return type\"); ",
                           result);
    if (!types)
        return umcc_format(&unit->arena,
                           "%sstatic_assert(sizeof um_body <= ::umsim::closure_max, "
                           "\"the kernel's parameters take too many bytes\"); ",
                           text);
    text = umcc_format(&unit->arena,
                       "%stypedef void um_type(%s); "
                       "static_assert(::umsim::parameters<um_type>::bytes <= ::umsim::parameters_max, "
                       "\"the kernel's parameters take more bytes than a launch can pass\"); "
                       "static_assert(::umsim::parameters<void(%s)>::are_values, "
                       "\"a kernel's parameter is a reference by the name of its type: write the & beside "
                       "the parameter\"); ",
                       text, types, values);
    if (!registers_itself(d) || d->in_class)
        return text;
    return umcc_format(&unit->arena, "%s(void)&::umsim::registered<um_type *, &%s%s, um_name>::here; ", text,
                       full_name(unit, d), d->templated ? template_arguments(unit, d) : "");
}

void umcc_register_stub(struct umcc_unit *unit, const struct umcc_decl *d)
{
    if (registers_itself(d) || d->in_class)
        return;
    const int n = unit->serial++;
    umcc_insert_after(
        unit, d->body_end,
        umcc_format(
            &unit->arena,
            " namespace um_registry_%d { __attribute__((unused)) void um_signature_%d%s; static const "
            "::umsim::registrar um_registrar_%d(static_cast<decltype(&um_signature_%d)>(&%s), "
            "\"%s\"); }",
            n, n, umcc_join(unit, d->open, d->close), n, n, umcc_join(unit, d->name_first, d->name_last),
            umcc_spelling(unit, d->name)));
}
