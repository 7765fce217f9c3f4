/**
 * @file request.h
 * @brief What the host's side of managed memory (managed.h) asks of the authoritative state
 * (paging_server.h): which processor holds each page, and what that costs.
 *
 * A request is a function call. An answer holds everything that the host has to do: which pages to open,
 * which to close, and how much time to charge to the clock.
 */
#ifndef UMSIM_REQUEST_H
#define UMSIM_REQUEST_H

#include "../include/umsim.h"
#include "../model/cost.h"
#include "../uvm/uvm.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum umsim_task {
    UMSIM_HOST_TOUCH, /* a host thread touched a page that is not open to it */
    UMSIM_HOST_ACCESS,
    UMSIM_ENGINE_TOUCH,
    UMSIM_BEFORE_LAUNCH,
    UMSIM_AFTER_LAUNCH,
    UMSIM_PREFETCH,
    UMSIM_ADVISE,
    UMSIM_CREATE,
    UMSIM_DESTROY,
    UMSIM_BRING, /* brings a range to a device without faults before a kernel */
    UMSIM_DEVICE_MEMORY,
    UMSIM_DEVICE_BLOCKS,
    UMSIM_RESIDENT,
    UMSIM_ATTRIBUTES,
    UMSIM_COUNTS,
    UMSIM_RESIDENCY_BAR,
    UMSIM_PAGING_TASKS
};

/** A request about managed memory. Each task reads the members that it needs. */
struct umsim_paging {
    uintptr_t address;
    /* UMSIM_RESIDENCY_BAR: within one space; UMSIM_DEVICE_MEMORY: the bytes left for managed pages */
    size_t bytes;
    uint64_t now_ns;
    bool is_write, for_kernels, idle; /* idle: no kernel is under way */
    enum uvm_processor processor;     /* which device's launch, copy, memory; of advice and prefetches */
    int advice;                       /* enum uvm_advice */
    size_t characters, skip;          /* UMSIM_RESIDENCY_BAR: characters in all; those the host has already */
    struct uvm_launch launch;
};

struct umsim_request {
    enum umsim_task task;
    struct umsim_paging paging;
};

/** Blocks that the host has to close: [first, end) of a space. */
struct umsim_closing {
    uint32_t space, first, end;
};
enum { UMSIM_CLOSINGS_MAX = 32, UMSIM_RESIDENCY_BAR_PART = 1024 };

struct umsim_answer {
    bool done; /* whether the request had anything to act on */
    struct umsim_paging_work work;
    /* resident on the device (RESIDENT), write-protected (ADVISE), released (DESTROY), blocks in use */
    uint64_t pages;
    uint64_t peers_pages; /* RESIDENT: on a peer that the device reaches, and not on itself */

    /* the state after the request */
    bool in_use;       /* some managed memory is alive */
    bool is_short;     /* some device (struct uvm_device) */
    uint64_t unpin_ns; /* when the first pin ends; 0: nothing is pinned */

    /* what the host opens; bytes 0: nothing */
    uintptr_t open_start;
    size_t open_bytes;
    bool open_writable;
    /* what it closes before that */
    bool close_all;
    unsigned closings;
    struct umsim_closing closing[UMSIM_CLOSINGS_MAX];

    union {
        struct uvm_attributes attributes;
        struct umsim_counters counts;
        char bar[UMSIM_RESIDENCY_BAR_PART];
    };
};

#endif
