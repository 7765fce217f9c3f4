/**
 * @file unchecked.c
 * @brief Implementation of unchecked.h.
 */
#include "unchecked.h"
#include "check.h"
#include "init.h"
#include "table.h"
#include "../base/mode.h"
#include "../worker/launches.h"

#include <string.h>

#define POINTERS_MOST ((size_t)1 << 20) /* bytes of an array of pointers that are looked at */

/* What a pointer leads to counts as written. */
static bool set_written(uintptr_t p, struct umsim_memory_known *it)
{
    if (!umsim_table_find(p, it) || !it->tracks_init || it->what != UMSIM_KNOWN_ALLOCATION)
        return false;
    umsim_init_written(it->base, it->bytes);
    return true;
}

static uintptr_t pointer_at(const char *p)
{
    uintptr_t value;
    memcpy(&value, p, sizeof value);
    return value;
}

static void follow(const struct umsim_memory_known *array)
{
    const char *const first = (const char *)array->base;
    const size_t bytes = array->bytes < POINTERS_MOST ? array->bytes : POINTERS_MOST;
    struct umsim_memory_known it;
    for (size_t at = 0; at + sizeof(uintptr_t) <= bytes; at += sizeof(uintptr_t)) {
        const uintptr_t p = pointer_at(first + at);
        if (umsim_init_knows(p))
            set_written(p, &it);
    }
}

void umsim_unchecked_launch(const struct umsim_command *command)
{
    struct umsim_memory_known it;
    if (!(umsim_checks & UMSIM_CHECK_INIT))
        return;
    for (size_t at = 0; at + sizeof(uintptr_t) <= command->closure_bytes; at += sizeof(uintptr_t)) {
        const uintptr_t p = pointer_at(command->closure + at);
        if (umsim_init_knows(p) && set_written(p, &it))
            follow(&it);
    }
}
