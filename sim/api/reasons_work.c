/**
 * @file reasons_work.c
 * @brief Why a launch, or a call with a stream or an event, was refused (reasons.h).
 */
#include "reasons.h"
#include "event.h"
#include "runtime.h"
#include "../base/source_line.h"
#include "../include/umsim/abi.h"
#include "../queue/kernel_op.h"

#include <string.h>

/* ---- handles ---- */

static void add_destroyed(struct umsim_reason *reason, const char *what, const void *handle)
{
    const struct umsim_destroyed *it = umsim_destroyed_find(handle);
    if (!it) {
        umsim_reason_add(reason,
                         "the %s does not exist%s\nIs the variable set by cuda%sCreate before its use?", what,
                         handle ? "" : ": it is NULL", strcmp(what, "stream") == 0 ? "Stream" : "Event");
        return;
    }
    umsim_reason_add(reason, "the %s is gone: %s has destroyed it", what, it->call);
    if (it->caller)
        umsim_reason_add(reason, " at " UMSIM_SOURCE_LATER, it->caller);
    umsim_reason_add(reason, "\nDestroy it after its last use.");
}

static bool event_is_wrong(struct umsim_reason *reason, const struct umsim_api_call *call, cudaEvent_t event,
                           const char *which)
{
    const bool is_timing = strcmp(call->name, "cudaEventElapsedTime") == 0;
    switch (umsim_event_state(event)) {
    case UMSIM_EVENT_UNKNOWN:
        add_destroyed(reason, "event", (const void *)event);
        return true;
    case UMSIM_EVENT_NOT_RECORDED:
        if (is_timing)
            umsim_reason_add(
                reason,
                "%s was never recorded\n"
                "cudaEventRecord(%s) puts an event into a stream: one before the work, one after.",
                which, which);
        return is_timing;
    case UMSIM_EVENT_WITHOUT_TIMING:
        if (is_timing)
            umsim_reason_add(reason,
                             "%s keeps no time: it was created with cudaEventDisableTiming\n"
                             "Create it with cudaEventCreate.",
                             which);
        return is_timing;
    default:
        return false;
    }
}

bool umsim_reason_handle(struct umsim_reason *reason, const struct umsim_api_call *call, cudaError_t error)
{
    const char *which = "start";
    if (error != cudaErrorInvalidResourceHandle)
        return false;
    for (const struct umsim_argument *it = call->arguments; it->kind != UMSIM_ARGUMENT_END; it++) {
        const bool is_handle = it->kind == UMSIM_ARGUMENT_STREAM || it->kind == UMSIM_ARGUMENT_EVENT ||
                               it->kind == UMSIM_ARGUMENT_PLACE;
        const void *handle = is_handle ? *(const void *const *)it->value : NULL;
        if (it->kind == UMSIM_ARGUMENT_STREAM && !umsim_stream_of(*(const cudaStream_t *)it->value)) {
            add_destroyed(reason, "stream", handle);
            return true;
        }
        if (it->kind == UMSIM_ARGUMENT_EVENT) {
            if (event_is_wrong(reason, call, *(const cudaEvent_t *)it->value, which))
                return true;
            which = "end";
        }
        if (it->kind == UMSIM_ARGUMENT_PLACE && umsim_destroyed_find(handle)) {
            add_destroyed(reason, "object", handle);
            return true;
        }
    }
    return false;
}

/* ---- launches ---- */

struct launch {
    dim3 grid, block;
    size_t shared;
};

static bool is_empty(struct umsim_reason *reason, const struct launch *it)
{
    const dim3 grid = it->grid, block = it->block;
    const bool no_grid = !grid.x || !grid.y || !grid.z;
    const dim3 shown = no_grid ? grid : block;
    if (!no_grid && block.x && block.y && block.z)
        return false;
    umsim_reason_add(reason, "the %s is (%u,%u,%u), and each of the three has to be at least 1\n%s",
                     no_grid ? "grid" : "block", shown.x, shown.y, shown.z,
                     no_grid ? "n / threads rounds down: (n + threads - 1) / threads blocks hold all n."
                             : "A launch is <<<blocks, threads a block>>>.");
    return true;
}

