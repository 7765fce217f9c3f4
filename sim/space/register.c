/**
 * @file register.c
 * @brief Implementation of register.h: moves pages into a shared file and back, and counts the registrations
 * that need them.
 *
 * Callers hold the simulator's lock.
 */
#include "register.h"
#include "arena.h"
#include "allocator.h"
#include "../base/layout.h"
#include "protection.h"
#include "views.h"
#include "../base/memory.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct umsim_registration {
    size_t count;
    unsigned entry[]; /* indices in the shared table */
};

static int file = -1;
static struct umsim_free_ranges gaps;
static _Atomic(char *) moving_start, moving_end;

int umsim_registered_file(void)
{
    return file;
}

bool umsim_register_start(void)
{
    file = umsim_memory_file("umsim-registered", UMSIM_REGISTER_SIZE);
    return file >= 0 && umsim_free_ranges_put(&gaps, 0, UMSIM_REGISTER_SIZE);
}

bool umsim_register_settling(const void *p)
{
    const char *start = atomic_load(&moving_start), *end = atomic_load(&moving_end);
    return start && (const char *)p >= start && (const char *)p < end;
}

/* Whole pages hold more than the program registered. AddressSanitizer must not judge what lies between the
 * program's objects, and memcpy would ask it. */
#ifdef __SANITIZE_ADDRESS__
__attribute__((no_sanitize_address, optimize("no-tree-loop-distribute-patterns")))
#endif
static void
copy_pages(char *to, const char *from, size_t bytes)
{
#ifdef __SANITIZE_ADDRESS__
    for (size_t i = 0; i < bytes / sizeof(uint64_t); i++)
        ((uint64_t *)to)[i] = ((const uint64_t *)from)[i];
#else
    memcpy(to, from, bytes);
#endif
}

/* Copies the pages to `target` and maps that in their place. Other threads see this as one step. */
static bool swap_in(char *base, size_t bytes, char *target)
{
    atomic_store(&moving_end, base + bytes);
    atomic_store(&moving_start, base);
    bool done = mprotect(base, bytes, PROT_READ) == 0;
    if (done) {
        copy_pages(target, base, bytes);
        done = mremap(target, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, base) == base;
        if (!done)
            mprotect(base, bytes, PROT_READ | PROT_WRITE);
    }
    atomic_store(&moving_start, NULL);
    return done;
}

static struct umsim_registered *entry_of(unsigned index)
{
    return &umsim_views->registered[index];
}

/* The live entry that holds the page `p`, or else the first one behind it. @return its index, or -1 */
static int entry_at_or_after(const char *p, const char *end)
{
    int best = -1;
    for (unsigned i = 0; i < atomic_load(&umsim_views->registered_used); i++) {
        const struct umsim_registered *entry = entry_of(i);
        bool ahead = atomic_load(&entry->state) == UMSIM_REGISTERED_LIVE && entry->base < end &&
                     entry->base + entry->bytes > p;
        if (ahead && (best < 0 || entry->base < entry_of((unsigned)best)->base))
            best = (int)i;
    }
    return best;
}

static unsigned free_entry(void)
{
    unsigned used = atomic_load(&umsim_views->registered_used);
    for (unsigned i = 0; i < used; i++)
        if (atomic_load(&entry_of(i)->state) == UMSIM_REGISTERED_FREE)
            return i;
    return used;
}

/* Moves one run of pages that no registration holds yet. */
static enum umsim_register_result move_run(char *base, size_t bytes, unsigned *index)
{
    size_t offset;
    *index = free_entry();
    if (*index == UMSIM_REGISTERED_MAX || !umsim_free_ranges_take(&gaps, bytes, &offset))
        return UMSIM_REGISTER_NO_MEMORY;
    char *target = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, (off_t)offset);
    if (target == MAP_FAILED || !swap_in(base, bytes, target)) {
        if (target != MAP_FAILED)
            munmap(target, bytes);
        umsim_free_ranges_put(&gaps, offset, bytes);
        return target == MAP_FAILED ? UMSIM_REGISTER_NO_MEMORY : UMSIM_REGISTER_UNMAPPED;
    }
    struct umsim_registered *entry = entry_of(*index);
    entry->base = base;
    entry->bytes = bytes;
    entry->offset = offset;
    entry->holders = 0;
    atomic_store(&entry->state, UMSIM_REGISTERED_LIVE);
    atomic_store(&umsim_views->registered_changed, true);
    if (*index == atomic_load(&umsim_views->registered_used))
        atomic_fetch_add(&umsim_views->registered_used, 1);
    return UMSIM_REGISTERED_OK;
}

static void move_back(struct umsim_registered *entry)
{
    char *own = mmap(NULL, entry->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (own != MAP_FAILED && !swap_in(entry->base, entry->bytes, own))
        munmap(own, entry->bytes); /* the program has unmapped the memory in the meantime */
    fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)entry->offset, (off_t)entry->bytes);
    umsim_free_ranges_put(&gaps, entry->offset, entry->bytes);
    atomic_store(&entry->state, UMSIM_REGISTERED_STALE);
    atomic_store(&umsim_views->registered_changed, true);
}

static bool hold(struct umsim_registration **registration, unsigned index)
{
    size_t count = (*registration)->count;
    struct umsim_registration *grown =
        realloc(*registration, sizeof *grown + (count + 1) * sizeof grown->entry[0]);
    if (!grown)
        return false;
    grown->entry[grown->count++] = index;
    entry_of(index)->holders++;
    *registration = grown;
    return true;
}

enum umsim_register_result umsim_register_pages(void *p, size_t bytes, struct umsim_registration **out)
{
    char *at = (char *)umsim_round_down((uintptr_t)p, UMSIM_PAGE);
    char *end = (char *)umsim_round_up((uintptr_t)p + bytes, UMSIM_PAGE);
    unsigned char resident;
    if (mincore(at, UMSIM_PAGE, &resident) != 0 || mincore(end - UMSIM_PAGE, UMSIM_PAGE, &resident) != 0)
        return UMSIM_REGISTER_UNMAPPED;
    enum umsim_register_result result = UMSIM_REGISTERED_OK;
    *out = calloc(1, sizeof **out);
    while (*out && at < end && result == UMSIM_REGISTERED_OK) {
        int there = entry_at_or_after(at, end);
        unsigned index = (unsigned)there;
        if (there < 0 || entry_of(index)->base > at)
            result = move_run(at, (size_t)((there < 0 ? end : entry_of((unsigned)there)->base) - at), &index);
        if (result == UMSIM_REGISTERED_OK && !hold(out, index))
            result = UMSIM_REGISTER_NO_MEMORY;
        at = entry_of(index)->base + entry_of(index)->bytes;
    }
    if (!*out)
        return UMSIM_REGISTER_NO_MEMORY;
    if (result != UMSIM_REGISTERED_OK)
        umsim_unregister_pages(*out);
    return result;
}

void umsim_unregister_pages(struct umsim_registration *registration)
{
    for (size_t i = 0; i < registration->count; i++) {
        struct umsim_registered *entry = entry_of(registration->entry[i]);
        if (--entry->holders == 0)
            move_back(entry);
    }
    free(registration);
}
