/**
 * @file arena.c
 * @brief Implementation of arena.h: reserves and maps the arenas, and keeps their bitmaps of valid pages.
 *
 * No other file knows how an arena is made.
 */
#include "arena.h"
#include "../base/addresses.h"
#include "../base/devices.h"
#include "../base/shortage.h"
#include "../base/layout.h"
#include "../base/memory.h"
#include "../base/mode.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/** Under a limit on addresses: the least that an arena and the kernels' heap have. */
#define ARENA_LEAST ((size_t)16 << 20)
#define HEAP_LEAST ((size_t)8 << 20)

struct umsim_arena umsim_arenas[UMSIM_ARENAS] = {
    [UMSIM_ARENA_DEVICE] = {.name = "umsim-device"},
    [UMSIM_ARENA_PINNED] = {.name = "umsim-pinned", .size = UMSIM_PINNED_SIZE},
    [UMSIM_ARENA_MANAGED] = {.name = "umsim-managed", .size = UMSIM_MANAGED_SIZE},
};

/* Of each of several devices: the pages that its kernels may reach. Of one: none. */
static uint64_t *reach[UMSIM_DEVICES_MAX];

static uint64_t *bitmap(const struct umsim_arena *arena)
{
    return umsim_shared_memory(umsim_round_up(arena->size / UMSIM_PAGE / 8, UMSIM_PAGE));
}

