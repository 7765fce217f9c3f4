/**
 * @file declared.c
 * @brief Implementation of declared.h.
 */
#include "declared.h"
#include "../space/classify.h"
#include "../space/managed.h"

static enum umsim_memory_kind memory_kind(const struct umsim_classified *place, unsigned device)
{
    switch (place->kind) {
    case UMSIM_CLASS_MANAGED:
        return UMSIM_MEMORY_MANAGED_RESIDENT;
    case UMSIM_CLASS_DEVICE:
        return place->allocation->device == device ? UMSIM_MEMORY_DEVICE : UMSIM_MEMORY_PEER;
    default:
        return UMSIM_MEMORY_MAPPED;
    }
}

/* Of managed memory, what is not on the device after paging is a peer's, or remote. */
static struct umsim_traffic by_kind(const struct umsim_declared *declared, unsigned device)
{
    struct umsim_classified place;
    struct umsim_traffic traffic = {UMSIM_MEMORY_DEVICE, declared->bytes_read, declared->bytes_written,
                                    declared->dependent_accesses};
    if (!umsim_classify(declared->p, 1, &place))
        return traffic;
    traffic.kind = memory_kind(&place, device);
    if (place.kind != UMSIM_CLASS_MANAGED)
        return traffic;
    const struct umsim_whereabouts where =
        umsim_managed_whereabouts(device, place.allocation->base, place.allocation->bytes);
    if (where.own * 2 < place.allocation->bytes)
        traffic.kind =
            where.peers * 2 < place.allocation->bytes ? UMSIM_MEMORY_MANAGED_REMOTE : UMSIM_MEMORY_PEER;
    return traffic;
}

/* Splits off the part of a chain of accesses in one allocation that the cache serves. @return the number of
 * entries */
static size_t split_chain(const struct umsim_declared *declared, struct umsim_traffic *traffic)
{
    struct umsim_classified place;
    if (traffic->dependent_accesses == 0 || !umsim_classify(declared->p, 1, &place) || !place.allocation)
        return 1;
    uint64_t all = traffic->dependent_accesses;
    traffic->dependent_accesses = umsim_cost_chain_misses(traffic->kind, all, place.allocation->bytes);
    traffic[1] = (struct umsim_traffic){UMSIM_MEMORY_CACHE, 0, 0, all - traffic->dependent_accesses};
    return 2;
}

size_t umsim_declared_traffic(const struct umsim_declared *declared, unsigned device,
                              struct umsim_traffic traffic[2])
{
    traffic[0] = by_kind(declared, device);
    return split_chain(declared, traffic);
}
