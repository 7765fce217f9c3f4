/**
 * @file prefix.c
 * @brief Implementation of prefix.h: reads declarations and expressions, and writes them for a row of
 * threads.
 *
 * The lists of words here only say what is tried. A token that is not in them, or a name before a
 * parenthesis, is refused: the kernel is then not transformed. A name that is taken for a type and is none
 * does not compile.
 */
#include "prefix.h"

#include <ctype.h>
#include <string.h>

/* ---- what is accepted ---- */

static bool is_type_word(const struct umcc_unit *unit, int i)
{
    static const char *const words[] = {"bool",   "char",   "short",    "int",   "long", "float",
                                        "double", "signed", "unsigned", "const", NULL};
    return umcc_is_any(unit, i, words);
}

/* Names of integer types that casts are known by; any other name before a parenthesis may be a function's. */
static bool is_type_name(const struct umcc_unit *unit, int i)
{
    static const char *const names[] = {"size_t",   "ssize_t",  "ptrdiff_t", "int8_t",   "uint8_t",
                                        "int16_t",  "uint16_t", "int32_t",   "uint32_t", "int64_t",
                                        "uint64_t", "uint",     "ulong",     "intptr_t", "uintptr_t",
                                        "longlong", NULL};
    return umcc_is_any(unit, i, names);
}

/* Reads `const unsigned int`, `std::size_t`, `::uint32_t` at `i`. @return the token behind it, or `i` */
static int behind_type(const struct umcc_unit *unit, int i)
{
    const int start = i;
    while (is_type_word(unit, i))
        i++;
    if (i > start)
        return i;
    const int scoped = umcc_is(unit, i, "std") && umcc_is(unit, i + 1, "::") ? i + 2
                       : umcc_is(unit, i, "::")                              ? i + 1
                                                                             : i;
    return is_type_name(unit, scoped) ? scoped + 1 : start;
}

/* A name that may be a type in a cast: `(T)x`, where what follows can be nothing else. */
static bool is_cast(const struct umcc_unit *unit, int open)
{
    const int close = unit->tokens[open].match, first = open + 1;
    if (close <= first)
        return false;
    if (behind_type(unit, first) == close)
        return true;
    const bool operand = umcc_is_name(unit, close + 1) ||
                         (close + 1 < unit->count && unit->tokens[close + 1].kind == UMCC_NUMBER);
    return close == first + 1 && umcc_is_name(unit, first) && operand;
}

/* `static_cast<T>(` at `i`: @return its `>`, else -1 */
static int static_cast_end(const struct umcc_unit *unit, int i)
{
    if (!umcc_is(unit, i, "static_cast") || !umcc_is(unit, i + 1, "<"))
        return -1;
    int end = behind_type(unit, i + 2);
    if (end == i + 2 && umcc_is_name(unit, i + 2))
        end = i + 3;
    return umcc_is(unit, end, ">") && umcc_is(unit, end + 1, "(") ? end : -1;
}

/* Numbers of the language: a suffix of the program's own would call its operator. */
static bool is_own_number(const struct umcc_unit *unit, int i)
{
    const struct umcc_token *t = &unit->tokens[i];
    if (t->kind != UMCC_NUMBER)
        return false;
    const bool hex = t->length > 1 && t->text[0] == '0' && (t->text[1] == 'x' || t->text[1] == 'X');
    for (size_t c = 0; c < t->length; c++) {
        const bool digit = isdigit((unsigned char)t->text[c]) || strchr(".'uUlL", t->text[c]);
        const bool letter =
            hex ? isxdigit((unsigned char)t->text[c]) || c == 1 : strchr("eEfFbB+-", t->text[c]) != NULL;
        if (!digit && !letter)
            return false;
    }
    return true;
}

/* One operand, or a cast before one. @return the token behind it, or `i` if there is none */
static int read_operand(const struct umcc_unit *unit, int i, bool *is_cast_only)
{
    const int type = behind_type(unit, i);
    *is_cast_only = true;
    if (static_cast_end(unit, i) > 0)
        return static_cast_end(unit, i) + 1;
    if (type > i) /* unsigned(x), std::size_t(x) */
        return umcc_is(unit, type, "(") && (type == i + 1 || !is_type_word(unit, i)) ? type : i;
    if (umcc_is(unit, i, "(") && is_cast(unit, i))
        return unit->tokens[i].match + 1;
    *is_cast_only = false;
    if (umcc_is_name(unit, i))
        return umcc_is(unit, i + 1, "(") || umcc_is(unit, i + 1, "::") ? i : i + 1;
    return is_own_number(unit, i) ? i + 1 : i;
}

