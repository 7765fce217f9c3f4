/**
 * @file protection.h
 * @brief Sets the page protections of each process: which pages it has open.
 *
 * The registry and the paging policy say what a process may access; the page protections follow them here.
 * Both processes open pages on first touch. Before its next launch, the GPU process closes what the host has
 * marked stale. Before a kernel starts, the host closes all its managed pages, so that no page changes hands
 * between a kernel and a host thread unseen.
 */
#ifndef UMSIM_PROTECTION_H
#define UMSIM_PROTECTION_H

#include "views.h"
#include "measured.h"
#include "request.h"
#include "../base/layout.h"

/** @name The 2 MiB blocks of a space, counted from its start: a module's variables lie where the loader put
 * them, and counts must not depend on that. The last block may be incomplete. @{ */

static inline size_t umsim_space_block(const struct umsim_managed_space *space, const void *p)
{
    return ((uintptr_t)p - (uintptr_t)space->base) / UMSIM_VA_BLOCK;
}

/** The addresses of blocks `first` to `last - 1`, as far as they belong to the space. */
static inline char *umsim_space_blocks(const struct umsim_managed_space *space, size_t first, size_t last,
                                       size_t *bytes)
{
    uintptr_t start = (uintptr_t)space->base + first * UMSIM_VA_BLOCK;
    uintptr_t end = (uintptr_t)space->base + last * UMSIM_VA_BLOCK;
    if (end > (uintptr_t)space->base + space->bytes)
        end = (uintptr_t)space->base + space->bytes;
    *bytes = end - start;
    return (char *)start;
}
/** @} */

/** @name GPU process @{ */

/** What an access does. An update is one instruction of the host's processor that reads and then writes: a
 * GPU has two for that, of which the first asks for the page to be read. */
enum umsim_touch { UMSIM_TOUCH_READ, UMSIM_TOUCH_WRITE, UMSIM_TOUCH_UPDATE };

/** Opens the page of `p` for this access, if a kernel may make it. Async-signal-safe. @return whether it
 * may. */
bool umsim_gpu_open(void *p, enum umsim_touch touch);

/** Whether all of [p, p + bytes) is in memory that may be for kernels: an arena, variables, registered
 * memory. */
bool umsim_gpu_is_for_kernels(const void *p, size_t bytes);

/** Before a launch: closes what the host marked stale. A launch that is measured (into `measure`, else NULL)
 * has everything closed. */
void umsim_gpu_close_stale(struct umsim_measured *measure);

/** At the start: the process is that of a device from now on. @return false when its variables cannot be
 * mapped */
bool umsim_gpu_become(unsigned device);

/** At the start of a device's process: closes everything that the fork inherited. */
void umsim_gpu_close_everything(unsigned device);
/** @} */

/** @name Host process @{ */

/** Whether the page of `p` belongs to a live allocation or variable. Async-signal-safe; both processes. */
bool umsim_managed_is_live(const struct umsim_managed_space *space, const void *p);

/** Cuts a run of pages around the live address `p` down to what is alive, because the policy's smallest unit
 * is larger than a page. */
void umsim_managed_clip(const struct umsim_managed_space *space, const void *p, uintptr_t *start,
                        size_t *bytes);

/** The managed space that holds `p`, or NULL. Async-signal-safe; both processes. */
struct umsim_managed_space *umsim_managed_space_of(const void *p);

/** Prepares the account of what the host has open. */
void umsim_host_start(void);

/** Opens as much as seems worthwhile of what the answer to a touch of `p` grants. */
void umsim_host_open(struct umsim_managed_space *space, const void *p, const struct umsim_answer *answer);

/** Closes what an answer takes away. */
void umsim_host_close(const struct umsim_answer *answer);

/** Closes every managed page that the host has open. */
void umsim_host_close_managed(void);

/** A space ends: it is one mapping again, and has no account any more. */
void umsim_host_forget(struct umsim_managed_space *space);

/** Whether the host may have any managed page open; cheap, and without the lock. */
bool umsim_host_has_open(void);

/** The descriptor of the file that registered host memory is moved into. */
int umsim_registered_file(void);
/** @} */

#endif
