/**
 * @file register.c
 * @brief Implementation of register.h: moves private pages into a shared file and back, and counts the
 * registrations that need them.
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
#include "../base/own_stack.h"
#include "../base/report.h"
#include "fork.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/** How far from its current place a thread may use its stack while it forks. */
enum { STACK_REACH = 64 << 10 };

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

/* Pages that change their memory: what is at `base` goes to `target`, and `target` takes its place. */
struct swap {
    char *base, *target;
    size_t bytes;
    int protection;
    bool done;
};

static void swap_pages(void *swap)
{
    struct swap *it = swap;
    it->done = mprotect(it->base, it->bytes, PROT_READ | (it->protection & PROT_EXEC)) == 0;
    if (!it->done)
        return;
    copy_pages(it->target, it->base, it->bytes);
    it->done = mprotect(it->target, it->bytes, it->protection) == 0 &&
               mremap(it->target, it->bytes, it->bytes, MREMAP_MAYMOVE | MREMAP_FIXED, it->base) == it->base;
    if (!it->done)
        mprotect(it->base, it->bytes, it->protection);
}

/* Whether functions that are called here, or have called this one, may have their variables there. */
static bool is_on_this_stack(const char *base, size_t bytes)
{
    const uintptr_t here = (uintptr_t)__builtin_frame_address(0), reach = STACK_REACH;
    return here + reach > (uintptr_t)base && here < (uintptr_t)base + bytes + reach;
}

/* Called while the program cannot fork, with signals blocked: only one thread is here. Others see it as one
 * step. */
static bool swap_in(char *base, size_t bytes, int protection, char *target)
{
    static struct swap moved;
    moved = (struct swap){base, target, bytes, protection, false};
    atomic_store(&moving_end, base + bytes);
    atomic_store(&moving_start, base);
    umsim_on_own_stack(swap_pages, &moved); /* the thread's stack may be what moves */
    atomic_store(&moving_start, NULL);
    return moved.done;
}

static bool swap_without_forks(char *base, size_t bytes, int protection, char *target)
{
    const umsim_signals before = umsim_fork_hold();
    const bool done = swap_in(base, bytes, protection, target);
    umsim_fork_allow(before);
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

static struct umsim_registered *take_entry(unsigned index, const struct umsim_host_mapping *piece)
{
    struct umsim_registered *entry = entry_of(index);
    entry->base = (char *)piece->start;
    entry->bytes = piece->end - piece->start;
    entry->in_place = piece->shared;
    entry->protection = piece->protection;
    entry->aside = false;
    entry->offset = 0;
    entry->holders = 0;
    return entry;
}

static void enter(struct umsim_registered *entry)
{
    const unsigned index = (unsigned)(entry - umsim_views->registered);
    atomic_store(&entry->state, UMSIM_REGISTERED_LIVE);
    atomic_store(&umsim_views->registered_changed, true);
    if (index == atomic_load(&umsim_views->registered_used))
        atomic_fetch_add(&umsim_views->registered_used, 1);
}

/* Moves pages that no registration holds yet into the file. */
static enum umsim_register_result move(struct umsim_registered *entry)
{
    if (!umsim_free_ranges_take(&gaps, entry->bytes, &entry->offset))
        return UMSIM_REGISTER_NO_MEMORY;
    char *target = mmap(NULL, entry->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file,
                        (off_t)entry->offset);
    if (target != MAP_FAILED && swap_without_forks(entry->base, entry->bytes, entry->protection, target))
        return UMSIM_REGISTERED_OK;
    if (target != MAP_FAILED)
        munmap(target, entry->bytes);
    umsim_free_ranges_put(&gaps, entry->offset, entry->bytes);
    return target == MAP_FAILED ? UMSIM_REGISTER_NO_MEMORY : UMSIM_REGISTER_UNMAPPED;
}

/* Makes a piece of a mapping reachable that no registration holds yet. */
static enum umsim_register_result add_entry(const struct umsim_host_mapping *piece, unsigned *index)
{
    *index = free_entry();
    if (*index == UMSIM_REGISTERED_MAX)
        return UMSIM_REGISTER_NO_MEMORY;
    struct umsim_registered *entry = take_entry(*index, piece);
    const enum umsim_register_result result = entry->in_place ? UMSIM_REGISTERED_OK : move(entry);
    if (result == UMSIM_REGISTERED_OK)
        enter(entry);
    return result;
}

static void move_back(struct umsim_registered *entry)
{
    char *own = mmap(NULL, entry->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (own != MAP_FAILED && !swap_without_forks(entry->base, entry->bytes, entry->protection, own))
        munmap(own, entry->bytes); /* the program has unmapped the memory in the meantime */
    fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)entry->offset, (off_t)entry->bytes);
    umsim_free_ranges_put(&gaps, entry->offset, entry->bytes);
}

