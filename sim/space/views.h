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
#include "../base/layout.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/** A range of managed memory with its own paging state: the managed arena, or a module's __managed__
 * variables. */
struct uvm_space;
#define UMSIM_SPACES_MAX 64
struct umsim_managed_space {
    char *base;
    size_t bytes;
    char *window;             /* another read-write view: of the process that owns the state */
    struct uvm_space *policy; /* in that process, too */
    /* per side (enum uvm_processor) and 2 MiB block: what is really open. It never exceeds what the policy
     * grants, but for the pages that the running launch has touched and that are charged when it retires. */
    struct umsim_block_protection *opened[2];
    size_t opened_end[2]; /* no block at or beyond this was ever open */
};

/** Host memory of cudaHostRegister: the host's pages have been replaced by pages of a file that both can map.
 */
#define UMSIM_REGISTERED_MAX 4096
enum umsim_registered_state { UMSIM_REGISTERED_FREE, UMSIM_REGISTERED_LIVE, UMSIM_REGISTERED_STALE };
struct umsim_registered {
    atomic_int state; /* STALE: no longer registered; the GPU process has yet to unmap it */
    char *base;       /* whole pages */
    size_t bytes;
    size_t offset;    /* in the file of registered memory */
    unsigned holders; /* registrations that need it; the host's business */
    bool open;        /* to the GPU process's kernels, some of it: its business */
};

/** A module's __device__ or __constant__ variables: the host may not touch them, kernels may. */
#define UMSIM_SECTIONS_MAX 128
struct umsim_section {
    char *base;
    size_t bytes;
    char *window; /* as a managed space's */
};

/** Shared by both processes, mapped before the first fork. */
struct umsim_views {
    /* The launch that completed last has opened managed pages that have to be charged to it: the GPU process
     * waits (futex) until the host has done so and sets 0. */
    atomic_uint touched;

    /* what has to be closed before the next launch */
    atomic_bool device_stale, pinned_stale, managed_stale, registered_changed;
    struct umsim_registered registered[UMSIM_REGISTERED_MAX];
    atomic_uint registered_used;

    /* the authoritative state: from here on it is its owner's (grading/broker.h). First what the host has a
     * copy of */
    _Alignas(UMSIM_PAGE) struct umsim_managed_space space[UMSIM_SPACES_MAX];
    atomic_uint spaces;
    struct umsim_section section[UMSIM_SECTIONS_MAX];
    atomic_uint sections;
    /* ... then what is the GPU process's alone */
    _Alignas(UMSIM_PAGE) atomic_flag gpu_opened_lock;
    struct umsim_protection gpu_opened;
    struct umsim_measured_ranges counted;
};

/** Mapped before the first fork, for good. */
extern struct umsim_views *umsim_views;

#endif