bool umcc_is_pure(const struct umcc_unit *unit, int first, int last)
{
    static const char *const unary[] = {"+", "-", "~", "!", "(", NULL};
    static const char *const binary[] = {
        "+", "-", "*", "/", "%", "<", ">", "<=", ">=", "==", "!=", "&", "|", "^", ".", "&&", "||", NULL};
    bool operand = false; /* what was read so far ends with one */
    for (int i = first; i <= last;) {
        bool cast = false;
        const int behind = operand ? i : read_operand(unit, i, &cast);
        const bool shift = operand && (umcc_is(unit, i, "<") || umcc_is(unit, i, ">")) &&
                           umcc_same_text(unit, i, i + 1) && unit->tokens[i + 1].joined;
        if (behind > i) {
            operand = !cast;
            i = behind;
        } else if (umcc_is(unit, i, ")")) {
            if (!operand)
                return false;
            i++;
        } else {
            if (!umcc_is_any(unit, i, operand ? binary : unary))
                return false;
            operand = false;
            i += shift ? 2 : 1;
        }
    }
    return operand;
}

/* ---- what is written ---- */

static bool is_builtin(const struct umcc_unit *unit, int i)
{
    static const char *const names[] = {"threadIdx", "blockIdx", "blockDim", "gridDim", NULL};
    return umcc_is_any(unit, i, names);
}

/* `a.b.c` at `i`. @return its last token */
static int chain_end(const struct umcc_unit *unit, int i)
{
    while (umcc_is(unit, i + 1, ".") && umcc_is_identifier(unit, i + 2))
        i += 2;
    return i;
}

bool umcc_next_operand(const struct umcc_unit *unit, int *i, int last, int *end)
{
    for (; *i <= last; ++*i) {
        if (static_cast_end(unit, *i) > 0)
            *i = static_cast_end(unit, *i);
        else if (umcc_is(unit, *i, "(") && is_cast(unit, *i))
            *i = unit->tokens[*i].match;
        else if (behind_type(unit, *i) == *i && umcc_is_name(unit, *i)) {
            *end = chain_end(unit, *i);
            if (!is_builtin(unit, *i) && !umcc_is(unit, *i, "true") && !umcc_is(unit, *i, "false"))
                return true;
            *i = *end;
        }
    }
    return false;
}

const char *umcc_check_operands(struct umcc_unit *unit, int first, int last, const char *before,
                                bool (*skip)(const void *, int), const void *argument)
{
    for (int i = first, end; umcc_next_operand(unit, &i, last, &end); i = end + 1) {
        if (skip(argument, i))
            continue;
        const char *check =
            umcc_format(&unit->arena,
                        "static_assert(::umsim::is_plain<decltype(%s), %s>::value, \"an operand's type\"); ",
                        umcc_join(unit, i, end), unit->own_operators ? "true" : "false");
        if (!strstr(before, check))
            before = umcc_format(&unit->arena, "%s%s", before, check);
    }
    return before;
}

static bool is_declared(const void *prefix, int i)
{
    return umcc_in_prefix(prefix, i);
}

static void add_token(struct umcc_text *out, const struct umcc_unit *unit, int i)
{
    const bool joined = unit->tokens[i].joined && (umcc_is(unit, i - 1, "<") || umcc_is(unit, i - 1, ">"));
    umcc_text_printf(out, "%s%.*s", joined ? "" : " ", (int)unit->tokens[i].length, unit->tokens[i].text);
}

static const char *finish(struct umcc_unit *unit, struct umcc_text *out)
{
    const char *text = umcc_format(&unit->arena, "%s", out->data ? out->data : "");
    umcc_text_free(out);
    return text;
}

