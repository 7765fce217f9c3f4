/**
 * @file symbols.h
 * @brief The table of symbols of a module's image, static ones among them, and what CUDA calls a static one.
 */
#ifndef UMSIM_SYMBOLS_H
#define UMSIM_SYMBOLS_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>

/** Tables of an ELF image, in place. */
struct umsim_symbols {
    const Elf64_Sym *symbols;
    size_t count;
    const char *names;
    size_t names_bytes;
    const Elf64_Rela *relocations; /* of data, not of calls; NULL: there are none */
    size_t relocations_count;
};

/**
 * Finds them. @param table SHT_SYMTAB: all symbols; SHT_DYNSYM: those that the loader looks at
 * @return false: it is no image, or has no such table
 */
bool umsim_symbols_find(struct umsim_symbols *out, const void *image, size_t bytes, unsigned table);

/** A symbol's name; "" where its place is outside of the table. */
const char *umsim_symbol_name(const struct umsim_symbols *of, const Elf64_Sym *symbol);

/**
 * The name of a function or variable as if it were not static, which is what CUDA calls it: a compiler for
 * the host tells by an L before a part of the name that it is (_ZL1kPi, _ZN1qL1yE), and NVIDIA's tools say
 * _Z1kPi, _ZN1q1yE; a variable's own name for _ZL7counter.
 * @return to be freed; NULL: no memory
 */
char *umsim_symbol_without_linkage(const char *name);

#endif
