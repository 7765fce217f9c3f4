/* managed.c: see managed.h. */
#include "managed.h"
#include "arena.h"
#include "small.h"
#include "strip.h"
#include "../fault/counters.h"
#include "../fault/signals.h"
#include "../gpu/clock.h"
#include "../gpu/futex.h"
#include "../gpu/machine.h"
#include "../gpu/queue.h"
#include "../include/driver_types.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;
static atomic_bool in_use, faulted_before;
static size_t live_ranges;

/* A signal handler that touches managed memory while its thread holds the lock would wait for itself. */
static void managed_lock(sigset_t *before)
{
    sigset_t all;
    sigfillset(&all);
    umsim_real_sigmask(SIG_SETMASK, &all, before);
    umsim_spin_lock(&lock);
}

static void managed_unlock(const sigset_t *before)
{
    umsim_spin_unlock(&lock);
    umsim_real_sigmask(SIG_SETMASK, before, NULL);
}

/* What the policy did goes into the counters and, as work, to whoever prices it. */
static void charge(const struct uvm_delta *delta, struct umsim_paging_work *work)
{
    umsim_count_paging(delta);
    work->cpu_faults += delta->cpu_faults;
    /* what was refused took its time while the GPU was throttled */
    work->gpu_fault_groups += delta->gpu_fault_groups - delta->throttled_groups;
    work->gpu_fault_batches += delta->gpu_fault_batches - delta->throttled_groups;
    work->throttled_ns += delta->throttled_ns[UVM_CPU] + delta->throttled_ns[UVM_GPU];
    work->bytes_htod += uvm_delta_bytes(delta, UVM_HTOD);
    work->bytes_dtoh += uvm_delta_bytes(delta, UVM_DTOH);
    work->transfers_htod += uvm_delta_transfers(delta, UVM_HTOD);
    work->transfers_dtoh += uvm_delta_transfers(delta, UVM_DTOH);
    work->host_pages_populated += delta->pages_populated[UVM_CPU];
    work->host_pages_cleared += delta->host_pages_cleared;
    work->host_bytes = umsim_managed_device()->host_pages * UVM_PAGE_BYTES;
    /* device memory is taken by a first touch and by a migration alike */
    work->device_pages_populated +=
        delta->pages_populated[UVM_GPU] + uvm_delta_bytes(delta, UVM_HTOD) / UVM_PAGE_BYTES;
    work->remote_pages_mapped += delta->pages_mapped_remotely[UVM_GPU];
    work->evictions += delta->evictions;
}

/* About what umsim_cost_cpu_faults() and umsim_cost_gpu_faults() will say of one service. */
static struct uvm_pace pace_of(enum uvm_processor processor)
{
    const struct umsim_costs *costs = &umsim_machine.costs;
    const double gbs = processor == UVM_CPU ? costs->migrate_dtoh_gbs : costs->migrate_htod_gbs;
    const double service_us = processor == UVM_CPU ? costs->cpu_fault_us + 2 * costs->cpu_fault_transfer_us
                                                   : costs->gpu_fault_batch_us + costs->gpu_fault_group_us;
    return (struct uvm_pace){.service_ns = (uint64_t)(1e3 * service_us),
                             .page_ns = gbs > 0 ? (uint64_t)((double)UVM_PAGE_BYTES / gbs) : 0};
}

static struct uvm_delta fresh_delta(enum uvm_processor processor)
{
    return (struct uvm_delta){
        .observer = umsim_account_event, .now_ns = umsim_clock_now(), .pace = pace_of(processor)};
}

static uint64_t live_blocks(uint64_t enough)
{
    uint64_t alive = 0;
    for (unsigned i = 0; i < atomic_load(&umsim_shared_state->spaces); i++)
        alive += uvm_live_blocks(umsim_shared_state->space[i].policy, enough - alive);
    return alive;
}

