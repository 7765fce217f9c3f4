/**
 * @file cost.c
 * @brief Implementation of cost.h: calls, copies, kernels. What paging costs is in cost_paging.c.
 *
 * cost.h explains the shape of the model.
 */
#include "arithmetic.h"

double umsim_curve_us(const struct umsim_curve *curve, double bytes)
{
    unsigned last = curve->count - 1, i = 1;
    if (bytes <= curve->bytes[0])
        return curve->us[0];
    while (i < last && bytes > curve->bytes[i])
        i++;
    double slope = (curve->us[i] - curve->us[i - 1]) / (curve->bytes[i] - curve->bytes[i - 1]);
    if (bytes > curve->bytes[last])
        return curve->us[last] + larger(slope, 0) * (bytes - curve->bytes[last]);
    return curve->us[i - 1] + slope * (bytes - curve->bytes[i - 1]);
}

uint64_t umsim_cost_call(const struct umsim_costs *costs, enum umsim_call call)
{
    switch (call) {
    case UMSIM_CALL_START:
        return from_us(costs->start_us);
    case UMSIM_CALL_LOOKUP:
        return from_us(costs->call_us);
    case UMSIM_CALL_STREAM_CREATE:
        return from_us(costs->stream_create_us);
    case UMSIM_CALL_STREAM_DESTROY:
        return from_us(costs->stream_destroy_us);
    case UMSIM_CALL_EVENT_CREATE:
        return from_us(costs->event_create_us);
    case UMSIM_CALL_EVENT_DESTROY:
        return from_us(costs->event_destroy_us);
    case UMSIM_CALL_EVENT_RECORD:
        return from_us(costs->event_record_us);
    case UMSIM_CALL_QUERY:
        return from_us(costs->query_us);
    case UMSIM_CALL_STREAM_WAIT_EVENT:
        return from_us(costs->stream_wait_event_us);
    case UMSIM_CALL_HOST_FUNCTION:
        return from_us(costs->host_function_us);
    case UMSIM_CALL_SYNCHRONIZE:
        return from_us(costs->synchronize_us);
    case UMSIM_CALL_SYNCHRONIZE_IDLE:
        return from_us(costs->synchronize_idle_us);
    case UMSIM_CALL_MEM_ADVISE:
        return from_us(costs->advise_us);
    case UMSIM_CALL_LAUNCH:
        return from_us(costs->launch_issue_us);
    case UMSIM_CALLS:
        break;
    }
    return 0;
}

uint64_t umsim_cost_allocation(const struct umsim_costs *costs, enum umsim_allocation_call call,
                               uint64_t bytes)
{
    const struct umsim_curve *curves[UMSIM_ALLOCATIONS] = {
        [UMSIM_MALLOC] = &costs->malloc_device,          [UMSIM_FREE] = &costs->free_device,
        [UMSIM_MALLOC_HOST] = &costs->malloc_host,       [UMSIM_FREE_HOST] = &costs->free_host,
        [UMSIM_MALLOC_MANAGED] = &costs->malloc_managed, [UMSIM_FREE_MANAGED] = &costs->free_managed,
        [UMSIM_HOST_REGISTER] = &costs->host_register,   [UMSIM_HOST_UNREGISTER] = &costs->host_unregister,
        [UMSIM_MALLOC_ASYNC] = &costs->malloc_async,     [UMSIM_FREE_ASYNC] = &costs->free_async,
    };
    if ((unsigned)call >= UMSIM_ALLOCATIONS)
        return 0;
    return from_us(umsim_curve_us(curves[call], (double)bytes));
}

/** The chunks that small allocations are cut from, how large a small allocation is at most, and how far apart
 * they stand. */
#define CHUNK BLOCK
#define SMALL (CHUNK / 2)
#define SMALL_UNIT 512

static uint64_t chunks_of(uint64_t bytes)
{
    return (bytes + (uint64_t)CHUNK - 1) / (uint64_t)CHUNK;
}