/* Writes a pure expression with its casts and its operands as calls. */
static const char *write_expression(struct umcc_unit *unit, int first, int last)
{
    struct umcc_text out = {0};
    for (int i = first; i <= last; i++) {
        const int cast = static_cast_end(unit, i), type = behind_type(unit, i);
        if (cast > 0) {
            umcc_text_printf(&out, " ::umsim::row_to<%s>()", umcc_join(unit, i + 2, cast - 1));
            i = cast;
        } else if (type > i) {
            umcc_text_printf(&out, " ::umsim::row_to<%s>()", umcc_join(unit, i, type - 1));
            i = type - 1;
        } else if (umcc_is(unit, i, "(") && is_cast(unit, i)) {
            const int close = unit->tokens[i].match;
            umcc_text_printf(&out, " ::umsim::row_to<%s>() ->*", umcc_join(unit, i + 1, close - 1));
            i = close;
        } else if (umcc_is_name(unit, i) || unit->tokens[i].kind == UMCC_NUMBER) {
            const int end = chain_end(unit, i);
            umcc_text_printf(&out, " ::umsim::row_of(%s)", umcc_join(unit, i, end));
            i = end;
        } else {
            add_token(&out, unit, i);
        }
    }
    return finish(unit, &out);
}

const char *umcc_row_expression(struct umcc_prefix *prefix, int first, int last)
{
    struct umcc_unit *unit = prefix->unit;
    if (!umcc_is_pure(unit, first, last))
        return NULL;
    for (int i = first; i <= last; i++)
        if (umcc_is(unit, i, "&&") || umcc_is(unit, i, "||"))
            return NULL;
    prefix->checks = umcc_check_operands(unit, first, last, prefix->checks, is_declared, prefix);
    return write_expression(unit, first, last);
}

/* The last `&&` or `||` outside parentheses that is spelled `word`; -1 if there is none. */
static int last_join(const struct umcc_unit *unit, int first, int last, const char *word)
{
    int found = -1;
    for (int i = first; i <= last; i++) {
        if (umcc_is(unit, i, word))
            found = i;
        else if (unit->tokens[i].match > i)
            i = unit->tokens[i].match;
    }
    return found;
}

static const char *join(struct umcc_prefix *prefix, int first, int at, int last, const char *name)
{
    const char *left = umcc_row_condition(prefix, first, at - 1);
    const char *right = left ? umcc_row_condition(prefix, at + 1, last) : NULL;
    return !right
               ? NULL
               : umcc_format(&prefix->unit->arena, "::umsim::%s(%s, [&] { return %s; })", name, left, right);
}

const char *umcc_row_condition(struct umcc_prefix *prefix, int first, int last)
{
    struct umcc_unit *unit = prefix->unit;
    const int either = last_join(unit, first, last, "||"), both = last_join(unit, first, last, "&&");
    if (first > last)
        return NULL;
    if (either >= 0)
        return join(prefix, first, either, last, "row_either");
    if (both >= 0)
        return join(prefix, first, both, last, "row_both");
    const int open = umcc_is(unit, first, "!") ? first + 1 : first;
    if (umcc_is(unit, open, "(") && unit->tokens[open].match == last && !is_cast(unit, open)) {
        const char *inner = umcc_row_condition(prefix, open + 1, last - 1);
        return inner && open > first ? umcc_format(&unit->arena, "!%s", inner) : inner;
    }
    const char *text = umcc_row_expression(prefix, first, last);
    return text ? umcc_format(&unit->arena, "::umsim::row_truth(%s)", text) : NULL;
}

/* ---- operators ---- */

/* Whether the file is neither of C++'s library nor one of CUDA's headers. */
static bool is_foreign(const struct umcc_unit *unit, const char *file)
{
    bool own = false;
    for (int i = 0; i < 2; i++)
        own |= unit->own_include[i] && strncmp(file, unit->own_include[i], strlen(unit->own_include[i])) == 0;
    return !own && !(strstr(file, "/include/") && strstr(file, "/c++/")) && !strstr(file, "/lib/gcc/");
}

