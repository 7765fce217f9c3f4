/**
 * @file play.c
 * @brief Implementation of play.h. What sim/space and sim/queue do around the policy is here in its simplest
 * form: one array, one stream, a wait after each operation.
 */
#include "state.h"
#include "profiles.h"

#include <string.h>

/** The program's first CUDA calls lie before; a time of 0 would mean that it is not known. */
#define BEGIN_NS UINT64_C(1000000)
/** Space for the policy's state, which uvm_space_bytes(BLOCKS) measures. */
#define STATE_BYTES ((size_t)2 << 20)

static _Alignas(64) unsigned char state[STATE_BYTES];

struct play_state play;

static void spend(uint64_t ns)
{
    play.now_ns += ns;
    play_count_more(PLAY_TIME_NS, ns);
}

static void spend_call(unsigned device, enum umsim_call call)
{
    spend(umsim_cost_call(&play_machine_of(device)->costs, call));
}

/* The device is done at `end_ns`, and the host waits for it. */
static void wait_for_device(unsigned device, uint64_t end_ns)
{
    if (end_ns > play.now_ns) {
        spend(end_ns - play.now_ns);
        spend_call(device, UMSIM_CALL_SYNCHRONIZE);
    } else {
        spend_call(device, UMSIM_CALL_SYNCHRONIZE_IDLE);
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
    for (unsigned processor = UVM_CPU; processor < play.machine.processors; processor++)
        while (uvm_revoked_next(play.space, (enum uvm_processor)processor, &block))
            ;
}

/* ---- the host's accesses ---- */

static void host_touch(enum uvm_processor host, uint64_t offset, bool is_write)
{
    (void)host;
    struct uvm_delta delta = play_delta_of(UVM_CPU, play.now_ns);
    struct umsim_paging_work work = {0};
    if (uvm_granted(play.space, UVM_CPU, BASE + offset, is_write) ||
        uvm_cpu_fault(play.space, BASE + offset, is_write, &delta) != UVM_OK)
        return;
    play_charge(&delta, &work);
    work.first = work.cpu_faults && !play.host_faulted;
    play.host_faulted |= work.cpu_faults > 0;
    if (work.cpu_faults)
        spend(umsim_cost_cpu_faults(&play.profile.costs, &work));
    forget_revoked();
}

/* ---- kernels ---- */

static void gpu_touch(enum uvm_processor gpu, uint64_t offset, bool is_write)
{
    struct uvm_opening opening;
    uvm_gpu_touch(play.space, gpu, BASE + offset, is_write, &opening);
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
static void each_touch(const struct scenario_step *step, enum uvm_processor who,
                       void (*touch)(enum uvm_processor who, uint64_t offset, bool is_write))
{
    const uint64_t touches = scenario_touches(step);
    for (uint64_t i = 0; i < touches;) {
        const uint64_t offset = scenario_touch(step, i);
        touch(who, offset, step->is_write);
        i = behind_page(step, i, offset);
    }
}

/* On a device that cannot fault, the host's pages are brought before the kernel. @return what that takes */
static uint64_t bring(uint64_t range)
{
    struct uvm_delta delta = play_delta_of(UVM_GPU, play.now_ns);
    struct umsim_paging_work work = {.prefetch = 1}, moved = {.prefetch = 1};
    if (!concurrent()) {
        uvm_migrate_range(play.space, UVM_GPU, BASE, range, &delta);
        play_charge(&delta, &work);
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

/* Where most of the array is, for a kernel's declared traffic: here, with a peer that is reached, or remote.
 */
static enum umsim_memory_kind memory_kind(enum uvm_processor gpu)
{
    uint64_t pages[UVM_PROCESSORS], peers = 0;
    uvm_count_resident(play.space, BASE, play.scenario.array, pages);
    for (unsigned i = UVM_GPU; i < play.machine.processors; i++)
        if (i != gpu && play.machine.reach[gpu] & uvm_bit((enum uvm_processor)i))
            peers += pages[i];
    if (pages[gpu] * UVM_PAGE_BYTES * 2 >= play.scenario.array)
        return UMSIM_MEMORY_MANAGED_RESIDENT;
    return peers * UVM_PAGE_BYTES * 2 < play.scenario.array ? UMSIM_MEMORY_MANAGED_REMOTE : UMSIM_MEMORY_PEER;
}

static uint64_t kernel_ns(const struct scenario_step *step, const struct umsim_paging_work *paging)
{
    const unsigned device = scenario_device(step);
    const uint64_t bytes = scenario_bytes(step);
    const struct umsim_traffic traffic = {.kind = memory_kind(uvm_gpu(device)),
                                          .bytes_read = step->is_write ? 0 : bytes,
                                          .bytes_written = step->is_write ? bytes : 0};
    const struct umsim_kernel_work work = {.blocks = (scenario_touches(step) + SCENARIO_THREADS - 1) /
                                                     SCENARIO_THREADS,
                                           .threads_per_block = SCENARIO_THREADS,
                                           .traffic = &traffic,
                                           .traffic_count = 1,
                                           .paging = paging,
                                           .peers = &play.profile.peers};
    return umsim_cost_kernel(&play_machine_of(device)->costs, &play_machine_of(device)->attributes, &work);
}

static bool fresh(unsigned device)
{
    const bool was = play.mapped_for[device];
    play.mapped_for[device] = false;
    return was;
}

static void gpu_access(const struct scenario_step *step)
{
    const unsigned device = scenario_device(step);
    const enum uvm_processor gpu = uvm_gpu(device);
    const struct umsim_attributes *attributes = &play_machine_of(device)->attributes;
    const uint64_t bytes = scenario_bytes(step);
    uint64_t *busy = &play.busy_until_ns[device];
    struct umsim_paging_work paging = {0};
    spend_call(device, UMSIM_CALL_LAUNCH);
    const uint64_t issue_ns = play.now_ns;
    const uint64_t bring_ns = bring(is_small() ? big_pages(play.scenario.array) : play.scenario.array);
    if (uvm_pins_end(play.space, play.now_ns))
        uvm_unpin(play.space, play.now_ns);
    each_touch(step, gpu, gpu_touch);
    const uint64_t start_ns = issue_ns > *busy ? issue_ns : *busy;
    struct uvm_delta delta = play_delta_of(gpu, start_ns);
    const struct uvm_launch launch = {
        .blocks = (scenario_touches(step) + SCENARIO_THREADS - 1) / SCENARIO_THREADS,
        .threads_per_block = SCENARIO_THREADS,
        .multiprocessors = (uint32_t)attributes->multiprocessor_count,
        .blocks_at_once = umsim_cost_blocks_at_once(attributes, SCENARIO_THREADS, 0),
        .touches = umsim_cost_touches(step->is_write ? 0 : bytes, step->is_write ? bytes : 0)};
    uvm_gpu_replay(play.space, gpu, &launch, &delta);
    play_charge(&delta, &paging);
    paging.first = umsim_handler_sleeps(&play.handler, issue_ns);
    paging.fresh = fresh(device);
    const uint64_t duration_ns = bring_ns + kernel_ns(step, &paging);
    *busy = start_ns + duration_ns;
    if (paging.gpu_fault_groups)
        umsim_handler_served(&play.handler, &play_machine_of(device)->costs, issue_ns + duration_ns);
    forget_revoked();
    wait_for_device(device, issue_ns + duration_ns);
}

static void turns(const struct scenario_step *step)
{
    for (uint64_t turn = 0; turn < step->count; turn++) {
        each_touch(step, UVM_CPU, host_touch);
        gpu_access(step);
    }
}

/* ---- advice and prefetches ---- */

static void note_mapped(const struct umsim_paging_work *work, unsigned first, unsigned end)
{
    for (unsigned device = first; device < end; device++)
        play.mapped_for[device] |= work->bytes_htod || work->bytes_dtod || work->device_pages_populated ||
                                   work->remote_pages_mapped || work->peer_pages_mapped;
}

static enum uvm_processor processor_of(const struct scenario_step *step)
{
    static const enum uvm_processor processors[] = {[SCENARIO_HOST] = UVM_CPU,
                                                    [SCENARIO_GPU] = UVM_GPU,
                                                    [SCENARIO_GPU_1] = UVM_GPU + 1,
                                                    [SCENARIO_NEITHER] = UVM_NO_PROCESSOR};
    return processors[step->side];
}

static const char *advise(const struct scenario_step *step)
{
    static const enum uvm_advice meaning[] = {UVM_SET_READ_MOSTLY,        UVM_UNSET_READ_MOSTLY,
                                              UVM_SET_PREFERRED_LOCATION, UVM_UNSET_PREFERRED_LOCATION,
                                              UVM_SET_ACCESSED_BY,        UVM_UNSET_ACCESSED_BY};
    struct uvm_delta delta = play_delta_of(UVM_GPU, 0);
    struct umsim_paging_work work = {0};
    uint64_t pages[UVM_PROCESSORS] = {0};
    if (step->side == SCENARIO_GPU && !concurrent() && step->advice != SCENARIO_NO_ACCESSED)
        return "this GPU cannot fault, so cudaMemAdvise refuses such advice: its concurrentManagedAccess is "
               "0";
    spend_call(scenario_device(step), UMSIM_CALL_MEM_ADVISE);
    delta.now_ns = play.now_ns;
    if (step->advice == SCENARIO_READ_MOSTLY)
        uvm_count_resident(play.space, BASE + step->from, step->length, pages);
    uvm_advise(play.space, BASE + step->from, step->length, meaning[step->advice], processor_of(step),
               &delta);
    play_charge(&delta, &work);
    note_mapped(&work, 0, play.devices);
    spend(umsim_cost_advice(&play.profile.costs, umsim_cost_pages(play_sum_of(pages, UVM_CPU)),
                            work.remote_pages_mapped + work.peer_pages_mapped));
    forget_revoked();
    return NULL;
}

static const char *prefetch(const struct scenario_step *step)
{
    const bool to_host = step->side == SCENARIO_HOST;
    const unsigned device = scenario_device(step);
    const struct umsim_costs *costs = &play_machine_of(device)->costs;
    struct umsim_paging_work none = {.prefetch = 1}, work = {.prefetch = 1};
    if (!to_host && !concurrent())
        return "this GPU cannot fault, so cudaMemPrefetchAsync refuses: its concurrentManagedAccess is 0";
    spend(umsim_cost_prefetch(costs, step->length, &none, to_host).issue_ns);
    struct uvm_delta delta = play_delta_of(UVM_GPU, play.now_ns);
    uvm_prefetch(play.space, BASE + step->from, step->length, processor_of(step), &delta);
    play_charge(&delta, &work);
    note_mapped(&work, device, to_host ? device : device + 1);
    forget_revoked();
    wait_for_device(device, play.now_ns + umsim_cost_prefetch(costs, step->length, &work, to_host).engine_ns);
    return NULL;
}

/* ---- a scenario ---- */

/* The machine's GPUs, and what is between them. @return NULL, or why it cannot be played with */
static const char *find_devices(const struct umsim_profile *profile)
{
    const unsigned devices = profile->peers.devices > 0 ? (unsigned)profile->peers.devices : 1;
    play.profile = play.other = *profile;
    play.devices = devices < PLAY_DEVICES_MAX ? devices : PLAY_DEVICES_MAX;
    if (profile->other_count && !play_profile_find(profile->others[0], &play.other))
        return "the profile of its second GPU is not here";
    for (unsigned i = 0; i < play.scenario.steps; i++)
        if (scenario_device(&play.scenario.step[i]) >= play.devices)
            return "this machine has one GPU; `profile h200-nvlink2` has two";
    if (play.devices > 1 && !concurrent())
        return "GPUs that cannot fault have no managed memory together: cudaMallocManaged refuses";
    return NULL;
}

static enum uvm_link link_between(const struct umsim_peers *peers)
{
    if (!peers->access)
        return UVM_NO_LINK;
    return peers->native_atomics ? UVM_LINK_ATOMICS : UVM_LINK;
}

/* So much of each GPU's memory is free. */
static void set_memory(void)
{
    for (unsigned i = 0; i < play.devices; i++) {
        const uint64_t most = (uint64_t)play_machine_of(i)->capacity.free_at_start,
                       wanted = play.scenario.device;
        play.machine.device[i].chunks = (wanted && wanted < most ? wanted : most) / UVM_VA_BLOCK_BYTES;
        play.machine.device[i].is_short = play.space->blocks_live > play.machine.device[i].chunks;
    }
}

const char *play_start(const struct scenario *scenario, const struct umsim_profile *profile)
{
    struct uvm_delta unseen = {0};
    memset(&play, 0, sizeof play);
    play.scenario = *scenario;
    play.now_ns = BEGIN_NS;
    const char *why = find_devices(profile);
    if (why)
        return why;
    if (uvm_space_bytes(BLOCKS) > sizeof state)
        return "the policy's state does not fit";
    memset(state, 0, uvm_space_bytes(BLOCKS));
    uvm_system_init(&play.machine, play.devices, link_between(&profile->peers), 0);
    play.space = uvm_space_init(state, &play.machine, BASE, BLOCKS);
    const uint64_t range = is_small() ? UVM_VA_BLOCK_BYTES : scenario->array;
    uvm_range_create(play.space, BASE, range);
    set_memory();
    if (!concurrent() && play.machine.device[0].is_short)
        return "this GPU cannot fault, so all managed memory has to fit into its own: cudaMallocManaged "
               "fails";
    if (!concurrent())
        uvm_migrate_range(play.space, UVM_GPU, BASE, range, &unseen);
    return NULL;
}

/* cudaSetDevice(), between two steps: it belongs to neither. */
static void make_current(unsigned device)
{
    if (device != play.current)
        play.now_ns += umsim_cost_call(&play_machine_of(play.current)->costs, UMSIM_CALL_LOOKUP);
    play.current = device;
}

const char *play_step(void)
{
    memset(play.count[0], 0, sizeof play.count[0]);
    play.events = 0;
    play.events_left_out = 0;
    if (play.steps == play.scenario.steps)
        return NULL;
    const struct scenario_step *step = &play.scenario.step[play.steps++];
    make_current(scenario_device(step));
    switch (step->kind) {
    case SCENARIO_ACCESS:
        if (step->side == SCENARIO_HOST)
            each_touch(step, UVM_CPU, host_touch);
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

unsigned play_devices(void)
{
    return play.devices;
}

unsigned play_steps(void)
{
    return play.steps;
}

const uint8_t *play_pages(unsigned *count)
{
    static uint8_t page[BLOCKS * UVM_PAGES_PER_BLOCK];
    *count = (unsigned)((play.scenario.array + UVM_PAGE_BYTES - 1) / UVM_PAGE_BYTES);
    for (unsigned i = 0; i < *count; i++) {
        const struct uvm_block *block = &play.space->block[i / UVM_PAGES_PER_BLOCK];
        const struct uvm_mask *masks[] = {&block->resident[UVM_CPU],     &block->resident[UVM_GPU],
                                          &block->readable[UVM_CPU],     &block->readable[UVM_GPU],
                                          &block->writable[UVM_CPU],     &block->writable[UVM_GPU],
                                          &block->resident[UVM_GPU + 1], &block->readable[UVM_GPU + 1]};
        page[i] = 0;
        for (unsigned bit = 0; bit < sizeof masks / sizeof *masks; bit++)
            page[i] |= (uint8_t)((masks[bit]->word[i % UVM_PAGES_PER_BLOCK / 64] >> i % 64 & 1) << bit);
    }
    return page;
}