uint64_t umsim_cost_small_allocation(const struct umsim_costs *costs, enum umsim_allocation_call call,
                                     uint64_t bytes, struct umsim_chunks *chunks)
{
    const int takes = call == UMSIM_MALLOC || call == UMSIM_MALLOC_HOST;
    const uint64_t before = chunks_of(chunks->bytes);
    if ((double)bytes > SMALL)
        return umsim_cost_allocation(costs, call, bytes);
    const uint64_t rounded = (bytes + SMALL_UNIT - 1) / SMALL_UNIT * SMALL_UNIT;
    if (takes)
        chunks->bytes += rounded;
    else
        chunks->bytes -= rounded < chunks->bytes ? rounded : chunks->bytes;
    if (chunks_of(chunks->bytes) != before)
        return umsim_cost_allocation(costs, call, bytes);
    return from_us(takes ? costs->malloc_small_us : costs->free_small_us);
}

/** How much of a call that takes `total_us` on an idle device is the engine's. */
static double engine_share_us(const struct umsim_costs *costs, double total_us)
{
    return larger(total_us - costs->copy_issue_us - costs->synchronize_us, 0);
}

/** Makes the three parts add up to `total_us`, of which the engine takes `engine_us`. */
static struct umsim_copy_cost split(const struct umsim_costs *costs, enum umsim_engine engine,
                                    double total_us, double engine_us)
{
    double issue = smaller(costs->copy_issue_us, total_us);
    double rest = larger(total_us - issue - engine_us, 0);
    return (struct umsim_copy_cost){.engine = engine,
                                    .issue_ns = from_us(issue),
                                    .engine_ns = from_us(smaller(engine_us, total_us - issue)),
                                    .return_ns = from_us(rest)};
}

/**
 * A copy of pageable memory. The host thread moves every byte through a pinned buffer, so most of the time is
 * the thread's: before the engine's part on the way to the device, after it on the way back. The engine is as
 * busy as with pinned memory.
 */
static struct umsim_copy_cost pageable(const struct umsim_costs *costs, int to_device, double bytes)
{
    const struct umsim_curve *whole = to_device ? &costs->htod_pageable : &costs->dtoh_pageable;
    const struct umsim_curve *pinned = to_device ? &costs->htod_pinned : &costs->dtoh_pinned;
    enum umsim_engine engine = to_device ? UMSIM_ENGINE_COPY_HTOD : UMSIM_ENGINE_COPY_DTOH;
    double total = umsim_curve_us(whole, bytes);
    double engine_us = engine_share_us(costs, umsim_curve_us(pinned, bytes));
    if (to_device && bytes <= costs->pageable_staged_bytes) /* the table's time ends at the return */
        return (struct umsim_copy_cost){
            .engine = engine, .issue_ns = from_us(total), .engine_ns = from_us(engine_us), .host_waits = 0};
    engine_us = smaller(engine_us, engine_share_us(costs, total));
    struct umsim_copy_cost cost = split(costs, engine, total, engine_us);
    cost.host_waits = 1;
    if (to_device) { /* staging comes first */
        uint64_t wake = from_us(costs->synchronize_us), rest = cost.return_ns;
        cost.return_ns = rest < wake ? rest : wake;
        cost.issue_ns += rest - cost.return_ns;
    }
    return cost;
}

/** A copy that needs no staging. `waits`: the synchronous call waits for it. */
static struct umsim_copy_cost direct(const struct umsim_costs *costs, const struct umsim_curve *curve,
                                     enum umsim_engine engine, double bytes, int waits)
{
    double total = umsim_curve_us(curve, bytes);
    struct umsim_copy_cost cost = split(costs, engine, total, engine_share_us(costs, total));
    cost.host_waits = waits;
    return cost;
}

static const struct umsim_curve *pinned_curve(const struct umsim_costs *costs, int to_device,
                                              enum umsim_host_memory host)
{
    if (host == UMSIM_HOST_PINNED_TO_MANAGED)
        return to_device ? &costs->htod_managed : &costs->dtoh_managed;
    if (host == UMSIM_HOST_WRITE_COMBINED)
        return to_device ? &costs->htod_write_combined : &costs->dtoh_write_combined;
    return to_device ? &costs->htod_pinned : &costs->dtoh_pinned;
}

