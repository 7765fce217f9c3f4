/**
 * @file registry.h
 * @brief Every allocation that the simulator knows, by address.
 *
 * Host process only.
 *
 * umsim_allocate() finds a free range in an arena, makes its pages valid and records the allocation;
 * umsim_release() undoes this. Memory outside the arenas (registered host memory, variables of a module) is
 * entered with umsim_registry_add(). Callers hold the simulator's lock. The fault handler may also call
 * umsim_registry_find(), because it only reads.
 */
#ifndef UMSIM_REGISTRY_H
#define UMSIM_REGISTRY_H

#include "arena.h"
#include "../base/spans.h"

enum umsim_memory {
    UMSIM_DEVICE,           /* cudaMalloc, cudaMallocAsync */
    UMSIM_PINNED,           /* cudaMallocHost, cudaHostAlloc */
    UMSIM_MANAGED,          /* cudaMallocManaged */
    UMSIM_REGISTERED,       /* cudaHostRegister */
    UMSIM_DEVICE_VARIABLE,  /* the section of a module's __device__ and __constant__ variables */
    UMSIM_MANAGED_VARIABLE, /* the section of its __managed__ variables */
};

struct umsim_pool;
struct umsim_graph_memory;
struct umsim_activity;

struct umsim_alloc {
    struct umsim_span span; /* the registry's own */
    char *base;
    size_t bytes;    /* as requested */
    size_t reserved; /* whole pages */
    unsigned device; /* whose memory it is; of host memory, the device that was current */
    unsigned listed; /* memory of a pool or a graph: the devices (bits) of its access list; else 0 */
    enum umsim_memory memory;
    unsigned flags;          /* cudaHostAlloc's, cudaHostRegister's or cudaMallocManaged's */
    const char *call;        /* the API call that made it */
    const void *caller;      /* the address that it returned to */
    const void *owner;       /* the driver API's context that it was made in; NULL: the runtime's */
    struct umsim_pool *pool; /* cudaMallocAsync's, else NULL */
    struct umsim_graph_memory *of_graph; /* memory that a graph takes and frees, else NULL */
    bool absent;                         /* ... and does not have now: an address without memory */
    bool free_queued;                    /* a cudaFreeAsync of it is queued */
    bool borrowed;                       /* another process's memory (api/ipc.h): none of this one's bytes */
    bool shown;                          /* other processes may have it open */
    const char *freed_call;              /* under --check: the call that freed it, */
    const void *freed_caller;            /* and where that returned to */
    void *detail;        /* belongs to the kind of memory: registration, managed state or array */
    unsigned attachment; /* managed memory: cudaMemAttach...; 0 is cudaMemAttachGlobal */
    const struct umsim_activity *attached; /* ... Single: to the stream whose kernels these are */
    uint64_t contents, contents_of;        /* contents.h: a number of what is in it; 0: not known */
};

/** Whether an access list (`listed`) says who reaches the memory, and peer access nothing: a pool's, a
 * graph's. */
static inline bool umsim_has_list(const struct umsim_alloc *allocation)
{
    return allocation->pool || allocation->of_graph;
}

/**
 * Whether kernels of `from` may reach memory of cudaMalloc() on `to`: cudaDeviceEnablePeerAccess(). Memory of
 * a pool has an access list instead (`listed`). umsim_registry_reach() makes either true for the allocation's
 * pages.
 * @{ */
bool umsim_peer_is_enabled(unsigned from, unsigned to);
void umsim_peer_enable(unsigned from, unsigned to, bool enabled);
/** How many devices have peer access to memory of `to`. */
unsigned umsim_peers_of(unsigned to);
/**
 * The same by the driver API, for the memory of one context: beside what the runtime has enabled, which
 * devices reach it. The structure is the caller's, who sets owner and device; it is here for good.
 * @return whether a device lost it, so that pages have to be closed (umsim_stale_device())
 */
