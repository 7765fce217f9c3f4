/**
 * @file arena.h
 * @brief The simulator's memory: arenas, mapped at the same addresses in both processes.
 *
 * An arena is one sparse file in memory, mapped at the same address in the host process and in the GPU
 * process. Each process sets its own protections on it. The process that owns the state maps the file a
 * second time, always read-write, at an address that it tells nobody. This second view is the copy window,
 * which only the copy engines use (space/transfer.h).
 *
 * A page that belongs to an allocation is marked valid in a bitmap that both processes see (in grading, the
 * host has its own bitmap). The GPU process needs to know nothing else about allocations.
 *
 * To use: call umsim_arenas_reserve() once; umsim_arena_of(p) then says which arena an address lies in.
 */
#ifndef UMSIM_ARENA_H
#define UMSIM_ARENA_H

#include "../base/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum umsim_arena_kind { UMSIM_ARENA_DEVICE, UMSIM_ARENA_PINNED, UMSIM_ARENA_MANAGED, UMSIM_ARENAS };

struct umsim_arena {
    const char *name;
    char *base;
    size_t size;
    size_t set_aside; /* bytes at its end (at that of each device's part) that are kept free of allocations */
    char *window;     /* the same memory, read-write in the process that owns the state (record/request.h) */
    int file;         /* a server's only, whose clients map it (server/channel.h) */
    /* One bit for each 4 KiB page, in memory that both processes share. In the GPU process of one of several
     * devices: the pages that its kernels may reach. */
    uint64_t *valid;
};

extern struct umsim_arena umsim_arenas[UMSIM_ARENAS];

/** Reserves all arenas. From now on UMSIM_REVIVE and UMSIM_EMPTY (record/request.h) are carried out here.
 * @return NULL, or a static text that says what failed and why. */
const char *umsim_arenas_reserve(size_t device_bytes);

/** The arena that holds `p`, or NULL. Async-signal-safe; both processes. */
struct umsim_arena *umsim_arena_of(const void *p);

/** Host process: marks [p, p + bytes), whole pages, as belonging to an allocation, or as belonging to
 * none. */
void umsim_arena_set_valid(struct umsim_arena *arena, const void *p, size_t bytes, bool valid);

/** Whether the page of `p` belongs to an allocation. Async-signal-safe; both processes. */
bool umsim_arena_is_valid(const struct umsim_arena *arena, const void *p);

/** The run of valid pages around the valid page of `p`, at most `limit` bytes either way. */
void umsim_arena_valid_run(const struct umsim_arena *arena, const void *p, size_t limit, char **start,
                           size_t *bytes);

/** Whether all of [p, p + bytes) belongs to allocations and lies in the arena. */
bool umsim_arena_all_valid(const struct umsim_arena *arena, const void *p, size_t bytes);

/** Host process: gives the memory of [p, p + bytes), whole pages that no longer belong to an allocation, back
 * to the system. It reads as zeros afterwards. */
void umsim_arena_discard(struct umsim_arena *arena, void *p, size_t bytes);

/**
 * Host process: [p, p + bytes), whole pages, are from now on those of another file, in both views: what it
 * has, not what was there. The GPU process has to be forked anew. @param file a descriptor, which the caller
 * may close; -1: one of the arena's own, all zeros
 * @return false: the system refuses it, and the pages must not be used before a call that succeeds
 */
bool umsim_arena_back(struct umsim_arena *arena, void *p, size_t bytes, int file);

/** @name Several devices
 * Each has a part of the device arena, of one size, in the order of their numbers; its kernels' heap is at
 * the end of the part. Which pages its GPU process may open says a bitmap of its own: its own pages, those of
 * peers that it was given access to. With one device there is one part and one bitmap.
 * @{ */
size_t umsim_device_part(void);
char *umsim_device_start(unsigned device);

/** Whose part of the device arena `p` is in. */
unsigned umsim_device_at(const void *p);

/** Host process: the devices (a bit for each) whose kernels may reach [p, p + bytes), whole pages of the
 * device arena that are valid. What is no longer valid is reached by none. */
void umsim_arena_reached_by(const void *p, size_t bytes, unsigned devices);

/** GPU process, at its start: knows the pages that this device may reach. */
void umsim_arena_become(unsigned device);
/** @} */

#endif
