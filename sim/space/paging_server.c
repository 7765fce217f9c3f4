/**
 * @file paging_server.c
 * @brief Implementation of paging_server.h: one function for each task that the host can ask for.
 */
#include "paging_server.h"
#include "managed_spaces.h"
#include "arena.h"
#include "protection_revoke.h"
#include "allocator_small.h"
#include "residency_bar.h"
#include "account.h"
#include "../model/cost_delta.h"
#include "../record/counters.h"
#include "../record/trace.h"
#include "../base/machine.h"

#include <stddef.h>
#include <string.h>

static size_t live_ranges;

static struct uvm_system *all(void)
{
    return umsim_managed_system();
}

static struct uvm_device *device_of(enum uvm_processor gpu)
{
    return &all()->device[uvm_device_of(gpu)];
}

/* ---- what an operation of the policy costs ---- */

/* Adds an operation's cost to the counters and to the work that is priced. */
static void charge(const struct uvm_delta *delta, struct umsim_paging_work *work)
{
    umsim_count_paging(delta);
    umsim_cost_add_delta(work, delta, all()->processors);
    work->host_bytes = all()->host_pages * UVM_PAGE_BYTES;
    work->peers = umsim_devices > 1 ? &umsim_machine.peers : NULL;
}

static struct uvm_pace pace_of(enum uvm_processor processor)
{
    return umsim_cost_pace(&umsim_machine_of(processor == UVM_CPU ? 0 : uvm_device_of(processor))->costs,
                           processor);
}

static struct uvm_delta fresh_delta(enum uvm_processor processor, uint64_t now_ns)
{
    return (struct uvm_delta){.observer = umsim_account_event, .now_ns = now_ns, .pace = pace_of(processor)};
}

static unsigned spaces(void)
{
    return atomic_load(&umsim_views->spaces);
}

/* NULL: the space has ended. */
static struct uvm_space *policy_of(unsigned space)
{
    return umsim_views->space[space].policy;
}

static uint64_t live_blocks(void)
{
    uint64_t alive = 0;
    for (unsigned i = 0; i < spaces(); i++)
        if (policy_of(i))
            alive += policy_of(i)->blocks_live;
    return alive;
}

/* Whether there are more live VA blocks than fit into a device's memory: its kernels may then evict what they
 * need. */
static void note_shortage(void)
{
    const uint64_t alive = live_blocks();
    for (unsigned i = 0; i < umsim_devices; i++)
        all()->device[i].is_short = alive > all()->device[i].chunks;
}

static bool any_is_short(void)
{
    bool any = false;
    for (unsigned i = 0; i < umsim_devices; i++)
        any |= all()->device[i].is_short;
    return any;
}

/* ---- allocations ---- */

/* The number of small allocations in each VA block of the arena. */
static uint16_t sharers[UMSIM_MANAGED_SIZE / UMSIM_VA_BLOCK];

static uint16_t *sharers_of(uintptr_t base, size_t bytes)
{
    const struct umsim_arena *arena = &umsim_arenas[UMSIM_ARENA_MANAGED];
    size_t offset = base - (uintptr_t)arena->base;
    return offset < arena->size && umsim_is_small(bytes) ? &sharers[offset / UMSIM_VA_BLOCK] : NULL;
}

/* The policy's range is larger than an allocation. As on an H200, small ones lie in a block that is one
 * range, and of a variable at least a big page moves. */
static uintptr_t policy_range(uintptr_t base, size_t *bytes)
{
    if (sharers_of(base, *bytes)) {
        *bytes = UMSIM_VA_BLOCK;
        return umsim_round_down(base, UMSIM_VA_BLOCK);
    }
    *bytes = *bytes < UMSIM_BIG_PAGE ? UMSIM_BIG_PAGE : *bytes;
    return base;
}

static bool concurrent(void)
{
    return umsim_machine.attributes.concurrent_managed_access;
}

/* A device that cannot fault must have space for all that is alive; it holds new memory from the start. */
static bool make_range(struct umsim_managed_space *space, const struct umsim_paging *it)
{
    size_t bytes = it->bytes;
    uintptr_t start = policy_range(it->address, &bytes);
    struct uvm_delta populated = {0};
    if (uvm_range_create(space->policy, start, bytes) != UVM_OK)
        return false;
    umsim_account_begin(space, start, bytes);
    note_shortage();
    if (!concurrent() && any_is_short()) {
        uvm_range_destroy(space->policy, start, bytes);
        return false;
    }
    umsim_trace_range(UMSIM_RANGE_CREATED, start, bytes, UVM_NO_PROCESSOR);
    if (!concurrent() && it->for_kernels) {
        uvm_migrate_range(space->policy, it->processor, start, bytes, &populated);
        umsim_account_populated(it->processor, start, bytes);
    }
    live_ranges++;
    return true;
}

