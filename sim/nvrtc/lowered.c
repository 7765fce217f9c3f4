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

#include <elf.h>
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

/* ---- the module's tables ---- */

struct tables {
    const char *image;
    size_t bytes;
    const Elf64_Sym *symbols;
    size_t symbols_count;
    const char *names;
    size_t names_bytes;
    const Elf64_Rela *relocations;
    size_t relocations_count;
};

static const void *part(const struct tables *of, const Elf64_Shdr *section)
{
    const bool inside = section->sh_offset <= of->bytes && section->sh_size <= of->bytes - section->sh_offset;
    return inside ? of->image + section->sh_offset : NULL;
}

static bool find_tables(struct tables *of)
{
    const Elf64_Ehdr *head = (const Elf64_Ehdr *)(const void *)of->image;
    if (of->bytes < sizeof *head || head->e_shoff > of->bytes ||
        head->e_shnum > (of->bytes - head->e_shoff) / sizeof(Elf64_Shdr))
        return false;
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(const void *)(of->image + head->e_shoff);
    for (int i = 0; i < head->e_shnum; i++) {
        const Elf64_Shdr *it = &sections[i];
        if (it->sh_type == SHT_SYMTAB && it->sh_link < head->e_shnum) {
            of->symbols = part(of, it);
            of->symbols_count = it->sh_size / sizeof *of->symbols;
            of->names = part(of, &sections[it->sh_link]);
            of->names_bytes = sections[it->sh_link].sh_size;
        }
        if (it->sh_type == SHT_RELA && !of->relocations) { /* .rela.dyn; calls' come behind */
            of->relocations = part(of, it);
            of->relocations_count = it->sh_size / sizeof *of->relocations;
        }
    }
    return of->symbols && of->names && of->relocations;
}

static const char *name_of(const struct tables *of, const Elf64_Sym *symbol)
{
    return symbol->st_name < of->names_bytes ? of->names + symbol->st_name : "";
}

static const Elf64_Sym *symbol_named(const struct tables *of, const char *name)
{
    for (size_t i = 0; i < of->symbols_count; i++)
        if (of->symbols[i].st_shndx != SHN_UNDEF && strcmp(name_of(of, &of->symbols[i]), name) == 0)
            return &of->symbols[i];
    return NULL;
}

/* A function or variable at this address: where several are, the one that others may name. */
static const char *name_at(const struct tables *of, uint64_t address)
{
    const char *found = NULL;
    for (size_t i = 0; i < of->symbols_count; i++) {
        const Elf64_Sym *it = &of->symbols[i];
        const int kind = ELF64_ST_TYPE(it->st_info);
        if (it->st_shndx == SHN_UNDEF || it->st_value != address || (kind != STT_FUNC && kind != STT_OBJECT))
            continue;
        if (!found || ELF64_ST_BIND(it->st_info) != STB_LOCAL)
            found = name_of(of, it);
    }
    return found;
}

/* Of `7counter` or `1gPi`, behind _ZL: a variable's name ends with its letters, a function's has its
 * parameters. */
static char *static_name(const char *part)
{
    const size_t digits = strspn(part, "0123456789"), letters = (size_t)atol(part);
    if (strlen(part + digits) <= letters)
        return strdup(part + digits);
    char *name = malloc(strlen(part) + 3);
    return name ? strcat(strcpy(name, "_Z"), part) : NULL;
}

/* umcc makes a device variable static, which its name tells by an L before a part of it (_ZL7counter,
 * _ZN1qL1yE). It is registered by the name that it has without: counter, _ZN1q1yE. @return to be freed; NULL:
 * no memory */
static char *without_linkage(const char *name)
{
    if (strncmp(name, "_ZL", 3) == 0)
        return static_name(name + 3);
    char *copy = strdup(name), *to = copy;
    const bool nested = strncmp(name, "_ZN", 3) == 0;
    for (const char *at = name; copy && nested && *at;) {
        if (*at == 'L' && at > name + 2 && strspn(at + 1, "0123456789"))
            at++;
        size_t part = strspn(at, "0123456789");
        part = part ? part + (size_t)atol(at) : 1;
        for (; part && *at; part--)
            *to++ = *at++;
    }
    if (nested && copy)
        *to = '\0';
    return copy;
}

/* Where the variable points: said by its relocation. @return 0: nothing of this module */
static uint64_t target_of(const struct tables *of, uint64_t variable)
{
    for (size_t i = 0; i < of->relocations_count; i++)
        if (of->relocations[i].r_offset == variable && ELF64_R_TYPE(of->relocations[i].r_info) == RELATIVE)
            return (uint64_t)of->relocations[i].r_addend;
    return 0;
}

void umsim_nvrtc_lower(nvrtcProgram program)
{
    struct tables of = {.image = program->image, .bytes = program->bytes};
    if (!find_tables(&of))
        return;
    for (int i = 0; i < program->names_count; i++) {
        char variable[40];
        snprintf(variable, sizeof variable, VARIABLE "%d", i);
        const Elf64_Sym *symbol = symbol_named(&of, variable);
        const uint64_t target = symbol ? target_of(&of, symbol->st_value) : 0;
        const char *name = target ? name_at(&of, target) : NULL;
        program->names[i].lowered = name ? without_linkage(name) : NULL;
    }
}
