/**
 * @file costs.h
 * @brief For lab 9's checks: what a workload takes with each kind of memory, by the profile, without doing
 * it.
 *
 *     struct lab9_price price = lab9_price(um_profile(), &work, LAB9_MAPPED);
 *     double us = price.memory_us + work.jobs * price.job_us;
 *
 * The same steps as play.h's, priced by sim/model; of managed memory the pages move in a space of sim/uvm's
 * own, which has nothing behind it. So it takes no time worth saying, for any size. tests/unit/lab9_costs.c
 * compares with the lab's rows.
 *
 * A job begins with the driver's fault handler asleep, and with all pages at the host. Where the device has
 * less memory than the array needs, what would need it has no price: INFINITY.
 */
#ifndef LAB9_COSTS_H
#define LAB9_COSTS_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels.h"
#include "sim/model/cost.h"
#include "sim/uvm/uvm.h"
#include "../workload.h"

/** Microseconds. */
struct lab9_price {
    double memory_us; /**< getting the memory, and giving it back */
    double job_us;    /**< one job: all rounds */
};

/** One job under way. */
struct lab9_model {
    const struct umsim_profile *profile;
    const struct umsim_costs *costs;
    struct lab9_workload work;
    enum lab9_kind kind;
    size_t n, used;          /**< floats; those that a kernel uses */
    struct uvm_space *space; /**< of managed memory; else NULL */
    struct uvm_device device;
    struct umsim_handler handler;
    uint64_t now_ns;    /**< the host's */
    uint64_t engine_ns; /**< when the compute engine is free */
};

enum { LAB9_MODEL_BASE = 1 << 21 };

static inline bool lab9_model_copies(const struct lab9_model *model)
{
    return model->kind == LAB9_PAGEABLE || model->kind == LAB9_PINNED;
}

/** What the policy did, as the model prices it. */
static inline struct umsim_paging_work lab9_paging(const struct uvm_delta *delta)
{
    return (struct umsim_paging_work){
        .cpu_faults = delta->cpu_faults,
        .gpu_fault_groups = delta->gpu_fault_groups - delta->throttled_groups,
        .gpu_fault_batches = delta->gpu_fault_batches - delta->throttled_groups,
        .gpu_fault_services = delta->gpu_fault_services,
        .bytes_htod = uvm_delta_bytes(delta, UVM_HTOD),
        .bytes_dtoh = uvm_delta_bytes(delta, UVM_DTOH),
        .transfers_htod = uvm_delta_transfers(delta, UVM_HTOD),
        .transfers_dtoh = uvm_delta_transfers(delta, UVM_DTOH),
        .device_pages_populated =
            delta->pages_populated[UVM_GPU] + uvm_delta_bytes(delta, UVM_HTOD) / UVM_PAGE_BYTES,
        .remote_pages_mapped = delta->pages_mapped_remotely[UVM_GPU],
        .evictions = delta->evictions,
        .throttled_ns = delta->throttled_ns[UVM_CPU] + delta->throttled_ns[UVM_GPU],
    };
}

/** For pages that both sides fight over it matters how long a service takes: about so long
 * (sim/space/policy.c). */
static inline struct uvm_delta lab9_delta(const struct lab9_model *model, enum uvm_processor processor)
{
    const struct umsim_costs *costs = model->costs;
    const double gbs = processor == UVM_CPU ? costs->migrate_dtoh_gbs : costs->migrate_htod_gbs;
    const double service_us = processor == UVM_CPU ? costs->cpu_fault_us + 2 * costs->cpu_fault_transfer_us
                                                   : costs->gpu_fault_batch_us + costs->gpu_fault_block_us;

    return (struct uvm_delta){
        .now_ns = model->now_ns,
        .pace = {(uint64_t)(1e3 * service_us), (uint64_t)((double)UVM_PAGE_BYTES / gbs)}};
}

/** Bytes that the driver has for an array: small ones stand in a block of 2 MiB. */
static inline size_t lab9_range(size_t bytes)
{
    return bytes < UVM_VA_BLOCK_BYTES ? UVM_VA_BLOCK_BYTES : bytes;
}

