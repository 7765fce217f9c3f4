/**
 * @file variables.c
 * @brief Implementation of variables.h: collects variables and gaps, and enters them into the table.
 *
 * Constructors report variables before main(), when no lock is needed yet.
 */
#include "variables.h"
#include "check.h"
#include "coalesce.h"
#include "race.h"
#include "table.h"
#include "../include/umsim/abi.h"
#include "../base/devices.h"
#include "../base/layout.h"
#include "../base/mode.h"
#include "../base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A variable, or a gap, which has no name. */
struct piece {
    uintptr_t base;
    size_t bytes;
    const char *name;
};

static struct piece *pieces;
static size_t count, capacity;

static void add_piece(const void *base, size_t bytes, const char *name)
{
    if (count == capacity) {
        capacity = capacity ? 2 * capacity : 64;
        pieces = realloc(pieces, capacity * sizeof *pieces);
        if (!pieces)
            abort();
    }
    pieces[count++] = (struct piece){(uintptr_t)base, bytes, name};
}

void umsim_check_variable(const void *variable, size_t bytes, const char *name, const void *gap,
                          size_t gap_bytes)
{
    add_piece(variable, bytes, name);
    add_piece(gap, gap_bytes, NULL);
}

/* A gap may be reported once for each variable of a declaration. */
static int by_base(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;
    return x->base < y->base ? -1 : x->base > y->base;
}

struct section {
    uintptr_t base;
    enum umsim_known what;
    const char *word; /* "__device__" */
    uint64_t *shadow;
    size_t of_device; /* as in the table */
};

static void enter(const struct section *section, uintptr_t start, uintptr_t end, const char *name)
{
    char text[256];
    snprintf(text, sizeof text, "%s variable%s%s", section->word, name ? " " : "s", name ? name : "");
    const size_t words = start / UMSIM_SHADOWED_BYTES - section->base / UMSIM_SHADOWED_BYTES;
    if (start >= end)
        return;
    const char *kept = strdup(text);
    umsim_table_add(&(struct umsim_memory_known){
        .base = start,
        .bytes = end - start,
        .what = section->what,
        .account = umsim_coalesce_open(&(struct umsim_account){kept, NULL, start, end - start}),
        .shadow = section->shadow ? section->shadow + words * UMSIM_SHADOW_WORDS : NULL,
        .of_device = section->of_device,
        .name = kept});
}

/* Enters [start, end), where a gap begins at `end` and the range holds the variables first to last - 1. */
static void enter_range(const struct section *section, uintptr_t start, uintptr_t end, size_t first,
                        size_t last)
{
    if (last == first + 1) /* to the byte: what precedes it is padding */
        enter(section, pieces[first].base, pieces[first].base + pieces[first].bytes, pieces[first].name);
    else
        enter(section, start, end, NULL);
}

/* The sections of __managed__ variables. Those of more modules than that are not looked up. */
#define MANAGED_MAX 16

static struct {
    uintptr_t base;
    size_t bytes;
    uint64_t *shadow;
} managed[MANAGED_MAX];
static _Atomic size_t managed_count;

static void note_managed(const struct umsim_alloc *alloc, uint64_t *shadow)
{
    const size_t at = managed_count;
    for (size_t i = 0; i < at; i++)
        if (managed[i].base == (uintptr_t)alloc->base)
            managed[i].shadow = shadow;
    if (at == MANAGED_MAX || umsim_variables_shadow(alloc->base))
        return;
    managed[at].base = (uintptr_t)alloc->base;
    managed[at].bytes = alloc->bytes;
    managed[at].shadow = shadow;
    managed_count = at + 1;
}

uint64_t *umsim_variables_shadow(const void *p)
{
    for (size_t i = 0; i < managed_count; i++) {
        const uintptr_t offset = (uintptr_t)p - managed[i].base;
        if (offset < managed[i].bytes && managed[i].shadow)
            return managed[i].shadow + offset / UMSIM_SHADOWED_BYTES * UMSIM_SHADOW_WORDS;
    }
    return NULL;
}

void umsim_variables_known(const struct umsim_alloc *alloc)
{
    const bool races = umsim_checks & UMSIM_CHECK_RACE, is_one = alloc->memory == UMSIM_MANAGED_VARIABLE;
    const size_t shadow = alloc->bytes / UMSIM_SHADOWED_BYTES * UMSIM_SHADOW_WORDS;
    const struct section section = {
        .base = (uintptr_t)alloc->base,
        .what = strcmp(alloc->call, "__constant__") == 0 ? UMSIM_KNOWN_CONSTANT : UMSIM_KNOWN_VARIABLE,
        .word = alloc->call,
        .shadow =
            races ? umsim_shared_memory((is_one ? 1 : umsim_devices) * shadow * sizeof(uint64_t)) : NULL,
        .of_device = is_one ? 0 : shadow,
    };
    if (alloc->memory == UMSIM_MANAGED_VARIABLE)
        note_managed(alloc, section.shadow);
    const uintptr_t end = section.base + alloc->bytes; /* its first page holds nothing (umsim/module.h) */
    uintptr_t start = section.base + UMSIM_PAGE;
    qsort(pieces, count, sizeof *pieces, by_base);
    size_t first = 0, i = 0;
    while (i < count && pieces[i].base < start)
        i++;
    for (first = i; i < count && pieces[i].base < end; i++) {
        if (pieces[i].name)
            continue;
        enter_range(&section, start, pieces[i].base, first, i);
        start = pieces[i].base + pieces[i].bytes;
        while (i + 1 < count && pieces[i + 1].base == pieces[i].base)
            i++;
        first = i + 1;
    }
    enter_range(&section, start, end, first, i);
}
