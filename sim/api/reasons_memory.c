/**
 * @file reasons_memory.c
 * @brief Why a copy, a memset or a call that frees was refused (reasons.h).
 */
#include "reasons.h"
#include "symbol_address.h"
#include "../base/devices.h"
#include "../base/source_line.h"
#include "../space/array.h"
#include "../space/classify.h"
#include "../space/registry.h"

#include <string.h>

/* Which way the bytes would go by the pointers themselves. */
static const char *direction(bool to_device, bool from_device)
{
    static const char *const names[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
                                        "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice"};
    return names[(from_device ? 2 : 0) + to_device];
}

static const char *name_of_kind(enum cudaMemcpyKind kind)
{
    return direction(kind & 1, kind & 2);
}

static bool is_at_device(const void *p)
{
    struct umsim_classified place;
    return umsim_classify(p, 1, &place) && umsim_is_on_device_side(&place);
}

static void add_too_many(struct umsim_reason *reason, const void *p, const struct umsim_alloc *allocation,
                         size_t bytes)
{
    const size_t before = (size_t)((const char *)p - allocation->base), there = allocation->bytes - before;
    if (allocation->free_queued)
        umsim_reason_add(reason, "\nIt is used after cudaFreeAsync: free it behind its last use.");
    else if ((long long)bytes < 0)
        umsim_reason_add(reason,
                         "\n%zu bytes from there are meant, which is %lld as a number with a sign"
                         "\nThe size was computed from a negative number, or overflowed.",
                         bytes, (long long)bytes);
    else
        umsim_reason_add(reason,
                         "\n%zu bytes from there are %zu too many: the allocation has %zu%s"
                         "\nThe size is in bytes, of the elements that were allocated: n * sizeof of one.",
                         bytes, bytes - there, there, before ? " left" : "");
}

/* Whether [p, p + bytes) leaves what it begins in, is NULL, or was freed. */
static bool is_no_range(struct umsim_reason *reason, const char *name, const void *p, size_t bytes)
{
    struct umsim_classified place;
    if (umsim_classify(p, bytes, &place) || umsim_is_kernels_address(p))
        return false;
    const struct umsim_alloc *allocation = umsim_registry_find(p);
    umsim_reason_add(reason, "%s is ", name);
    umsim_reason_pointer(reason, p);
    if (!p)
        umsim_reason_add(reason, "\nWas it allocated, and did that succeed? cudaMalloc needs the address of "
                                 "your pointer.");
    else if (umsim_array_behind(p))
        umsim_reason_add(reason,
                         "\nAn array's handle is no pointer: cudaMemcpy2DToArray and the like copy it.");
    else if (!allocation)
        umsim_reason_add(reason, "\nCopy before the memory is freed, and keep the pointer inside its "
                                 "allocation.");
    else
        add_too_many(reason, p, allocation, bytes);
    return true;
}

static bool wrong_direction(struct umsim_reason *reason, const struct umsim_copy *copy)
{
    const bool to = is_at_device(copy->to), from = is_at_device(copy->from);
    if (copy->kind == cudaMemcpyDefault || direction(to, from) == name_of_kind(copy->kind))
        return false;
    umsim_reason_add(reason, "dst is ");
    umsim_reason_pointer(reason, copy->to);
    umsim_reason_add(reason, "\nsrc is ");
    umsim_reason_pointer(reason, copy->from);
    umsim_reason_add(reason, "\nThe pointers say %s, and the call says %s.\n%s", direction(to, from),
                     name_of_kind(copy->kind),
                     !to && !from
                         ? "Neither is the device's. Only cudaMalloc takes the pointer's own address."
                         : "The first pointer is where the bytes go.");
    return true;
}

