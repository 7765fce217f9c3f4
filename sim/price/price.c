/**
 * @file price.c
 * @brief Computes prices of work that is not done (include/umsim_price.h): it asks the paging policy and the
 * cost model in the order of a program's calls.
 *
 * Managed pages move in a space of sim/uvm that has no memory behind it. So a price takes next to no time,
 * whatever the size, and needs no running simulator: graders link this file with sim/uvm and sim/model alone.
 */
#include "umsim_price.h"

#include "../model/cost_delta.h"
#include "../model/throughput.h"

#include <stdlib.h>
#include <string.h>

/* BASE is the array's address in its space. START_NS is the time at which a price begins: any time but 0,
 * which the policy takes for no time. */
enum { BASE = 1 << 21 };
static const uint64_t START_NS = UINT64_C(1000000000);

struct umsim_price {
    const struct umsim_profile *machine;
    const struct umsim_costs *costs;
    enum umsim_price_memory memory;
    size_t bytes;
    struct uvm_space *space; /* for managed memory; else NULL */
    struct uvm_system system;
    struct umsim_handler handler;
    bool launched;      /* a kernel has used the array */
    uint64_t passed;    /* bytes of it that were copied since */
    uint64_t now_ns;    /* the host's time */
    uint64_t engine_ns; /* the time at which the compute engine becomes free */
    bool touched;       /* since the last launch */
    bool fresh;         /* pages were mapped for the device since then, by a prefetch or advice */
};

/* Bytes that the driver reserves for an array: a small one lies in a block of 2 MiB. */
static size_t range_bytes(size_t bytes)
{
    return bytes < UVM_VA_BLOCK_BYTES ? UVM_VA_BLOCK_BYTES : bytes;
}

static bool is_copied(enum umsim_price_memory memory)
{
    return memory == UMSIM_PRICE_PAGEABLE || memory == UMSIM_PRICE_PINNED;
}

/* ---- single calls ---- */

static uint64_t small_ns(const struct umsim_costs *costs, enum umsim_allocation_call get,
                         enum umsim_allocation_call give_back, size_t bytes)
{
    struct umsim_chunks alone = {0};
    const uint64_t got = umsim_cost_small_allocation(costs, get, bytes, &alone);

    return got + umsim_cost_small_allocation(costs, give_back, bytes, &alone);
}

uint64_t umsim_price_memory_ns(const struct umsim_profile *machine, enum umsim_price_memory memory,
                               size_t bytes)
{
    const struct umsim_costs *costs = &machine->costs;
    uint64_t ns = 0;

    if (is_copied(memory))
        ns += small_ns(costs, UMSIM_MALLOC, UMSIM_FREE, bytes);
    if (memory == UMSIM_PRICE_PINNED || memory == UMSIM_PRICE_MAPPED)
        ns += small_ns(costs, UMSIM_MALLOC_HOST, UMSIM_FREE_HOST, bytes);
    if (memory == UMSIM_PRICE_MANAGED)
        ns += umsim_cost_allocation(costs, UMSIM_MALLOC_MANAGED, bytes) +
              umsim_cost_allocation(costs, UMSIM_FREE_MANAGED, bytes) +
              umsim_cost_release(costs, range_bytes(bytes) / UMSIM_COST_PAGE);
    return ns;
}

uint64_t umsim_price_register_ns(const struct umsim_profile *machine, size_t bytes)
{
    return umsim_cost_allocation(&machine->costs, UMSIM_HOST_REGISTER, bytes) +
           umsim_cost_allocation(&machine->costs, UMSIM_HOST_UNREGISTER, bytes);
}

uint64_t umsim_price_upload_ns(const struct umsim_profile *machine, bool pinned, size_t bytes)
{
    const struct umsim_copy_cost cost = umsim_cost_copy(
        &machine->costs, UMSIM_COPY_HTOD, pinned ? UMSIM_HOST_PINNED : UMSIM_HOST_PAGEABLE, bytes, 0);

    return cost.issue_ns + cost.engine_ns + cost.return_ns;
}

