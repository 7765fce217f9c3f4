/**
 * @file heap.c
 * @brief Implementation of heap.h: the table that says which parts of the kernels' heap are free or given
 * out.
 *
 * It searches by next fit over runs of units. Each run stores its length at both ends, so that free
 * neighbours can be joined.
 */
#include "heap.h"
#include "../base/devices.h"
#include "../base/futex.h"
#include "../base/limits.h"
#include "../space/arena.h"
#include "../base/layout.h"
#include "../base/memory.h"
#include "../base/processes.h"

#include <sys/mman.h>

#define UNIT ((size_t)16)
/** How many bytes the first touch of a place opens. */
#define OPEN_BYTES ((size_t)2 << 20)
/** How far back the start of a piece is searched for. */
#define GIVEN_UNITS 4096

/* A run's first and last unit store its length; the units between store 0. A run of one unit has only a first
 * one. */
enum { IS_LAST = 1, IS_USED = 2, LENGTH_SHIFT = 2 };
_Static_assert(UMSIM_HEAP_SIZE / 16 < (uint32_t)-1 >> LENGTH_SHIFT, "a run's length fits its tag");

static struct heap {
    atomic_flag lock;
    atomic_bool ever;
    uint32_t units, rover;
    uint32_t refused; /* a request for this many units has failed since the last free(); 0: none has */
    uint32_t tag[];
} * heaps[UMSIM_DEVICES_MAX], *heap; /* `heap`: the own device's, in the GPU process */

static size_t most_bytes(void)
{
    return umsim_arenas[UMSIM_ARENA_DEVICE].set_aside;
}

static char *base_of(unsigned device)
{
    return umsim_device_start(device) + umsim_device_part() - most_bytes();
}

static char *heap_base(void)
{
    return base_of(umsim_own_device);
}

static void set_run_of(struct heap *it, uint32_t first, uint32_t length, bool used)
{
    const uint32_t tag = length << LENGTH_SHIFT | (used ? IS_USED : 0);
    it->tag[first] = tag;
    if (length > 1)
        it->tag[first + length - 1] = tag | IS_LAST;
}

static void set_run(uint32_t first, uint32_t length, bool used)
{
    set_run_of(heap, first, length, used);
}

static uint32_t length_at(uint32_t unit)
{
    return heap->tag[unit] >> LENGTH_SHIFT;
}

static bool used_at(uint32_t unit)
{
    return heap->tag[unit] & IS_USED;
}

void umsim_heap_start(void)
{
    for (unsigned device = 0; device < umsim_devices; device++) {
        if (!heaps[device]) {
            heaps[device] = umsim_shared_memory(sizeof *heap + most_bytes() / UNIT * sizeof heap->tag[0]);
            umsim_heap_reset(device, umsim_device_limit(device, cudaLimitMallocHeapSize));
        }
        atomic_flag_clear(&heaps[device]->lock);
    }
    heap = heaps[0];
}

void umsim_heap_become(unsigned device)
{
    heap = heaps[device];
}

void umsim_heap_reset(unsigned device, size_t bytes)
{
    struct heap *it = heaps[device];
    if (!it)
        return;
    const size_t whole = umsim_round_up(sizeof *it + it->units * sizeof it->tag[0], UMSIM_PAGE);
    if (it->units)
        it->tag[it->units - 1] = 0;
    if (atomic_load(&it->ever))
        madvise(it, whole, MADV_REMOVE);
    it->units = (uint32_t)((bytes < most_bytes() ? bytes : most_bytes()) / UNIT);
    it->rover = it->refused = 0;
    set_run_of(it, 0, it->units, false);
}

bool umsim_heap_used(unsigned device)
{
    return heaps[device] && atomic_load(&heaps[device]->ever);
}

bool umsim_heap_holds(const void *p)
{
    if (umsim_in_gpu || umsim_devices == 1)
        return (uintptr_t)p - (uintptr_t)heap_base() < most_bytes();
    for (unsigned device = 0; device < umsim_devices; device++)
        if ((uintptr_t)p - (uintptr_t)base_of(device) < most_bytes())
            return true;
    return false;
}

