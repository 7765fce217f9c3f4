/**
 * @file touches.c
 * @brief Implementation of touches.h: a ring of accesses, with what their shadow words were.
 */
#include "touches.h"
#include "lines.h"
#include "race.h"
#include "../base/activity.h"
#include "../base/source_line.h"

#include <stdatomic.h>

#define KEPT 64
#define PLACES_MAX 64

/* One thread at a time has an entry: one notes while others tell. */
enum state { FREE, TAKEN, NOTED };

static struct touch {
    _Atomic(enum state) state;
    bool is_write;
    const void *p, *caller;
    unsigned issued; /* kernels issued before it */
    uint64_t shadow[UMSIM_SHADOW_WORDS];
} touches[KEPT];
static atomic_uint count, issued, moving; /* moving: copies that were not made yet */

static const void *places[PLACES_MAX]; /* that have been told */
static size_t place_count;

static __thread bool in_order __attribute__((tls_model("initial-exec")));

void umsim_touches_in_order(bool is_in_order)
{
    in_order = is_in_order;
}

unsigned umsim_touches_issued(void)
{
    return ++issued;
}

unsigned umsim_touches_issued_moved(void)
{
    moving++;
    return umsim_touches_issued();
}

static bool take(struct touch *it, enum state state)
{
    return atomic_compare_exchange_strong(&it->state, &state, TAKEN);
}

static const uint64_t *shadow_of(const void *p)
{
    return umsim_race_shadow((const char *)p - (uintptr_t)p % UMSIM_SHADOWED_BYTES);
}

void umsim_touches_note(const void *p, struct umsim_access access, const void *pc)
{
    const unsigned both = UMSIM_CHECK_HOST | UMSIM_CHECK_RACE;
    if ((umsim_checks & both) != both || in_order || !access.known || (!moving && !umsim_kernels_busy(NULL)))
        return;
    const uint64_t *shadow = shadow_of(p);
    if (!shadow)
        return;
    struct touch *it = &touches[atomic_fetch_add(&count, 1) % KEPT];
    while (!take(it, FREE) && !take(it, NOTED))
        it = &touches[atomic_fetch_add(&count, 1) % KEPT];
    it->p = p;
    it->caller = umsim_check_program_at(pc);
    it->is_write = access.is_write;
    it->issued = issued;
    for (int i = 0; i < UMSIM_SHADOW_WORDS; i++)
        it->shadow[i] = shadow[i];
    it->state = NOTED;
}

static bool is_new(const void *caller)
{
    for (size_t i = 0; i < place_count; i++)
        if (places[i] == caller)
            return false;
    if (place_count < PLACES_MAX)
        places[place_count++] = caller;
    return true;
}

static void add_allocation(struct umsim_lines *lines, const struct touch *it)
{
    const struct umsim_alloc *allocation = umsim_registry_find(it->p);
    char place[256];
    if (!allocation)
        return;
    umsim_lines_add(lines, "    Access at %p is %zu bytes inside an allocation of size %zu bytes", it->p,
                    (size_t)((const char *)it->p - allocation->base), allocation->bytes);
    umsim_source_line(allocation->caller, place, sizeof place);
    umsim_lines_add(lines, "    allocated by %s at %s", allocation->call, place);
}

static void tell(const struct touch *it, bool kernel_writes, const char *kernel,
                 struct umsim_check_asked asked)
{
    struct umsim_lines lines = {.used = 0};
    char function[256], place[256];
    umsim_source_place(it->caller, function, sizeof function, place, sizeof place);
    umsim_lines_add(&lines, "Error: Host %s of managed memory that kernel %s may still %s",
                    it->is_write ? "write" : "read", kernel, kernel_writes ? "write" : "read");
    umsim_lines_add(&lines, "    at %s in %s", *function ? function : "host code", place);
    umsim_lines_place(&lines, "at", function, place);
    umsim_field_text(&lines.fields, "kernel", kernel);
    umsim_source_line(asked.caller, place, sizeof place);
    umsim_lines_place(&lines, "launched", NULL, place);
    umsim_field_address(&lines.fields, "address", (uintptr_t)it->p);
    umsim_lines_add(&lines, "    and the kernel was launched at %s", place);
    add_allocation(&lines, it);
    umsim_lines_cure(&lines,
                     "    A launch only begins the kernel: cudaDeviceSynchronize() before the host goes on.");
    umsim_lines_tell(&lines, UMSIM_IS_ERROR, "host beside a kernel", 1);
}

/* Whether the kernel has used the memory after the host did, or meanwhile. */
static bool is_settled(const struct touch *it, unsigned number, unsigned slot, const char *kernel,
                       struct umsim_check_asked asked)
{
    const uint64_t *shadow = shadow_of(it->p);
    const bool writes = shadow[0] != it->shadow[0] && umsim_race_is_write_of(shadow, slot),
               reads = shadow[1] != it->shadow[1] && umsim_race_is_read_of(shadow, slot);
    if (number <= it->issued && (writes || (it->is_write && reads)) && is_new(it->caller))
        tell(it, writes, kernel, asked);
    return writes || reads;
}

void umsim_touches_ended(unsigned number, unsigned slot, const char *kernel, struct umsim_check_asked asked)
{
    for (unsigned i = 0; i < KEPT && i < count; i++) {
        struct touch *it = &touches[i];
        if (take(it, NOTED))
            it->state = is_settled(it, number, slot, kernel, asked) ? FREE : NOTED;
    }
}

/* ---- copies and memsets ---- */

static void tell_moved(const struct touch *it, bool writes, struct umsim_check_asked asked)
{
    struct umsim_lines lines = {.used = 0};
    char function[256], place[256];
    umsim_source_place(it->caller, function, sizeof function, place, sizeof place);
    umsim_lines_add(&lines, "Error: Host %s of managed memory that %s may still %s",
                    it->is_write ? "write" : "read", asked.call, writes ? "write" : "read");
    umsim_lines_add(&lines, "    at %s in %s", *function ? function : "host code", place);
    umsim_lines_place(&lines, "at", function, place);
    umsim_source_line(asked.caller, place, sizeof place);
    umsim_lines_add(&lines, "    and the call is at %s", place);
    umsim_lines_place(&lines, "copied", NULL, place);
    umsim_field_address(&lines.fields, "address", (uintptr_t)it->p);
    add_allocation(&lines, it);
    umsim_lines_cure(&lines,
                     "    An asynchronous call only begins it: cudaStreamSynchronize() before the host "
                     "goes on.");
    umsim_lines_tell(&lines, UMSIM_IS_ERROR, "buffer of a copy", 1);
}

void umsim_touches_moved(unsigned number, const struct umsim_moved *moved)
{
    moving--;
    for (unsigned i = 0; i < KEPT && i < count; i++) {
        struct touch *it = &touches[i];
        if (!take(it, NOTED))
            continue;
        const uintptr_t p = (uintptr_t)it->p;
        const bool writes = umsim_moved_has(moved, p, true),
                   reads = it->is_write && umsim_moved_has(moved, p, false);
        if (number <= it->issued && (writes || reads) && is_new(it->caller))
            tell_moved(it, writes, moved->asked);
        it->state = NOTED;
    }
}
