/**
 * @file served.c
 * @brief Implementation of served.h.
 */
#include "served.h"
#include "client_memory.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

/** The largest place of an argument: a list of as many nodes as any graph has. */
#define PLACE_MOST ((size_t)64 << 20)
#define TEXT_MOST ((size_t)4096)

void umsim_served_value(struct umsim_served *call, void *value, size_t bytes)
{
    const unsigned words = (unsigned)((bytes + 7) / 8);
    if (call->at + words > UMSIM_CHANNEL_WORDS) {
        memset(value, 0, bytes);
        call->faulted = true;
        return;
    }
    memcpy(value, &call->message->word[call->at], bytes);
    call->at += words;
}

void *umsim_served_number(struct umsim_served *call)
{
    void *number = NULL;
    umsim_served_value(call, &number, sizeof number);
    return number;
}

/* ---- places in modules ---- */

struct search {
    const char *name;
    uint64_t offset;
    void *found;
    bool is_program; /* the first object is the program itself */
};

static bool holds(const struct dl_phdr_info *object, uint64_t offset)
{
    for (unsigned i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && offset - part->p_vaddr < part->p_memsz)
            return true;
    }
    return false;
}

static int search_object(struct dl_phdr_info *object, size_t size, void *argument)
{
    struct search *it = argument;
    const char *slash = strrchr(object->dlpi_name, '/'), *name = slash ? slash + 1 : object->dlpi_name;
    const bool is_it = it->is_program ? it->name[0] == '\0' : strcmp(name, it->name) == 0;
    (void)size;
    it->is_program = false;
    if (!is_it)
        return 0;
    if (holds(object, it->offset))
        it->found = (char *)object->dlpi_addr + it->offset;
    return 1;
}

void *umsim_served_offset(struct umsim_served *call)
{
    struct search it = {.name = call->message->module, .is_program = true};
    umsim_served_value(call, &it.offset, sizeof it.offset);
    if (!memchr(it.name, '\0', UMSIM_CHANNEL_MODULE))
        return NULL;
    dl_iterate_phdr(search_object, &it);
    return it.found;
}

/* ---- places in the client's memory ---- */

size_t umsim_served_bytes(struct umsim_served *call, size_t count, size_t size)
{
    size_t bytes;
    if (!__builtin_mul_overflow(count, size, &bytes) && bytes <= PLACE_MOST)
        return bytes;
    call->faulted = true;
    return 0;
}

void *umsim_served_place(struct umsim_served *call, uintptr_t at, size_t bytes, bool written)
{
    if (!at || call->faulted)
        return NULL;
    void *copy = bytes <= PLACE_MOST && call->places < UMSIM_SERVED_PLACES ? malloc(bytes + 1) : NULL;
    call->faulted = !copy;
    if (!copy)
        return NULL;
    call->place[call->places++] = (struct umsim_served_place){at, bytes, copy, written};
    if (bytes && !umsim_client_read(copy, (void *)at, bytes)) {
        call->faulted = true;
        return NULL;
    }
    return copy;
}

char *umsim_served_text(struct umsim_served *call, uintptr_t at)
{
    size_t bytes = TEXT_MOST - at % TEXT_MOST; /* to the end of its page first */
    char *text = umsim_served_place(call, at, bytes, false);
    if (!text || memchr(text, '\0', bytes))
        return text;
    bytes += TEXT_MOST;
    text = umsim_served_place(call, at, bytes, false);
    if (text)
        text[bytes - 1] = '\0';
    return text;
}

/* ---- the call ---- */

uint64_t umsim_served_run(struct umsim_served *call)
{
    const unsigned number = call->message->number;
    uint64_t returned = number < umsim_served_calls_count ? umsim_served_calls[number].serve(call) : 0;
    for (unsigned i = 0; i < call->places; i++) {
        const struct umsim_served_place *it = &call->place[i];
        if (it->written && !call->faulted && it->bytes)
            umsim_client_write((void *)it->at, it->copy, it->bytes);
        free(it->copy);
    }
    return returned;
}
