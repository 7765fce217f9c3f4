/**
 * @file cost_kernel.c
 * @brief The cost of a kernel (cost.h): its terms, and how they are put together.
 */
#include "arithmetic.h"
#include "throughput.h"

#include <math.h>

/** What a dependent access fetches, from device memory and over the link. */
#define FETCH_NEAR 64
#define FETCH_FAR 32
/** The second level of cache answers in this part of the time that device memory takes. */
#define SECOND_LEVEL 0.5

uint32_t umsim_cost_blocks_at_once(const struct umsim_attributes *attributes, uint64_t threads_per_block,
                                   uint64_t shared_bytes_per_block)
{
    int64_t fit = attributes->max_blocks_per_multiprocessor;
    int64_t threads = (int64_t)threads_per_block, warp = attributes->warp_size;
    threads = (threads + warp - 1) / warp * warp;
    if (threads > 0 && attributes->max_threads_per_multiprocessor / threads < fit)
        fit = attributes->max_threads_per_multiprocessor / threads;
    int64_t shared = (int64_t)shared_bytes_per_block + attributes->reserved_shared_memory_per_block;
    if (shared_bytes_per_block && attributes->max_shared_memory_per_multiprocessor / shared < fit)
        fit = attributes->max_shared_memory_per_multiprocessor / shared;
    return (uint32_t)(fit > 0 ? fit : 1);
}

/** The link's time. Reads and writes share the link, and the last wave's writes come after its reads. */
static double link_ns(const struct umsim_costs *costs, double read, double written, double waves)
{
    if (!(read + written > 0))
        return 0;
    double in = transfer_ns(read, costs->mapped_read_gbs),
           out = transfer_ns(written, costs->mapped_write_gbs);
    double ns = larger(larger(in, out), transfer_ns(read + written, costs->mapped_both_gbs));
    if (waves > 0)
        ns += smaller(in, out) / (2 * waves);
    ns += 1e3 * costs->mapped_start_us;
    return read > 0 ? ns + costs->mapped_latency_ns
                    : ns; /* writes are posted: a kernel waits only for the last one */
}

/**
 * The time of the link to other devices, and of each of its directions. It carries packets: their bytes, and
 * something beside these. What is read comes in, and is asked for by a packet without bytes; what is written
 * goes out. The two directions do not wait for each other.
 */
static double peer_link_ns(const struct umsim_peers *peers, const struct umsim_access_work *work, double read,
                           double written, struct umsim_terms *terms)
{
    if (!(read + written > 0))
        return 0;
    const double counted = work->peer_reads + work->peer_writes;
    const double reads = counted > 0 ? work->peer_reads : read / UMSIM_PEER_PACKET;
    const double writes = counted > 0 ? work->peer_writes : written / UMSIM_PEER_PACKET;
    const double whole = 1 + peers->packet_bytes / UMSIM_PEER_PACKET; /* of what the dense rates count */
    terms->peer_in_ns = transfer_ns(read + peers->packet_bytes * reads, peers->read_gbs * whole);
    const double asked = transfer_ns(peers->packet_bytes * reads, peers->write_gbs * whole);
    terms->peer_out_ns = transfer_ns(written + peers->packet_bytes * writes, peers->write_gbs * whole);
    return larger(terms->peer_in_ns, terms->peer_out_ns + asked) + peers->latency_ns;
}

/** What the instructions of the busiest multiprocessor take. */
static double instructions_ns(const struct umsim_attributes *attributes, const struct umsim_kernel_work *work)
{
    const double clocks = (double)attributes->clock_rate_khz / 1e6, blocks = (double)work->blocks;
    const double warps = (double)((work->threads_per_block + 31) / 32);
    const double busiest = ceil(blocks / (double)attributes->multiprocessor_count);
    const double most = larger((double)work->accesses.slots, (double)work->accesses.special);
    const double together = smaller(warps * busiest, UMSIM_SCHEDULERS);
    return blocks > 0 ? most / blocks * busiest / together / clocks : 0;
}

/** What a kernel's accesses take within the device, each by itself. */
static void accesses_ns(const struct umsim_costs *costs, const struct umsim_attributes *attributes,
                        const struct umsim_kernel_work *kernel, double waves, double *ns)
{
    const struct umsim_access_work *work = &kernel->accesses;
    const double clocks = (double)attributes->clock_rate_khz / 1e6, blocks = (double)kernel->blocks;
    const double busiest = ceil(blocks / (double)attributes->multiprocessor_count);
    ns[UMSIM_TERM_CACHES] = transfer_ns((double)work->cache_bytes, costs->cache_gbs);
    ns[UMSIM_TERM_PASSES] = work->passes ? (double)work->passes / blocks * busiest / clocks : 0;
    const double from_peer = work->peer ? (double)work->peer * kernel->peers->latency_ns : 0;
    ns[UMSIM_TERM_WAITS] =
        ((double)(work->missed - work->near - work->far - work->peer) * costs->device_latency_ns +
         (double)work->far * costs->mapped_latency_ns + from_peer +
         (double)work->near * costs->device_latency_ns * SECOND_LEVEL +
         (double)(work->rounds - work->missed) * costs->cached_latency_ns) /
            1024 * waves +
        (double)work->chain * 1e6 / (double)attributes->clock_rate_khz * waves;
    ns[UMSIM_TERM_ATOMICS] = larger((double)work->same_address * costs->atomic_address_ns,
                                    (double)work->same_line * costs->atomic_line_ns);
    if (work->peer_queue)
        ns[UMSIM_TERM_ATOMICS] =
            larger(ns[UMSIM_TERM_ATOMICS], (double)work->peer_queue * kernel->peers->atomic_ns);
}

