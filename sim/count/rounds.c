/**
 * @file rounds.c
 * @brief Implementation of block.h: how long a block's warps wait for what they read.
 */
#include "block.h"
#include "../base/machine.h"

/* Of the passes that a compiler makes side by side it has this many read before it waits for the first: more
 * do not find registers. */
#define READ_AHEAD 6

/* Whether a thread's next address may depend on what it has read: its first addresses are not in one step. */
static bool has_to_wait(const struct umsim_counting *it, const struct umsim_count_site *site)
{
    const struct umsim_count_request *first = &it->request[it->first[site->index][0]],
                                     *second = &it->request[first->next_at_site],
                                     *third = &it->request[second->next_at_site];
    return site->stamp != it->stamp || !it->first[site->index][0] || !first->next_at_site ||
           !second->next_at_site ||
           umsim_count_first_address(it, third) - umsim_count_first_address(it, second) !=
               umsim_count_first_address(it, second) - umsim_count_first_address(it, first);
}

/* How long a warp waits so many times, `missed` of them for memory: whatever the rest of the launch does. */
static double waits_ns(const struct umsim_counts_site *count, uint64_t rounds, uint64_t missed)
{
    const struct umsim_costs *costs = &umsim_machine_of(umsim_own_device)->costs;
    const double far = count->kind == UMSIM_COUNTS_HOST ? costs->mapped_latency_ns : costs->device_latency_ns;
    return (double)missed * far + (double)(rounds - missed) * costs->cached_latency_ns;
}

void umsim_count_rounds(struct umsim_counting *it, unsigned warps)
{
    double longest = 0;
    it->rounds = it->missed = it->beside = 0;
    for (unsigned i = 0; i < it->sites; i++) {
        const struct umsim_counts_site *count = &it->count[i];
        if (count->how != UMSIM_COUNTS_READ || count->kind == UMSIM_COUNTS_SHARED || !count->requests)
            continue;
        const uint64_t visits = count->requests * 1024 / warps;
        const unsigned at_once = it->site[i].unrolled < READ_AHEAD ? it->site[i].unrolled : READ_AHEAD;
        const uint64_t rounds = has_to_wait(it, &it->site[i]) ? visits : visits / at_once;
        const uint64_t missed = rounds * count->waited / count->requests;
        const double ns = waits_ns(count, rounds, missed);
        if (ns <= longest)
            continue;
        longest = ns;
        it->rounds = rounds;
        it->missed = missed;
        it->beside = rounds * count->beside / count->requests;
        it->missed_of = (enum umsim_counts_kind)count->kind;
    }
}
