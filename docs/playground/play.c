/**
 * @file play.c
 * @brief Implementation of play.h. What sim/space and sim/queue do around the policy is here in its simplest
 * form: one array, one stream, a wait after each operation.
 */
#include "play.h"
#include "model/cost.h"
#include "uvm/uvm.h"

#include <string.h>

#define BASE ((uintptr_t)0x40000000)
#define BLOCKS ((size_t)(SCENARIO_ARRAY_MAX / UVM_VA_BLOCK_BYTES))
/** The program's first CUDA calls lie before; a time of 0 would mean that it is not known. */
#define BEGIN_NS UINT64_C(1000000)
/** Space for the policy's state, which uvm_space_bytes(BLOCKS) measures. */
#define STATE_BYTES ((size_t)2 << 20)

static _Alignas(64) unsigned char state[STATE_BYTES];

static struct {
    struct scenario scenario;
    struct umsim_profile profile;
    struct uvm_system machine;
    struct uvm_space *space;
    uint64_t now_ns, busy_until_ns;
    struct umsim_handler handler;
    bool host_faulted, mapped_for_device;
    unsigned steps;
    uint64_t count[2][PLAY_COUNTS]; /* of the last step; of all */
    struct play_event event[PLAY_EVENTS_MAX];
    unsigned events;
    uint64_t events_left_out;
} play;

/* ---- what the policy did, counted and priced ---- */

static void note_event(void *unused, const struct uvm_event *event)
{
    (void)unused;
    if (play.events == PLAY_EVENTS_MAX) {
        play.events_left_out++;
        return;
    }
    play.event[play.events++] = (struct play_event){(int32_t)event->type,
                                                    (int32_t)event->processor,
                                                    (int32_t)event->cause,
                                                    event->is_write,
                                                    (uint32_t)((event->address - BASE) / UVM_PAGE_BYTES),
                                                    (uint32_t)(event->bytes / UVM_PAGE_BYTES),
                                                    event->groups,
                                                    (uint32_t)(event->wait_ns / 1000)};
}

/* As long as the services of a call take, about. */
static struct uvm_delta delta_of(enum uvm_processor processor, uint64_t now_ns)
{
    const struct umsim_costs *costs = &play.profile.costs;
    const double gbs = processor == UVM_CPU ? costs->migrate_dtoh_gbs : costs->migrate_htod_gbs;
    const double service_us = processor == UVM_CPU ? costs->cpu_fault_us + 2 * costs->cpu_fault_transfer_us
                                                   : costs->gpu_fault_batch_us + costs->gpu_fault_block_us;
    return (struct uvm_delta){
        .observer = note_event,
        .now_ns = now_ns,
        .pace = {(uint64_t)(1e3 * service_us), gbs > 0 ? (uint64_t)((double)UVM_PAGE_BYTES / gbs) : 0}};
}

static void count(enum play_count count, uint64_t more)
{
    play.count[0][count] += more;
    play.count[1][count] += more;
}

static void count_delta(const struct uvm_delta *delta)
{
    count(PLAY_CPU_FAULTS, delta->cpu_faults);
    count(PLAY_GPU_FAULT_GROUPS, delta->gpu_fault_groups);
    count(PLAY_HTOD, uvm_delta_bytes(delta, UVM_HTOD));
    count(PLAY_DTOH, uvm_delta_bytes(delta, UVM_DTOH));
    for (int cause = 0; cause < UVM_CAUSES; cause++) {
        count((enum play_count)(PLAY_HTOD_USER + cause), delta->bytes[UVM_HTOD][cause]);
        count((enum play_count)(PLAY_DTOH_USER + cause), delta->bytes[UVM_DTOH][cause]);
    }
    count(PLAY_EVICTIONS, delta->evictions);
    count(PLAY_DUPLICATES, delta->pages_duplicated);
    count(PLAY_INVALIDATED, delta->pages_invalidated);
    count(PLAY_REMOTE_MAPS, delta->pages_mapped_remotely[UVM_GPU]);
    count(PLAY_THRASHING, delta->pages_thrashing);
    count(PLAY_THROTTLES, delta->throttles[UVM_CPU] + delta->throttles[UVM_GPU]);
}

