/**
 * @file ptx.c
 * @brief Turns inline PTX in device code into C++.
 *
 * An asm statement such as `asm("add.s32 %0, %1, %2;" : "=r"(c) : "r"(a), "r"(b));` becomes a statement
 * expression. It holds the operands in variables, does what the instructions do (ptx_code.c), and stores
 * the results.
 *
 * An instruction that is not provided is an error here, because the message of the assembler for the host's
 * processor would be less clear. An empty text, which keeps compilers from moving memory accesses, is left
 * as it is.
 */
#include "ptx.h"

#include <ctype.h>
#include <string.h>

static const char *const words[] = {"asm", "__asm__", "__asm", NULL};

static const struct {
    const char *name, *value;
} registers[] = {
    {"laneid", "::umsim::special::lane()"},
    {"lanemask_eq", "(1u << ::umsim::special::lane())"},
    {"lanemask_lt", "((1u << ::umsim::special::lane()) - 1)"},
    {"lanemask_le", "((2u << ::umsim::special::lane()) - 1)"},
    {"lanemask_gt", "(-2u << ::umsim::special::lane())"},
    {"lanemask_ge", "(-1u << ::umsim::special::lane())"},
    {"warpid", "(::umsim::special::thread() / 32)"},
    {"nwarpid", "((::umsim::special::threads() + 31) / 32)"},
    {"smid", "::umsim_multiprocessor()"},
    {"nsmid", "::umsim_multiprocessors()"},
    {"tid.x", "::umsim_builtins.thread_index.x"},
    {"tid.y", "::umsim_builtins.thread_index.y"},
    {"tid.z", "::umsim_builtins.thread_index.z"},
    {"ntid.x", "::umsim_builtins.block_dim.x"},
    {"ntid.y", "::umsim_builtins.block_dim.y"},
    {"ntid.z", "::umsim_builtins.block_dim.z"},
    {"ctaid.x", "::umsim_builtins.block_index.x"},
    {"ctaid.y", "::umsim_builtins.block_index.y"},
    {"ctaid.z", "::umsim_builtins.block_index.z"},
    {"nctaid.x", "::umsim_builtins.grid_dim.x"},
    {"nctaid.y", "::umsim_builtins.grid_dim.y"},
    {"nctaid.z", "::umsim_builtins.grid_dim.z"},
    {"clock", "(unsigned)::umsim_clock64()"},
    {"clock64", "::umsim_clock64()"},
    {"globaltimer", "::umsim_clock_ns()"},
};

const char *umcc_ptx_register(const char *name, size_t length)
{
    for (size_t r = 0; r < sizeof registers / sizeof *registers; r++)
        if (strlen(registers[r].name) == length && memcmp(registers[r].name, name, length) == 0)
            return registers[r].value;
    return NULL;
}

/* Adds the text of string token `i`, with blanks for what is not PTX: line breaks and comments. */
static void add_string(struct umcc_unit *unit, int i, struct umcc_text *text)
{
    const char *s = umcc_spelling(unit, i), *end = s + strlen(s) - 1;
    const bool raw = strncmp(s, "R\"(", 3) == 0;
    s = raw ? s + 3 : strchr(s, '"') + 1;
    for (end -= raw; s < end; s++) {
        char c = *s;
        if (!raw && c == '\\' && s + 1 < end)
            c = strchr("ntrvf", *++s) ? (*s == 'n' ? '\n' : ' ') : *s;
        umcc_text_add(text, &c, 1);
    }
}

static void drop_comments(char *s)
{
    for (; *s != '\0'; s++) {
        const bool line = s[0] == '/' && s[1] == '/', block = s[0] == '/' && s[1] == '*';
        if (!line && !block)
            continue;
        const char *end = strstr(s + 2, line ? "\n" : "*/");
        end = !end ? s + strlen(s) : end + (block ? 2 : 0);
        while (s < end)
            *s++ = ' ';
        s--;
    }
}

/** One operand: `"=r"(lvalue)`. */
struct operand {
    int constraint, open, close; /* tokens */
    bool writes, reads;
    const char *type; /* of its register */
};

enum { OPERANDS_MAX = 64 };

/** An asm statement. */
struct statement {
    int word, open, close; /* tokens */
    struct operand operands[OPERANDS_MAX];
    int count;
};

/* @return whether token `i` is a constraint that is provided */
static bool read_constraint(struct umcc_unit *unit, int i, struct operand *operand)
{
    static const struct {
        char letter;
        const char *type;
    } types[] = {{'h', "unsigned short"}, {'r', "unsigned"}, {'l', "unsigned long long"},
                 {'f', "float"},          {'d', "double"},   {'n', "long long"}};
    if (unit->tokens[i].kind != UMCC_STRING)
        return false;
    const char *c = umcc_spelling(unit, i) + 1;
    operand->writes = *c == '=' || *c == '+';
    operand->reads = *c != '=';
    c += strspn(c, "=+&");
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        if (c[0] == types[t].letter && c[1] == '"')
            operand->type = types[t].type;
    return operand->type != NULL;
}

/* Reads the operands behind the text, from token `i`, which is the first `:`. @return whether all of them are
 * provided */
