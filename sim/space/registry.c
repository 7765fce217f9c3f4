/**
 * @file registry.c
 * @brief Implementation of registry.h: the set of allocations, ordered by address.
 *
 * The fault handler may look an address up while another thread changes the set. So the memory of entries is
 * never given back: it is kept for later ones.
 */
#include "registry.h"
#include "../base/devices.h"
#include "../base/foreign_call.h"
#include "allocator.h"
#include "../base/layout.h"
#include "allocator_small.h"
#include "../base/addresses.h"
#include "../base/mode.h"
#include "../base/report.h"
#include "../record/ledger.h"
#include "../record/trace.h"

#include <stdlib.h>

/** The number of freed allocations that explanations still know. */
#define FREED_NOTES 64
/** Limits on the freed places that a checked program does not reuse: their number, and their bytes. */
#define KEPT_PLACES 4096
#define KEPT_BYTES ((size_t)16 << 30)

static struct umsim_spans entries; /* struct umsim_alloc */
static struct umsim_alloc *unused; /* linked by `detail` */
/* Of the device arena: those of each device's part. */
static struct umsim_free_ranges gaps[UMSIM_ARENAS], device_gaps[UMSIM_DEVICES_MAX];
static bool gaps_known[UMSIM_ARENAS], device_gaps_known[UMSIM_DEVICES_MAX];
static struct umsim_alloc freed[FREED_NOTES];
static size_t freed_count, device_used[UMSIM_DEVICES_MAX], absent_count;
static unsigned enabled[UMSIM_DEVICES_MAX]; /* by owner: the devices (bits) with peer access to it */
static struct umsim_peers_of_owner *owners; /* contexts of the driver API with memory of their own */
static uint64_t changes;
static struct umsim_registry_watcher watcher;

/* The names that docs/trace.md lists. */
static const char *const memory_names[] = {
    [UMSIM_DEVICE] = "device",
    [UMSIM_PINNED] = "pinned",
    [UMSIM_MANAGED] = "managed",
    [UMSIM_REGISTERED] = "registered",
    [UMSIM_DEVICE_VARIABLE] = "device variables",
    [UMSIM_MANAGED_VARIABLE] = "managed variables",
};

_Static_assert((int)UMSIM_LEDGER_DEVICE == (int)UMSIM_ARENA_DEVICE &&
                   (int)UMSIM_LEDGER_PINNED == (int)UMSIM_ARENA_PINNED &&
                   (int)UMSIM_LEDGER_MANAGED == (int)UMSIM_ARENA_MANAGED,
               "arenas are numbered like the kinds of memory");
_Static_assert((int)UMSIM_LEDGER_REGISTERED == (int)UMSIM_REGISTERED, "kinds of memory are numbered alike");

void umsim_registry_watch(struct umsim_registry_watcher wants_to_know)
{
    watcher = wants_to_know;
}

static enum umsim_arena_kind arena_kind(enum umsim_memory memory)
{
    switch (memory) {
    case UMSIM_PINNED:
        return UMSIM_ARENA_PINNED;
    case UMSIM_MANAGED:
        return UMSIM_ARENA_MANAGED;
    default:
        return UMSIM_ARENA_DEVICE;
    }
}

/* The bytes of an allocation and of the gap behind it. A checked program's small allocations stay small. */
static size_t spaced(enum umsim_arena_kind kind, size_t bytes)
{
    const size_t gap = umsim_checks ? UMSIM_PAGE : 0;
    if (kind != UMSIM_ARENA_MANAGED || !umsim_is_small(bytes))
        return bytes + gap;
    return gap && umsim_is_small(bytes + UMSIM_ALLOCATOR_SMALL_UNIT) ? bytes + UMSIM_ALLOCATOR_SMALL_UNIT
                                                                     : bytes;
}

/* Large managed allocations get separate VA blocks, small ones share blocks, and all others get separate
 * pages. */
static bool take_place(enum umsim_arena_kind kind, size_t bytes, size_t *start)
{
    const size_t needed = spaced(kind, bytes);
    if (kind == UMSIM_ARENA_DEVICE)
        return umsim_free_ranges_take(&device_gaps[umsim_device()], umsim_round_up(needed, UMSIM_PAGE),
                                      start);
    if (kind != UMSIM_ARENA_MANAGED)
        return umsim_free_ranges_take(&gaps[kind], umsim_round_up(needed, UMSIM_PAGE), start);
    if (umsim_is_small(bytes))
        return umsim_allocator_small_take(&gaps[kind], needed, start);
    return umsim_free_ranges_take(&gaps[kind], umsim_round_up(needed, UMSIM_VA_BLOCK), start);
}

