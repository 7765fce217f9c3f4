/**
 * @file context.h
 * @brief Contexts: the primary one and those that the program makes, and each thread's stack of them.
 *
 * Each device has one memory, which all its contexts share, so a context is a name: it knows its device, what
 * was allocated while it was current, and how it was made. A context that was destroyed stays known, because
 * it may still be current in another thread.
 *
 * Which device is current follows from the context: whenever another one comes to be current in a thread, its
 * device does (base/devices.h), for the runtime's calls, too.
 */
#ifndef UMSIM_DRIVER_CONTEXT_H
#define UMSIM_DRIVER_CONTEXT_H

#include "driver.h"
#include "../space/registry.h"

struct CUctx_st {
    unsigned long long id;
    unsigned device, flags, users;
    bool destroyed;
    struct umsim_peers_of_owner peers; /* which devices reach its memory (peer.c) */
    struct CUctx_st *next;
};

/** The calling thread's current context, or NULL. */
CUcontext umsim_context_current(void);

/** A device's primary context. */
CUcontext umsim_context_primary(unsigned device);
/** Whether it is one. */
bool umsim_context_is_primary(CUcontext context);

/** Whether it is a context that was not destroyed. */
bool umsim_context_lives(CUcontext context);

/** The context of what a device has (umsim_alloc.owner; a stream's). */
CUcontext umsim_context_of_owner(const void *owner, unsigned device);

/** The device that a call means by a context: of none that lives the current one. */
unsigned umsim_context_device(CUcontext context);

/** Flags of contexts: one way to wait at most, and no bits that have no meaning. */
bool umsim_context_are_flags(unsigned flags);

/** It is destroyed: whatever access it had, or others had to its memory, ends. */
void umsim_context_without_peers(CUcontext context);

/** Whether cuInit() was called. */
bool umsim_driver_is_initialized(void);

#endif