/* Whether there are more live VA blocks than fit into device memory: kernels may then evict what they need. */
static void note_shortage(void)
{
    struct uvm_device *device = umsim_managed_device();
    device->is_short = live_blocks(device->chunks + 1) > device->chunks;
}

static void apply_all_revocations(void)
{
    for (unsigned i = 0; i < atomic_load(&umsim_shared_state->spaces); i++)
        umsim_apply_revocations(&umsim_shared_state->space[i]);
}

static bool pins_end(uint64_t now_ns)
{
    bool end = false;
    for (unsigned i = 0; i < atomic_load(&umsim_shared_state->spaces); i++)
        end |= uvm_pins_end(umsim_shared_state->space[i].policy, now_ns);
    return end;
}

/* Pins end by themselves on hardware; here before the GPU looks. */
static void end_pins(uint64_t now_ns)
{
    for (unsigned i = 0; i < atomic_load(&umsim_shared_state->spaces); i++)
        uvm_unpin(umsim_shared_state->space[i].policy, now_ns);
    apply_all_revocations();
}

bool umsim_managed_start(void)
{
    struct umsim_arena *arena = &umsim_arenas[UMSIM_ARENA_MANAGED];
    struct umsim_managed_space *space = umsim_managed_space_make(arena->base, arena->size, arena->window);
    if (space)
        umsim_account_begin(space, (uintptr_t)arena->base, 1); /* maps the books: a confined program cannot later */
    return space != NULL;
}

/* Small allocations in each VA block of the arena. */
static uint16_t sharers[UMSIM_MANAGED_SIZE / UMSIM_VA_BLOCK];

static uint16_t *sharers_of(const char *base, size_t bytes)
{
    const struct umsim_arena *arena = &umsim_arenas[UMSIM_ARENA_MANAGED];
    size_t offset = (size_t)(base - arena->base);
    return offset < arena->size && umsim_is_small(bytes) ? &sharers[offset / UMSIM_VA_BLOCK] : NULL;
}

/* The policy's range is larger than an allocation: as on an H200, small ones lie in a block that is one range, and the
 * least that moves of a variable is a big page. */
static uintptr_t policy_range(const char *base, size_t *bytes)
{
    if (sharers_of(base, *bytes)) {
        *bytes = UMSIM_VA_BLOCK;
        return umsim_round_down((uintptr_t)base, UMSIM_VA_BLOCK);
    }
    *bytes = *bytes < UMSIM_BIG_PAGE ? UMSIM_BIG_PAGE : *bytes;
    return (uintptr_t)base;
}

static bool concurrent(void)
{
    return umsim_machine.attributes.concurrent_managed_access;
}

/* A device that cannot fault must have room for all that is alive; it holds new memory from the start. */
static bool make_range(struct umsim_managed_space *space, char *base, size_t bytes, bool for_kernels)
{
    uintptr_t start = policy_range(base, &bytes);
    struct uvm_delta populated = {0};
    if (uvm_range_create(space->policy, start, bytes) != UVM_OK)
        return false;
    umsim_account_begin(space, start, bytes);
    note_shortage();
    if (!concurrent() && umsim_managed_device()->is_short) {
        uvm_range_destroy(space->policy, start, bytes);
        return false;
    }
    if (!concurrent() && for_kernels)
        uvm_migrate_range(space->policy, start, bytes, &populated);
    live_ranges++;
    return true;
}

bool umsim_managed_create(char *base, size_t bytes, bool for_kernels)
{
    sigset_t before;
    managed_lock(&before);
    struct umsim_managed_space *space = umsim_managed_space_of(base);
    uint16_t *users = sharers_of(base, bytes);
    bool made = space && users && *users > 0;
    if (space && !made)
        made = make_range(space, base, bytes, for_kernels);
    if (made && users)
        ++*users;
    atomic_store(&in_use, live_ranges > 0);
    note_shortage();
    managed_unlock(&before);
    return made;
}