static void give_place_back(enum umsim_arena_kind kind, size_t start, size_t bytes)
{
    const size_t needed = spaced(kind, bytes);
    if (kind == UMSIM_ARENA_DEVICE)
        umsim_free_ranges_put(&device_gaps[umsim_device_at(umsim_arenas[kind].base + start)], start,
                              umsim_round_up(needed, UMSIM_PAGE));
    else if (kind != UMSIM_ARENA_MANAGED)
        umsim_free_ranges_put(&gaps[kind], start, umsim_round_up(needed, UMSIM_PAGE));
    else if (umsim_is_small(bytes))
        umsim_allocator_small_put(&gaps[kind], start, needed);
    else
        umsim_free_ranges_put(&gaps[kind], start, umsim_round_up(needed, UMSIM_VA_BLOCK));
}

/* Places that a checked program has freed. They are not given out again as long as there is space, so that an
 * access after a free is recognised as one. */
static struct {
    struct kept {
        enum umsim_arena_kind kind;
        size_t start, bytes;
    } place[KEPT_PLACES];
    size_t first, count, bytes;
} kept;

static bool give_oldest_back(void)
{
    if (!kept.count)
        return false;
    const struct kept *oldest = &kept.place[kept.first];
    kept.first = (kept.first + 1) % KEPT_PLACES;
    kept.count--;
    kept.bytes -= oldest->bytes;
    give_place_back(oldest->kind, oldest->start, oldest->bytes);
    return true;
}

static void retire_place(enum umsim_arena_kind kind, size_t start, size_t bytes)
{
    if (!umsim_checks) {
        give_place_back(kind, start, bytes);
        return;
    }
    while (kept.count == KEPT_PLACES || (kept.count && kept.bytes + bytes > KEPT_BYTES))
        give_oldest_back();
    kept.place[(kept.first + kept.count++) % KEPT_PLACES] = (struct kept){kind, start, bytes};
    kept.bytes += bytes;
}

/* The pages that hold [base, base + bytes). The first and the last page of a small allocation may hold parts
 * of others, too. */
static char *pages_of(const struct umsim_alloc *allocation, size_t *bytes)
{
    uintptr_t first = umsim_round_down((uintptr_t)allocation->base, UMSIM_PAGE);
    *bytes = umsim_round_up((uintptr_t)allocation->base + allocation->bytes, UMSIM_PAGE) - first;
    return (char *)first;
}

static struct umsim_alloc *alloc_of(struct umsim_span *range)
{
    return (struct umsim_alloc *)range;
}

static struct umsim_alloc *new_entry(void)
{
    struct umsim_alloc *entry = unused;
    if (!entry)
        return malloc(sizeof *entry);
    unused = entry->detail;
    return entry;
}

/* Whose memory it is; negative: no device's. Where several devices have copies of a variable, the one that
 * the loader made is nobody's. */
static int device_of_memory(const struct umsim_alloc *allocation)
{
    if (umsim_arena_of(allocation->base) != &umsim_arenas[UMSIM_ARENA_DEVICE])
        return -1;
    return (int)umsim_device_at(allocation->base);
}

struct umsim_alloc *umsim_registry_add(void *base, size_t bytes, enum umsim_memory memory, const char *call,
                                       const void *caller)
{
    struct umsim_alloc *entry = new_entry();
    if (!entry)
        return NULL;
    *entry = (struct umsim_alloc){.span = {.start = (uintptr_t)base, .bytes = bytes},
                                  .base = base,
                                  .bytes = bytes,
                                  .reserved = umsim_round_up(bytes, UMSIM_PAGE),
                                  .memory = memory,
                                  .device = umsim_device(),
                                  .call = umsim_call_name(call),
                                  .caller = umsim_call_place(caller),
                                  .owner = umsim_call_owner};
    umsim_spans_add(&entries, &entry->span);
    changes++;
    if (memory <= UMSIM_REGISTERED) /* variables of modules are not counted */
        umsim_ledger_made((enum umsim_ledger_kind)memory, bytes);
    umsim_trace_allocation(entry->base, bytes, device_of_memory(entry), memory_names[memory], call);
    if (watcher.came)
        watcher.came(entry);
    return entry;
}

void umsim_registry_remove(struct umsim_alloc *allocation)
{
    umsim_spans_remove(&entries, &allocation->span);
    changes++;
    if (allocation->memory <= UMSIM_REGISTERED)
        umsim_ledger_released((enum umsim_ledger_kind)allocation->memory, allocation->bytes);
    umsim_trace_release(allocation->base, allocation->bytes, device_of_memory(allocation),
                        memory_names[allocation->memory], allocation->call);
    if (watcher.goes)
        watcher.goes(allocation);
    freed[freed_count++ % FREED_NOTES] = *allocation;
    allocation->detail = unused;
    unused = allocation;
}

