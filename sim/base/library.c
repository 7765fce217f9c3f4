/**
 * @file library.c
 * @brief Implementation of library.h: goes through the segments of what is loaded.
 */
#include "library.h"

#include <link.h>
#include <stddef.h>

struct search {
    uintptr_t address;
    struct umsim_library *found;
};

static int visit(struct dl_phdr_info *it, size_t size, void *context)
{
    const struct search *search = context;
    struct umsim_library library = {it->dlpi_name, it->dlpi_addr, UINTPTR_MAX, 0};
    bool holds = false;
    (void)size;
    for (int i = 0; i < it->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &it->dlpi_phdr[i];
        const uintptr_t start = it->dlpi_addr + part->p_vaddr, end = start + part->p_memsz;
        if (part->p_type != PT_LOAD)
            continue;
        holds |= search->address - start < part->p_memsz;
        library.start = start < library.start ? start : library.start;
        library.end = end > library.end ? end : library.end;
    }
    if (holds)
        *search->found = library;
    return holds;
}

bool umsim_library_of(const void *p, struct umsim_library *library)
{
    struct search search = {(uintptr_t)p, library};
    *library = (struct umsim_library){.file = ""};
    return dl_iterate_phdr(visit, &search) != 0;
}
