/**
 * @file measured.h
 * @brief What a launch was measured to touch: bytes of pages read and written, for kernels that declare no
 * traffic.
 */
#ifndef UMSIM_MEASURED_H
#define UMSIM_MEASURED_H

#include "../model/cost.h"

#include <stdatomic.h>

/** Kinds of memory that a kernel reaches, as far as its time depends on them. */
enum umsim_reach {
    UMSIM_REACH_DEVICE,
    UMSIM_REACH_HOST,
    UMSIM_REACH_MANAGED, /**< on the device, after it has been brought there */
    UMSIM_REACH_REMOTE,  /**< managed, but read and written in host memory */
    UMSIM_REACH_PEER,    /**< another device's */
    UMSIM_REACHES
};

/** Bytes of the pages that a launch read and wrote. */
struct umsim_measured {
    atomic_ullong read[UMSIM_REACHES], written[UMSIM_REACHES];
    struct umsim_access_work accesses; /* where they were counted (count/count.h) */
    atomic_ullong cycles;              /* the most that any thread has seen pass on its clock (cycles.c) */
    atomic_bool beyond;                /* it has set what is no memory: a graph's condition */
};

#endif
