/**
 * @file measured.h
 * @brief What a launch was measured to touch: bytes of pages read and written, for kernels that declare no
 * traffic.
 */
#ifndef UMSIM_MEASURED_H
#define UMSIM_MEASURED_H

#include <stdatomic.h>

/** Memory that a kernel reaches, as far as its time goes. */
enum umsim_reach {
    UMSIM_REACH_DEVICE,
    UMSIM_REACH_HOST,
    UMSIM_REACH_MANAGED, /**< on the device, once it is there */
    UMSIM_REACH_REMOTE,  /**< managed, read and written where the host has it */
    UMSIM_REACHES
};

/** Bytes of the pages that a launch read, wrote. */
struct umsim_measured {
    atomic_ullong read[UMSIM_REACHES], written[UMSIM_REACHES];
    atomic_ullong cycles; /* that a thread has seen pass on its clock, at most (cycles.c) */
};

#endif