/** A space with the array in it, which the host has written. */
static inline struct uvm_space *lab9_space(struct lab9_model *model)
{
    const size_t blocks = model->work.bytes / UVM_VA_BLOCK_BYTES + 2;
    const size_t room = (uvm_space_bytes(blocks) + 63) / 64 * 64;
    void *memory = aligned_alloc(64, room);
    struct uvm_delta delta = {0};

    if (!memory)
        abort();
    memset(memory, 0, room);
    uvm_device_init(&model->device, model->work.device_bytes / UVM_VA_BLOCK_BYTES);
    model->space = uvm_space_init(memory, &model->device, LAB9_MODEL_BASE, blocks);
    uvm_range_create(model->space, LAB9_MODEL_BASE, lab9_range(model->work.bytes));
    uvm_cpu_access(model->space, LAB9_MODEL_BASE, model->work.bytes, true, &delta);
    return model->space;
}

static inline void lab9_advise_one(struct lab9_model *model, enum uvm_advice advice,
                                   enum uvm_processor processor)
{
    struct uvm_delta delta = {0};

    uvm_advise(model->space, LAB9_MODEL_BASE, model->work.bytes, advice, processor, &delta);
    model->now_ns += umsim_cost_call(model->costs, UMSIM_CALL_MEM_ADVISE);
    model->now_ns += umsim_cost_advice(model->costs,
                                       advice == UVM_SET_READ_MOSTLY ? model->work.bytes / UVM_PAGE_BYTES : 0,
                                       delta.pages_mapped_remotely[UVM_GPU]);
}

static inline void lab9_prefetch(struct lab9_model *model, enum uvm_processor to)
{
    struct uvm_delta delta = {0};
    struct umsim_paging_work work;
    struct umsim_copy_cost cost;

    uvm_prefetch(model->space, LAB9_MODEL_BASE, model->work.bytes, to, &delta);
    work = lab9_paging(&delta);
    work.prefetch = 1;
    cost = umsim_cost_prefetch(model->costs, model->work.bytes, &work, to == UVM_CPU);
    model->now_ns += cost.issue_ns + cost.engine_ns + cost.return_ns;
}

/** Whether it is prefetched to each side before its turn. */
static inline bool lab9_is_prefetched(const struct lab9_model *model)
{
    return model->kind == LAB9_PREFETCH ||
           (model->kind == LAB9_ADVISED && lab9_advice(&model->work) == LAB9_STAY);
}

static inline void lab9_advised(struct lab9_model *model)
{
    switch (lab9_advice(&model->work)) {
    case LAB9_DUPLICATE:
        lab9_advise_one(model, UVM_SET_READ_MOSTLY, UVM_GPU);
        lab9_prefetch(model, UVM_GPU);
        break;
    case LAB9_STAY:
        lab9_advise_one(model, UVM_SET_PREFERRED_LOCATION, UVM_GPU);
        break;
    default:
        lab9_advise_one(model, UVM_SET_PREFERRED_LOCATION, UVM_CPU);
        lab9_advise_one(model, UVM_SET_ACCESSED_BY, UVM_GPU);
    }
}

static inline void lab9_copy(struct lab9_model *model, enum umsim_copy_path path)
{
    const struct umsim_copy_cost cost = umsim_cost_copy(
        model->costs, path, model->kind == LAB9_PINNED ? UMSIM_HOST_PINNED : UMSIM_HOST_PAGEABLE,
        model->work.bytes, 0);

    model->now_ns += cost.issue_ns + (cost.host_waits ? cost.engine_ns + cost.return_ns : 0);
    if (!cost.host_waits)
        model->engine_ns = model->now_ns + cost.engine_ns;
}

/** The pages that a kernel uses, in managed memory. */
static inline void lab9_touch(struct lab9_model *model)
{
    const size_t apart = model->work.stride * sizeof(float);
    const size_t unit =
        apart > UVM_BIG_PAGE_BYTES ? apart : UVM_BIG_PAGE_BYTES; /* it marks as much as that */
    struct uvm_opening opening;

    if (model->work.read_only && model->work.stride > 1) {
        for (size_t i = 0; i < model->used; i++) {
            const size_t place = (size_t)((uint64_t)((uint32_t)i * UINT32_C(2654435769)) * model->n >> 32);

            uvm_gpu_touch(model->space, LAB9_MODEL_BASE + place * sizeof(float), false, &opening);
        }
        return;
    }
    for (size_t at = 0; at < model->work.bytes; at += unit) {
        uvm_gpu_touch(model->space, LAB9_MODEL_BASE + at, !model->work.read_only, &opening);
    }
}

