/**
 * @file um_address.c
 * @brief Implementation of um_address.h: names for addresses, from the lab, from /proc/self/maps and from
 * CUDA.
 */
#include "um_address.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cuda_runtime_api.h>

#include "um_backend.h"
#include "um_fault.h"

static struct {
    uintptr_t base;
    size_t bytes;
    char name[32];
} names[64];

void um_address_name(const void *base, size_t bytes, const char *name)
{
    um_address_forget(base);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (names[i].base != 0)
            continue;
        names[i].base = (uintptr_t)base;
        names[i].bytes = bytes;
        snprintf(names[i].name, sizeof names[i].name, "%s", name);
        return;
    }
}

void um_address_forget(const void *base)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (names[i].base == (uintptr_t)base)
            names[i].base = 0;
    }
}

/* The part of the process that holds the address, without an offset: an offset would differ from run to
 * run. */
static const char *place(const struct um_mapping *mapping)
{
    if (strcmp(mapping->name, "[heap]") == 0)
        return "<heap>";
    if (strncmp(mapping->name, "[stack", 6) == 0)
        return "<stack>";
    return mapping->name[0] == '/' ? "<program>" : "<mapped>";
}

const char *um_address_text(const void *address, char *text)
{
    const uintptr_t number = (uintptr_t)address;
    struct um_mapping mapping;

    if (!address) {
        snprintf(text, UM_ADDRESS_TEXT, "NULL");
        return text;
    }
    for (size_t i = 0; um_is_sim() && i < sizeof names / sizeof names[0]; i++) {
        const size_t offset = (size_t)(number - names[i].base);

        if (names[i].base == 0 || number < names[i].base || offset >= names[i].bytes)
            continue;
        if (offset == 0)
            snprintf(text, UM_ADDRESS_TEXT, "<%s>", names[i].name);
        else
            snprintf(text, UM_ADDRESS_TEXT, "<%s+0x%zx>", names[i].name, offset);
        return text;
    }
    /* The simulator's arenas are the only shared mappings, and stand at fixed addresses. */
    if (um_is_sim() && um_mapping_of(address, &mapping) && mapping.permissions[3] == 'p')
        snprintf(text, UM_ADDRESS_TEXT, "%s", place(&mapping));
    else
        snprintf(text, UM_ADDRESS_TEXT, "0x%llx", (unsigned long long)number);
    return text;
}

const char *um_memory_kind(const void *address)
{
    struct cudaPointerAttributes attributes;

    if (cudaPointerGetAttributes(&attributes, address) != cudaSuccess) {
        (void)cudaGetLastError();
        return "unknown";
    }
    switch (attributes.type) {
    case cudaMemoryTypeHost:
        return "pinned host";
    case cudaMemoryTypeDevice:
        return "device";
    case cudaMemoryTypeManaged:
        return "managed";
    default:
        return "not CUDA's";
    }
}
