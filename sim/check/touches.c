/**
 * @file touches.c
 * @brief Implementation of touches.h: a ring of accesses, with what their shadow words were.
 */
#include "touches.h"
#include "lines.h"
#include "race.h"
#include "variables.h"
#include "../base/activity.h"
#include "../base/source_line.h"
#include "../space/arena.h"

#include <stdatomic.h>

#define KEPT 64
#define PLAIN 64
#define PLACES_MAX 64

/* One thread at a time has an entry: one notes while others tell. */
enum state { FREE, TAKEN, NOTED };

static struct touch {
    _Atomic(enum state) state;
    bool is_write, is_plain; /* is_plain: a hook has said so */
    const void *p, *caller;
    unsigned issued; /* kernels issued before it */
    uint64_t shadow[UMSIM_SHADOW_WORDS];
} touches[KEPT + PLAIN];                  /* behind KEPT: of hooks, by their places */
static atomic_uint count, issued, moving; /* moving: copies that were not made yet */

static const void *places[PLACES_MAX]; /* that have been told */
static size_t place_count;

static __thread bool in_order __attribute__((tls_model("initial-exec")));
/* What the hook before this access has noted: it may fault now. */
static __thread const void *hooked __attribute__((tls_model("initial-exec")));

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
    const char *word = (const char *)p - (uintptr_t)p % UMSIM_SHADOWED_BYTES;
    const uint64_t *shadow = umsim_race_shadow(word);
    return shadow ? shadow : umsim_variables_shadow(word);
}

static void note(struct touch *it, const void *p, bool is_write, const uint64_t *shadow)
{
    it->p = p;
    it->is_write = is_write;
    it->issued = issued;
    for (int i = 0; i < UMSIM_SHADOW_WORDS; i++)
        it->shadow[i] = shadow[i];
}

void umsim_touches_note(const void *p, struct umsim_access access, const void *pc)
{
    const unsigned both = UMSIM_CHECK_HOST | UMSIM_CHECK_RACE;
    if ((umsim_checks & both) != both || in_order || !access.known || p == hooked ||
        (!moving && !umsim_kernels_busy(NULL)))
        return;
    const uint64_t *shadow = shadow_of(p);
    if (!shadow)
        return;
    struct touch *it = &touches[atomic_fetch_add(&count, 1) % KEPT];
    while (!take(it, FREE) && !take(it, NOTED))
        it = &touches[atomic_fetch_add(&count, 1) % KEPT];
    note(it, p, access.is_write, shadow);
    it->caller = umsim_check_program_at(pc);
    it->is_plain = false;
    it->state = NOTED;
}

/* Managed memory only: pinned memory is where host and kernel tell each other things. */
void umsim_touches_plain(const void *p, bool is_write, const void *pc)
{
    const unsigned both = UMSIM_CHECK_HOST | UMSIM_CHECK_RACE;
    hooked = NULL;
    struct touch *it = &touches[KEPT + (uintptr_t)pc * 0x9e3779b97f4a7c15U / (UINTPTR_MAX / PLAIN + 1)];
    if (!umsim_kernels_busy(NULL) || (umsim_checks & both) != both || in_order)
        return;
    const struct umsim_arena *arena = umsim_arena_of(p);
    const uint64_t *shadow = !arena || arena == &umsim_arenas[UMSIM_ARENA_MANAGED] ? shadow_of(p) : NULL;
    if (!shadow || (it->state == NOTED && it->issued == issued) || (!take(it, FREE) && !take(it, NOTED)))
        return;
    note(it, p, is_write, shadow);
    it->caller = pc;
    it->is_plain = true;
    hooked = p;
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
    const bool is_write = it->is_plain ? umsim_race_is_any_write_of(shadow, slot)
                                       : umsim_race_is_write_of(shadow, slot),
               writes = shadow[0] != it->shadow[0] && is_write,
               reads = shadow[1] != it->shadow[1] && umsim_race_is_read_of(shadow, slot);
    if (number <= it->issued && (writes || (it->is_write && reads)) && is_new(it->caller))
        tell(it, writes, kernel, asked);
    return writes || reads;
}

void umsim_touches_ended(unsigned number, unsigned slot, const char *kernel, struct umsim_check_asked asked)
{
    const unsigned noted = umsim_checks & UMSIM_CHECK_HOST ? KEPT + PLAIN : 0;
    for (unsigned i = 0; i < noted; i++) {
        struct touch *it = &touches[i];
        if (it->state == NOTED && take(it, NOTED))
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
    for (unsigned i = 0; i < KEPT + PLAIN; i++) {
        struct touch *it = &touches[i];
        if (it->state != NOTED || !take(it, NOTED))
            continue;
        const uintptr_t p = (uintptr_t)it->p;
        const bool writes = umsim_moved_has(moved, p, true),
                   reads = it->is_write && umsim_moved_has(moved, p, false);
        if (number <= it->issued && (writes || reads) && is_new(it->caller))
            tell_moved(it, writes, moved->asked);
        it->state = NOTED;
    }
}