static void end_entry(struct umsim_registered *entry)
{
    if (!entry->in_place)
        move_back(entry);
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

/* The pages that a range touches, gone through piece by piece. */
struct walk {
    char *at, *end;
    bool for_writing;
    int entry;                       /* the piece's entry in the table, or -1: */
    struct umsim_host_mapping piece; /* it is not registered yet */
};

static struct walk walk_over(const void *p, size_t bytes, bool for_writing)
{
    return (struct walk){(char *)umsim_round_down((uintptr_t)p, UMSIM_PAGE),
                         (char *)umsim_round_up((uintptr_t)p + bytes, UMSIM_PAGE),
                         for_writing,
                         -1,
                         {0}};
}

/* Finds the next piece. @return UMSIM_PINS, or why it cannot be registered */
static enum umsim_pinning next_piece(struct walk *walk)
{
    const int there = entry_at_or_after(walk->at, walk->end);
    const bool is_there = there >= 0 && entry_of((unsigned)there)->base <= walk->at;
    walk->entry = is_there ? there : -1;
    if (is_there) {
        walk->at = entry_of((unsigned)there)->base + entry_of((unsigned)there)->bytes;
        return UMSIM_PINS;
    }
    const char *limit = there < 0 ? walk->end : entry_of((unsigned)there)->base;
    const enum umsim_pinning pinning =
        umsim_host_mapping_at((uintptr_t)walk->at, (uintptr_t)limit, walk->for_writing, &walk->piece);
    if (pinning == UMSIM_PINS)
        walk->at = (char *)walk->piece.end;
    return pinning;
}

enum umsim_pinning umsim_register_examine(const void *p, size_t bytes, bool for_writing, bool *unknown)
{
    struct walk walk = walk_over(p, bytes, for_writing);
    enum umsim_pinning pinning = UMSIM_PINS;
    *unknown = false;
    while (walk.at < walk.end && pinning == UMSIM_PINS) {
        pinning = next_piece(&walk);
        if (pinning == UMSIM_PINS && walk.entry < 0 && walk.piece.shared)
            *unknown |= !umsim_gpu_has_mapping(&walk.piece);
    }
    return pinning;
}

enum umsim_register_result umsim_register_pages(void *p, size_t bytes, bool for_writing,
                                                struct umsim_registration **out)
{
    struct walk walk = walk_over(p, bytes, for_writing);
    enum umsim_register_result result = UMSIM_REGISTERED_OK;
    *out = calloc(1, sizeof **out);
    while (*out && walk.at < walk.end && result == UMSIM_REGISTERED_OK) {
        unsigned index = 0;
        if (next_piece(&walk) != UMSIM_PINS)
            result = UMSIM_REGISTER_UNMAPPED;
        else if (walk.entry < 0)
            result = add_entry(&walk.piece, &index);
        else
            index = (unsigned)walk.entry;
        if (result == UMSIM_REGISTERED_OK && !hold(out, index))
            result = UMSIM_REGISTER_NO_MEMORY;
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
            end_entry(entry);
    }
    free(registration);
}

/* ---- in a child of fork() ---- */

static bool is_moved(const struct umsim_registered *entry)
{
    return atomic_load(&entry->state) == UMSIM_REGISTERED_LIVE && !entry->in_place;
}

bool umsim_register_has_moved(void)
{
    for (unsigned i = 0; i < atomic_load(&umsim_views->registered_used); i++)
        if (is_moved(entry_of(i)))
            return true;
    return false;
}

static void make_private(struct umsim_registered *entry)
{
    char *own = mmap(NULL, entry->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (own == MAP_FAILED || !swap_in(entry->base, entry->bytes, entry->protection, own))
        umsim_die("no memory for a forked child's copy of %zu registered bytes: %s", entry->bytes,
                  strerror(errno));
}

static void each_moved(bool aside, void (*visit)(struct umsim_registered *))
{
    for (unsigned i = 0; i < atomic_load(&umsim_views->registered_used); i++)
        if (is_moved(entry_of(i)) && entry_of(i)->aside == aside)
            visit(entry_of(i));
}

/* Parent and child cannot run on one stack for a moment. What kernels write to it in that moment is lost. */
static void step_aside(struct umsim_registered *entry)
{
    if (!is_on_this_stack(entry->base, entry->bytes))
        return;
    make_private(entry);
    entry->aside = true;
}

static void step_back(struct umsim_registered *entry)
{
    char *target = mmap(NULL, entry->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file,
                        (off_t)entry->offset);
    entry->aside = false;
    if (target == MAP_FAILED || !swap_in(entry->base, entry->bytes, entry->protection, target))
        umsim_die("%zu registered bytes cannot be mapped: %s", entry->bytes, strerror(errno));
}

void umsim_register_before_fork(void)
{
    each_moved(false, step_aside);
}

void umsim_register_after_fork(bool in_child)
{
    if (in_child)
        each_moved(false, make_private);
    else
        each_moved(true, step_back);
}
