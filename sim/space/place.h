/**
 * @file place.h
 * @brief What memory a range of addresses is, for the copy engines.
 */
#ifndef UMSIM_PLACE_H
#define UMSIM_PLACE_H

#include "registry.h"

enum umsim_place_kind { UMSIM_PLACE_PAGEABLE, UMSIM_PLACE_PINNED, UMSIM_PLACE_DEVICE, UMSIM_PLACE_MANAGED };

struct umsim_place {
    enum umsim_place_kind kind;
    struct umsim_alloc *allocation; /* NULL for pageable memory */
    const void *address;
    bool write_combined;
};

/** Finds out. @return false when [p, p + bytes) is not inside one allocation (or one range of pageable
 * memory). */
bool umsim_place_of(const void *p, size_t bytes, struct umsim_place *place);

/** Whether a kernel or a copy engine can reach it by its address. */
static inline bool umsim_place_on_device_side(const struct umsim_place *place)
{
    return place->kind != UMSIM_PLACE_PAGEABLE;
}

#endif