void umsim_managed_destroy(char *base, size_t bytes)
{
    sigset_t before;
    managed_lock(&before);
    struct umsim_managed_space *space = umsim_managed_space_of(base);
    uint16_t *users = sharers_of(base, bytes);
    if (users && --*users > 0) {
        umsim_close_block_of(space, base); /* what stays alive opens again; what does not, does not */
    } else {
        uintptr_t start = policy_range(base, &bytes);
        uint64_t host_pages = umsim_managed_device()->host_pages;
        live_ranges -= uvm_range_destroy(space->policy, start, bytes) == UVM_OK;
        umsim_apply_revocations(space);
        host_pages -= umsim_managed_device()->host_pages;
        umsim_clock_advance(umsim_cost_release(&umsim_machine.costs, host_pages));
    }
    atomic_store(&in_use, live_ranges > 0);
    note_shortage();
    managed_unlock(&before);
}

bool umsim_managed_adopt(char *base, size_t bytes, char *window)
{
    struct umsim_managed_space *space = umsim_managed_space_make(base, bytes, window);
    if (!space || !umsim_managed_create(base, bytes, false))
        return false;
    struct uvm_delta populated = {0};
    uintptr_t start = policy_range(base, &bytes);
    uvm_cpu_access(space->policy, start, bytes, true, &populated); /* by the loader: not counted */
    if (!concurrent())
        uvm_migrate_range(space->policy, start, bytes, &populated);
    return true;
}

/* Without concurrent access: whether a kernel that may be under way may reach `p`. */
static bool is_the_kernels(const void *p)
{
    if (concurrent() || !umsim_queue_busy(NULL))
        return false;
    const struct umsim_alloc *allocation = umsim_registry_find(p);
    if (allocation && allocation->attachment == cudaMemAttachSingle)
        return umsim_queue_busy(allocation->attached);
    return !allocation || allocation->attachment != cudaMemAttachHost;
}

enum umsim_host_touch umsim_managed_host_touch(void *p, bool is_write)
{
    struct umsim_managed_space *space = umsim_managed_space_of(p);
    if (!space)
        return UMSIM_TOUCH_NOT_MANAGED;
    umsim_spin_lock(&lock); /* the fault handler, which this is a part of, runs with all signals blocked */
    enum umsim_host_touch outcome = UMSIM_TOUCH_OPENED;
    struct uvm_delta delta = fresh_delta(UVM_CPU);
    struct umsim_paging_work work = {0};
    if (!umsim_managed_is_live(space, p) || !uvm_is_valid(space->policy, (uintptr_t)p)) {
        outcome = UMSIM_TOUCH_NOT_MANAGED;
    } else if (is_the_kernels(p)) {
        outcome = UMSIM_TOUCH_FORBIDDEN;
    } else {
        uvm_cpu_fault(space->policy, (uintptr_t)p, is_write, &delta);
        charge(&delta, &work);
        umsim_apply_revocations(space);
        umsim_host_open(space, p, is_write);
    }
    umsim_spin_unlock(&lock);
    work.first = work.cpu_faults && !atomic_exchange(&faulted_before, true);
    if (work.cpu_faults)
        umsim_clock_advance(umsim_cost_cpu_faults(&umsim_machine.costs, &work));
    return outcome;
}

void umsim_managed_host_access(const void *p, size_t bytes, bool is_write)
{
    struct umsim_managed_space *space = umsim_managed_space_of(p);
    sigset_t before;
    managed_lock(&before);
    struct uvm_delta delta = fresh_delta(UVM_CPU);
    struct umsim_paging_work work = {0};
    uvm_cpu_access(space->policy, (uintptr_t)p, bytes, is_write, &delta);
    charge(&delta, &work);
    apply_all_revocations();
    managed_unlock(&before);
    if (work.cpu_faults)
        umsim_clock_advance(umsim_cost_cpu_faults(&umsim_machine.costs, &work));
}