static void charge(const struct uvm_delta *delta, struct umsim_paging_work *work)
{
    count_delta(delta);
    work->cpu_faults += delta->cpu_faults;
    /* those on refused pages took their time while the GPU was throttled */
    work->gpu_fault_groups += delta->gpu_fault_groups - delta->throttled_groups;
    work->gpu_fault_batches += delta->gpu_fault_batches - delta->throttled_groups;
    work->gpu_fault_services += delta->gpu_fault_services;
    work->throttled_ns += delta->throttled_ns[UVM_CPU] + delta->throttled_ns[UVM_GPU];
    work->bytes_htod += uvm_delta_bytes(delta, UVM_HTOD);
    work->bytes_dtoh += uvm_delta_bytes(delta, UVM_DTOH);
    work->transfers_htod += uvm_delta_transfers(delta, UVM_HTOD);
    work->transfers_dtoh += uvm_delta_transfers(delta, UVM_DTOH);
    work->host_pages_populated += delta->pages_populated[UVM_CPU];
    work->host_pages_cleared += delta->host_pages_cleared;
    work->host_bytes = play.machine.host_pages * UVM_PAGE_BYTES;
    work->device_pages_populated +=
        delta->pages_populated[UVM_GPU] + uvm_delta_bytes(delta, UVM_HTOD) / UVM_PAGE_BYTES;
    work->remote_pages_mapped += delta->pages_mapped_remotely[UVM_GPU];
    work->pages_invalidated += delta->pages_invalidated;
    work->evictions += delta->evictions;
}

static void spend(uint64_t ns)
{
    play.now_ns += ns;
    count(PLAY_TIME_NS, ns);
}

static void spend_call(enum umsim_call call)
{
    spend(umsim_cost_call(&play.profile.costs, call));
}

/* The device is done at `end_ns`, and the host waits for it. */
static void wait_for_device(uint64_t end_ns)
{
    if (end_ns > play.now_ns) {
        spend(end_ns - play.now_ns);
        spend_call(UMSIM_CALL_SYNCHRONIZE);
    } else {
        spend_call(UMSIM_CALL_SYNCHRONIZE_IDLE);
    }
}

static bool concurrent(void)
{
    return play.profile.attributes.concurrent_managed_access;
}

/* Pages that were closed are found by their grants here; the lists of them are emptied. */
static void forget_revoked(void)
{
    size_t block;
    while (uvm_revoked_next(play.space, UVM_CPU, &block) || uvm_revoked_next(play.space, UVM_GPU, &block))
        ;
}

/* ---- the host's accesses ---- */

static void host_touch(uint64_t offset, bool is_write)
{
    struct uvm_delta delta = delta_of(UVM_CPU, play.now_ns);
    struct umsim_paging_work work = {0};
    if (uvm_granted(play.space, UVM_CPU, BASE + offset, is_write) ||
        uvm_cpu_fault(play.space, BASE + offset, is_write, &delta) != UVM_OK)
        return;
    charge(&delta, &work);
    work.first = work.cpu_faults && !play.host_faulted;
    play.host_faulted |= work.cpu_faults > 0;
    if (work.cpu_faults)
        spend(umsim_cost_cpu_faults(&play.profile.costs, &work));
    forget_revoked();
}

/* ---- kernels ---- */

static void gpu_touch(uint64_t offset, bool is_write)
{
    struct uvm_opening opening;
    uvm_gpu_touch(play.space, UVM_GPU, BASE + offset, is_write, &opening);
}

/* The number of the first touch behind the page that touch `i`, at `offset`, is on. */
static uint64_t behind_page(const struct scenario_step *step, uint64_t i, uint64_t offset)
{
    if (step->pattern == SCENARIO_RANDOM || step->stride >= UVM_PAGE_BYTES)
        return i + 1;
    const uint64_t page_end = (offset / UVM_PAGE_BYTES + 1) * UVM_PAGE_BYTES;
    return (page_end - step->from + step->stride - 1) / step->stride;
}

/* Calls `touch` for the pages in the order in which the step comes to them. While it stays on one, only the
 * first touch matters. */