bool umsim_heap_open(void *p)
{
    if (!umsim_heap_holds(p) || !atomic_load(&heap->ever))
        return false;
    const size_t bytes = umsim_round_up(heap->units * UNIT, UMSIM_PAGE);
    const size_t start = umsim_round_down((size_t)((char *)p - heap_base()), OPEN_BYTES);
    const size_t part = start + OPEN_BYTES < bytes ? OPEN_BYTES : bytes - start;
    return start < bytes && mprotect(heap_base() + start, part, PROT_READ | PROT_WRITE) == 0;
}

/* The first free run of at least `units`, going once round from the rover. @return heap->units when there is
 * none */
static uint32_t find_run(uint32_t units)
{
    if (heap->refused && units >= heap->refused)
        return heap->units;
    uint32_t at = heap->rover < heap->units ? heap->rover : 0;
    for (uint32_t passed = 0; passed < heap->units;) {
        const uint32_t length = length_at(at);
        if (!used_at(at) && length >= units)
            return at;
        passed += length;
        at += length;
        at = at < heap->units ? at : 0;
    }
    heap->refused = units;
    return heap->units;
}

/* Cuts `units` out of the free run at `run`, starting at `at`. */
static void cut(uint32_t run, uint32_t at, uint32_t units)
{
    const uint32_t end = run + length_at(run);
    if (run < at)
        set_run(run, at - run, false);
    if (at + units < end)
        set_run(at + units, end - at - units, false);
    set_run(at, units, true);
    heap->rover = at + units;
}

void *umsim_heap_take(size_t bytes, size_t alignment)
{
    const size_t align = alignment > UNIT ? alignment / UNIT : 1;
    atomic_store_explicit(&heap->ever, true, memory_order_relaxed);
    if (bytes == 0 || bytes + (align - 1) * UNIT > heap->units * UNIT)
        return NULL;
    const uint32_t units = (uint32_t)((bytes + UNIT - 1) / UNIT);
    umsim_spin_lock(&heap->lock);
    const uint32_t run = find_run(units + (uint32_t)align - 1), at = (uint32_t)umsim_round_up(run, align);
    const bool found = run < heap->units;
    if (found)
        cut(run, at, units);
    umsim_spin_unlock(&heap->lock);
    return found ? heap_base() + at * UNIT : NULL;
}

/* Joins the free run at `at` with the free one behind it. The ends where they meet become inner units. */
static void join(uint32_t at)
{
    const uint32_t length = length_at(at), next = at + length;
    if (next >= heap->units || used_at(next))
        return;
    const uint32_t more = length_at(next);
    heap->tag[next - 1] = 0;
    heap->tag[next] = 0;
    set_run(at, length + more, false);
    if (heap->rover == next)
        heap->rover = at;
}

static bool give_back(uint32_t at)
{
    umsim_spin_lock(&heap->lock);
    const uint32_t tag = heap->tag[at];
    const bool is_start = tag != 0 && !(tag & IS_LAST) && (tag & IS_USED);
    if (is_start) {
        set_run(at, length_at(at), false);
        join(at);
        if (at > 0 && !used_at(at - 1))
            join(at - length_at(at - 1));
        heap->refused = 0;
    }
    umsim_spin_unlock(&heap->lock);
    return is_start;
}

bool umsim_heap_give_back(void *p)
{
    const size_t offset = (size_t)((char *)p - heap_base());
    return umsim_heap_holds(p) && offset % UNIT == 0 && offset / UNIT < heap->units &&
           give_back((uint32_t)(offset / UNIT));
}

bool umsim_heap_given(const void *p)
{
    if (!umsim_heap_holds(p) || !atomic_load(&heap->ever))
        return false;
    uint32_t unit = (uint32_t)((size_t)((const char *)p - heap_base()) / UNIT);
    if (unit >= heap->units)
        return false;
    const uint32_t end = heap->tag[unit] & IS_LAST ? unit - (length_at(unit) - 1) : unit;
    for (unit = end; unit > 0 && heap->tag[unit] == 0 && end - unit < GIVEN_UNITS; unit--)
        ;
    return heap->tag[unit] == 0 || used_at(unit);
}