static void create(struct umsim_managed_space *space, const struct umsim_paging *it,
                   struct umsim_answer *answer)
{
    uint16_t *users = sharers_of(it->address, it->bytes);
    answer->done = (users && *users > 0) || make_range(space, it);
    if (answer->done && users)
        ++*users;
    note_shortage();
}

static void destroy(struct umsim_managed_space *space, const struct umsim_paging *it,
                    struct umsim_answer *answer)
{
    uint16_t *users = sharers_of(it->address, it->bytes);
    if (users && !*users)
        return;
    if (users && --*users > 0) { /* live pages open again when touched */
        umsim_close_at_host(space, umsim_space_block(space, (void *)it->address), answer);
        umsim_close_at_gpus(space, umsim_space_block(space, (void *)it->address));
        return;
    }
    size_t bytes = it->bytes;
    uintptr_t start = policy_range(it->address, &bytes);
    answer->pages = all()->host_pages;
    answer->done = uvm_range_destroy(space->policy, start, bytes) == UVM_OK;
    answer->pages -= all()->host_pages;
    live_ranges -= answer->done;
    if (answer->done)
        umsim_trace_range(UMSIM_RANGE_DESTROYED, start, bytes, UVM_NO_PROCESSOR);
    note_shortage();
}

void umsim_paging_populate(struct umsim_managed_space *space, char *base, size_t bytes)
{
    struct uvm_delta populated = {0};
    uintptr_t start = policy_range((uintptr_t)base, &bytes);
    uvm_cpu_access(space->policy, start, bytes, true, &populated); /* the loader's: not counted */
    if (!concurrent())
        uvm_migrate_range(space->policy, UVM_GPU, start, bytes, &populated);
    umsim_account_populated(concurrent() ? UVM_CPU : UVM_GPU, start, bytes);
}

/* ---- touches ---- */

/* The range that is granted to the host around the page that it touched. */
static void find_opening(const struct umsim_managed_space *space, const struct umsim_paging *it,
                         struct umsim_answer *answer)
{
    answer->open_writable =
        uvm_granted_run(space->policy, UVM_CPU, it->address, true, &answer->open_start, &answer->open_bytes);
    if (answer->open_writable || (!it->is_write && uvm_granted_run(space->policy, UVM_CPU, it->address, false,
                                                                   &answer->open_start, &answer->open_bytes)))
        umsim_managed_clip(space, (void *)it->address, &answer->open_start, &answer->open_bytes);
}

static void host_touch(struct umsim_managed_space *space, const struct umsim_paging *it,
                       struct umsim_answer *answer)
{
    struct uvm_delta delta = fresh_delta(UVM_CPU, it->now_ns);
    answer->done =
        umsim_managed_is_live(space, (void *)it->address) && uvm_is_valid(space->policy, it->address);
    if (!answer->done)
        return;
    uvm_cpu_fault(space->policy, it->address, it->is_write, &delta);
    charge(&delta, &answer->work);
    find_opening(space, it, answer);
}

static void host_access(struct umsim_managed_space *space, const struct umsim_paging *it,
                        struct umsim_answer *answer)
{
    struct uvm_delta delta = fresh_delta(UVM_CPU, it->now_ns);
    answer->done = uvm_cpu_access(space->policy, it->address, it->bytes, it->is_write, &delta) == UVM_OK;
    charge(&delta, &answer->work);
}

/* NULL when nothing is known of it. */
static const struct uvm_launch *launch_of(const struct umsim_paging *it)
{
    static struct uvm_launch launch;
    launch = it->launch;
    launch.multiprocessors =
        (uint32_t)umsim_machine_of(uvm_device_of(it->processor))->attributes.multiprocessor_count;
    return launch.blocks && launch.blocks_at_once && launch.threads_per_block ? &launch : NULL;
}