static void each_touch(const struct scenario_step *step, void (*touch)(uint64_t offset, bool is_write))
{
    const uint64_t touches = scenario_touches(step);
    for (uint64_t i = 0; i < touches;) {
        const uint64_t offset = scenario_touch(step, i);
        touch(offset, step->is_write);
        i = behind_page(step, i, offset);
    }
}

/* On a device that cannot fault, the host's pages are brought before the kernel. @return what that takes */
static uint64_t bring(uint64_t range)
{
    struct uvm_delta delta = delta_of(UVM_GPU, play.now_ns);
    struct umsim_paging_work work = {.prefetch = 1}, moved = {.prefetch = 1};
    if (!concurrent()) {
        uvm_migrate_range(play.space, UVM_GPU, BASE, range, &delta);
        charge(&delta, &work);
        moved.bytes_htod = work.bytes_htod;
        moved.transfers_htod = work.transfers_htod;
        moved.device_pages_populated = work.device_pages_populated;
    }
    return umsim_cost_prefetch(&play.profile.costs, 0, &moved, false).engine_ns;
}

static uint64_t big_pages(uint64_t bytes)
{
    return (bytes + UVM_BIG_PAGE_BYTES - 1) / UVM_BIG_PAGE_BYTES * UVM_BIG_PAGE_BYTES;
}

/* An array of less than 2 MiB lies in a range of that size; of it, its big pages are brought. */
static bool is_small(void)
{
    return play.scenario.array < UVM_VA_BLOCK_BYTES;
}

static uint64_t kernel_ns(const struct scenario_step *step, const struct umsim_paging_work *paging)
{
    uint64_t pages[UVM_PROCESSORS];
    uvm_count_resident(play.space, BASE, play.scenario.array, pages);
    const bool is_remote = pages[UVM_GPU] * UVM_PAGE_BYTES * 2 < play.scenario.array;
    const uint64_t bytes = scenario_bytes(step);
    const struct umsim_traffic traffic = {.kind = is_remote ? UMSIM_MEMORY_MANAGED_REMOTE
                                                            : UMSIM_MEMORY_MANAGED_RESIDENT,
                                          .bytes_read = step->is_write ? 0 : bytes,
                                          .bytes_written = step->is_write ? bytes : 0};
    const struct umsim_kernel_work work = {.blocks = (scenario_touches(step) + SCENARIO_THREADS - 1) /
                                                     SCENARIO_THREADS,
                                           .threads_per_block = SCENARIO_THREADS,
                                           .traffic = &traffic,
                                           .traffic_count = 1,
                                           .paging = paging};
    return umsim_cost_kernel(&play.profile.costs, &play.profile.attributes, &work);
}

static bool fresh(void)
{
    const bool was = play.mapped_for_device;
    play.mapped_for_device = false;
    return was;
}

static void gpu_access(const struct scenario_step *step)
{
    const struct umsim_attributes *attributes = &play.profile.attributes;
    const uint64_t bytes = scenario_bytes(step);
    struct umsim_paging_work paging = {0};
    spend_call(UMSIM_CALL_LAUNCH);
    const uint64_t issue_ns = play.now_ns;
    const uint64_t bring_ns = bring(is_small() ? big_pages(play.scenario.array) : play.scenario.array);
    if (uvm_pins_end(play.space, play.now_ns))
        uvm_unpin(play.space, play.now_ns);
    each_touch(step, gpu_touch);
    const uint64_t start_ns = issue_ns > play.busy_until_ns ? issue_ns : play.busy_until_ns;
    struct uvm_delta delta = delta_of(UVM_GPU, start_ns);
    const struct uvm_launch launch = {
        .blocks = (scenario_touches(step) + SCENARIO_THREADS - 1) / SCENARIO_THREADS,
        .threads_per_block = SCENARIO_THREADS,
        .multiprocessors = (uint32_t)attributes->multiprocessor_count,
        .blocks_at_once = umsim_cost_blocks_at_once(attributes, SCENARIO_THREADS, 0),
        .touches = umsim_cost_touches(step->is_write ? 0 : bytes, step->is_write ? bytes : 0)};
    uvm_gpu_replay(play.space, UVM_GPU, &launch, &delta);
    charge(&delta, &paging);
    paging.first = umsim_handler_sleeps(&play.handler, issue_ns);
    paging.fresh = fresh();
    const uint64_t duration_ns = bring_ns + kernel_ns(step, &paging);
    play.busy_until_ns = start_ns + duration_ns;
    if (paging.gpu_fault_groups)
        umsim_handler_served(&play.handler, &play.profile.costs, issue_ns + duration_ns);
    forget_revoked();
    wait_for_device(issue_ns + duration_ns);
}