uint64_t umsim_price_host_copy_ns(const struct umsim_profile *machine, size_t bytes)
{
    return umsim_cost_host_memcpy(&machine->costs, bytes);
}

/* ---- an array ---- */

/* Makes a space that contains the array, which the host has written. */
static bool make_space(struct umsim_price *price, size_t device_bytes)
{
    const size_t blocks = price->bytes / UVM_VA_BLOCK_BYTES + 2;
    const size_t space_bytes = (uvm_space_bytes(blocks) + 63) / 64 * 64;
    void *memory = aligned_alloc(64, space_bytes);
    struct uvm_delta delta = {0};

    if (!memory)
        return false;
    memset(memory, 0, space_bytes);
    uvm_system_init(&price->system, 1, UVM_NO_LINK, device_bytes / UVM_VA_BLOCK_BYTES);
    price->space = uvm_space_init(memory, &price->system, BASE, blocks);
    uvm_range_create(price->space, BASE, range_bytes(price->bytes));
    uvm_cpu_access(price->space, BASE, price->bytes, true, &delta);
    return true;
}

struct umsim_price *umsim_price_begin(const struct umsim_profile *machine, enum umsim_price_memory memory,
                                      size_t bytes, size_t device_bytes)
{
    struct umsim_price *price = calloc(1, sizeof *price);

    if (!price)
        return NULL;
    price->machine = machine;
    price->costs = &machine->costs;
    price->memory = memory;
    price->bytes = bytes;
    price->now_ns = START_NS;
    if (memory == UMSIM_PRICE_MANAGED && !make_space(price, device_bytes)) {
        free(price);
        return NULL;
    }
    return price;
}

void umsim_price_end(struct umsim_price *price)
{
    if (price)
        free(price->space);
    free(price);
}

uint64_t umsim_price_ns(const struct umsim_price *price)
{
    return price->now_ns - START_NS;
}

/* ---- steps ---- */

/* What the policy did, as the model prices it. */
static struct umsim_paging_work paging_work(const struct uvm_delta *delta)
{
    struct umsim_paging_work work = {0};
    umsim_cost_add_delta(&work, delta, UVM_GPU + 1);
    return work;
}

/* For pages that both sides fight over, the duration of a service matters. This is about as long as where
 * pages do move. */
static struct uvm_delta paced(const struct umsim_price *price, enum uvm_processor processor)
{
    return (struct uvm_delta){.now_ns = price->now_ns, .pace = umsim_cost_pace(price->costs, processor)};
}

static enum uvm_processor processor_of(int device)
{
    return device == cudaCpuDeviceId ? UVM_CPU : UVM_GPU;
}

void umsim_price_copy(struct umsim_price *price, enum cudaMemcpyKind kind)
{
    const struct umsim_copy_cost cost = umsim_cost_copy(
        price->costs, kind == cudaMemcpyDeviceToHost ? UMSIM_COPY_DTOH : UMSIM_COPY_HTOD,
        price->memory == UMSIM_PRICE_PINNED ? UMSIM_HOST_PINNED : UMSIM_HOST_PAGEABLE, price->bytes, 0);

    price->passed += price->bytes;
    price->now_ns += cost.issue_ns + (cost.host_waits ? cost.engine_ns + cost.return_ns : 0);
    if (!cost.host_waits)
        price->engine_ns = price->now_ns + cost.engine_ns;
}