static void engine_touch(struct umsim_managed_space *space, const struct umsim_paging *it,
                         struct umsim_answer *answer)
{
    struct uvm_delta delta = fresh_delta(it->processor, it->now_ns);
    if (concurrent())
        answer->done = uvm_gpu_access(space->policy, it->processor, it->address, it->bytes, it->is_write,
                                      launch_of(it), &delta) == UVM_OK;
    else
        answer->done =
            uvm_migrate_range(space->policy, it->processor, it->address, it->bytes, &delta) == UVM_OK;
    charge(&delta, &answer->work);
    answer->work.prefetch = !concurrent();
}

/* ---- launches ---- */

static uint64_t first_unpin(void)
{
    uint64_t first = 0;
    for (unsigned i = 0; i < spaces(); i++)
        if (policy_of(i) && policy_of(i)->unpin_ns && (!first || policy_of(i)->unpin_ns < first))
            first = policy_of(i)->unpin_ns;
    return first;
}

/* On hardware, pins end by themselves; here, they end before the GPU looks. */
static void before_launch(const struct umsim_paging *it)
{
    bool end = false;
    for (unsigned i = 0; i < spaces(); i++)
        end |= policy_of(i) && uvm_pins_end(policy_of(i), it->now_ns);
    for (unsigned i = 0; it->idle && end && i < spaces(); i++)
        if (policy_of(i))
            uvm_unpin(policy_of(i), it->now_ns);
    if (device_of(it->processor)->is_short)
        umsim_close_all_at_gpu(uvm_device_of(it->processor));
}

static void after_launch(const struct umsim_paging *it, struct umsim_answer *answer)
{
    const struct uvm_launch *launch = launch_of(it);
    for (unsigned i = 0; i < spaces(); i++) {
        struct uvm_delta delta = fresh_delta(it->processor, it->now_ns);
        if (!policy_of(i))
            continue;
        uvm_gpu_replay(policy_of(i), it->processor, launch, &delta);
        charge(&delta, &answer->work);
    }
    answer->done = true;
}

void umsim_paging_touched(void)
{
    atomic_store(&umsim_views->touched, 1);
}

/* ---- prefetch, advice ---- */

static void prefetch(struct umsim_managed_space *space, const struct umsim_paging *it,
                     struct umsim_answer *answer)
{
    struct uvm_delta delta = fresh_delta(UVM_GPU, it->now_ns);
    answer->done = uvm_prefetch(space->policy, it->address, it->bytes, it->processor, &delta) == UVM_OK;
    charge(&delta, &answer->work);
    answer->work.prefetch = 1;
}

/* In a block that several allocations share: the big pages that hold this allocation. */
static void bring(struct umsim_managed_space *space, const struct umsim_paging *it,
                  struct umsim_answer *answer)
{
    struct uvm_delta delta = fresh_delta(UVM_GPU, it->now_ns);
    size_t bytes = it->bytes;
    uintptr_t start = policy_range(it->address, &bytes);
    if (sharers_of(it->address, it->bytes)) {
        start = umsim_round_down(it->address, UMSIM_BIG_PAGE);
        bytes = umsim_round_up(it->address + it->bytes, UMSIM_BIG_PAGE) - start;
    }
    answer->done = uvm_migrate_range(space->policy, it->processor, start, bytes, &delta) == UVM_OK;
    charge(&delta, &answer->work);
    answer->work.prefetch = 1;
}

/* Advice takes mappings without an event: the new preferred location's own, and with ReadMostly everybody's
 * (of one device the trace does not tell those). */
static void tell_unmapped(const struct umsim_paging *it)
{
    const bool is_all = (enum uvm_advice)it->advice == UVM_SET_READ_MOSTLY && umsim_devices > 1;
    for (unsigned i = UVM_GPU; i < all()->processors; i++) {
        const enum uvm_processor gpu = (enum uvm_processor)i;
        if (is_all || ((enum uvm_advice)it->advice == UVM_SET_PREFERRED_LOCATION && gpu == it->processor))
            umsim_trace_range(UMSIM_RANGE_UNMAPPED, it->address, it->bytes, gpu);
    }
}

static void advise(struct umsim_managed_space *space, const struct umsim_paging *it,
                   struct umsim_answer *answer)
{
    struct uvm_delta delta = fresh_delta(UVM_GPU, it->now_ns);
    const enum uvm_advice advice = (enum uvm_advice)it->advice;
    uint64_t resident[UVM_PROCESSORS] = {0};
    if (advice == UVM_SET_READ_MOSTLY) /* the pages lose the permission to write */
        uvm_count_resident(space->policy, it->address, it->bytes, resident);
    answer->done = uvm_advise(space->policy, it->address, it->bytes, advice, it->processor, &delta) == UVM_OK;
    if (answer->done)
        tell_unmapped(it);
    charge(&delta, &answer->work);
    answer->pages = umsim_delta_sum(resident, UVM_CPU, all()->processors);
}