static void turns(const struct scenario_step *step)
{
    for (uint64_t turn = 0; turn < step->count; turn++) {
        each_touch(step, host_touch);
        gpu_access(step);
    }
}

/* ---- advice and prefetches ---- */

static void note_mapped(const struct umsim_paging_work *work)
{
    play.mapped_for_device |= work->bytes_htod || work->device_pages_populated || work->remote_pages_mapped;
}

static enum uvm_processor processor_of(const struct scenario_step *step)
{
    return step->side == SCENARIO_GPU ? UVM_GPU : step->side == SCENARIO_HOST ? UVM_CPU : UVM_NO_PROCESSOR;
}

static const char *advise(const struct scenario_step *step)
{
    static const enum uvm_advice meaning[] = {UVM_SET_READ_MOSTLY,        UVM_UNSET_READ_MOSTLY,
                                              UVM_SET_PREFERRED_LOCATION, UVM_UNSET_PREFERRED_LOCATION,
                                              UVM_SET_ACCESSED_BY,        UVM_UNSET_ACCESSED_BY};
    struct uvm_delta delta = delta_of(UVM_GPU, 0);
    struct umsim_paging_work work = {0};
    uint64_t pages[UVM_PROCESSORS] = {0};
    if (step->side == SCENARIO_GPU && !concurrent() && step->advice != SCENARIO_NO_ACCESSED)
        return "this GPU cannot fault, so cudaMemAdvise refuses such advice: its concurrentManagedAccess is "
               "0";
    spend_call(UMSIM_CALL_MEM_ADVISE);
    delta.now_ns = play.now_ns;
    if (step->advice == SCENARIO_READ_MOSTLY)
        uvm_count_resident(play.space, BASE + step->from, step->length, pages);
    uvm_advise(play.space, BASE + step->from, step->length, meaning[step->advice], processor_of(step),
               &delta);
    charge(&delta, &work);
    note_mapped(&work);
    spend(umsim_cost_advice(&play.profile.costs, pages[UVM_CPU] + pages[UVM_GPU], work.remote_pages_mapped));
    forget_revoked();
    return NULL;
}

static const char *prefetch(const struct scenario_step *step)
{
    const bool to_host = step->side == SCENARIO_HOST;
    const struct umsim_costs *costs = &play.profile.costs;
    struct umsim_paging_work none = {.prefetch = 1}, work = {.prefetch = 1};
    if (!to_host && !concurrent())
        return "this GPU cannot fault, so cudaMemPrefetchAsync refuses: its concurrentManagedAccess is 0";
    spend(umsim_cost_prefetch(costs, step->length, &none, to_host).issue_ns);
    struct uvm_delta delta = delta_of(UVM_GPU, play.now_ns);
    uvm_prefetch(play.space, BASE + step->from, step->length, processor_of(step), &delta);
    charge(&delta, &work);
    note_mapped(&work);
    forget_revoked();
    wait_for_device(play.now_ns + umsim_cost_prefetch(costs, step->length, &work, to_host).engine_ns);
    return NULL;
}

/* ---- a scenario ---- */

