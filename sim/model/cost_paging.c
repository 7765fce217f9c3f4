/**
 * @file cost_paging.c
 * @brief Implementation of cost.h: faults of both sides, advice, prefetches.
 */
#include "arithmetic.h"

#include <math.h>

/** What one touch fetches, and what it writes: two sectors of 32 bytes, one sector. */
#define TOUCH_READ 64.0
#define TOUCH_WRITE 32.0
/** Doublings above one touch in a big page, from which on more touches cost no more: one in 360 bytes. */
#define DENSE 7.5
/** So many touches in a 4 KiB page are those of DENSE. */
#define DENSE_TOUCHES 11.3
/** What mapping a page remotely takes, as a part, where the fault populates it, too: two H200s populated and
 * mapped 16 to 64 MiB in 0.96 us a page, and mapped what was there in 1.75 (tests/migration). */
#define FRESH_SHARE 0.45

/** Nanoseconds for bytes and transfers both ways; a transfer takes `transfer_us`. */
static double migration_ns(const struct umsim_costs *costs, const struct umsim_paging_work *work,
                           double transfer_us)
{
    return transfer_ns((double)work->bytes_htod, costs->migrate_htod_gbs) +
           transfer_ns((double)work->bytes_dtoh, costs->migrate_dtoh_gbs) +
           1e3 * transfer_us * (double)(work->transfers_htod + work->transfers_dtoh);
}

/**
 * How many faults only populate. Those are cheaper, because nothing has to be asked of the GPU. Where a batch
 * of faults did both, the ratio of populated to moved pages tells them apart well enough.
 */
static double populating_faults(const struct umsim_paging_work *work)
{
    double populated = (double)work->host_pages_populated;
    double moved = (double)(work->bytes_htod + work->bytes_dtoh) / PAGE;
    return populated > 0 ? (double)work->cpu_faults * populated / (populated + moved) : 0;
}

/** Host memory is allocated a block at a time, and cleared, on the first touch of a page of the block. */
static double clearing_us(const struct umsim_costs *costs, const struct umsim_paging_work *work)
{
    return work->host_pages_cleared == 0 ? 0
                                         : umsim_curve_us(&costs->cpu_block_clear, (double)work->host_bytes) *
                                               ((double)work->host_pages_cleared * PAGE / BLOCK);
}

uint64_t umsim_cost_cpu_faults(const struct umsim_costs *costs, const struct umsim_paging_work *work)
{
    double populating = populating_faults(work);
    double us = costs->cpu_fault_us * ((double)work->cpu_faults - populating) +
                costs->cpu_fault_populating_us * populating +
                costs->cpu_populate_us * (double)work->host_pages_populated +
                costs->eviction_us * (double)work->evictions + (double)work->throttled_ns / 1e3;
    us += clearing_us(costs, work);
    if (work->first && work->cpu_faults)
        us += costs->cpu_fault_first_us;
    return from_ns(1e3 * us + migration_ns(costs, work, costs->cpu_fault_transfer_us));
}

int umsim_handler_sleeps(const struct umsim_handler *handler, uint64_t now_ns)
{
    return now_ns >= handler->awake_until_ns;
}

void umsim_handler_served(struct umsim_handler *handler, const struct umsim_costs *costs, uint64_t end_ns)
{
    uint64_t until = end_ns + from_us(costs->gpu_fault_awake_us);
    if (until > handler->awake_until_ns)
        handler->awake_until_ns = until;
}

uint64_t umsim_cost_advice(const struct umsim_costs *costs, uint64_t pages_protected, uint64_t pages_mapped)
{
    if (pages_protected + pages_mapped == 0)
        return 0;
    return from_us(costs->advise_change_us + costs->advise_protect_us * (double)pages_protected +
                   costs->advise_map_us * (double)pages_mapped);
}

uint64_t umsim_cost_release(const struct umsim_costs *costs, uint64_t host_pages)
{
    return from_us(costs->free_populated_us * (double)host_pages);
}

/** Logarithm to base 2, linear between powers of two: the same digits with every C library. */
static double doublings(double x)
{
    int exponent;
    double mantissa = frexp(x, &exponent); /* 0.5 to 1 */
    return exponent - 2 + 2 * mantissa;
}

uint64_t umsim_cost_touches(uint64_t bytes_read, uint64_t bytes_written)
{
    return (bytes_read + (uint64_t)TOUCH_READ - 1) / (uint64_t)TOUCH_READ +
           (bytes_written + (uint64_t)TOUCH_WRITE - 1) / (uint64_t)TOUCH_WRITE;
}

/** A kernel's touches of managed memory, counted or declared. */
static double touches_of(const struct umsim_kernel_work *work)
{
    double touches = (double)work->accesses.touches;
    for (size_t i = 0; i < work->traffic_count && !work->accesses.touches; i++) {
        const struct umsim_traffic *t = &work->traffic[i];
        if (t->kind == UMSIM_MEMORY_MANAGED_RESIDENT)
            touches += (double)t->bytes_read / TOUCH_READ + (double)t->bytes_written / TOUCH_WRITE;
    }
    return touches;
}

/** How densely a kernel touches the managed pages that it brings, in doublings above one touch in a big page.
 */
static double density(const struct umsim_kernel_work *work)
{
    const double touches = touches_of(work), pages = (double)work->paging->device_pages_populated;
    if (!(pages > 0) || !(touches > 0))
        return 0;
    return smaller(larger(doublings(touches / (pages * PAGE / BIG_PAGE)), 0), DENSE);
}

