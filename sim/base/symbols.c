/**
 * @file symbols.c
 * @brief Implementation of symbols.h.
 */
#include "symbols.h"

#include <stdlib.h>
#include <string.h>

static const void *part(const void *image, size_t bytes, const Elf64_Shdr *section)
{
    const bool inside = section->sh_offset <= bytes && section->sh_size <= bytes - section->sh_offset;
    return inside ? (const char *)image + section->sh_offset : NULL;
}

bool umsim_symbols_find(struct umsim_symbols *of, const void *image, size_t bytes, unsigned table)
{
    *of = (struct umsim_symbols){0};
    const Elf64_Ehdr *head = image;
    if (bytes < sizeof *head || head->e_shoff > bytes ||
        head->e_shnum > (bytes - head->e_shoff) / sizeof(Elf64_Shdr))
        return false;
    const Elf64_Shdr *sections = (const void *)((const char *)image + head->e_shoff);
    for (int i = 0; i < head->e_shnum; i++) {
        const Elf64_Shdr *it = &sections[i];
        if (it->sh_type == table && it->sh_link < head->e_shnum) {
            of->symbols = part(image, bytes, it);
            of->count = it->sh_size / sizeof *of->symbols;
            of->names = part(image, bytes, &sections[it->sh_link]);
            of->names_bytes = sections[it->sh_link].sh_size;
        }
        if (it->sh_type == SHT_RELA && !of->relocations) { /* .rela.dyn; calls' come behind */
            of->relocations = part(image, bytes, it);
            of->relocations_count = it->sh_size / sizeof *of->relocations;
        }
    }
    return of->symbols && of->names;
}

const char *umsim_symbol_name(const struct umsim_symbols *of, const Elf64_Sym *symbol)
{
    return symbol->st_name < of->names_bytes ? of->names + symbol->st_name : "";
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

char *umsim_symbol_without_linkage(const char *name)
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