static bool read_operands(struct umcc_unit *unit, int i, struct statement *s)
{
    for (int colons = 0; i < s->close && colons <= 2; i++) {
        if (umcc_is(unit, i, ":") || umcc_is(unit, i, "::"))
            colons += umcc_is(unit, i, "::") ? 2 : 1;
        else if (umcc_is(unit, i, ",") || colons > 2)
            continue;
        else if (s->count == OPERANDS_MAX || !umcc_is(unit, i + 1, "(") ||
                 !read_constraint(unit, i, &s->operands[s->count]))
            return false;
        else {
            struct operand *operand = &s->operands[s->count++];
            operand->constraint = i;
            operand->open = i + 1;
            i = operand->close = unit->tokens[i + 1].match;
        }
    }
    return true;
}

/* The operands' own tokens stay, because other passes change them; what stands around them is written anew.
 */
static void write_statement(struct umcc_unit *unit, const struct statement *s, const char *labels,
                            const char *code)
{
    struct umcc_arena *arena = &unit->arena;
    const char *last = code;
    if (s->count == 0) {
        umcc_replace(unit, s->word, umcc_format(arena, "({ %s%s (void)0; })", labels, code));
        umcc_drop(unit, s->word + 1, s->close);
        return;
    }
    for (int k = s->count - 1; k >= 0; k--)
        if (s->operands[k].writes)
            last = umcc_format(arena, "%s::umsim::ptx::out(um_o%d, um_%d); ", last, k, k);
    int kept = s->word; /* the first token that is not dropped yet */
    for (int k = 0; k < s->count; k++) {
        const struct operand *o = &s->operands[k];
        umcc_drop(unit, kept, o->open - 1);
        kept = o->close + 1;
        const char *start = k == 0 ? umcc_format(arena, "({ %s", labels) : "";
        if (!o->writes) {
            umcc_insert_before(unit, o->open,
                               strcmp(o->type, "long long") == 0
                                   ? umcc_format(arena, "%sconst long long um_%d = (long long)", start, k)
                                   : umcc_format(arena, "%sconst %s um_%d = ::umsim::ptx::in<%s>", start,
                                                 o->type, k, o->type));
            umcc_insert_after(unit, o->close, umcc_format(arena, "; (void)um_%d; ", k));
        } else {
            umcc_insert_before(unit, o->open, umcc_format(arena, "%sauto &um_o%d = ", start, k));
            umcc_insert_after(unit, o->close,
                              o->reads ? umcc_format(arena, "; %s um_%d = ::umsim::ptx::in<%s>(um_o%d); ",
                                                     o->type, k, o->type, k)
                                       : umcc_format(arena, "; %s um_%d = 0; ", o->type, k));
        }
    }
    umcc_insert_after(unit, s->operands[s->count - 1].close, umcc_format(arena, "%s(void)0; })", last));
    umcc_drop(unit, kept, s->close);
}

/** What the asm statements of a function contain, besides what they compute. */
struct findings {
    bool has_barrier, needs_thread_index;
};

/* Translates the asm statement whose word `asm` is at `i`. `refuse`: what is not provided is an error;
 * otherwise it is left to the host. */
static void take_statement(struct umcc_unit *unit, int i, bool refuse, struct findings *found)
{
    struct statement s = {.word = i, .open = i + 1};
    while (umcc_is(unit, s.open, "volatile") || umcc_is(unit, s.open, "__volatile__"))
        s.open++;
    s.close = unit->tokens[s.open].match;
    if (!umcc_is(unit, s.open, "(") || s.close < 0)
        return;
    struct umcc_text text = {0};
    int next = s.open + 1;
    for (; unit->tokens[next].kind == UMCC_STRING; next++)
        add_string(unit, next, &text);
    umcc_text_add(&text, "", 1);
    drop_comments(text.data);
    if (text.data[strspn(text.data, " \n")] != '\0') {
        struct umcc_ptx ptx = {.arena = &unit->arena, .at = text.data};
        if (!read_operands(unit, next, &s))
            ptx.problem = "an operand that is none of \"h\", \"r\", \"l\", \"f\", \"d\" and \"n\"";
        ptx.operands = s.count;
        if (!ptx.problem)
            umcc_ptx_translate(&ptx);
        if (!ptx.problem) {
            found->has_barrier |= ptx.has_barrier;
            found->needs_thread_index |= ptx.needs_thread_index;
            write_statement(unit, &s, !ptx.labels.data ? "" : ptx.labels.data,
                            !ptx.cpp.data ? "" : umcc_format(&unit->arena, "%s", ptx.cpp.data));
        } else if (refuse) {
            umcc_error(unit, i, "inline PTX that is not provided: %s", ptx.problem);
        }
        umcc_text_free(&ptx.cpp);
        umcc_text_free(&ptx.labels);
    }
    umcc_text_free(&text);
}

void umcc_use_ptx(struct umcc_unit *unit, const struct umcc_decl *function, bool *has_barrier,
                  bool *needs_thread_index)
{
    struct findings found = {0};
    /* A function for both sides may contain the host's own assembly. */
    const bool both = (function->marks & UMCC_HOST) != 0 && (function->marks & UMCC_GLOBAL) == 0;
    for (int i = function->body; i < function->body_end; i++)
        if (umcc_is_any(unit, i, words))
            take_statement(unit, i, !both, &found);
    *has_barrier |= found.has_barrier;
    *needs_thread_index |= found.needs_thread_index;
}
