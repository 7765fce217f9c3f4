/**
 * @file lowered.c
 * @brief Name expressions: `axpy<float>` becomes the name that the compiler gives it.
 *
 * The compiler itself is asked: a variable behind the program's text is initialised with the expression's
 * address, which also instantiates a template. In the module that variable has a relocation, and the symbol
 * that lies where it points has the name. (program.h)
 */
#define _GNU_SOURCE
#include "program.h"
#include "../base/symbols.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VARIABLE "um_lowered_"

#ifdef __x86_64__
enum { RELATIVE = R_X86_64_RELATIVE };
#else
enum { RELATIVE = R_AARCH64_RELATIVE };
#endif

char *umsim_nvrtc_source(const struct _nvrtcProgram *program)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    if (!out)
        return NULL;
    /* assert() is NVRTC's own */
    fprintf(out, "#include <assert.h>\n#line 1 \"%s\"\n%s\n", program->name, program->source);
    for (int i = 0; i < program->names_count; i++) {
        const char *expression = program->names[i].expression;
        expression += strspn(expression, " \t");
        fprintf(out, "#line %d \"name expression\"\nextern \"C\" const void *const " VARIABLE "%d;\n", i + 1,
                i);
        fprintf(out, "#line %d \"name expression\"\n", i + 1);
        fprintf(out, "extern \"C\" const void *const " VARIABLE "%d = (const void *)%s(%s);\n", i,
                *expression == '&' ? "" : "&", expression);
    }
    return fclose(out) == 0 ? text : NULL;
}

static const Elf64_Sym *symbol_named(const struct umsim_symbols *of, const char *name)
{
    for (size_t i = 0; i < of->count; i++)
        if (of->symbols[i].st_shndx != SHN_UNDEF && strcmp(umsim_symbol_name(of, &of->symbols[i]), name) == 0)
            return &of->symbols[i];
    return NULL;
}

/* A function or variable at this address: where several are, the one that others may name. */
static const char *name_at(const struct umsim_symbols *of, uint64_t address)
{
    const char *found = NULL;
    for (size_t i = 0; i < of->count; i++) {
        const Elf64_Sym *it = &of->symbols[i];
        const int kind = ELF64_ST_TYPE(it->st_info);
        if (it->st_shndx == SHN_UNDEF || it->st_value != address || (kind != STT_FUNC && kind != STT_OBJECT))
            continue;
        if (!found || ELF64_ST_BIND(it->st_info) != STB_LOCAL)
            found = umsim_symbol_name(of, it);
    }
    return found;
}

/* Where the variable points: said by its relocation. @return 0: nothing of this module */
static uint64_t target_of(const struct umsim_symbols *of, uint64_t variable)
{
    for (size_t i = 0; i < of->relocations_count; i++)
        if (of->relocations[i].r_offset == variable && ELF64_R_TYPE(of->relocations[i].r_info) == RELATIVE)
            return (uint64_t)of->relocations[i].r_addend;
    return 0;
}

void umsim_nvrtc_lower(nvrtcProgram program)
{
    struct umsim_symbols of;
    if (!umsim_symbols_find(&of, program->image, program->bytes, SHT_SYMTAB) || !of.relocations)
        return;
    for (int i = 0; i < program->names_count; i++) {
        char variable[40];
        snprintf(variable, sizeof variable, VARIABLE "%d", i);
        const Elf64_Sym *symbol = symbol_named(&of, variable);
        const uint64_t target = symbol ? target_of(&of, symbol->st_value) : 0;
        const char *name = target ? name_at(&of, target) : NULL;
        program->names[i].lowered = name ? umsim_symbol_without_linkage(name) : NULL;
    }
}