/* Whether it is memory of another device's pool, which the current device may not reach. */
static bool is_of_a_peers_pool(struct umsim_reason *reason, const struct umsim_copy *copy, const char *name,
                               const void *p)
{
    const struct umsim_alloc *allocation = umsim_registry_find(p);
    const unsigned device = umsim_device();
    if (copy->names_devices || !allocation || !umsim_has_list(allocation) ||
        umsim_may_reach(device, allocation))
        return false;
    umsim_reason_add(reason, "%s is ", name);
    umsim_reason_pointer(reason, p);
    umsim_reason_add(
        reason,
        "\nIt is of a %s of device %u, and device %u, which is current, is not on its access list."
        "\nMake device %u current, give access by %s, or name both devices: cudaMemcpyPeer().",
        allocation->pool ? "pool" : "graph's node", allocation->device, device, allocation->device,
        allocation->pool ? "cudaMemPoolSetAccess()" : "the node's accessDescs");
    return true;
}

/* Whether it is memory of another device, which the current device may not reach: a stream of its own cannot
 * fill it. */
static bool is_a_peers(struct umsim_reason *reason, const void *p)
{
    const struct umsim_alloc *allocation = umsim_registry_find(p);
    const unsigned device = umsim_device();
    if (!allocation || umsim_may_reach(device, allocation))
        return false;
    umsim_reason_add(reason, "devPtr is ");
    umsim_reason_pointer(reason, p);
    umsim_reason_add(
        reason,
        "\nIt is device %u's, and a stream's device fills memory: device %u, which is current, does "
        "not map it."
        "\nMake device %u current, or use one of its streams.",
        allocation->device, device, allocation->device);
    return true;
}

static bool is_variables_address(struct umsim_reason *reason, const char *name, const void *p)
{
    const bool by_kernels = umsim_is_kernels_address(p);
    if (!by_kernels && !umsim_symbol_address_is_unknown(p))
        return false;
    umsim_reason_add(reason,
                     by_kernels
                         ? "%s is the address of a __device__ or __constant__ variable, as host code or "
                           "a kernel takes it: each device has such a variable"
                         : "%s is the address of a __device__ or __constant__ variable, as host code "
                           "takes it: on a GPU the variable is elsewhere",
                     name);
    umsim_reason_add(reason,
                     "\ncudaMemcpyToSymbol and cudaMemcpyFromSymbol copy %s; cudaGetSymbolAddress gives "
                     "its address.",
                     by_kernels ? "the current device's" : "a variable");
    return true;
}

static size_t extent(size_t pitch, size_t width, size_t rows, size_t slices, size_t slice)
{
    if (!rows || !width)
        return 0;
    return (slices > 1 ? slice * (slices - 1) : 0) + pitch * (rows - 1) + width;
}

static bool short_pitch(struct umsim_reason *reason, const char *name, size_t pitch, size_t width)
{
    if (pitch < width)
        umsim_reason_add(reason,
                         "%s is %zu bytes, less than a row's %zu\n"
                         "A pitch is what cudaMallocPitch gives, or a row's width: both are in bytes.",
                         name, pitch, width);
    return pitch < width;
}

bool umsim_reason_kind(struct umsim_reason *reason, unsigned kind)
{
    if (kind > cudaMemcpyDefault)
        umsim_reason_add(
            reason,
            "kind is %d\nThere are cudaMemcpyHostToHost (0), HostToDevice (1), DeviceToHost (2), "
            "DeviceToDevice (3), Default (4).",
            (int)kind);
    return kind > cudaMemcpyDefault;
}

bool umsim_reason_copy(struct umsim_reason *reason, const struct umsim_api_call *call, cudaError_t error)
{
    const struct umsim_copy *copy = umsim_argument_of(call, UMSIM_ARGUMENT_COPY);
    if (!copy || (error != cudaErrorInvalidValue && error != cudaErrorInvalidMemcpyDirection &&
                  error != cudaErrorInvalidPitchValue))
        return false;
    return umsim_reason_kind(reason, copy->kind) ||
           short_pitch(reason, "dpitch", copy->to_pitch, copy->width) ||
           short_pitch(reason, "spitch", copy->from_pitch, copy->width) ||
           is_no_range(reason, "dst", copy->to,
                       extent(copy->to_pitch, copy->width, copy->rows, copy->slices, copy->to_slice)) ||
           is_no_range(reason, "src", copy->from,
                       extent(copy->from_pitch, copy->width, copy->rows, copy->slices, copy->from_slice)) ||
           is_variables_address(reason, "dst", copy->to) || is_variables_address(reason, "src", copy->from) ||
           is_of_a_peers_pool(reason, copy, "dst", copy->to) ||
           is_of_a_peers_pool(reason, copy, "src", copy->from) || wrong_direction(reason, copy);
}