struct umsim_copy_cost umsim_cost_copy(const struct umsim_costs *costs, enum umsim_copy_path path,
                                       enum umsim_host_memory host, uint64_t bytes, int async)
{
    double size = (double)bytes;
    int to_device = path == UMSIM_COPY_HTOD;
    switch (path) {
    case UMSIM_COPY_DTOD:
        return direct(costs, &costs->dtod, UMSIM_ENGINE_COMPUTE, size, 0);
    case UMSIM_COPY_MEMSET:
        return direct(costs, &costs->memset_device, UMSIM_ENGINE_COMPUTE, size, 0);
    case UMSIM_COPY_HTOH:
        return (struct umsim_copy_cost){.engine = UMSIM_ENGINE_NONE,
                                        .issue_ns = from_us(umsim_curve_us(&costs->htoh, size))};
    case UMSIM_COPY_HTOD:
    case UMSIM_COPY_DTOH:
        break;
    }
    if (host == UMSIM_HOST_PAGEABLE)
        return pageable(costs, to_device, size);
    return direct(costs, pinned_curve(costs, to_device, host),
                  to_device ? UMSIM_ENGINE_COPY_HTOD : UMSIM_ENGINE_COPY_DTOH, size, !async);
}

/* The driver passes pieces on while the engine works, and holds the host with that. */
static struct umsim_copy_cost by_host(const struct umsim_costs *costs, const struct umsim_peers *peers,
                                      const struct umsim_peer_copy *copy)
{
    const double bytes = (double)copy->bytes;
    const double issue = peers->copy_by_host_call.us[0], whole = umsim_curve_us(&peers->copy_by_host, bytes);
    const double held = larger(umsim_curve_us(&peers->copy_by_host_call, bytes) - issue, 0);
    return (struct umsim_copy_cost){
        .engine = UMSIM_ENGINE_COPY_DTOH,
        .issue_ns = from_us(issue),
        .engine_ns = from_us(larger(whole - issue - costs->synchronize_us, 0)),
        .held_ns = from_us(held),
    };
}

struct umsim_copy_cost umsim_cost_copy_to_peer(const struct umsim_costs *costs,
                                               const struct umsim_peers *peers,
                                               const struct umsim_peer_copy *copy)
{
    struct umsim_copy_cost cost = {.engine = UMSIM_ENGINE_PEER, .issue_ns = from_us(peers->copy_issue_us)};
    const double bytes = (double)copy->bytes;
    if (copy->by_host)
        cost = by_host(costs, peers, copy);
    else if (copy->pulled)
        cost.engine_ns = from_us(umsim_curve_us(&peers->copy_pulled, bytes));
    else
        cost.engine_ns = from_us(
            larger(umsim_curve_us(&peers->copy, bytes) - peers->copy_issue_us - costs->synchronize_us, 0));
    if (!copy->async) {
        cost.issue_ns += from_us(peers->copy_sync_issue_us);
        cost.engine_ns += from_us(peers->copy_sync_us);
    }
    return cost;
}

uint64_t umsim_cost_peer_mapping(const struct umsim_peers *peers, enum umsim_allocation_call call,
                                 uint64_t bytes)
{
    if ((double)bytes <= SMALL || !peers->devices) /* a part of a chunk, which is mapped already */
        return 0;
    return from_us(umsim_curve_us(call == UMSIM_MALLOC ? &peers->map : &peers->unmap, (double)bytes));
}

uint64_t umsim_cost_event_device(const struct umsim_costs *costs)
{
    return from_us(costs->event_device_us);
}

uint64_t umsim_cost_host_function_start(const struct umsim_costs *costs)
{
    return from_us(costs->host_function_start_us);
}

uint64_t umsim_cost_host_memcpy(const struct umsim_costs *costs, uint64_t bytes)
{
    return from_ns(transfer_ns((double)bytes, costs->host_memcpy_gbs));
}

uint64_t umsim_cost_host_memset(const struct umsim_costs *costs, uint64_t bytes)
{
    return from_ns(transfer_ns((double)bytes, costs->host_memset_gbs));
}
