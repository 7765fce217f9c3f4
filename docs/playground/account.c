/**
 * @file account.c
 * @brief Implementation of state.h: what the policy did, as events, as counts, and as what is priced.
 */
#include "state.h"

const struct umsim_profile *play_machine_of(unsigned device)
{
    return device ? &play.other : &play.profile;
}

/* Pages of which a copy is made came by the migrations right before, of the same block: they stay where they
 * were. */
static void note_copies(const struct uvm_event *event)
{
    const uint32_t first = (uint32_t)((event->address - BASE) / UVM_PAGE_BYTES),
                   end = first + (uint32_t)(event->bytes / UVM_PAGE_BYTES);
    for (struct play_event *it = play.event + play.events; it-- > play.event;) {
        if (it->page / UVM_PAGES_PER_BLOCK != first / UVM_PAGES_PER_BLOCK || it->type < UVM_EVENT_MIGRATION)
            return;
        if (it->type == UVM_EVENT_MIGRATION && it->processor == (int32_t)event->processor &&
            it->page >= first && it->page < end)
            it->stays = true;
    }
}

static void note_event(void *unused, const struct uvm_event *event)
{
    (void)unused;
    if (event->type == UVM_EVENT_READ_DUPLICATE)
        note_copies(event);
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
                                                    (uint32_t)(event->wait_ns / 1000),
                                                    (int32_t)event->from,
                                                    false};
}

/* As long as the services of a call take, about. */
struct uvm_delta play_delta_of(enum uvm_processor processor, uint64_t now_ns)
{
    const struct umsim_costs *costs =
        &play_machine_of(processor == UVM_CPU ? 0 : uvm_device_of(processor))->costs;
    return (struct uvm_delta){
        .observer = note_event, .now_ns = now_ns, .pace = umsim_cost_pace(costs, processor)};
}

void play_count_more(enum play_count count, uint64_t more)
{
    play.count[0][count] += more;
    play.count[1][count] += more;
}

/* Of all processors from one on. */
uint64_t play_sum_of(const uint64_t of[UVM_PROCESSORS], enum uvm_processor first)
{
    return umsim_delta_sum(of, first, play.machine.processors);
}

static void count_delta(const struct uvm_delta *delta)
{
    play_count_more(PLAY_CPU_FAULTS, delta->cpu_faults);
    play_count_more(PLAY_GPU_FAULT_GROUPS, delta->gpu_fault_groups);
    play_count_more(PLAY_HTOD, uvm_delta_bytes(delta, UVM_HTOD));
    play_count_more(PLAY_DTOH, uvm_delta_bytes(delta, UVM_DTOH));
    play_count_more(PLAY_DTOD, uvm_delta_bytes(delta, UVM_DTOD));
    for (int cause = 0; cause < UVM_CAUSES; cause++) {
        play_count_more((enum play_count)(PLAY_HTOD_USER + cause), delta->bytes[UVM_HTOD][cause]);
        play_count_more((enum play_count)(PLAY_DTOH_USER + cause), delta->bytes[UVM_DTOH][cause]);
        play_count_more((enum play_count)(PLAY_DTOD_USER + cause), delta->bytes[UVM_DTOD][cause]);
    }
    play_count_more(PLAY_EVICTIONS, delta->evictions);
    play_count_more(PLAY_DUPLICATES, delta->pages_duplicated);
    play_count_more(PLAY_INVALIDATED, delta->pages_invalidated);
    play_count_more(PLAY_REMOTE_MAPS, play_sum_of(delta->pages_mapped_remotely, UVM_GPU));
    play_count_more(PLAY_THRASHING, delta->pages_thrashing);
    play_count_more(PLAY_THROTTLES, play_sum_of(delta->throttles, UVM_CPU));
}

void play_charge(const struct uvm_delta *delta, struct umsim_paging_work *work)
{
    count_delta(delta);
    umsim_cost_add_delta(work, delta, play.machine.processors);
    work->host_bytes = play.machine.host_pages * UVM_PAGE_BYTES;
    work->peers = play.devices > 1 ? &play.profile.peers : NULL;
}

uint64_t play_count(enum play_count count, bool all)
{
    return play.count[all][count];
}

const struct play_event *play_events(unsigned *count, uint64_t *left_out)
{
    *count = play.events;
    *left_out = play.events_left_out;
    return play.event;
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
        [PLAY_DTOD] = "dtod",
        [PLAY_DTOD_USER] = "dtod_user",
        [PLAY_DTOD_COHERENCE] = "dtod_coherence",
        [PLAY_DTOD_PREFETCH] = "dtod_prefetch",
        [PLAY_DTOD_EVICTION] = "dtod_eviction",
        [PLAY_EVICTIONS] = "evictions",
        [PLAY_DUPLICATES] = "duplicates",
        [PLAY_INVALIDATED] = "invalidated",
        [PLAY_REMOTE_MAPS] = "remote_maps",
        [PLAY_THRASHING] = "thrashing",
        [PLAY_THROTTLES] = "throttles",
    };
    return names[count];
}
