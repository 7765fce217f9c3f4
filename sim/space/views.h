/**
 * @file views.h
 * @brief What each process may access, as far as both processes need to know it.
 *
 * The GPU process opens its own view of the arenas page by page, as pages are touched. Here the host tells it
 * what to close before the next launch, which managed spaces and sections of variables exist, and which host
 * memory is registered.
 */
#ifndef UMSIM_VIEWS_H
#define UMSIM_VIEWS_H

#include "measured_ranges.h"
#include "protection_account.h"
#include "../base/devices.h"
#include "../base/layout.h"
#include "../uvm/processors.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/** A range of managed memory with its own paging state: the managed arena, or the __managed__ variables of a
 * module. */
struct uvm_space;
#define UMSIM_SPACES_MAX 64
struct umsim_managed_space {
    char *base;
    size_t bytes;
    char *window;             /* a second, read-write view, in the process that owns the state */
    struct uvm_space *policy; /* also in that process */
    /* For each processor (enum uvm_processor) and 2 MiB block: what its process has really open. It never
     * exceeds what the policy grants, except for pages that the running launch has touched and that are
     * charged when it retires. NULL: there is no such device. */
    struct umsim_block_protection *opened[UVM_PROCESSORS];
    size_t opened_end[UVM_PROCESSORS]; /* no block at or beyond this was ever open */
};

/** Host memory of cudaHostRegister: private pages of the host have been replaced by pages of a file that both
 * processes can map; shared ones are where they were. A page lies in the file where it lies in memory, so
 * that neighbours become one mapping. */
#define UMSIM_REGISTERED_MAX (1u << 17)
enum umsim_registered_state { UMSIM_REGISTERED_FREE, UMSIM_REGISTERED_LIVE, UMSIM_REGISTERED_STALE };
struct umsim_registered {
    atomic_int state;      /* STALE: no longer registered, but not yet unmapped in the GPU process */
    atomic_bool known;     /* the GPU process has mapped it */
    atomic_bool changed;   /* in the list of what the GPU process has to follow: */
    unsigned next_changed; /* the next one's number (its index + 1), or 0 */
    char *base;            /* whole pages */
    size_t bytes;
    int protection;   /* the host's; kernels may not write where the host may not */
    bool in_place;    /* shared memory: the GPU process has inherited it */
    bool aside;       /* not in the file while the program forks; for the host only */
    unsigned holders; /* the number of registrations that need it; for the host only */
};

/** A module's __device__ or __constant__ variables: the host may not touch them, kernels may. */
#define UMSIM_SECTIONS_MAX 128
struct umsim_section {
    char *base;
    size_t bytes;
    char *window;                       /* a second, read-write view, as of a managed space */
    char *of_device[UMSIM_DEVICES_MAX]; /* where the host finds each device's variables: `base`, or a copy in
                                           its memory */
};

/** Shared by both processes, mapped before the first fork. */
struct umsim_views {
    /* The running launch has opened managed pages that have to be charged to it. At its end the GPU process
     * waits (futex) until the host has charged them and sets 0. Which launch it is says its struct
     * umsim_command: the host may look here for an earlier one that opened nothing while this one runs. */
    atomic_uint touched;

    /* what each device's process has to close before its next launch */
    struct umsim_stale {
        atomic_bool device, pinned, managed;
    } stale[UMSIM_DEVICES_MAX];
    struct umsim_registered registered[UMSIM_REGISTERED_MAX];
    atomic_uint registered_used;
    atomic_uint registered_changed; /* the number of the entry that changed last, or 0 */

    struct umsim_managed_space space[UMSIM_SPACES_MAX];
    atomic_uint spaces;
    struct umsim_section section[UMSIM_SECTIONS_MAX];
    atomic_uint sections;
    /* what each device's process has open; only one of them runs at a time */
    atomic_flag gpu_opened_lock;
    struct umsim_protection gpu_opened[UMSIM_DEVICES_MAX];
    struct umsim_measured_ranges counted;
};

/** Mapped before the first fork, for good. */
extern struct umsim_views *umsim_views;

/** @name Host process: all GPU processes close this memory before their next launch @{ */
static inline void umsim_stale_device(void)
{
    for (unsigned device = 0; device < umsim_devices; device++)
        atomic_store(&umsim_views->stale[device].device, true);
}

static inline void umsim_stale_pinned(void)
{
    for (unsigned device = 0; device < umsim_devices; device++)
        atomic_store(&umsim_views->stale[device].pinned, true);
}

/** @} */

_Static_assert(UVM_GPUS_MAX == UMSIM_DEVICES_MAX, "each device is a processor of the paging policy's");

#endif