static bool has_too_many_threads(struct umsim_reason *reason, const struct launch *it)
{
    const dim3 block = it->block;
    const unsigned long long threads = (unsigned long long)block.x * block.y * block.z;
    const unsigned long long most =
        (unsigned long long)umsim_machine_of(umsim_device())->attributes.max_threads_per_block;
    if (threads <= most)
        return false;
    umsim_reason_add(reason,
                     "a block of (%u,%u,%u) has %llu threads, and this device takes at most %llu\n"
                     "Take smaller blocks, such as dim3(16, 16) or 256, and more of them.",
                     block.x, block.y, block.z, threads, most);
    return true;
}

static bool is_over(struct umsim_reason *reason, const char *name, unsigned value, int64_t limit)
{
    if (value <= limit)
        return false;
    umsim_reason_add(
        reason,
        "%s is %u, and this device takes at most %lld\n"
        "Only a grid's x may be large: let x count, or let each thread do more than one element.",
        name, value, (long long)limit);
    return true;
}

static bool is_too_long(struct umsim_reason *reason, const struct launch *it)
{
    const struct umsim_attributes *limit = &umsim_machine_of(umsim_device())->attributes;
    return is_over(reason, "block.x", it->block.x, limit->max_block_dim_x) ||
           is_over(reason, "block.y", it->block.y, limit->max_block_dim_y) ||
           is_over(reason, "block.z", it->block.z, limit->max_block_dim_z) ||
           is_over(reason, "grid.x", it->grid.x, limit->max_grid_dim_x) ||
           is_over(reason, "grid.y", it->grid.y, limit->max_grid_dim_y) ||
           is_over(reason, "grid.z", it->grid.z, limit->max_grid_dim_z);
}

static bool has_too_much_shared(struct umsim_reason *reason, const struct launch *it)
{
    const struct umsim_attributes *limit = &umsim_machine_of(umsim_device())->attributes;
    const size_t usual = (size_t)limit->max_shared_memory_per_block,
                 most = (size_t)limit->max_shared_memory_per_block_optin;
    if (it->shared <= usual)
        return false;
    umsim_reason_add(reason, "%zu bytes of dynamic shared memory are asked for, and %zu is the most ",
                     it->shared, it->shared > most ? most : usual);
    umsim_reason_add(reason,
                     it->shared > most
                         ? "that this device has for a block\nTake smaller tiles."
                         : "unless the kernel was allowed more\ncudaFuncSetAttribute(kernel, "
                           "cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) allows up to %zu.",
                     most);
    return true;
}

bool umsim_reason_launch(struct umsim_reason *reason, const struct umsim_api_call *call, cudaError_t error)
{
    const dim3 *grid = umsim_argument_of(call, UMSIM_ARGUMENT_DIM3);
    const size_t *shared = umsim_argument_of(call, UMSIM_ARGUMENT_SIZE);
    if (!grid || !shared)
        return false;
    const struct launch it = {*grid, *(const dim3 *)call->arguments[1].value, *shared};
    if (error == cudaErrorCooperativeLaunchTooLarge) {
        umsim_reason_add(
            reason,
            "a cooperative launch of (%u,%u,%u) blocks is more than the device holds at once\n"
            "cudaOccupancyMaxActiveBlocksPerMultiprocessor() times the multiprocessors is the most.",
            it.grid.x, it.grid.y, it.grid.z);
        return true;
    }
    return error == cudaErrorInvalidValue && (is_empty(reason, &it) || has_too_many_threads(reason, &it) ||
                                              is_too_long(reason, &it) || has_too_much_shared(reason, &it));
}