void umsim_managed_engine_touch(const void *p, size_t bytes, bool is_write, struct umsim_paging_work *work)
{
    struct umsim_managed_space *space = umsim_managed_space_of(p);
    if (!space)
        return;
    sigset_t before;
    managed_lock(&before);
    struct uvm_delta delta = fresh_delta(UVM_GPU);
    if (concurrent())
        uvm_gpu_access(space->policy, (uintptr_t)p, bytes, is_write, &delta);
    else
        uvm_migrate_range(space->policy, (uintptr_t)p, bytes, &delta);
    work->prefetch = !concurrent();
    charge(&delta, work);
    apply_all_revocations();
    managed_unlock(&before);
}

static bool nothing_is_in_flight(void)
{
    return atomic_load(&umsim_shared_state->submitted) == atomic_load(&umsim_shared_state->completed);
}

void umsim_managed_before_launch(void)
{
    const bool is_short = umsim_managed_device()->is_short, idle = nothing_is_in_flight();
    if (!is_short && !umsim_host_has_open() && !(idle && pins_end(umsim_clock_now())))
        return;
    sigset_t before;
    managed_lock(&before);
    if (idle && pins_end(umsim_clock_now()))
        end_pins(umsim_clock_now());
    if (is_short)
        umsim_gpu_close_at_launch();
    umsim_host_close_managed();
    managed_unlock(&before);
}

void umsim_managed_after_launch(uint64_t start_ns, struct umsim_paging_work *work)
{
    sigset_t before;
    managed_lock(&before);
    for (unsigned i = 0; i < atomic_load(&umsim_shared_state->spaces); i++) {
        struct uvm_delta delta = fresh_delta(UVM_GPU);
        delta.now_ns = start_ns;
        uvm_gpu_replay(umsim_shared_state->space[i].policy, &delta);
        charge(&delta, work);
    }
    apply_all_revocations();
    managed_unlock(&before);
}

void umsim_managed_prefetch(const void *p, size_t bytes, enum uvm_processor destination,
                            struct umsim_paging_work *work)
{
    struct umsim_managed_space *space = umsim_managed_space_of(p);
    sigset_t before;
    managed_lock(&before);
    struct uvm_delta delta = fresh_delta(UVM_GPU);
    if (space)
        uvm_prefetch(space->policy, (uintptr_t)p, bytes, destination, &delta);
    charge(&delta, work);
    work->prefetch = 1;
    apply_all_revocations();
    managed_unlock(&before);
}

bool umsim_managed_advise(const void *p, size_t bytes, enum uvm_advice advice, enum uvm_processor processor)
{
    struct umsim_managed_space *space = umsim_managed_space_of(p);
    if (!space)
        return false;
    sigset_t before;
    managed_lock(&before);
    struct uvm_delta delta = fresh_delta(UVM_GPU);
    struct umsim_paging_work work = {0};
    uint64_t resident[UVM_PROCESSORS] = {0};
    if (advice == UVM_SET_READ_MOSTLY) /* they lose the permission to write */
        uvm_count_resident(space->policy, (uintptr_t)p, bytes, resident);
    bool taken = uvm_advise(space->policy, (uintptr_t)p, bytes, advice, processor, &delta) == UVM_OK;
    charge(&delta, &work);
    apply_all_revocations();
    managed_unlock(&before);
    umsim_clock_advance(umsim_cost_advice(&umsim_machine.costs, resident[UVM_CPU] + resident[UVM_GPU],
                                          work.remote_pages_mapped));
    return taken;
}

bool umsim_managed_attributes(const void *p, size_t bytes, struct uvm_attributes *out)
{
    struct umsim_managed_space *space = umsim_managed_space_of(p);
    if (!space)
        return false;
    sigset_t before;
    managed_lock(&before);
    bool known = uvm_get_attributes(space->policy, (uintptr_t)p, bytes, out) == UVM_OK;
    managed_unlock(&before);
    return known;
}