/* The bytes for allocations; of the device arena, each device's. */
static size_t usable_of(enum umsim_arena_kind kind)
{
    const struct umsim_arena *arena = &umsim_arenas[kind];
    return (kind == UMSIM_ARENA_DEVICE ? umsim_device_part() : arena->size) - arena->set_aside;
}

static void know_gaps(enum umsim_arena_kind kind)
{
    const unsigned device = umsim_device();
    if (kind != UMSIM_ARENA_DEVICE && !gaps_known[kind])
        gaps_known[kind] = umsim_free_ranges_put(&gaps[kind], 0, usable_of(kind));
    if (kind == UMSIM_ARENA_DEVICE && !device_gaps_known[device])
        device_gaps_known[device] =
            umsim_free_ranges_put(&device_gaps[device], device * umsim_device_part(), usable_of(kind));
}

/* The simulated GPU would have the memory; the addresses for it are missing. */
static void say_why_not(enum umsim_arena_kind kind, size_t bytes, const char *call)
{
    static const char *const kinds[] = {"device", "pinned", "managed"};
    static bool said[UMSIM_ARENAS];
    if (!umsim_addresses_are_few() || said[kind])
        return;
    said[kind] = true;
    umsim_say("%s of %zu bytes fails: %s there are %zu MiB for %s memory; raise the limit, or take less",
              call, bytes, umsim_addresses_limit(), usable_of(kind) >> 20, kinds[kind]);
}

bool umsim_peer_is_enabled(unsigned from, unsigned to)
{
    return enabled[to] >> from & 1;
}

unsigned umsim_peers_of(unsigned to)
{
    return (unsigned)__builtin_popcount(enabled[to]);
}

static bool is_of(const struct umsim_alloc *allocation, const struct umsim_peers_of_owner *owner)
{
    return allocation->owner == owner->owner && allocation->device == owner->device;
}

static unsigned enabled_for(const struct umsim_alloc *allocation)
{
    unsigned devices = allocation->owner ? 0 : enabled[allocation->device];
    for (const struct umsim_peers_of_owner *it = owners; it; it = it->next)
        devices |= is_of(allocation, it) ? it->devices : 0;
    return devices;
}

/* The devices whose kernels may reach memory of a device. Peer access says nothing of memory of pools, nor of
 * variables, as on two H200s. */
static unsigned reached_by(const struct umsim_alloc *allocation)
{
    const unsigned owner = 1U << allocation->device;
    if (allocation->memory == UMSIM_DEVICE_VARIABLE)
        return owner;
    return owner | (umsim_has_list(allocation) ? allocation->listed : enabled_for(allocation));
}

bool umsim_may_reach(unsigned device, const struct umsim_alloc *allocation)
{
    return !umsim_is_device_only(allocation->memory) || reached_by(allocation) >> device & 1;
}

void umsim_registry_reach(const struct umsim_alloc *allocation)
{
    size_t bytes;
    char *pages = pages_of(allocation, &bytes);
    if (umsim_devices > 1 && umsim_is_device_only(allocation->memory) &&
        umsim_arena_of(pages) == &umsim_arenas[UMSIM_ARENA_DEVICE])
        umsim_arena_reached_by(pages, bytes, allocation->absent ? 0 : reached_by(allocation));
}

static void reach_anew(struct umsim_alloc *allocation, void *owner)
{
    if (allocation->device == *(unsigned *)owner)
        umsim_registry_reach(allocation);
}

void umsim_peer_enable(unsigned from, unsigned to, bool wanted)
{
    enabled[to] = wanted ? enabled[to] | 1U << from : enabled[to] & ~(1U << from);
    umsim_registry_each(reach_anew, &to);
}

static void reach_of_owner(struct umsim_alloc *allocation, void *owner)
{
    if (is_of(allocation, owner))
        umsim_registry_reach(allocation);
}

bool umsim_peer_enable_for(struct umsim_peers_of_owner *owner, unsigned devices)
{
    const unsigned before = owner->devices;
    if (!owner->known) {
        owner->known = true;
        owner->next = owners;
        owners = owner;
    }
    owner->devices = devices;
    umsim_registry_each(reach_of_owner, owner);
    return before & ~devices;
}