void umcc_find_operators(struct umcc_unit *unit)
{
    for (int i = 0; i < unit->count && !unit->own_operators; i++)
        unit->own_operators =
            unit->tokens[i].system && umcc_is(unit, i, "operator") && is_foreign(unit, unit->tokens[i].file);
    for (const struct umcc_decl *d = unit->decls; d; d = d->next) {
        bool is_friend = false;
        for (int i = d->first; i < d->name; i++)
            is_friend |= umcc_is(unit, i, "friend");
        unit->own_operators |= d->form == UMCC_FUNCTION && d->is_operator && (!d->in_class || is_friend) &&
                               is_foreign(unit, unit->tokens[d->first].file);
    }
}

/* ---- declarations ---- */

struct umcc_prefix umcc_begin_prefix(struct umcc_unit *unit)
{
    return (struct umcc_prefix){.unit = unit, .text = "", .checks = ""};
}

bool umcc_in_prefix(const struct umcc_prefix *prefix, int i)
{
    const struct umcc_unit *unit = prefix->unit;
    for (int v = 0; v < prefix->count; v++)
        if (umcc_same_text(unit, prefix->names[v], i) && !umcc_is(unit, i - 1, ".") &&
            !umcc_is(unit, i - 1, "->"))
            return true;
    return false;
}

/* The type of a declaration, from `first` on. @return the token behind it, or -1 */
static int read_type(const struct umcc_unit *unit, int first)
{
    int i = first;
    while (umcc_is_type_keyword(unit, i) || umcc_is(unit, i, "::") ||
           (umcc_is_name(unit, i) && (umcc_is_name(unit, i + 1) || umcc_is(unit, i + 1, "::")))) {
        if (umcc_is(unit, i, "volatile") || umcc_is(unit, i, "void"))
            return -1;
        i++;
    }
    return i > first ? i : -1;
}

/* One declarator, `name = value`, at `i`. @return the `,` or `;` behind it, or -1 */
static int read_variable(struct umcc_prefix *prefix, int i)
{
    struct umcc_unit *unit = prefix->unit;
    if (!umcc_is_name(unit, i) || !umcc_is(unit, i + 1, "=") || prefix->count == UMCC_PREFIX_MAX ||
        umcc_in_prefix(prefix, i))
        return -1;
    int end = i + 2;
    while (end < unit->count && !umcc_is(unit, end, ",") && !umcc_is(unit, end, ";"))
        end = unit->tokens[end].match > end ? unit->tokens[end].match + 1 : end + 1;
    const char *value = umcc_row_expression(prefix, i + 2, end - 1);
    if (!value)
        return -1;
    prefix->text = umcc_format(&unit->arena, "%s %s =%s%s", prefix->text, umcc_spelling(unit, i), value,
                               umcc_is(unit, end, ",") ? "," : "; ");
    prefix->names[prefix->count++] = i;
    return end;
}

/* `constexpr int w = 4;` at `i`, which needs nothing but other constants: it stays as it is. @return the
 * token behind it, or -1 */
static int read_constant(struct umcc_prefix *prefix, int i)
{
    struct umcc_unit *unit = prefix->unit;
    int end = i;
    while (end < unit->count && !umcc_is(unit, end, ";"))
        end = unit->tokens[end].match > end ? unit->tokens[end].match + 1 : end + 1;
    prefix->checks =
        umcc_format(&unit->arena, "%s__attribute__((unused)) %s ", prefix->checks, umcc_join(unit, i, end));
    return end + 1;
}

int umcc_read_prefix(struct umcc_prefix *prefix, int i)
{
    struct umcc_unit *unit = prefix->unit;
    if (umcc_is(unit, i, "constexpr"))
        return read_constant(prefix, i);
    const int type_end = read_type(unit, i);
    bool deduced = false;
    if (type_end < 0)
        return -1;
    for (int j = i; j < type_end; j++)
        deduced |= umcc_is(unit, j, "auto");
    const char *type = umcc_join(unit, i, type_end - 1);
    prefix->text = umcc_format(&unit->arena,
                               deduced ? "%s__attribute__((unused)) const %s"
                                       : "%s__attribute__((unused)) const ::umsim::row_variable<%s>",
                               prefix->text, deduced ? "auto" : type);
    for (i = type_end;; i++) {
        i = read_variable(prefix, i);
        if (i < 0)
            return -1;
        if (umcc_is(unit, i, ";"))
            return i + 1;
    }
}
