/**
 * @file protection.c
 * @brief Implementation of protection.h for the GPU process: opens pages on a kernel's first touch, and
 * closes stale ones.
 *
 * protection_host.c has the host's half.
 */
#include "protection.h"
#include "arena.h"
#include "paging_server.h"
#include "protection_registered.h"
#include "../base/devices.h"
#include "../base/mode.h"
#include "../base/processes.h"
#include "../base/futex.h"
#include "heap.h"
#include "seal_host_memory.h"
#include "../uvm/uvm.h"
#include "views.h"
#include "measured.h"
#include "../base/layout.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

struct umsim_views *umsim_views;

/** How many bytes one fault opens before and behind itself in cudaMalloc'ed or pinned memory. */
#define OPEN_REACH ((size_t)64 << 20)

/** Where the current launch is measured, or NULL. Each unit of 64 KiB is then opened separately, for reading
 * first, and counted. */
static struct umsim_measured *measuring;

/** Whether a kernel has opened anything since everything was closed. */
static atomic_bool is_open[UMSIM_ARENAS];

static void count_opened(enum umsim_reach reach, const void *start, size_t bytes, bool is_write)
{
    if (!measuring)
        return;
    if (umsim_measured_ranges_add(&umsim_views->counted, start, is_write))
        atomic_fetch_add(is_write ? &measuring->written[reach] : &measuring->read[reach], bytes);
}

static void clip_to_big_page(const void *p, char **start, size_t *bytes)
{
    char *unit = (char *)umsim_round_down((uintptr_t)p, UMSIM_BIG_PAGE), *end = *start + *bytes;
    if (*start < unit)
        *start = unit;
    if (end > unit + UMSIM_BIG_PAGE)
        end = unit + UMSIM_BIG_PAGE;
    *bytes = (size_t)(end - *start);
}

struct umsim_managed_space *umsim_managed_space_of(const void *p)
{
    unsigned spaces = umsim_views && !umsim_in_child() ? atomic_load(&umsim_views->spaces) : 0;
    for (unsigned i = 0; i < spaces; i++)
        if ((uintptr_t)p - (uintptr_t)umsim_views->space[i].base < umsim_views->space[i].bytes)
            return &umsim_views->space[i];
    return NULL;
}

/* Only the arena has pages that belong to no allocation; a section of variables is alive as a whole. */
static bool is_arena(const struct umsim_managed_space *space)
{
    return space->base == umsim_arenas[UMSIM_ARENA_MANAGED].base;
}

bool umsim_managed_is_live(const struct umsim_managed_space *space, const void *p)
{
    return !is_arena(space) || umsim_arena_is_valid(&umsim_arenas[UMSIM_ARENA_MANAGED], p);
}

void umsim_managed_clip(const struct umsim_managed_space *space, const void *p, uintptr_t *start,
                        size_t *bytes)
{
    char *alive = space->base;
    size_t alive_bytes = space->bytes;
    if (is_arena(space))
        umsim_arena_valid_run(&umsim_arenas[UMSIM_ARENA_MANAGED], p, UMSIM_VA_BLOCK, &alive, &alive_bytes);
    uintptr_t first = *start > (uintptr_t)alive ? *start : (uintptr_t)alive;
    uintptr_t end = *start + *bytes, alive_end = (uintptr_t)alive + alive_bytes;
    *bytes = (end < alive_end ? end : alive_end) - first;
    *start = first;
}

/* Managed pages in a processor's memory, as this device's kernels reach them. */
static enum umsim_reach reach_of(enum uvm_processor processor)
{
    if (processor == uvm_gpu(umsim_own_device))
        return UMSIM_REACH_MANAGED;
    return uvm_is_gpu(processor) ? UMSIM_REACH_PEER : UMSIM_REACH_REMOTE;
}

/* What this process has open. */
static struct umsim_protection *own_opened(void)
{
    return &umsim_views->gpu_opened[umsim_own_device];
}