bool umsim_reason_set(struct umsim_reason *reason, const struct umsim_api_call *call, cudaError_t error)
{
    const struct umsim_set *set = umsim_argument_of(call, UMSIM_ARGUMENT_SET);
    if (!set || error != cudaErrorInvalidValue)
        return false;
    if (short_pitch(reason, "pitch", set->pitch, set->width) ||
        is_no_range(reason, "devPtr", set->to,
                    extent(set->pitch, set->width, set->rows, set->slices, set->slice)) ||
        is_variables_address(reason, "devPtr", set->to))
        return true;
    if (set->element > 4 || set->element == 3) {
        umsim_reason_add(reason, "elementSize is %u, and it can be 1, 2 or 4 bytes", set->element);
        return true;
    }
    if (is_at_device(set->to))
        return is_a_peers(reason, set->to);
    umsim_reason_add(reason, "devPtr is ");
    umsim_reason_pointer(reason, set->to);
    umsim_reason_add(reason,
                     "\nHost memory is set by memset. Only cudaMalloc takes the pointer's own address.");
    return true;
}

/* ---- calls that free ---- */

static const char *what_frees(const struct umsim_alloc *allocation)
{
    if (allocation->borrowed)
        return "It is another process's: cudaIpcCloseMemHandle ends its mapping here.";
    switch (allocation->memory) {
    case UMSIM_DEVICE:
    case UMSIM_MANAGED:
        return "cudaFree gives it back.";
    case UMSIM_PINNED:
        return "cudaFreeHost gives it back.";
    case UMSIM_REGISTERED:
        return "cudaHostUnregister ends the registration; then free() gives it back.";
    default:
        return "A variable of the program lives as long as the program: nothing frees it.";
    }
}

static bool freed_before(struct umsim_reason *reason, const void *p, const struct umsim_alloc *freed)
{
    umsim_reason_pointer(reason, p);
    if (freed->freed_caller)
        umsim_reason_add(reason, ", freed by %s at " UMSIM_SOURCE_LATER,
                         freed->freed_call ? freed->freed_call : "the program", freed->freed_caller);
    umsim_reason_add(reason, "\nFree it once, and set the pointer to NULL then: to free NULL does nothing.");
    return true;
}

static const char *lesson_of_hosts(const char *place)
{
    return !place ? "Is the pointer set before it is freed?"
           : strstr(place, "heap") || strstr(place, "large block")
               ? "What malloc() or new gave is given back by free() or delete."
               : "The GPU gave no such address: free the pointer that cudaMalloc has set, not the pointer's "
                 "own "
                 "address.";
}

bool umsim_reason_free(struct umsim_reason *reason, const struct umsim_api_call *call, cudaError_t error)
{
    const void *const *at = umsim_argument_of(call, UMSIM_ARGUMENT_POINTER);
    if (strncmp(call->name, "cudaFree", 8) != 0 || !at || !*at ||
        (error != cudaErrorInvalidValue && error != cudaErrorNotSupported))
        return false;
    const void *p = *at;
    const struct umsim_alloc *allocation = umsim_registry_find(p), *freed = umsim_registry_freed(p);
    umsim_reason_add(reason, "the pointer is ");
    if (!allocation && freed && freed->base == p)
        return freed_before(reason, p, freed);
    if (allocation && allocation->free_queued)
        return freed_before(reason, p, allocation);
    umsim_reason_pointer(reason, p);
    if (umsim_array_behind(p))
        umsim_reason_add(reason, "\ncudaFreeArray gives an array back.");
    else if (allocation && allocation->base != p && allocation->memory <= UMSIM_REGISTERED)
        umsim_reason_add(reason,
                         "\nFree the address that %s gave, not one inside of it: was the pointer moved?",
                         allocation->call);
    else if (allocation)
        umsim_reason_add(reason, "\n%s", what_frees(allocation));
    else
        umsim_reason_add(reason, "\n%s", lesson_of_hosts(umsim_arena_of(p) ? NULL : reason->text));
    return true;
}
