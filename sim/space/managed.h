/**
 * @file managed.h
 * @brief The host's side of managed memory: asks the paging policy (sim/uvm), applies its protections
 * (protection.h), and charges the clock and the counters.
 *
 * Host process only.
 *
 * Every function takes the managed lock itself. That lock may be taken while the simulator's lock is held,
 * but never the other way round, and never by code that touches managed memory.
 */
#ifndef UMSIM_MANAGED_H
#define UMSIM_MANAGED_H

#include "protection.h"
#include "registry.h"
#include "../model/cost.h"
#include "../uvm/uvm.h"
#include "../base/activity.h"

#include <stdatomic.h>

/** Prepares the managed arena. @return false when that fails. */
bool umsim_managed_start(void);

/**
 * The pages of an allocation become alive, or end.
 * @param for_kernels a device without concurrent access holds the pages from the start
 * @return whether there is enough memory: such a device has to hold all managed memory that is alive
 */
bool umsim_managed_create(char *base, size_t bytes, bool for_kernels);
void umsim_managed_destroy(char *base, size_t bytes);

/** Makes a module's __managed__ variables alive, with the values that the loader gave them in host memory. */
bool umsim_managed_adopt(char *base, size_t bytes, char *window);

/** The end of a module's __managed__ variables: its library is closed. The memory stays mapped, as it is. */
void umsim_managed_abandon(char *base);

/** What a host thread's touch of managed memory led to. */
enum umsim_host_touch {
    UMSIM_TOUCH_NOT_MANAGED, /* no live managed memory there */
    UMSIM_TOUCH_OPENED,      /* the access can go on */
    /* concurrentManagedAccess is 0, and the program has not waited for a kernel that may reach the memory */
    UMSIM_TOUCH_FORBIDDEN,
};

/** A host thread touched a page that was not open to it: counts, migrates, opens. Async-signal-safe. */
enum umsim_host_touch umsim_managed_host_touch(void *p, bool is_write);

/** A client's thread touched such a page (server/channel.h): the same, but nothing is opened in this process.
 * @param[out] from, to the pages that the host has now, as far as they are alive
 * @return whether the access can go on */
bool umsim_managed_host_take(void *p, bool is_write, uintptr_t *from, uintptr_t *to);

/** Sees to it that SIGSEGV reaches the pager: in the process, whose disposition of it may have been changed,
 * and in the calling thread, which may have blocked it, both in ways that the wrappers do not see (a library
 * that was opened later, a system call of the program's own). Does nothing while no managed memory is alive.
 */
void umsim_managed_reassert(void);
/**
 * Whether a system call may be given managed memory: 0 as long as none is alive. The wrappers of system calls
 * (fault/wrappers.c) look at it each time, and then pass the call on.
 */
extern atomic_bool umsim_managed_watch;

/** How much of [p, p + bytes), from `p` on, is alive and may be touched by the host now. */
size_t umsim_managed_for_host(const void *p, size_t bytes);

/** A system call touches a range for the host, through the copy window. It is counted and priced like touches
 * by the host. */
void umsim_managed_host_access(const void *p, size_t bytes, bool is_write);

/** A copy engine or memset touches managed memory, as a launch would. Adds the cost to `work`. */
void umsim_managed_engine_touch(unsigned device, const void *p, size_t bytes, bool is_write,
                                const struct uvm_launch *launch, struct umsim_paging_work *work);

/** Before kernels start on a device: closes the host's pages. */
void umsim_managed_before_launch(unsigned device);
/** Only that. */
void umsim_managed_close_host(void);

/** After the launch of a kernel that began on a device at `start_ns`: charges what the kernel touched. Adds
 * the cost to `work`. */
void umsim_managed_after_launch(unsigned device, uint64_t start_ns, const struct uvm_launch *launch,
                                struct umsim_paging_work *work);

/** cudaMemPrefetchAsync, when its turn has come. */
void umsim_managed_prefetch(const void *p, size_t bytes, enum uvm_processor destination,
                            struct umsim_paging_work *work);

/** cudaMemAdvise. @return whether all of the range is managed memory */
bool umsim_managed_advise(const void *p, size_t bytes, enum uvm_advice advice, enum uvm_processor processor);

/** Whether a device got pages mapped, by a prefetch or by advice, since this was last asked of it. */
bool umsim_managed_fresh(unsigned device);

/** cudaMemRangeGetAttribute. @return whether all of the range is managed memory */
bool umsim_managed_attributes(const void *p, size_t bytes, struct uvm_attributes *out);

struct umsim_counters;

/** Adds to `out` what has been counted for the allocation that holds `p` (umsim_counters_of()). @return
 * whether that is managed memory */
bool umsim_managed_counters(const void *p, struct umsim_counters *out);

/** How many bytes of a range a device has itself, and how many it reaches in its peers' memory. The rest is
 * on the host, or nowhere. */
struct umsim_whereabouts {
    size_t own, peers;
};
struct umsim_whereabouts umsim_managed_whereabouts(unsigned device, const void *p, size_t bytes);

/** Where the pages of a range are, as text: umsim_residency(). Returns 0 when `p` is not in live managed
 * memory. */
size_t umsim_managed_residency_bar(const void *p, size_t bytes, char *bar, size_t characters);

/** Whether any managed memory is alive. If so, kernels run one at a time, so that each is charged for its own
 * touches. */
bool umsim_managed_in_use(void);

/** Tells the policy how much of a device's memory cudaMalloc has left for managed pages. */
void umsim_managed_set_device_memory(unsigned device, size_t free_bytes);

/** Memory of a device that managed pages take now; without concurrent access, what all of them together may
 * take. */
size_t umsim_managed_device_bytes(unsigned device);

/**
 * @name Devices without concurrent access
 *
 * The rules are those of the CUDA C++ Programming Guide for devices whose concurrentManagedAccess is 0.
 * Before a kernel, everything that it may reach is brought to the device as a whole: what is attached to no
 * stream, and what is attached to the kernel's stream. There are no GPU faults. From a launch until the host
 * has waited for the kernel (or seen that it has ended), the host may touch nothing that the kernel may
 * reach. What the host touches later comes back by CPU faults, together with neighbouring pages, as on other
 * devices: the driver's tree serves these devices, too (on Linux; what Windows moves is not documented).
 * @{
 */

/** A kernel is issued: from now on the host's touches have to fault. Does nothing on other devices. */
void umsim_managed_launch_issued(unsigned device);

/** A kernel is about to run on a device, in `stream`: brings what it may reach there. Adds the cost of that
 * to `work`. */
void umsim_managed_bring(unsigned device, const struct umsim_activity *stream,
                         struct umsim_paging_work *work);

/** cudaStreamAttachMemAsync, when its turn has come. @param attachment cudaMemAttachGlobal, Host or Single */
void umsim_managed_attach(struct umsim_alloc *allocation, unsigned attachment,
                          const struct umsim_activity *stream);
/** @} */

#endif