static int open_managed(struct umsim_managed_space *space, void *p, bool is_write)
{
    struct uvm_opening opening;
    if (!umsim_managed_is_live(space, p))
        return PROT_NONE;
    enum uvm_status status =
        uvm_gpu_touch(space->policy, uvm_gpu(umsim_own_device), (uintptr_t)p, is_write, &opening);
    if (status == UVM_INVALID_ADDRESS)
        return PROT_NONE;
    if (status == UVM_OK)
        umsim_paging_touched();
    umsim_managed_clip(space, p, &opening.start, &opening.bytes);
    char *start = (char *)opening.start;
    const int protection = opening.writable && (is_write || !measuring) ? PROT_READ | PROT_WRITE : PROT_READ;
    if (measuring)
        clip_to_big_page(p, &start, &opening.bytes);
    count_opened(reach_of(opening.at), start, opening.bytes, is_write);
    umsim_spin_lock(&umsim_views->gpu_opened_lock);
    bool opened = umsim_protection_add(own_opened(), space, start, opening.bytes, protection);
    umsim_spin_unlock(&umsim_views->gpu_opened_lock);
    return opened ? protection : PROT_NONE;
}

/* @return `protection`, which the pages have now, or PROT_NONE */
static int opened_as(int protection, void *start, size_t bytes)
{
    return mprotect(start, bytes, protection) == 0 ? protection : PROT_NONE;
}

static int open_section(void *p)
{
    for (unsigned i = 0; i < atomic_load(&umsim_views->sections); i++) {
        const struct umsim_section *section = &umsim_views->section[i];
        if ((uintptr_t)p - (uintptr_t)section->base < section->bytes)
            return opened_as(PROT_READ | PROT_WRITE, section->base, section->bytes);
    }
    return PROT_NONE;
}

static bool is_in(const void *p, size_t bytes, const char *start, size_t length)
{
    const size_t offset = (uintptr_t)p - (uintptr_t)start;
    return offset < length && bytes <= length - offset;
}

bool umsim_gpu_is_for_kernels(const void *p, size_t bytes)
{
    const struct umsim_arena *arena = umsim_arena_of(p);
    const struct umsim_managed_space *space = umsim_managed_space_of(p);
    if (arena || space)
        return arena ? is_in(p, bytes, arena->base, arena->size) : is_in(p, bytes, space->base, space->bytes);
    for (unsigned i = 0; i < atomic_load(&umsim_views->sections); i++)
        if (is_in(p, bytes, umsim_views->section[i].base, umsim_views->section[i].bytes))
            return true;
    return umsim_registered_for_kernels(p, bytes);
}

static int open_registered(void *p, bool is_write)
{
    char *start = p;
    size_t bytes;
    int protection;
    if (!umsim_registered_find(p, &start, &bytes, &protection) || (is_write && !(protection & PROT_WRITE)))
        return PROT_NONE;
    if (measuring)
        clip_to_big_page(p, &start, &bytes);
    count_opened(UMSIM_REACH_HOST, start, bytes, is_write);
    return opened_as(is_write || !measuring ? protection : PROT_READ, start, bytes);
}

static int open_at(void *p, bool is_write)
{
    struct umsim_managed_space *space = umsim_managed_space_of(p);
    if (space)
        return open_managed(space, p, is_write);
    struct umsim_arena *arena = umsim_arena_of(p);
    if (!arena) {
        const int protection = open_section(p);
        return protection ? protection : open_registered(p, is_write);
    }
    if (!umsim_arena_is_valid(arena, p)) {
        if (!umsim_heap_open(p))
            return PROT_NONE;
        atomic_store(&is_open[UMSIM_ARENA_DEVICE], true);
        return PROT_READ | PROT_WRITE;
    }
    char *start;
    size_t bytes;
    umsim_arena_valid_run(arena, p, measuring ? UMSIM_BIG_PAGE : OPEN_REACH, &start, &bytes);
    if (measuring)
        clip_to_big_page(p, &start, &bytes);
    atomic_store(&is_open[arena - umsim_arenas], true);
    count_opened(arena == &umsim_arenas[UMSIM_ARENA_PINNED]   ? UMSIM_REACH_HOST
                 : umsim_device_at(start) == umsim_own_device ? UMSIM_REACH_DEVICE
                                                              : UMSIM_REACH_PEER,
                 start, bytes, is_write);
    return opened_as(is_write || !measuring ? PROT_READ | PROT_WRITE : PROT_READ, start, bytes);
}