void umsim_price_advise(struct umsim_price *price, enum cudaMemoryAdvise advice, int device)
{
    static const enum uvm_advice known[] = {
        [cudaMemAdviseSetReadMostly] = UVM_SET_READ_MOSTLY,
        [cudaMemAdviseUnsetReadMostly] = UVM_UNSET_READ_MOSTLY,
        [cudaMemAdviseSetPreferredLocation] = UVM_SET_PREFERRED_LOCATION,
        [cudaMemAdviseUnsetPreferredLocation] = UVM_UNSET_PREFERRED_LOCATION,
        [cudaMemAdviseSetAccessedBy] = UVM_SET_ACCESSED_BY,
        [cudaMemAdviseUnsetAccessedBy] = UVM_UNSET_ACCESSED_BY,
    };
    const uint64_t pages = advice == cudaMemAdviseSetReadMostly ? price->bytes / UMSIM_COST_PAGE : 0;
    struct uvm_delta delta = {0};

    if (!price->space)
        return;
    uvm_advise(price->space, BASE, price->bytes, known[advice], processor_of(device), &delta);
    price->now_ns += umsim_cost_call(price->costs, UMSIM_CALL_MEM_ADVISE);
    price->now_ns +=
        umsim_cost_advice(price->costs, pages, umsim_cost_pages(delta.pages_mapped_remotely[UVM_GPU]));
    price->fresh |= delta.pages_mapped_remotely[UVM_GPU] > 0;
}

void umsim_price_prefetch(struct umsim_price *price, int device)
{
    struct uvm_delta delta = {0};
    struct umsim_paging_work work;
    struct umsim_copy_cost cost;

    if (!price->space)
        return;
    uvm_prefetch(price->space, BASE, price->bytes, processor_of(device), &delta);
    work = paging_work(&delta);
    work.prefetch = 1;
    price->fresh |= work.bytes_htod || work.device_pages_populated || work.remote_pages_mapped;
    cost = umsim_cost_prefetch(price->costs, price->bytes, &work, processor_of(device) == UVM_CPU);
    price->now_ns += cost.issue_ns + cost.engine_ns + cost.return_ns;
}

void umsim_price_touch(struct umsim_price *price, size_t offset, bool write)
{
    struct uvm_opening opening;

    if (!price->space)
        return;
    uvm_gpu_touch(price->space, UVM_GPU, BASE + offset, write, &opening);
    price->touched = true;
}

/* In which kind of memory a kernel would find the array now. */
static enum umsim_memory_kind memory_kind(const struct umsim_price *price)
{
    uint64_t pages[UVM_PROCESSORS] = {0};

    if (is_copied(price->memory))
        return UMSIM_MEMORY_DEVICE;
    if (price->memory == UMSIM_PRICE_MAPPED)
        return UMSIM_MEMORY_MAPPED;
    uvm_count_resident(price->space, BASE, price->bytes, pages);
    return pages[UVM_GPU] * UVM_PAGE_BYTES * 2 < price->bytes ? UMSIM_MEMORY_MANAGED_REMOTE
                                                              : UMSIM_MEMORY_MANAGED_RESIDENT;
}

/* The faults of a launch that finds pages missing. */
static struct umsim_paging_work faults(struct umsim_price *price, const struct umsim_price_kernel *kernel)
{
    const struct umsim_attributes *attributes = &price->machine->attributes;
    const struct uvm_launch launch = {
        .blocks = kernel->blocks,
        .threads_per_block = kernel->threads,
        .multiprocessors = (uint32_t)attributes->multiprocessor_count,
        .blocks_at_once = umsim_cost_blocks_at_once(attributes, kernel->threads, 0),
        .touches =
            kernel->reads + kernel->writes > 0 ? umsim_cost_touches(kernel->reads, kernel->writes) : 0};
    struct uvm_delta delta = paced(price, UVM_GPU);
    struct umsim_paging_work work;

    uvm_gpu_replay(price->space, UVM_GPU, &launch, &delta);
    work = paging_work(&delta);
    work.first = umsim_handler_sleeps(&price->handler, price->now_ns);
    return work;
}

/* Which part of the array the second level of cache still has of the launch before (queue/level2.h): known of
 * device memory, whose pages do not move. */
static double cached_part(const struct umsim_price *price)
{
    const double held = (double)price->machine->attributes.l2_cache_size / 2,
                 since = (double)price->passed + (double)price->bytes;

    if (!price->launched || !is_copied(price->memory))
        return 0;
    return since > held ? held / since * (held / since) * (held / since) : 1;
}