/** Where a kernel finds the array, now. */
static inline enum umsim_memory_kind lab9_memory(const struct lab9_model *model)
{
    uint64_t pages[UVM_PROCESSORS] = {0};

    if (lab9_model_copies(model))
        return UMSIM_MEMORY_DEVICE;
    if (model->kind == LAB9_MAPPED)
        return UMSIM_MEMORY_MAPPED;
    uvm_count_resident(model->space, LAB9_MODEL_BASE, model->work.bytes, pages);
    return pages[UVM_GPU] * UVM_PAGE_BYTES * 2 < model->work.bytes ? UMSIM_MEMORY_MANAGED_REMOTE
                                                                   : UMSIM_MEMORY_MANAGED_RESIDENT;
}

/** A kernel's traffic, as kernels/ declare it; the array's first. @return entries */
static inline size_t lab9_traffic(const struct lab9_model *model, struct umsim_traffic *traffic)
{
    const size_t stride = model->work.stride,
                 apart = stride < UM_FETCH_BYTES ? stride * sizeof(float) : UM_FETCH_BYTES;
    const size_t read = apart < UM_FETCH_BYTES ? apart : UM_FETCH_BYTES,
                 write = apart < UM_SECTOR_BYTES ? apart : UM_SECTOR_BYTES;

    if (!model->work.read_only) {
        traffic[0] = (struct umsim_traffic){UMSIM_MEMORY_DEVICE, model->used * read, model->used * write, 0};
        return 1;
    }
    if (stride == 1) {
        traffic[0] = (struct umsim_traffic){UMSIM_MEMORY_DEVICE, model->work.bytes, 0, 0};
        return 1;
    }
    traffic[0] = (struct umsim_traffic){UMSIM_MEMORY_DEVICE, model->used * UM_FETCH_BYTES, 0, 0};
    traffic[1] = (struct umsim_traffic){UMSIM_MEMORY_DEVICE, model->used * sizeof(uint32_t),
                                        model->used * sizeof(float), 0};
    return 2;
}

/** One launch, without waiting. @param first of its round: then pages may be missing */
static inline void lab9_launch(struct lab9_model *model, uint64_t blocks, struct umsim_traffic *traffic,
                               size_t count, bool first)
{
    const struct umsim_attributes *attributes = &model->profile->attributes;
    struct umsim_paging_work paging = {0};
    struct umsim_kernel_work work = {.blocks = blocks,
                                     .threads_per_block = UM_BLOCK_THREADS,
                                     .traffic = traffic,
                                     .traffic_count = count,
                                     .paging = &paging};
    const struct uvm_launch launch = {
        .blocks = blocks,
        .threads_per_block = UM_BLOCK_THREADS,
        .multiprocessors = (uint32_t)attributes->multiprocessor_count,
        .blocks_at_once = umsim_cost_blocks_at_once(attributes, UM_BLOCK_THREADS, 0),
        .touches = count > 0 ? umsim_cost_touches(traffic[0].bytes_read, traffic[0].bytes_written) : 0};
    struct uvm_delta delta;

    model->now_ns += umsim_cost_call(model->costs, UMSIM_CALL_LAUNCH);
    delta = lab9_delta(model, UVM_GPU);
    if (model->space && first) {
        lab9_touch(model);
        uvm_gpu_replay(model->space, &launch, &delta);
        paging = lab9_paging(&delta);
        paging.first = umsim_handler_sleeps(&model->handler, model->now_ns);
    }
    if (count > 0)
        traffic[0].kind = lab9_memory(model);
    model->engine_ns = (model->engine_ns > model->now_ns ? model->engine_ns : model->now_ns) +
                       umsim_cost_kernel(model->costs, attributes, &work);
    if (paging.gpu_fault_groups > 0)
        umsim_handler_served(&model->handler, model->costs, model->engine_ns);
}

/** All kernels of a round, waited for. */
static inline void lab9_kernels(struct lab9_model *model)
{
    const uint64_t blocks = (model->used + UM_BLOCK_THREADS - 1) / UM_BLOCK_THREADS;
    const bool sums = model->work.read_only && model->work.stride == 1;
    struct umsim_traffic traffic[2];

    for (unsigned pass = 0; pass < model->work.passes; pass++) {
        const size_t count = lab9_traffic(model, traffic);

        lab9_launch(model, sums && blocks > UM_SUM_BLOCKS ? UM_SUM_BLOCKS : blocks, traffic, count,
                    pass == 0);
        if (sums)
            lab9_launch(model, 1, NULL, 0, false); /* adds up the partial sums */
    }
    if (model->engine_ns > model->now_ns)
        model->now_ns = model->engine_ns;
    model->now_ns += umsim_cost_call(model->costs, UMSIM_CALL_SYNCHRONIZE);
}