static void close_arena(enum umsim_arena_kind kind)
{
    if (atomic_exchange(&is_open[kind], false))
        mprotect(umsim_arenas[kind].base, umsim_arenas[kind].size, PROT_NONE);
}

/* A kernel that touches tens of thousands of separate allocations comes to the limit on mappings. Then all is
 * closed, and opens again when it is touched. */
static int open_again(void *p, bool is_write)
{
    errno = 0;
    const int protection = open_at(p, is_write);
    if (protection || errno != ENOMEM)
        return protection;
    close_arena(UMSIM_ARENA_DEVICE);
    close_arena(UMSIM_ARENA_PINNED);
    umsim_registered_close();
    return open_at(p, is_write);
}

bool umsim_gpu_open(void *p, enum umsim_touch touch)
{
    if (touch == UMSIM_TOUCH_READ)
        return open_again(p, false) != PROT_NONE;
    if (touch == UMSIM_TOUCH_UPDATE && open_again(p, false) & PROT_WRITE)
        return true;
    return open_again(p, true) != PROT_NONE;
}

static bool is_stale(atomic_bool *stale)
{
    return atomic_load(stale) && atomic_exchange(stale, false);
}

void umsim_gpu_close_stale(struct umsim_measured *measure)
{
    struct umsim_stale *stale = &umsim_views->stale[umsim_own_device];
    measuring = measure;
    if (measure)
        umsim_measured_ranges_begin(&umsim_views->counted);
    if (measure || is_stale(&stale->device))
        close_arena(UMSIM_ARENA_DEVICE);
    if (measure || is_stale(&stale->pinned))
        close_arena(UMSIM_ARENA_PINNED);
    if (measure || is_stale(&stale->managed))
        for (unsigned i = 0; i < atomic_load(&umsim_views->spaces); i++)
            umsim_protection_close_all(own_opened(), &umsim_views->space[i], !measure);
    if (atomic_load(&umsim_views->registered_changed))
        umsim_registered_follow();
    if (measure)
        umsim_registered_close();
}

/* Each device has variables of its own, at one address in its process: the first one where the loader put
 * them, the others a copy in their memory. A mapping that is duplicated (mremap() of no bytes) needs no
 * descriptor. */
static bool map_variables(const struct umsim_section *section)
{
    char *own = section->of_device[umsim_own_device];
    return own == section->base ||
           mremap(own, 0, section->bytes, MREMAP_MAYMOVE | MREMAP_FIXED, section->base) == section->base;
}

bool umsim_gpu_become(unsigned device)
{
    umsim_own_device = device;
    umsim_arena_become(device);
    umsim_heap_become(device);
    for (unsigned i = 0; i < atomic_load(&umsim_views->sections); i++)
        if (umsim_views->section[i].bytes && !map_variables(&umsim_views->section[i]))
            return false;
    return true;
}

void umsim_gpu_close_everything(unsigned device)
{
    for (int i = 0; i < UMSIM_ARENAS; i++) {
        atomic_store(&is_open[i], true); /* as the host sees it: some of it may be open */
        close_arena((enum umsim_arena_kind)i);
        munmap(umsim_arenas[i].window, umsim_arenas[i].size); /* the host makes the copies */
    }
    umsim_protection_reset(&umsim_views->gpu_opened[device]);
    for (unsigned i = 0; i < atomic_load(&umsim_views->sections); i++)
        mprotect(umsim_views->section[i].base, umsim_views->section[i].bytes, PROT_NONE);
}
