/**
 * @file ptx.c
 * @brief Inline PTX in device code: `asm("mov.u32 %0, %%laneid;" : "=r"(lane));` becomes `(lane) = ...;`.
 *
 * Special registers are all that is understood: programs read by PTX what CUDA C++ has no name for. Any other PTX is an
 * error here, because the assembler for the host's processor would say it less clearly. An empty template, which keeps
 * compilers from moving memory accesses, stays.
 */
#include "umcc.h"

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

/* The template `mov.TYPE %0, %%NAME;` (nvcc takes one % as well), as the string token `i` spells it. @return NAME's value, or NULL */
static const char *special_register(struct umcc_unit *unit, int i)
{
    const char *text = umcc_spelling(unit, i);
    const char *source = strchr(text, ',');
    if (unit->tokens[i].kind != UMCC_STRING || strncmp(text + 1 + strspn(text + 1, " \t"), "mov.", 4) != 0 ||
        source == NULL || strstr(text, "%0") == NULL)
        return NULL;
    size_t length = 0;
    for (source += 1 + strspn(source + 1, " \t%");
         isalnum((unsigned char)source[length]) || source[length] == '_' || source[length] == '.';)
        length++;
    for (size_t r = 0; r < sizeof registers / sizeof *registers; r++)
        if (strlen(registers[r].name) == length && memcmp(registers[r].name, source, length) == 0)
            return registers[r].value;
    return NULL;
}

static bool is_empty(const struct umcc_unit *unit, int i)
{
    return unit->tokens[i].kind == UMCC_STRING && unit->tokens[i].length == 2;
}

/* `i`: the word asm. `refuse`: any other statement. @return whether the statement reads a special register */
static bool take_register(struct umcc_unit *unit, int i, bool refuse)
{
    int open = i + 1;
    while (umcc_is(unit, open, "volatile") || umcc_is(unit, open, "__volatile__"))
        open++;
    const int close = unit->tokens[open].match, output = open + 4;
    if (!umcc_is(unit, open, "(") || is_empty(unit, open + 1))
        return false;
    const char *value = special_register(unit, open + 1);
    if (value == NULL || !umcc_is(unit, open + 2, ":") || !umcc_is(unit, output, "(")) {
        if (refuse)
            umcc_error(unit, i, "inline PTX is not provided, but for reading special registers: asm(%s ...)",
                       umcc_spelling(unit, open + 1));
        return false;
    }
    umcc_drop(unit, i, output - 1);
    umcc_insert_after(unit, unit->tokens[output].match, umcc_format(&unit->arena, " = %s", value));
    umcc_drop(unit, unit->tokens[output].match + 1, close);
    return true;
}

bool umcc_use_special_registers(struct umcc_unit *unit, const struct umcc_decl *function)
{
    bool any = false;
    /* A function for both sides may have the host's own assembly. */
    const bool both = (function->marks & UMCC_HOST) != 0 && (function->marks & UMCC_GLOBAL) == 0;
    for (int i = function->body; i < function->body_end; i++)
        if (umcc_is_any(unit, i, words))
            any |= take_register(unit, i, !both);
    return any;
}