/* The mappings keep the file alive, so no descriptor of it needs to stay open but for clients. */
static const char *arena_reserve(struct umsim_arena *arena)
{
    static char why[500];
    int fd = umsim_memory_file(arena->name, arena->size);
    if (fd < 0) {
        snprintf(why, sizeof why, "cannot make the %zu-byte memory file %s (memfd_create): %s", arena->size,
                 arena->name, umsim_why_no_file(errno));
        return why;
    }
    void *view =
        mmap(arena->base, arena->size, PROT_NONE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, fd, 0);
    if (view != arena->base) {
        snprintf(why, sizeof why, "cannot reserve %zu bytes of addresses at %p for %s: %s", arena->size,
                 (void *)arena->base, arena->name,
                 view != MAP_FAILED || errno == EEXIST
                     ? "something else stands there (ThreadSanitizer? valgrind?)"
                     : umsim_why_refused(errno, arena->size, UMSIM_ASKED_ADDRESSES));
        return why;
    }
    /* Nothing that can be read may come to lie before it: free() of its first address reads there, and has to
     * fault. Where something lies there already, it stays. */
    mmap(arena->base - UMSIM_PAGE, UMSIM_PAGE, PROT_NONE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    arena->window = mmap(NULL, arena->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
    if (arena->window == MAP_FAILED) {
        snprintf(why, sizeof why, "cannot map the copy window of %s: %s", arena->name,
                 umsim_why_refused(errno, arena->size, UMSIM_ASKED_ADDRESSES));
        return why;
    }
    umsim_note_own(arena->window, arena->size);
    umsim_keep_out_of_cores(arena->base, arena->size);
    umsim_keep_out_of_cores(arena->window, arena->size);
    arena->file = fd;
    if (!umsim_is_grading())
        close(fd);
    arena->valid = bitmap(arena);
    return NULL;
}

struct umsim_arena *umsim_arena_of(const void *p)
{
    for (int i = 0; i < UMSIM_ARENAS; i++)
        if ((uintptr_t)p - (uintptr_t)umsim_arenas[i].base < umsim_arenas[i].size)
            return &umsim_arenas[i];
    return NULL;
}

/* Sets or clears the bits of the pages [first, last). */
static void set_bits(uint64_t *bits, size_t first, size_t last, bool set)
{
    for (size_t page = first; page < last;) {
        uint64_t mask = UINT64_C(1) << page % 64;
        if (page % 64 == 0 && last - page >= 64)
            mask = ~UINT64_C(0);
        if (set)
            __atomic_fetch_or(&bits[page / 64], mask, __ATOMIC_RELEASE);
        else
            __atomic_fetch_and(&bits[page / 64], ~mask, __ATOMIC_RELEASE);
        page += mask == ~UINT64_C(0) ? 64 : 1;
    }
}

void umsim_arena_set_valid(struct umsim_arena *arena, const void *p, size_t bytes, bool valid)
{
    const size_t first = (size_t)((const char *)p - arena->base) / UMSIM_PAGE;
    set_bits(arena->valid, first, first + bytes / UMSIM_PAGE, valid);
    if (arena == &umsim_arenas[UMSIM_ARENA_DEVICE] && !valid)
        umsim_arena_reached_by(p, bytes, 0);
}

/* ---- several devices ---- */

size_t umsim_device_part(void)
{
    return umsim_arenas[UMSIM_ARENA_DEVICE].size / umsim_devices;
}

char *umsim_device_start(unsigned device)
{
    return umsim_arenas[UMSIM_ARENA_DEVICE].base + device * umsim_device_part();
}

unsigned umsim_device_at(const void *p)
{
    const struct umsim_arena *arena = &umsim_arenas[UMSIM_ARENA_DEVICE];
    return umsim_devices == 1 ? 0 : (unsigned)((size_t)((const char *)p - arena->base) / umsim_device_part());
}

void umsim_arena_reached_by(const void *p, size_t bytes, unsigned devices)
{
    const size_t first = (size_t)((const char *)p - umsim_arenas[UMSIM_ARENA_DEVICE].base) / UMSIM_PAGE;
    for (unsigned device = 0; device < umsim_devices && reach[0]; device++)
        set_bits(reach[device], first, first + bytes / UMSIM_PAGE, devices >> device & 1);
}

void umsim_arena_become(unsigned device)
{
    if (reach[0])
        umsim_arenas[UMSIM_ARENA_DEVICE].valid = reach[device];
}

static bool page_is_valid(const struct umsim_arena *arena, size_t page)
{
    return __atomic_load_n(&arena->valid[page / 64], __ATOMIC_ACQUIRE) >> page % 64 & 1;
}

bool umsim_arena_is_valid(const struct umsim_arena *arena, const void *p)
{
    return page_is_valid(arena, (size_t)((const char *)p - arena->base) / UMSIM_PAGE);
}

/* 64 pages, all of them valid, from a multiple of 64 on. */
static bool word_is_valid(const struct umsim_arena *arena, size_t page)
{
    return __atomic_load_n(&arena->valid[page / 64], __ATOMIC_ACQUIRE) == ~UINT64_C(0);
}

bool umsim_arena_all_valid(const struct umsim_arena *arena, const void *p, size_t bytes)
{
    const size_t offset = (size_t)((const char *)p - arena->base);
    if (!bytes || bytes > arena->size - offset)
        return false;
    const size_t last = (offset + bytes - 1) / UMSIM_PAGE;
    for (size_t page = offset / UMSIM_PAGE; page <= last;) {
        const bool whole_word = page % 64 == 0 && last - page >= 64;
        if (whole_word ? !word_is_valid(arena, page) : !page_is_valid(arena, page))
            return false;
        page += whole_word ? 64 : 1;
    }
    return true;
}

void umsim_arena_valid_run(const struct umsim_arena *arena, const void *p, size_t limit, char **start,
                           size_t *bytes)
{
    size_t page = (size_t)((const char *)p - arena->base) / UMSIM_PAGE, pages = arena->size / UMSIM_PAGE;
    size_t first = page, last = page + 1, reach = limit / UMSIM_PAGE;
    while (first > 0 && page - first < reach && page_is_valid(arena, first - 1))
        first -= first % 64 == 0 && page - first + 64 <= reach && word_is_valid(arena, first - 64) ? 64 : 1;
    while (last < pages && last - page < reach && page_is_valid(arena, last))
        last += last % 64 == 0 && last - page + 64 <= reach && word_is_valid(arena, last) ? 64 : 1;
    *start = arena->base + first * UMSIM_PAGE;
    *bytes = (last - first) * UMSIM_PAGE;
}

void umsim_arena_discard(struct umsim_arena *arena, void *p, size_t bytes)
{
    madvise(arena->window + ((char *)p - arena->base), bytes, MADV_REMOVE);
}

bool umsim_arena_back(struct umsim_arena *arena, void *p, size_t bytes, int file)
{
    const int own = file < 0 ? umsim_memory_file(arena->name, bytes) : -1;
    const int backing = file < 0 ? own : file;
    void *window = arena->window + ((char *)p - arena->base);
    const bool done =
        backing >= 0 &&
        mmap(window, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED, backing, 0) !=
            MAP_FAILED &&
        mmap(p, bytes, PROT_NONE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED, backing, 0) != MAP_FAILED;
    if (own >= 0)
        close(own);
    umsim_keep_out_of_cores(p, bytes);
    umsim_keep_out_of_cores(window, bytes);
    return done;
}

/* It maps its own tables where the arenas should be, ends the program when something else is there, and its
 * code in a kernel would need those tables in the GPU process, too. Each of its runtimes has this function.
 */
static bool thread_sanitizer_runs(void)
{
    return dlsym(RTLD_DEFAULT, "__tsan_acquire") != NULL;
}

const char *umsim_arenas_reserve(size_t device_bytes)
{
    if (thread_sanitizer_runs())
        return "ThreadSanitizer keeps the addresses of the GPU's memory for itself; build without "
               "-fsanitize=thread (umcc --check=race finds races in kernels)";
    struct umsim_arena *device = &umsim_arenas[UMSIM_ARENA_DEVICE];
    if (device_bytes > UMSIM_DEVICE_SIZE_MAX - UMSIM_HEAP_SIZE)
        device_bytes = UMSIM_DEVICE_SIZE_MAX - UMSIM_HEAP_SIZE;
    const size_t heap = umsim_addresses_share(UMSIM_HEAP_SIZE, HEAP_LEAST);
    const size_t share = umsim_addresses_share(device_bytes, ARENA_LEAST);
    device->size = umsim_devices * (umsim_round_up(share, UMSIM_VA_BLOCK) + heap);
    device->set_aside = heap;
    for (int i = 0; i < UMSIM_ARENAS; i++)
        umsim_arenas[i].base = (char *)umsim_places()->arena[i];
    if (device->size > UMSIM_DEVICE_SIZE_MAX)
        device->base -= umsim_round_up(device->size - UMSIM_DEVICE_SIZE_MAX, UMSIM_VA_BLOCK);
    for (int i = UMSIM_ARENA_PINNED; i < UMSIM_ARENAS; i++)
        if (umsim_addresses_short() && umsim_arenas[i].size > share)
            umsim_arenas[i].size = share;
    for (int i = 0; i < UMSIM_ARENAS; i++) {
        if (umsim_arenas[i].size > umsim_places()->most)
            umsim_arenas[i].size = umsim_round_down(umsim_places()->most, umsim_devices * UMSIM_VA_BLOCK);
        const char *why = arena_reserve(&umsim_arenas[i]);
        if (why)
            return why;
    }
    for (unsigned i = 0; i < umsim_devices && umsim_devices > 1; i++)
        reach[i] = bitmap(device);
    return NULL;
}