struct umsim_peers_of_owner {
    const void *owner; /* as in umsim_alloc; NULL: the device's primary context */
    unsigned device;
    unsigned devices; /* which reach it, a bit for each */
    bool known;
    struct umsim_peers_of_owner *next;
};
bool umsim_peer_enable_for(struct umsim_peers_of_owner *owner, unsigned devices);
void umsim_registry_reach(const struct umsim_alloc *allocation);
/** Whether kernels of a device may reach it, if it is device memory. */
bool umsim_may_reach(unsigned device, const struct umsim_alloc *allocation);
/** @} */

/**
 * Allocates `bytes` (at least 1) in the arena that `memory` belongs to, at the lowest free address. The unit
 * is whole 4 KiB pages, except for managed memory (device memory is the current device's): there, large
 * allocations have separate 2 MiB blocks, and small ones share blocks (allocator_small.h).
 * @return NULL when the arena has no space (or the host no memory).
 */
struct umsim_alloc *umsim_allocate(enum umsim_memory memory, size_t bytes, const char *call,
                                   const void *caller);

/** Removes an allocation of umsim_allocate(), gives its memory back, and keeps a note for explanations. */
void umsim_release(struct umsim_alloc *allocation);

/** Device memory loses its pages, and what is in them, while it keeps its address; or it gets pages again. */
void umsim_set_absent(struct umsim_alloc *allocation, bool absent);
/** Whether `p` lies in memory that is absent. */
bool umsim_is_absent(const void *p);

/** Device memory that was just allocated is another process's, and does not count as this one's. */
void umsim_registry_borrowed(struct umsim_alloc *allocation);

/** Enters memory outside the arenas. @return the entry, or NULL when there is no memory. */
struct umsim_alloc *umsim_registry_add(void *base, size_t bytes, enum umsim_memory memory, const char *call,
                                       const void *caller);
void umsim_registry_remove(struct umsim_alloc *allocation);

/** Functions that are called for each entry after it has been added and before it is removed. There is at
 * most one watcher: `umcc --check` (check/host.c), which is in a higher layer and registers itself at the
 * start. */
struct umsim_registry_watcher {
    void (*came)(const struct umsim_alloc *allocation);
    void (*goes)(struct umsim_alloc *allocation);
};
void umsim_registry_watch(struct umsim_registry_watcher watcher);

/** The allocation that holds `p`, or NULL. */
struct umsim_alloc *umsim_registry_find(const void *p);

/** The first allocation that touches [p, p + bytes), or NULL. */
struct umsim_alloc *umsim_registry_overlap(const void *p, size_t bytes);

/** Calls `visit` for each allocation, lowest address first; it may release the allocation it is given. */
void umsim_registry_each(void (*visit)(struct umsim_alloc *, void *), void *context);

/** The note of a recently freed allocation that held `p`, or NULL. */
const struct umsim_alloc *umsim_registry_freed(const void *p);

/** How often an entry was added or removed, or umsim_registry_changed() was called. If the number is the same
 * at two times, nothing was allocated, freed, prefetched or advised between them. */
uint64_t umsim_registry_changes(void);
void umsim_registry_changed(void);

/** In how many pieces the free part of the arena of `memory` is. */
size_t umsim_free_pieces(enum umsim_memory memory);

/** Bytes of a device's memory in use: whole pages of its UMSIM_DEVICE allocations. */
size_t umsim_device_bytes_used(unsigned device);

/** Whether `memory` is one of the device's kinds of memory, which host code may not touch. */
static inline bool umsim_is_device_only(enum umsim_memory memory)
{
    return memory == UMSIM_DEVICE || memory == UMSIM_DEVICE_VARIABLE;
}

static inline bool umsim_is_managed(enum umsim_memory memory)
{
    return memory == UMSIM_MANAGED || memory == UMSIM_MANAGED_VARIABLE;
}

#endif
