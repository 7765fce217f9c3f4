/**
 * @file classify.h
 * @brief Tells the copy engines what kind of memory a range of addresses is.
 */
#ifndef UMSIM_CLASSIFY_H
#define UMSIM_CLASSIFY_H

#include "registry.h"

enum umsim_memory_class { UMSIM_CLASS_PAGEABLE, UMSIM_CLASS_PINNED, UMSIM_CLASS_DEVICE, UMSIM_CLASS_MANAGED };

struct umsim_classified {
    enum umsim_memory_class kind;
    struct umsim_alloc *allocation; /* NULL for pageable memory */
    const void *address;
    bool write_combined;
};

/** Classifies a range. @return false when [p, p + bytes) is not inside one allocation (or one range of
 * pageable memory). */
bool umsim_classify(const void *p, size_t bytes, struct umsim_classified *place);

/** Whether it is the address that kernels have for a variable, where each device has one of its own: which
 * one's it is does not follow from it. */
bool umsim_is_kernels_address(const void *p);

/** Whether a kernel or a copy engine can reach the range by its address. */
static inline bool umsim_is_on_device_side(const struct umsim_classified *place)
{
    return place->kind != UMSIM_CLASS_PAGEABLE;
}

#endif
