/**
 * @file region.c
 * @brief Implementation of region.h.
 */
#include "region.h"
#include "../space/arena.h"
#include "../space/views.h"

struct search {
    uintptr_t p;
    struct umsim_count_region found;
    bool ended;
};

/* Memory that is known: the address is in it, or what is found ends there. */
static void pass(struct search *it, const void *base, size_t bytes, enum umsim_counts_kind kind)
{
    const uintptr_t begin = (uintptr_t)base, end = begin + bytes;
    if (it->ended || bytes == 0)
        return;
    if (it->p - begin < bytes) {
        it->found = (struct umsim_count_region){begin, end, kind};
        it->ended = true;
    } else if (end <= it->p) {
        it->found.begin = end > it->found.begin ? end : it->found.begin;
    } else {
        it->found.end = begin < it->found.end ? begin : it->found.end;
    }
}

struct umsim_count_region umsim_count_region_at(const struct umsim_worker *worker, uintptr_t p)
{
    struct search it = {p, {0, UINTPTR_MAX, UMSIM_COUNTS_OTHER}, false};
    for (unsigned device = 0; device < umsim_devices; device++)
        pass(&it, umsim_device_start(device), umsim_device_part(),
             device == umsim_own_device ? UMSIM_COUNTS_DEVICE : UMSIM_COUNTS_PEER);
    for (int i = UMSIM_ARENA_PINNED; i < UMSIM_ARENAS; i++)
        pass(&it, umsim_arenas[i].base, umsim_arenas[i].size,
             i == UMSIM_ARENA_PINNED ? UMSIM_COUNTS_HOST : UMSIM_COUNTS_MANAGED);
    const char *shared_end = worker->dynamic_shared + UMSIM_DYNAMIC_SHARED_MAX;
    pass(&it, worker->static_shared, (size_t)(shared_end - worker->static_shared), UMSIM_COUNTS_SHARED);
    for (unsigned i = 0; i < atomic_load(&umsim_views->spaces); i++)
        pass(&it, umsim_views->space[i].base, umsim_views->space[i].bytes, UMSIM_COUNTS_MANAGED);
    for (unsigned i = 0; i < atomic_load(&umsim_views->sections); i++)
        pass(&it, umsim_views->section[i].base, umsim_views->section[i].bytes, UMSIM_COUNTS_DEVICE);
    for (unsigned i = 0; !it.ended && i < atomic_load(&umsim_views->registered_used); i++)
        pass(&it, umsim_views->registered[i].base, umsim_views->registered[i].bytes, UMSIM_COUNTS_HOST);
    return it.found;
}