bool umsim_managed_counters(const void *p, struct umsim_counters *out)
{
    const struct umsim_alloc *allocation = umsim_registry_find(p);
    struct umsim_managed_space *space = umsim_managed_space_of(p);
    if (!space || !allocation || !umsim_is_managed(allocation->memory))
        return false;
    sigset_t before;
    managed_lock(&before);
    umsim_account_read(space, allocation->base, allocation->bytes, out);
    managed_unlock(&before);
    return true;
}

size_t umsim_managed_resident(const void *p, size_t bytes)
{
    struct umsim_managed_space *space = umsim_managed_space_of(p);
    uint64_t pages[UVM_PROCESSORS] = {0};
    sigset_t before;
    managed_lock(&before);
    if (space)
        uvm_count_resident(space->policy, (uintptr_t)p, bytes, pages);
    managed_unlock(&before);
    return pages[UVM_GPU] * UVM_PAGE_BYTES;
}

size_t umsim_managed_strip(const void *p, size_t bytes, char *strip, size_t cells)
{
    struct umsim_managed_space *space = umsim_managed_space_of(p);
    size_t drawn = 0;
    sigset_t before;
    managed_lock(&before);
    if (space && umsim_managed_is_live(space, p) && bytes <= space->bytes)
        drawn = umsim_draw_residency(space->policy, (uintptr_t)p, bytes, strip, cells);
    managed_unlock(&before);
    return drawn;
}

bool umsim_managed_in_use(void)
{
    return atomic_load(&in_use);
}

void umsim_managed_set_device_memory(size_t free_bytes)
{
    sigset_t before;
    managed_lock(&before);
    struct uvm_delta delta = fresh_delta(UVM_GPU);
    struct umsim_paging_work work = {0};
    uvm_set_device_memory(umsim_managed_device(), free_bytes / UMSIM_VA_BLOCK, &delta);
    note_shortage();
    charge(&delta, &work);
    apply_all_revocations();
    managed_unlock(&before);
}

size_t umsim_managed_device_bytes(void)
{
    sigset_t before;
    managed_lock(&before);
    uint64_t blocks = umsim_managed_device()->chunks_used;
    if (!concurrent())
        blocks = live_blocks(UINT64_MAX);
    managed_unlock(&before);
    return blocks * UMSIM_VA_BLOCK;
}

void umsim_managed_launch_issued(void)
{
    if (!concurrent())
        umsim_managed_before_launch();
}

struct bringing {
    const struct umsim_stream *stream;
    struct uvm_delta delta;
};

/* Of a block that several allocations share, the big pages that hold this one. */
static void bring_one(struct umsim_alloc *allocation, void *context)
{
    struct bringing *bringing = context;
    const bool is_others =
        allocation->attachment == cudaMemAttachHost ||
        (allocation->attachment == cudaMemAttachSingle && allocation->attached != bringing->stream);
    if (!umsim_is_managed(allocation->memory) || is_others)
        return;
    size_t bytes = allocation->bytes;
    uintptr_t start = policy_range(allocation->base, &bytes);
    if (sharers_of(allocation->base, allocation->bytes)) {
        start = umsim_round_down((uintptr_t)allocation->base, UMSIM_BIG_PAGE);
        bytes = umsim_round_up((uintptr_t)allocation->base + allocation->bytes, UMSIM_BIG_PAGE) - start;
    }
    struct umsim_managed_space *space = umsim_managed_space_of(allocation->base);
    uvm_migrate_range(space->policy, start, bytes, &bringing->delta);
}

void umsim_managed_bring(const struct umsim_stream *stream, struct umsim_paging_work *work)
{
    sigset_t before;
    if (concurrent())
        return;
    managed_lock(&before);
    struct bringing bringing = {stream, fresh_delta(UVM_GPU)};
    umsim_registry_each(bring_one, &bringing);
    charge(&bringing.delta, work);
    work->prefetch = 1;
    apply_all_revocations();
    managed_unlock(&before);
}

void umsim_managed_attach(struct umsim_alloc *allocation, unsigned attachment, struct umsim_stream *stream)
{
    allocation->attachment = attachment;
    allocation->attached = stream;
}