/** The host's turn: a float in each page. */
static inline void lab9_host_turn(struct lab9_model *model)
{
    struct uvm_delta delta = lab9_delta(model, UVM_CPU);
    struct umsim_paging_work work;

    if (!model->space)
        return;
    uvm_cpu_access(model->space, LAB9_MODEL_BASE, model->work.bytes, !model->work.read_only, &delta);
    work = lab9_paging(&delta);
    model->now_ns += umsim_cost_cpu_faults(model->costs, &work);
}

static inline void lab9_round(struct lab9_model *model, unsigned round)
{
    if (lab9_model_copies(model) && (round == 0 || !model->work.read_only))
        lab9_copy(model, UMSIM_COPY_HTOD);
    if (lab9_is_prefetched(model))
        lab9_prefetch(model, UVM_GPU);
    lab9_kernels(model);
    if (lab9_model_copies(model) && !model->work.read_only)
        lab9_copy(model, UMSIM_COPY_DTOH);
    if (lab9_is_prefetched(model))
        lab9_prefetch(model, UVM_CPU);
    lab9_host_turn(model);
}

/** All rounds, microseconds. From the fifth on they are taken to be like the fourth. */
static inline double lab9_job_us(struct lab9_model *model)
{
    enum { PLAYED = 4 };
    const uint64_t start_ns = model->now_ns = UINT64_C(1000000000); /* any time but 0, which is none */
    uint64_t before_ns = start_ns;
    double more = 0;

    if (model->kind == LAB9_ADVISED)
        lab9_advised(model);
    for (unsigned round = 0; round < model->work.rounds && round < PLAYED; round++) {
        before_ns = model->now_ns;
        lab9_round(model, round);
    }
    if (model->work.rounds > PLAYED)
        more = (double)(model->now_ns - before_ns) * (model->work.rounds - PLAYED);
    return ((double)(model->now_ns - start_ns) + more) / 1e3;
}

static inline double lab9_memory_us(const struct lab9_model *model)
{
    const struct umsim_costs *costs = model->costs;
    struct umsim_chunks device = {0}, host = {0};
    const size_t bytes = model->work.bytes;
    uint64_t ns = 0;

    if (lab9_model_copies(model))
        ns += umsim_cost_small_allocation(costs, UMSIM_MALLOC, bytes, &device) +
              umsim_cost_small_allocation(costs, UMSIM_FREE, bytes, &device);
    if (model->kind == LAB9_PINNED || model->kind == LAB9_MAPPED)
        ns += umsim_cost_small_allocation(costs, UMSIM_MALLOC_HOST, bytes, &host) +
              umsim_cost_small_allocation(costs, UMSIM_FREE_HOST, bytes, &host);
    if (model->kind >= LAB9_MANAGED)
        ns += umsim_cost_allocation(costs, UMSIM_MALLOC_MANAGED, bytes) +
              umsim_cost_allocation(costs, UMSIM_FREE_MANAGED, bytes) +
              umsim_cost_release(costs, lab9_range(bytes) / UVM_PAGE_BYTES);
    return (double)ns / 1e3;
}

/** Whether the device's memory would have to hold the array. */
static inline bool lab9_needs_device(const struct lab9_workload *work, enum lab9_kind kind)
{
    return kind != LAB9_MAPPED && !(kind == LAB9_ADVISED && lab9_advice(work) == LAB9_IN_PLACE);
}

/** What it takes. */
static inline struct lab9_price lab9_price(const struct umsim_profile *profile,
                                           const struct lab9_workload *work, enum lab9_kind kind)
{
    struct lab9_model model = {.profile = profile,
                               .costs = &profile->costs,
                               .work = *work,
                               .kind = kind,
                               .n = work->bytes / sizeof(float)};
    struct lab9_price price = {INFINITY, INFINITY};

    if (work->bytes > work->device_bytes && lab9_needs_device(work, kind))
        return price;
    model.used = (model.n - 1) / work->stride + 1;
    if (kind >= LAB9_MANAGED)
        lab9_space(&model);
    price.memory_us = lab9_memory_us(&model);
    price.job_us = lab9_job_us(&model);
    free(model.space);
    return price;
}

#endif
