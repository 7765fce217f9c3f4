/**
 * @file protection_registered.c
 * @brief Implementation of protection_registered.h: what is mapped, by the index in the host's table and by
 * address.
 */
#include "protection_registered.h"
#include "protection.h"
#include "seal_host_memory.h"
#include "views.h"
#include "../base/futex.h"
#include "../base/mode.h"
#include "../base/spans.h"

#include <errno.h>
#include <sys/mman.h>

/* By the index in the table. Not mapped: no bytes. */
static struct mapped {
    struct umsim_span span;
    bool in_place;
    int protection;
    atomic_bool open; /* some of it */
} * mapped;
enum { TABLE_BYTES = UMSIM_REGISTERED_MAX * sizeof(struct mapped), TABLE_STEP = 64 << 10 };
_Static_assert(TABLE_BYTES % TABLE_STEP == 0, "the table opens in whole steps");

/* Handlers of several workers may find that memory was registered meanwhile. A reader that comes in the
 * middle of a change may miss what is there, and then looks again with the lock. */
static struct umsim_spans by_address;
static atomic_flag changing = ATOMIC_FLAG_INIT;
static atomic_bool any_open;
static bool incomplete; /* something could not be mapped; there may be room later */

/* Writable memory counts for RLIMIT_DATA, so what is not needed stays closed. */
bool umsim_registered_reserve(void)
{
    void *p = mmap(NULL, TABLE_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    mapped = p == MAP_FAILED ? NULL : p;
    return mapped;
}

static unsigned entries; /* so many of the table's are open */

static bool open_table(void)
{
    static size_t opened;
    const unsigned used = atomic_load(&umsim_views->registered_used);
    const size_t needed = umsim_round_up(used * sizeof *mapped, TABLE_STEP);
    if (used > UMSIM_REGISTERED_MAX)
        return false;
    if (needed > opened && mprotect((char *)mapped + opened, needed - opened, PROT_READ | PROT_WRITE) != 0)
        return false;
    opened = needed > opened ? needed : opened;
    entries = used;
    return true;
}

/* Memory that was closed here before stays closed. */
static void take_out(char *base, const char *end)
{
    for (size_t part; base < end; base += part) {
        bool closed;
        part = umsim_sealed_part(base, (size_t)(end - base), &closed);
        if (closed || !umsim_is_grading())
            mmap(base, part, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
        else
            munmap(base, part);
    }
}

/* Registered memory replaces what the fork copied, and not all of that was closed (a library's variables were
 * not). What a client names is memory of the server's that was closed here, or addresses that are not
 * mapped here at all. */
static bool put_in_place(char *base, size_t bytes)
{
    size_t part;
    for (size_t done = 0; done < bytes; done += part) {
        bool closed = true;
        part = umsim_is_grading() ? umsim_sealed_part(base + done, bytes - done, &closed) : bytes;
        if (mmap(base + done, part, PROT_NONE, MAP_SHARED | (closed ? MAP_FIXED : MAP_FIXED_NOREPLACE),
                 umsim_registered_file(), (off_t)(uintptr_t)(base + done)) != base + done) {
            const int error = errno;
            take_out(base, base + done);
            errno = error;
            return false;
        }
    }
    return true;
}

static bool is_live(size_t index)
{
    return atomic_load(&umsim_views->registered[index].state) == UMSIM_REGISTERED_LIVE;
}

/* A client registers no shared memory: its addresses could be memory of the GPU process's own. */
static void map_live(unsigned index)
{
    struct umsim_registered *entry = &umsim_views->registered[index];
    struct mapped *it = &mapped[index];
    char *base = entry->base;
    const size_t bytes = entry->bytes;
    const bool in_place = entry->in_place && !umsim_is_grading();
    if (!is_live(index) || it->span.bytes || ((uintptr_t)base | bytes) % UMSIM_HOST_PAGE || !bytes ||
        bytes > UMSIM_REGISTER_SIZE || (uintptr_t)base > UMSIM_REGISTER_SIZE - bytes)
        return;
    if (!in_place && !put_in_place(base, bytes)) {
        incomplete = true;
        return;
    }
    it->span = (struct umsim_span){.start = (uintptr_t)base, .bytes = bytes};
    it->in_place = in_place;
    it->protection = PROT_READ | (entry->protection & PROT_WRITE);
    umsim_spans_add(&by_address, &it->span);
    atomic_store(&entry->known, true);
}

static void unmap(struct mapped *it)
{
    char *base = (char *)it->span.start;
    const size_t bytes = it->span.bytes;
    if (!bytes)
        return;
    umsim_spans_remove(&by_address, &it->span);
    it->span.bytes = 0;
    if (it->in_place)
        mprotect(base, bytes, PROT_NONE);
    else
        take_out(base, base + bytes);
}

static void unmap_stale(unsigned index)
{
    struct umsim_registered *entry = &umsim_views->registered[index];
    if (atomic_load(&entry->state) != UMSIM_REGISTERED_STALE)
        return;
    unmap(&mapped[index]);
    atomic_store(&entry->state, UMSIM_REGISTERED_FREE);
}

/* Goes through the list of what the host has changed. */
static void each_changed(unsigned first, bool for_good, void (*visit)(unsigned index))
{
    unsigned next;
    for (unsigned number = first, steps = 0; number && steps < UMSIM_REGISTERED_MAX; number = next, steps++) {
        if (number > entries)
            return;
        struct umsim_registered *entry = &umsim_views->registered[number - 1];
        next = entry->next_changed;
        if (for_good)
            atomic_store(&entry->changed, false); /* the host may put it on a new list now */
        visit(number - 1);
    }
}

/* Registrations that ended are undone first, because others may have taken their pages since. */
static void follow(void)
{
    unsigned first = atomic_load(&umsim_views->registered_changed);
    do
        if (!open_table()) /* for all that the list may have */
            return;
    while (!atomic_compare_exchange_weak(&umsim_views->registered_changed, &first, 0));
    each_changed(first, false, unmap_stale);
    each_changed(first, true, map_live);
    if (!incomplete)
        return;
    incomplete = false;
    for (unsigned i = 0; i < entries; i++)
        map_live(i);
}

void umsim_registered_map_all(void)
{
    for (unsigned i = 0; open_table() && i < entries; i++)
        map_live(i);
}

void umsim_registered_follow(void)
{
    umsim_spin_lock(&changing);
    if (atomic_load(&umsim_views->registered_changed))
        follow();
    umsim_spin_unlock(&changing);
}

static struct mapped *find(const void *p)
{
    struct mapped *it = (struct mapped *)umsim_spans_find(&by_address, (uintptr_t)p);
    return it && is_live((size_t)(it - mapped)) ? it : NULL;
}

/* Memory may have been registered since the launch began. */
static struct mapped *find_or_follow(const void *p)
{
    struct mapped *it = find(p);
    if (it)
        return it;
    umsim_spin_lock(&changing);
    if (incomplete || atomic_load(&umsim_views->registered_changed))
        follow();
    it = find(p);
    umsim_spin_unlock(&changing);
    return it;
}

bool umsim_registered_find(void *p, char **start, size_t *bytes, int *protection)
{
    struct mapped *it = find_or_follow(p);
    if (!it)
        return false;
    *start = (char *)it->span.start;
    *bytes = it->span.bytes;
    *protection = it->protection;
    atomic_store(&it->open, true);
    atomic_store(&any_open, true);
    return true;
}

static bool holds(const struct mapped *it, const void *p, size_t bytes)
{
    const size_t offset = (uintptr_t)p - it->span.start;
    return offset < it->span.bytes && bytes <= it->span.bytes - offset;
}

bool umsim_registered_for_kernels(const void *p, size_t bytes)
{
    static _Thread_local struct mapped *latest __attribute__((tls_model("initial-exec")));
    if (!latest || !holds(latest, p, bytes))
        latest = find_or_follow(p);
    return latest && holds(latest, p, bytes);
}

void umsim_registered_close(void)
{
    if (!atomic_exchange(&any_open, false))
        return;
    for (unsigned i = 0; i < entries; i++)
        if (atomic_exchange(&mapped[i].open, false) && mapped[i].span.bytes)
            mprotect((void *)mapped[i].span.start, mapped[i].span.bytes, PROT_NONE);
}