/* @return the number of entries in `traffic` */
static size_t traffic_of(const struct umsim_price *price, const struct umsim_price_kernel *kernel,
                         struct umsim_traffic *traffic)
{
    size_t count = 0;

    if (kernel->reads + kernel->writes > 0) {
        const double moved = 1 - cached_part(price);

        traffic[count++] =
            (struct umsim_traffic){memory_kind(price), (uint64_t)(moved * (double)kernel->reads),
                                   (uint64_t)(moved * (double)kernel->writes), 0};
    }
    if (kernel->device_reads + kernel->device_writes > 0)
        traffic[count++] =
            (struct umsim_traffic){UMSIM_MEMORY_DEVICE, kernel->device_reads, kernel->device_writes, 0};
    return count;
}

/* What a launch like this is counted to do (queue/counts.c). */
static struct umsim_access_work accesses_of(const struct umsim_price *price,
                                            const struct umsim_price_kernel *kernel)
{
    const enum umsim_memory_kind kind = memory_kind(price);
    const bool far = kind == UMSIM_MEMORY_MAPPED || kind == UMSIM_MEMORY_MANAGED_REMOTE;
    const uint64_t waits = (uint64_t)(1024 * kernel->waits);

    return (struct umsim_access_work){
        .rounds = waits,
        .missed = waits,
        .far = far && !kernel->device_reads ? waits : 0,
        .near = (uint64_t)((double)waits * cached_part(price)),
        .far_reads = far && kernel->reads ? (double)kernel->apart : 0,
        .far_writes = far && kernel->writes ? UMSIM_FEW_WRITES * (double)kernel->apart : 0,
        .slots = kernel->blocks * kernel->slots + 1, /* not 0: these are counts */
        .cache_bytes = far || kernel->apart ? 0 : kernel->reads + kernel->writes,
        .chain = (uint64_t)(UMSIM_CHAIN_CLOCKS * UMSIM_BARRIER_CLOCKS * kernel->barriers)};
}

void umsim_price_launch(struct umsim_price *price, const struct umsim_price_kernel *kernel)
{
    struct umsim_paging_work paging = {0};
    struct umsim_traffic traffic[2];
    struct umsim_kernel_work work = {.blocks = kernel->blocks,
                                     .threads_per_block = kernel->threads,
                                     .traffic = traffic,
                                     .paging = &paging};

    price->now_ns += umsim_cost_call(price->costs, UMSIM_CALL_LAUNCH);
    if (price->touched)
        paging = faults(price, kernel);
    paging.fresh = price->fresh;
    price->fresh = false;
    price->touched = false;
    work.traffic_count = traffic_of(price, kernel, traffic);
    work.accesses = accesses_of(price, kernel);
    price->launched |= kernel->reads + kernel->writes > 0;
    price->passed = 0;
    price->engine_ns = (price->engine_ns > price->now_ns ? price->engine_ns : price->now_ns) +
                       umsim_cost_kernel(price->costs, &price->machine->attributes, &work);
    if (paging.gpu_fault_groups > 0)
        umsim_handler_served(&price->handler, price->costs, price->engine_ns);
}

void umsim_price_synchronize(struct umsim_price *price)
{
    if (price->engine_ns > price->now_ns)
        price->now_ns = price->engine_ns;
    price->now_ns += umsim_cost_call(price->costs, UMSIM_CALL_SYNCHRONIZE);
}

void umsim_price_host_touches(struct umsim_price *price, bool write)
{
    struct uvm_delta delta = paced(price, UVM_CPU);
    struct umsim_paging_work work;

    if (!price->space)
        return;
    uvm_cpu_access(price->space, BASE, price->bytes, write, &delta);
    work = paging_work(&delta);
    price->now_ns += umsim_cost_cpu_faults(price->costs, &work);
}