static void set_device_memory(const struct umsim_paging *it, struct umsim_answer *answer)
{
    struct uvm_delta delta = fresh_delta(UVM_GPU, it->now_ns);
    const uint64_t most = (uint64_t)umsim_machine_of(uvm_device_of(it->processor))->capacity.free_at_start;
    uvm_set_device_memory(all(), it->processor, (it->bytes < most ? it->bytes : most) / UMSIM_VA_BLOCK,
                          &delta);
    note_shortage();
    charge(&delta, &answer->work);
    answer->done = true;
}

/* ---- questions ---- */

static void tell_resident(struct umsim_managed_space *space, const struct umsim_paging *it,
                          struct umsim_answer *answer)
{
    uint64_t pages[UVM_PROCESSORS] = {0};
    uvm_count_resident(space->policy, it->address, it->bytes, pages);
    for (unsigned i = UVM_GPU; i < all()->processors; i++)
        if (all()->reach[it->processor] & uvm_bit((enum uvm_processor)i))
            answer->peers_pages += pages[i];
    answer->pages = pages[it->processor];
    answer->peers_pages -= answer->pages;
    answer->done = true;
}

static void tell_counts(struct umsim_managed_space *space, const struct umsim_paging *it,
                        struct umsim_answer *answer)
{
    answer->counts = (struct umsim_counters){0};
    umsim_account_read(space, (const void *)it->address, it->bytes, &answer->counts);
    answer->done = true;
}

static void tell_attributes(struct umsim_managed_space *space, const struct umsim_paging *it,
                            struct umsim_answer *answer)
{
    answer->done = uvm_get_attributes(space->policy, it->address, it->bytes, &answer->attributes) == UVM_OK;
}

static void draw(struct umsim_managed_space *space, const struct umsim_paging *it,
                 struct umsim_answer *answer)
{
    if (umsim_managed_is_live(space, (const void *)it->address))
        answer->pages = umsim_draw_residency(space->policy, it->address, it->bytes, it->characters, it->skip,
                                             answer->bar, sizeof answer->bar);
    answer->done = true;
}

static void (*const tasks[UMSIM_PAGING_TASKS])(struct umsim_managed_space *, const struct umsim_paging *,
                                               struct umsim_answer *) = {
    [UMSIM_HOST_TOUCH] = host_touch,
    [UMSIM_HOST_ACCESS] = host_access,
    [UMSIM_ENGINE_TOUCH] = engine_touch,
    [UMSIM_PREFETCH] = prefetch,
    [UMSIM_ADVISE] = advise,
    [UMSIM_CREATE] = create,
    [UMSIM_DESTROY] = destroy,
    [UMSIM_BRING] = bring,
    [UMSIM_RESIDENT] = tell_resident,
    [UMSIM_COUNTS] = tell_counts,
    [UMSIM_RESIDENCY_BAR] = draw,
    [UMSIM_ATTRIBUTES] = tell_attributes,
};

/* A range has to lie in one space. */
static struct umsim_managed_space *space_of(const struct umsim_paging *it)
{
    struct umsim_managed_space *space = umsim_managed_space_of((const void *)it->address);
    return space && it->bytes <= space->bytes - (it->address - (uintptr_t)space->base) ? space : NULL;
}

void umsim_paging_serve(const struct umsim_request *request, struct umsim_answer *answer)
{
    const enum umsim_task task = request->task;
    const struct umsim_paging *it = &request->paging;
    struct umsim_managed_space *space;
    memset(answer, 0, offsetof(struct umsim_answer, closing));
    switch (task) {
    case UMSIM_BEFORE_LAUNCH:
        before_launch(it);
        break;
    case UMSIM_AFTER_LAUNCH:
        after_launch(it, answer);
        break;
    case UMSIM_DEVICE_MEMORY:
        set_device_memory(it, answer);
        break;
    case UMSIM_DEVICE_BLOCKS:
        answer->pages = concurrent() ? device_of(it->processor)->chunks_used : live_blocks();
        answer->done = true;
        break;
    default:
        if ((space = space_of(it)) && tasks[task])
            tasks[task](space, it, answer);
    }
    umsim_close_revoked(answer);
    answer->in_use = live_ranges > 0;
    answer->is_short = any_is_short();
    answer->unpin_ns = first_unpin();
}