/** Device memory, the link and dependent accesses, each by itself. */
static void traffic_ns(const struct umsim_costs *costs, const struct umsim_kernel_work *work, double waves,
                       struct umsim_terms *terms)
{
    double *ns = terms->ns;
    double read_far = 0, written_far = 0, read_peer = 0, written_peer = 0;
    for (size_t i = 0; i < work->traffic_count; i++) {
        const struct umsim_traffic *t = &work->traffic[i];
        double read = (double)t->bytes_read, written = (double)t->bytes_written;
        double latency = costs->device_latency_ns;
        if (!(t->bytes_read || t->bytes_written || t->dependent_accesses))
            continue; /* of a kind that this machine may not have */
        if (t->kind == UMSIM_MEMORY_CACHE) {
            latency = costs->cached_latency_ns;
        } else if (t->kind == UMSIM_MEMORY_DEVICE) {
            ns[UMSIM_TERM_MEMORY] +=
                transfer_ns(read, costs->device_read_gbs) + transfer_ns(written, costs->device_write_gbs);
        } else if (t->kind == UMSIM_MEMORY_MANAGED_RESIDENT) {
            ns[UMSIM_TERM_MEMORY] +=
                transfer_ns(read, costs->managed_read_gbs) + transfer_ns(written, costs->managed_write_gbs);
        } else if (t->kind == UMSIM_MEMORY_PEER) {
            latency = work->peers->latency_ns;
            read_peer += read;
            written_peer += written;
        } else {
            latency = costs->mapped_latency_ns;
            read_far += read;
            written_far += written;
        }
        ns[UMSIM_TERM_CHAIN] += latency * (double)t->dependent_accesses;
    }
    ns[UMSIM_TERM_LINK] = larger(link_ns(costs, read_far, written_far, waves),
                                 peer_link_ns(work->peers, &work->accesses, read_peer, written_peer, terms));
    ns[UMSIM_TERM_PIECES] = work->accesses.far_reads * costs->mapped_read_piece_ns +
                            work->accesses.far_writes * costs->mapped_write_piece_ns;
}

static double fourth(double a)
{
    return a * a * a * a;
}

/** The slowest of device memory with its blocks, the link, and dependent accesses. */
static double together_ns(const struct umsim_costs *costs, const double *ns)
{
    double device = 0;
    for (int term = UMSIM_TERM_MEMORY; term <= UMSIM_TERM_ATOMICS; term++)
        if (term != UMSIM_TERM_PASSES && term != UMSIM_TERM_ARITHMETIC)
            device = larger(device, ns[term]);
    device = sqrt(sqrt(fourth(device) + fourth(ns[UMSIM_TERM_PASSES]) + fourth(ns[UMSIM_TERM_ARITHMETIC])));
    if (device > 0)
        device += costs->device_latency_ns;
    device = sqrt(ns[UMSIM_TERM_BLOCKS] * ns[UMSIM_TERM_BLOCKS] + device * device);
    return larger(larger(device, ns[UMSIM_TERM_CHAIN]), larger(ns[UMSIM_TERM_PIECES], ns[UMSIM_TERM_LINK]));
}

/** Blocks of more than 8 warps take longer to start: an H200's of 256 to 1024 threads that copy an element
 * each. */
#define WARP_NS 9

static double block_ns(const struct umsim_costs *costs, uint64_t threads)
{
    const double warps = (double)((threads + 31) / 32);
    return costs->block_ns + (warps > 8 ? (warps - 8) * WARP_NS : 0);
}

uint64_t umsim_cost_chain_misses(enum umsim_memory_kind kind, uint64_t accesses, uint64_t extent)
{
    const int far = kind == UMSIM_MEMORY_MAPPED || kind == UMSIM_MEMORY_MANAGED_REMOTE;
    const uint64_t fetches = extent / (far ? FETCH_FAR : FETCH_NEAR);
    if (extent / sizeof(void *) < accesses || fetches > accesses)
        return accesses;
    return fetches;
}

uint64_t umsim_cost_kernel_terms(const struct umsim_costs *costs, const struct umsim_attributes *attributes,
                                 const struct umsim_kernel_work *work, struct umsim_terms *terms)
{
    double at_once =
        (double)attributes->multiprocessor_count *
        umsim_cost_blocks_at_once(attributes, work->threads_per_block, work->shared_bytes_per_block);
    double waves = (double)(uint64_t)(((double)work->blocks + at_once - 1) / at_once);
    *terms = (struct umsim_terms){.ns = {0}};
    double *ns = terms->ns;
    ns[UMSIM_TERM_START] = 1e3 * costs->launch_start_us;
    ns[UMSIM_TERM_LEAST] = 1e3 * costs->kernel_minimum_us;
    ns[UMSIM_TERM_BLOCKS] = larger(waves * block_ns(costs, work->threads_per_block),
                                   (double)work->blocks * costs->block_start_ns);
    ns[UMSIM_TERM_ARITHMETIC] = instructions_ns(attributes, work);
    accesses_ns(costs, attributes, work, waves, ns);
    traffic_ns(costs, work, waves, terms);
    ns[UMSIM_TERM_PAGING] = umsim_cost_kernel_paging(costs, work);
    const double least = ns[UMSIM_TERM_LEAST], together = together_ns(costs, ns);
    const double all = work->accesses.slots ? least + together : larger(least, together);
    return from_ns(ns[UMSIM_TERM_START] + all + ns[UMSIM_TERM_PAGING]);
}

uint64_t umsim_cost_kernel(const struct umsim_costs *costs, const struct umsim_attributes *attributes,
                           const struct umsim_kernel_work *work)
{
    struct umsim_terms terms;
    return umsim_cost_kernel_terms(costs, attributes, work, &terms);
}
