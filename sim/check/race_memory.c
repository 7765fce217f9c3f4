/**
 * @file race_memory.c
 * @brief Implementation of race_memory.h: the memory of the shadow words.
 */
#include "race_memory.h"
#include "deferred.h"
#include "race.h"
#include "../base/layout.h"
#include "../base/memory.h"
#include "../base/devices.h"
#include "../space/arena.h"
#include "../worker/worker.h"

#include <sys/mman.h>

static char *shadow[UMSIM_ARENAS];
static uint64_t *shared; /* of each device's */

static size_t shadow_bytes(size_t bytes)
{
    return bytes / UMSIM_SHADOWED_BYTES * UMSIM_SHADOW_WORDS * sizeof(uint64_t);
}

/* __shared__ memory: shadow words of each 4 bytes, then those of each byte, then who has split them. */
static size_t shared_memory(void)
{
    return UMSIM_STATIC_SHARED_BYTES + umsim_round_up(UMSIM_DYNAMIC_SHARED_MAX, UMSIM_PAGE);
}

static size_t shared_bytes(void)
{
    return shadow_bytes(shared_memory()) * (1 + UMSIM_SHADOWED_BYTES) +
           shared_memory() / UMSIM_SHADOWED_BYTES * sizeof(uint32_t);
}

void umsim_race_memory_start(void)
{
    for (int i = 0; i < UMSIM_ARENAS; i++)
        shadow[i] = umsim_shared_memory(shadow_bytes(umsim_arenas[i].size));
    shared = umsim_shared_memory(umsim_devices * shared_bytes());
}

uint64_t *umsim_race_shadow(const void *p)
{
    const struct umsim_arena *arena = umsim_arena_of(p);
    if (!arena || !shared)
        return NULL;
    return (uint64_t *)(shadow[arena - umsim_arenas] + shadow_bytes((size_t)((const char *)p - arena->base)));
}

struct umsim_shared_shadow umsim_race_shared_shadow(size_t offset)
{
    char *const words = (char *)shared + umsim_own_device * shared_bytes(),
                *const bytes = words + shadow_bytes(shared_memory()),
                *const split = bytes + shadow_bytes(shared_memory()) * UMSIM_SHADOWED_BYTES;
    return (struct umsim_shared_shadow){(uint64_t *)(words + shadow_bytes(offset)),
                                        (uint64_t *)(bytes + shadow_bytes(offset) * UMSIM_SHADOWED_BYTES),
                                        (uint32_t *)split + offset / UMSIM_SHADOWED_BYTES};
}

void umsim_race_forget(const void *p, size_t bytes)
{
    const uintptr_t first = umsim_round_down((uintptr_t)p, UMSIM_PAGE);
    const size_t all = umsim_round_up((uintptr_t)p + bytes, UMSIM_PAGE) - first;
    uint64_t *words = umsim_race_shadow((void *)first);
    umsim_deferred_settle();
    if (words)
        madvise(words, shadow_bytes(all), MADV_REMOVE);
}

void umsim_race_forget_all(void)
{
    for (int i = 0; i < UMSIM_ARENAS; i++)
        madvise(shadow[i], shadow_bytes(umsim_arenas[i].size), MADV_REMOVE);
    madvise(shared, umsim_devices * shared_bytes(), MADV_REMOVE);
}