struct umsim_alloc *umsim_allocate(enum umsim_memory memory, size_t bytes, const char *call,
                                   const void *caller)
{
    enum umsim_arena_kind kind = arena_kind(memory);
    struct umsim_arena *arena = &umsim_arenas[kind];
    if (bytes > usable_of(kind)) {
        say_why_not(kind, bytes, call);
        return NULL;
    }
    know_gaps(kind);
    size_t start;
    while (!take_place(kind, bytes, &start))
        if (!give_oldest_back()) {
            say_why_not(kind, bytes, call);
            return NULL;
        }
    struct umsim_alloc *entry = umsim_registry_add(arena->base + start, bytes, memory, call, caller);
    if (!entry) {
        give_place_back(kind, start, bytes);
        return NULL;
    }
    size_t alive;
    char *pages = pages_of(entry, &alive);
    umsim_arena_set_valid(arena, pages, alive, true);
    umsim_registry_reach(entry);
    if (memory == UMSIM_DEVICE)
        device_used[entry->device] += entry->reserved;
    return entry;
}

/* Closes and empties the pages that no other allocation uses. The allocation is no longer in the registry. */
static void end_pages(struct umsim_arena *arena, char *pages, size_t bytes)
{
    if (umsim_registry_overlap(pages, UMSIM_PAGE)) {
        pages += UMSIM_PAGE;
        bytes -= UMSIM_PAGE;
    }
    if (bytes && umsim_registry_overlap(pages + bytes - UMSIM_PAGE, UMSIM_PAGE))
        bytes -= UMSIM_PAGE;
    if (!bytes)
        return;
    umsim_arena_set_valid(arena, pages, bytes, false);
    umsim_arena_discard(arena, pages, bytes);
}

void umsim_release(struct umsim_alloc *allocation)
{
    enum umsim_arena_kind kind = arena_kind(allocation->memory);
    struct umsim_arena *arena = &umsim_arenas[kind];
    size_t start = (size_t)(allocation->base - arena->base), bytes = allocation->bytes, alive;
    char *pages = pages_of(allocation, &alive);
    if (allocation->absent)
        absent_count--;
    else if (allocation->memory == UMSIM_DEVICE && !allocation->borrowed)
        device_used[allocation->device] -= allocation->reserved;
    umsim_registry_remove(allocation);
    end_pages(arena, pages, alive);
    retire_place(kind, start, bytes);
}

void umsim_registry_borrowed(struct umsim_alloc *allocation)
{
    allocation->borrowed = true;
    device_used[allocation->device] -= allocation->reserved;
}

void umsim_set_absent(struct umsim_alloc *allocation, bool absent)
{
    size_t bytes;
    char *pages = pages_of(allocation, &bytes);
    if (allocation->absent == absent)
        return;
    allocation->absent = absent;
    allocation->contents_of = 0;
    changes++;
    device_used[allocation->device] += absent ? -allocation->reserved : allocation->reserved;
    absent_count = absent ? absent_count + 1 : absent_count - 1;
    umsim_arena_set_valid(&umsim_arenas[UMSIM_ARENA_DEVICE], pages, bytes, !absent);
    umsim_registry_reach(allocation);
    if (absent)
        umsim_arena_discard(&umsim_arenas[UMSIM_ARENA_DEVICE], pages, bytes);
}

bool umsim_is_absent(const void *p)
{
    const struct umsim_alloc *allocation = absent_count ? umsim_registry_find(p) : NULL;
    return allocation && allocation->absent;
}

struct umsim_alloc *umsim_registry_find(const void *p)
{
    return alloc_of(umsim_spans_find(&entries, (uintptr_t)p));
}

struct umsim_alloc *umsim_registry_overlap(const void *p, size_t bytes)
{
    struct umsim_alloc *holder = umsim_registry_find(p);
    if (holder)
        return holder;
    struct umsim_span *next = umsim_spans_behind(&entries, (uintptr_t)p);
    return next && next->start - (uintptr_t)p < bytes ? alloc_of(next) : NULL;
}

void umsim_registry_each(void (*visit)(struct umsim_alloc *, void *), void *context)
{
    struct umsim_span *next;
    for (uintptr_t at = 0; (next = umsim_spans_behind(&entries, at));) {
        at = next->start;
        visit(alloc_of(next), context);
    }
}

const struct umsim_alloc *umsim_registry_freed(const void *p)
{
    size_t known = freed_count < FREED_NOTES ? freed_count : FREED_NOTES;
    for (size_t back = 1; back <= known; back++) {
        const struct umsim_alloc *note = &freed[(freed_count - back) % FREED_NOTES];
        if ((uintptr_t)p - (uintptr_t)note->base < note->bytes)
            return note;
    }
    return NULL;
}

uint64_t umsim_registry_changes(void)
{
    return changes;
}

void umsim_registry_changed(void)
{
    changes++;
}

size_t umsim_device_bytes_used(unsigned device)
{
    return device_used[device];
}

size_t umsim_free_pieces(enum umsim_memory memory)
{
    const enum umsim_arena_kind kind = arena_kind(memory);
    return kind == UMSIM_ARENA_DEVICE ? device_gaps[umsim_device()].gaps.count : gaps[kind].gaps.count;
}
