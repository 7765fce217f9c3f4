/**
 * @file bind.c
 * @brief Implementation of bind.h.
 *
 * A symbol that is local and absolute is not searched for by the loader: whatever refers to it gets its
 * value.
 */
#include "bind.h"
#include "../base/symbols.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

struct image {
    char *start;
    size_t bytes;
    struct umsim_symbols of; /* what the loader looks at */
};

static bool map(struct image *it, int file)
{
    struct stat status;
    if (fstat(file, &status) != 0)
        return false;
    it->bytes = (size_t)status.st_size;
    it->start = mmap(NULL, it->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (it->start == MAP_FAILED)
        return false;
    if (umsim_symbols_find(&it->of, it->start, it->bytes, SHT_DYNSYM))
        return true;
    munmap(it->start, it->bytes);
    return false;
}

/* Whether other modules may call it, or have its address. */
static bool is_for_others(const Elf64_Sym *it)
{
    const int kind = ELF64_ST_TYPE(it->st_info);
    return it->st_shndx != SHN_UNDEF && ELF64_ST_BIND(it->st_info) != STB_LOCAL &&
           (kind == STT_FUNC || kind == STT_OBJECT);
}

bool umsim_bind_has(int file, const char *name)
{
    struct image it;
    bool found = false;
    if (!map(&it, file))
        return false;
    for (size_t i = 0; i < it.of.count && !found; i++)
        found = is_for_others(&it.of.symbols[i]) &&
                strcmp(umsim_symbol_name(&it.of, &it.of.symbols[i]), name) == 0;
    munmap(it.start, it.bytes);
    return found;
}

/* Called or used, and so far nobody has said what it is. */
static bool is_lacking(const Elf64_Sym *it)
{
    return it->st_shndx == SHN_UNDEF && ELF64_ST_BIND(it->st_info) == STB_GLOBAL &&
           ELF64_ST_TYPE(it->st_info) == STT_NOTYPE;
}

bool umsim_bind_lacks(int file, bool (*is_known)(void *data, const char *name), void *data, char *name,
                      size_t bytes)
{
    struct image it;
    bool lacks = false;
    if (!map(&it, file))
        return false;
    for (size_t i = 1; i < it.of.count && !lacks; i++) {
        const char *own = umsim_symbol_name(&it.of, &it.of.symbols[i]);
        lacks = is_lacking(&it.of.symbols[i]) && !is_known(data, own);
        if (lacks)
            snprintf(name, bytes, "%s", own);
    }
    munmap(it.start, it.bytes);
    return lacks;
}

void umsim_bind(int file, void *(*find)(void *data, const char *name), void *data)
{
    struct image it;
    if (!map(&it, file))
        return;
    for (size_t i = 1; i < it.of.count; i++) {
        Elf64_Sym *symbol = (Elf64_Sym *)(uintptr_t)&it.of.symbols[i];
        if (symbol->st_shndx != SHN_UNDEF || ELF64_ST_BIND(symbol->st_info) == STB_LOCAL)
            continue;
        void *found = find(data, umsim_symbol_name(&it.of, symbol));
        if (!found)
            continue;
        symbol->st_info = ELF64_ST_INFO(STB_LOCAL, STT_NOTYPE);
        symbol->st_other = STV_HIDDEN;
        symbol->st_shndx = SHN_ABS;
        symbol->st_value = (uintptr_t)found;
    }
    munmap(it.start, it.bytes);
}