/** What faults take because there are other devices, in microseconds. Ending another one's copy takes each
 * touch of the page that waits for it: a kernel that touches a word of each page took a tenth of the time of
 * one that writes them all. @param touches 0: not known, as many as there may be */
static double peers_us(const struct umsim_paging_work *work, double touches)
{
    const struct umsim_peers *peers = work->peers;
    if (!peers)
        return 0;
    const double copies = (double)work->peer_copies_invalidated,
                 others = (double)(work->pages_invalidated - work->peer_copies_invalidated);
    /* a page whose copy on the host ends, too, waits once for both */
    const double ended = copies > others ? copies - others : 0, most = DENSE_TOUCHES * copies;
    const double waiting = touches > 0 && touches < most ? touches / most : 1;
    return 1e-3 * transfer_ns((double)work->bytes_dtod, peers->migrate_gbs) +
           peers->migrate_unmap_us * (double)work->pages_taken_from_peers +
           peers->map_us * (double)(work->peer_pages_mapped + work->home_pages_mapped) +
           peers->invalidate_us * waiting * ended;
}

/** Pages of host memory mapped by the device. One that is populated for that in the same fault costs less. */
static double mapped_pages(const struct umsim_paging_work *work)
{
    const double mapped = (double)work->remote_pages_mapped;
    return mapped - (1 - FRESH_SHARE) * smaller((double)work->host_pages_populated, mapped);
}

/** @param dense, touches density() and touches_of() the kernel, 0 for others */
static double gpu_faults_ns(const struct umsim_costs *costs, const struct umsim_paging_work *work,
                            double dense, double touches)
{
    double us = costs->gpu_fault_batch_us * (double)work->gpu_fault_batches +
                costs->gpu_fault_block_us * (double)work->gpu_fault_services +
                costs->gpu_populate_us * (double)work->device_pages_populated +
                costs->cpu_populate_us * (double)work->host_pages_populated +
                costs->remote_map_us * mapped_pages(work) +
                costs->gpu_invalidate_us * (double)(work->pages_invalidated - work->peer_copies_invalidated) +
                costs->eviction_us * (double)work->evictions + (double)work->throttled_ns / 1e3;
    us += peers_us(work, touches);
    us += costs->gpu_fault_density_us * dense * (double)work->device_pages_populated;
    us += costs->gpu_fault_crowd_us * smaller(dense, 1) * (double)work->bytes_htod / PAGE;
    if (work->gpu_fault_groups || work->gpu_fault_batches)
        us += costs->gpu_fault_service_us + (work->first ? costs->gpu_fault_idle_us : 0);
    return 1e3 * us + migration_ns(costs, work, costs->migrate_transfer_us);
}

uint64_t umsim_cost_gpu_faults(const struct umsim_costs *costs, const struct umsim_paging_work *work)
{
    return from_ns(gpu_faults_ns(costs, work, 0, 0));
}

struct umsim_copy_cost umsim_cost_prefetch(const struct umsim_costs *costs, uint64_t bytes,
                                           const struct umsim_paging_work *work, int to_host)
{
    double moved = (double)(to_host ? work->bytes_dtoh : work->bytes_htod);
    double back =
        (double)(to_host ? work->bytes_htod : work->bytes_dtoh); /* evictions, on the way to the device */
    double populated = (double)(to_host ? work->host_pages_populated : work->device_pages_populated);
    double issue = costs->prefetch_issue_us + costs->prefetch_block_us * (double)bytes / BLOCK, us = 0;
    /* Pages that arrive with their bytes are populated on the way; the curves include that. */
    const double linked = (double)work->bytes_dtod;
    double fresh = larger(populated * PAGE - moved - linked, 0);
    if (moved > 0)
        us = umsim_curve_us(to_host ? &costs->prefetch_dtoh : &costs->prefetch_htod, moved);
    if (linked > 0)
        us += umsim_curve_us(&work->peers->prefetch, linked);
    if (fresh > 0 && !to_host)
        us += umsim_curve_us(&costs->prefetch_populate, fresh);
    us = larger(us - issue - costs->synchronize_us, 0); /* the curves include the call and the wait */
    if (to_host)
        us += costs->cpu_populate_us * fresh / PAGE + clearing_us(costs, work);
    us += costs->eviction_us * (double)work->evictions;
    us += 1e-3 * transfer_ns(back, to_host ? costs->migrate_htod_gbs : costs->migrate_dtoh_gbs);
    return (struct umsim_copy_cost){.engine = to_host          ? UMSIM_ENGINE_COPY_DTOH
                                              : linked > moved ? UMSIM_ENGINE_PEER
                                                               : UMSIM_ENGINE_COPY_HTOD,
                                    .issue_ns = from_us(issue),
                                    .engine_ns = from_us(us),
                                    .return_ns = from_us(costs->synchronize_us)};
}

static int uses_managed(const struct umsim_kernel_work *work)
{
    for (size_t i = 0; i < work->traffic_count; i++) {
        const struct umsim_traffic *t = &work->traffic[i];
        if ((t->kind == UMSIM_MEMORY_MANAGED_RESIDENT || t->kind == UMSIM_MEMORY_MANAGED_REMOTE) &&
            t->bytes_read + t->bytes_written)
            return 1;
    }
    return 0;
}

double umsim_cost_kernel_paging(const struct umsim_costs *costs, const struct umsim_kernel_work *work)
{
    if (!work->paging)
        return 0;
    double ns = gpu_faults_ns(costs, work->paging, density(work), touches_of(work));
    if (work->paging->fresh && uses_managed(work))
        ns += 1e3 * costs->gpu_fresh_us;
    return ns;
}