const char *play_start(const struct scenario *scenario, const struct umsim_profile *profile)
{
    const uint64_t most = (uint64_t)profile->capacity.free_at_start;
    const uint64_t device = scenario->device && scenario->device < most ? scenario->device : most;
    struct uvm_delta unseen = {0};
    memset(&play, 0, sizeof play);
    play.scenario = *scenario;
    play.profile = *profile;
    play.now_ns = BEGIN_NS;
    if (uvm_space_bytes(BLOCKS) > sizeof state)
        return "the policy's state does not fit";
    memset(state, 0, uvm_space_bytes(BLOCKS));
    uvm_system_init(&play.machine, 1, UVM_NO_LINK, device / UVM_VA_BLOCK_BYTES);
    play.space = uvm_space_init(state, &play.machine, BASE, BLOCKS);
    const uint64_t range = is_small() ? UVM_VA_BLOCK_BYTES : scenario->array;
    uvm_range_create(play.space, BASE, range);
    play.machine.device[0].is_short = play.space->blocks_live > play.machine.device[0].chunks;
    if (!concurrent() && play.machine.device[0].is_short)
        return "this GPU cannot fault, so all managed memory has to fit into its own: cudaMallocManaged "
               "fails";
    if (!concurrent())
        uvm_migrate_range(play.space, UVM_GPU, BASE, range, &unseen);
    return NULL;
}

const char *play_step(void)
{
    memset(play.count[0], 0, sizeof play.count[0]);
    play.events = 0;
    play.events_left_out = 0;
    if (play.steps == play.scenario.steps)
        return NULL;
    const struct scenario_step *step = &play.scenario.step[play.steps++];
    switch (step->kind) {
    case SCENARIO_ACCESS:
        if (step->side == SCENARIO_HOST)
            each_touch(step, host_touch);
        else
            gpu_access(step);
        return NULL;
    case SCENARIO_TURNS:
        turns(step);
        return NULL;
    case SCENARIO_ADVISE:
        return advise(step);
    default:
        return prefetch(step);
    }
}

unsigned play_steps(void)
{
    return play.steps;
}

uint64_t play_count(enum play_count count, bool all)
{
    return play.count[all][count];
}

const char *play_count_name(enum play_count count)
{
    static const char *const names[PLAY_COUNTS] = {
        [PLAY_TIME_NS] = "time_ns",
        [PLAY_CPU_FAULTS] = "cpu_faults",
        [PLAY_GPU_FAULT_GROUPS] = "gpu_fault_groups",
        [PLAY_HTOD] = "htod",
        [PLAY_HTOD_USER] = "htod_user",
        [PLAY_HTOD_COHERENCE] = "htod_coherence",
        [PLAY_HTOD_PREFETCH] = "htod_prefetch",
        [PLAY_HTOD_EVICTION] = "htod_eviction",
        [PLAY_DTOH] = "dtoh",
        [PLAY_DTOH_USER] = "dtoh_user",
        [PLAY_DTOH_COHERENCE] = "dtoh_coherence",
        [PLAY_DTOH_PREFETCH] = "dtoh_prefetch",
        [PLAY_DTOH_EVICTION] = "dtoh_eviction",
        [PLAY_EVICTIONS] = "evictions",
        [PLAY_DUPLICATES] = "duplicates",
        [PLAY_INVALIDATED] = "invalidated",
        [PLAY_REMOTE_MAPS] = "remote_maps",
        [PLAY_THRASHING] = "thrashing",
        [PLAY_THROTTLES] = "throttles",
    };
    return names[count];
}

const struct play_event *play_events(unsigned *count, uint64_t *left_out)
{
    *count = play.events;
    *left_out = play.events_left_out;
    return play.event;
}

const uint8_t *play_pages(unsigned *count)
{
    static uint8_t page[BLOCKS * UVM_PAGES_PER_BLOCK];
    *count = (unsigned)((play.scenario.array + UVM_PAGE_BYTES - 1) / UVM_PAGE_BYTES);
    for (unsigned i = 0; i < *count; i++) {
        const struct uvm_block *block = &play.space->block[i / UVM_PAGES_PER_BLOCK];
        const struct uvm_mask *masks[] = {&block->resident[UVM_CPU], &block->resident[UVM_GPU],
                                          &block->readable[UVM_CPU], &block->readable[UVM_GPU],
                                          &block->writable[UVM_CPU], &block->writable[UVM_GPU]};
        page[i] = 0;
        for (unsigned bit = 0; bit < sizeof masks / sizeof *masks; bit++)
            page[i] |= (uint8_t)((masks[bit]->word[i / 64 % 8] >> i % 64 & 1) << bit);
    }
    return page;
}
