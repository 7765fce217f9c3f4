/**
 * @file context.h
 * @brief Contexts: the primary one and those that the program makes, and each thread's stack of them.
 *
 * There is one device and one memory, so a context is a name: it knows what was allocated while it was
 * current, and how it was made. A context that was destroyed stays known, because it may still be current in
 * another thread.
 */
#ifndef UMSIM_DRIVER_CONTEXT_H
#define UMSIM_DRIVER_CONTEXT_H

#include "driver.h"

/** The calling thread's current context, or NULL. */
CUcontext umsim_context_current(void);

/** The primary context's handle. */
CUcontext umsim_context_primary(void);

/** Whether it is a context that was not destroyed. */
bool umsim_context_lives(CUcontext context);

/** The context that an allocation belongs to (umsim_alloc.owner). */
CUcontext umsim_context_of_owner(const void *owner);

/** Whether cuInit() was called. */
bool umsim_driver_is_initialized(void);

#endif
