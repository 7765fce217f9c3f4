/**
 * @file graph_memory.c
 * @brief Implementation of graph_memory.h; nodes that take and free memory (CUDA Runtime API, Graph
 * Management).
 *
 * What is kept for graphs grows by whole chunks to the most that they had at a time, and falls when it is
 * trimmed; all of it counts as used. So it is on an H100 (driver 580, CUDA 13.0); the chunk is that of the
 * pools (pool.c). Each device keeps its own. Of two devices memory is reached by those of its access list, as
 * a pool's is: tests/peers/graph_memory.cu asked two H200s.
 */
#include "graph_params.h"
#include "graph_memory.h"
#include "memory.h"
#include "pool.h"
#include "../base/layout.h"
#include "../base/devices.h"
#include "../base/machine.h"
#include "../space/managed.h"
#include "../space/views.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK ((size_t)32 << 20)

struct umsim_graph_memory {
    struct umsim_alloc *allocation; /* NULL: the device was reset */
    unsigned device;
    struct cudaMemAccessDesc *access; /* the node's list; NULL: it has none */
    size_t access_count;
    size_t references;
    bool taken; /* by what has been issued */
    const void *user;
};

/* What each device keeps for graphs. */
static struct kept {
    size_t need;  /* whole pages of what has been taken, by what has been issued */
    size_t pages; /* whole pages that exist */
    size_t reserved, used_high, reserved_high;
} kept[UMSIM_DEVICES_MAX];

/* ---- how much ---- */

static size_t most(size_t a, size_t b)
{
    return a > b ? a : b;
}

size_t umsim_graph_memory_held(unsigned device)
{
    const struct kept *its = &kept[device];
    return its->reserved > its->pages ? its->reserved - its->pages : 0;
}

bool umsim_graph_memory_fits(unsigned device, size_t bytes)
{
    const struct kept *its = &kept[device];
    const size_t wanted = umsim_round_up(its->need + bytes, CHUNK);
    if (wanted > its->reserved && wanted - its->reserved > umsim_device_bytes_free(device))
        umsim_pools_trim();
    return wanted <= its->reserved || wanted - its->reserved <= umsim_device_bytes_free(device);
}

unsigned umsim_graph_memory_device(const struct umsim_graph_memory *memory)
{
    return memory->device;
}

size_t umsim_graph_memory_pages(const struct umsim_graph_memory *memory)
{
    return memory->allocation ? memory->allocation->reserved : 0;
}

/* ---- the memory ---- */

/* Memory of a device, whichever is current. */
static struct umsim_alloc *allocate_on(unsigned device, size_t bytes, const char *call, const void *caller)
{
    const unsigned current = umsim_device();
    umsim_device_set(device);
    struct umsim_alloc *allocation = umsim_allocate(UMSIM_DEVICE, bytes, call, caller);
    umsim_device_set(current);
    return allocation;
}

static bool keep_list(struct umsim_graph_memory *memory, const struct cudaMemAccessDesc *access, size_t count)
{
    memory->access = count ? malloc(count * sizeof *access) : NULL;
    if (count && !memory->access)
        return false;
    if (count)
        memcpy(memory->access, access, count * sizeof *access);
    memory->access_count = count;
    return true;
}

static void forget_memory(struct umsim_graph_memory *memory)
{
    if (memory)
        free(memory->access);
    free(memory);
}

static struct umsim_graph_memory *make(const struct cudaMemAllocNodeParams *params, const char *call,
                                       const void *caller)
{
    const unsigned device = (unsigned)params->poolProps.location.id;
    struct umsim_graph_memory *memory = calloc(1, sizeof *memory);
    struct umsim_alloc *allocation = NULL;
    if (memory && keep_list(memory, params->accessDescs, params->accessDescCount))
        allocation = allocate_on(device, params->bytesize, call, caller);
    if (!allocation) {
        forget_memory(memory);
        return NULL;
    }
    allocation->of_graph = memory;
    for (size_t i = 0; i < params->accessDescCount; i++)
        allocation->listed |= 1U << params->accessDescs[i].location.id;
    umsim_set_absent(allocation, true);
    memory->allocation = allocation;
    memory->device = device;
    memory->references = 1;
    return memory;
}

void umsim_graph_memory_hold(struct umsim_graph_memory *memory)
{
    memory->references++;
}

void umsim_graph_memory_drop(struct umsim_graph_memory *memory)
{
    if (--memory->references)
        return;
    if (memory->allocation)
        umsim_device_release(memory->allocation); /* which forgets it */
    forget_memory(memory);
}

void umsim_graph_memory_forget(struct umsim_alloc *allocation)
{
    struct umsim_graph_memory *memory = allocation->of_graph;
    if (!memory)
        return;
    if (memory->taken)
        kept[memory->device].need -= allocation->reserved;
    if (!allocation->absent)
        kept[memory->device].pages -= allocation->reserved;
    memory->allocation = NULL;
    memory->taken = false;
}

bool umsim_graph_memory_is_taken(const struct umsim_graph_memory *memory)
{
    return memory->taken;
}

void *umsim_graph_memory_at(const struct umsim_graph_memory *memory)
{
    return memory->allocation ? memory->allocation->base : NULL;
}

const void **umsim_graph_memory_user(struct umsim_graph_memory *memory)
{
    return &memory->user;
}

/* ---- operations ---- */

struct memory_op {
    struct umsim_op op;
    struct umsim_graph_memory *memory; /* held */
    bool takes;
};

/* What follows a change of what exists. Kernels lose access before the next launch. */
static void set_there(struct umsim_alloc *allocation, bool there)
{
    size_t *pages = &kept[allocation->device].pages;
    if (allocation->absent == !there)
        return;
    umsim_set_absent(allocation, !there);
    *pages = there ? *pages + allocation->reserved : *pages - allocation->reserved;
    if (!there)
        umsim_stale_device();
    umsim_device_bytes_changed(allocation->device);
}

static void run(struct umsim_op *op)
{
    struct memory_op *it = (struct memory_op *)op;
    op->engine = UMSIM_ENGINE_NONE;
    if (it->memory->allocation)
        set_there(it->memory->allocation, it->takes);
    umsim_graph_memory_drop(it->memory);
}

static void note_taken(struct umsim_graph_memory *memory)
{
    const struct umsim_alloc *allocation = memory->allocation;
    struct kept *its = &kept[memory->device];
    memory->taken = true;
    umsim_graph_memory_hold(memory); /* until it is freed */
    its->need += allocation->reserved;
    its->reserved = most(its->reserved, umsim_round_up(its->need, CHUNK));
    its->used_high = most(its->used_high, its->reserved);
    its->reserved_high = most(its->reserved_high, its->reserved);
    umsim_device_bytes_changed(memory->device);
}

static void note_freed(struct umsim_graph_memory *memory)
{
    memory->taken = false;
    kept[memory->device].need -= memory->allocation->reserved;
    umsim_graph_memory_drop(memory);
}

cudaError_t umsim_graph_memory_issue(struct umsim_graph_memory *memory, bool takes,
                                     struct umsim_stream *stream)
{
    if (!memory->allocation || memory->taken == takes)
        return cudaErrorInvalidValue;
    struct memory_op *it = umsim_op_make(sizeof *it, takes ? "malloc" : "free");
    if (!it)
        return cudaErrorMemoryAllocation;
    it->op.run = run;
    it->memory = memory;
    it->takes = takes;
    umsim_graph_memory_hold(memory);
    if (takes)
        note_taken(memory);
    else
        note_freed(memory);
    umsim_op_issue(&it->op, stream);
    return cudaSuccess;
}

cudaError_t umsim_graph_memory_free(struct umsim_alloc *allocation, struct umsim_stream *stream)
{
    umsim_spend_allocation(UMSIM_FREE_ASYNC, allocation->bytes);
    return umsim_graph_memory_issue(allocation->of_graph, false, stream);
}

cudaError_t umsim_graph_memory_free_now(struct umsim_alloc *allocation)
{
    struct umsim_graph_memory *memory = allocation->of_graph;
    if (!memory->taken)
        return cudaErrorInvalidValue;
    set_there(allocation, false);
    note_freed(memory);
    return cudaSuccess;
}

/* ---- nodes ---- */

static cudaError_t check_alloc(const struct cudaMemAllocNodeParams *params)
{
    const struct cudaMemPoolProps *wanted = &params->poolProps;
    const bool managed = wanted->allocType == cudaMemAllocationTypeManaged;
    if (!params->bytesize || (params->accessDescCount && !params->accessDescs) ||
        (wanted->allocType != cudaMemAllocationTypePinned && !managed))
        return cudaErrorInvalidValue;
    if (managed || wanted->handleTypes || wanted->location.type != cudaMemLocationTypeDevice)
        return cudaErrorNotSupported;
    for (size_t i = 0; i < params->accessDescCount; i++) {
        if (!umsim_is_device(params->accessDescs[i].location.id))
            return cudaErrorInvalidDevice;
        if (params->accessDescs[i].flags != cudaMemAccessFlagsProtReadWrite) /* as on two H200s */
            return cudaErrorNotSupported;
    }
    return umsim_is_device(wanted->location.id) ? cudaSuccess : cudaErrorInvalidValue;
}

/* What a node runs neither takes nor frees memory. */
static bool is_inner(const struct umsim_graph *graph)
{
    return graph->is_body || (graph->owned && !graph->captured);
}

cudaError_t umsim_describe_alloc(struct umsim_graph *graph, struct cudaMemAllocNodeParams *params,
                                 const char *call, const void *caller, struct umsim_work *work)
{
    *work = (struct umsim_work){.type = cudaGraphNodeTypeMemAlloc};
    if (!graph || !params || is_inner(graph))
        return graph && params ? cudaErrorNotSupported : cudaErrorInvalidValue;
    cudaError_t error = check_alloc(params);
    if (error)
        return error;
    const unsigned device = (unsigned)params->poolProps.location.id;
    if (params->bytesize > (size_t)umsim_machine_of(device)->capacity.free_at_start)
        return cudaErrorMemoryAllocation;
    work->memory = make(params, call, caller);
    if (!work->memory)
        return cudaErrorMemoryAllocation;
    params->dptr = work->memory->allocation->base;
    return cudaSuccess;
}

static bool frees(const struct umsim_graph *graph, const struct umsim_graph_memory *memory)
{
    for (const struct umsim_node *node = graph->first; node; node = node->next)
        if (node->work.type == cudaGraphNodeTypeMemFree && node->work.memory == memory)
            return true;
    return false;
}

cudaError_t umsim_describe_free(struct umsim_graph *graph, void *p, struct umsim_work *work)
{
    const struct umsim_alloc *allocation = p ? umsim_registry_find(p) : NULL;
    *work = (struct umsim_work){.type = cudaGraphNodeTypeMemFree};
    if (!graph || !allocation || allocation->base != p || !allocation->of_graph ||
        frees(graph, allocation->of_graph))
        return cudaErrorInvalidValue;
    if (is_inner(graph))
        return cudaErrorNotSupported;
    work->memory = allocation->of_graph;
    umsim_graph_memory_hold(work->memory);
    return cudaSuccess;
}

void umsim_describe_end(struct umsim_work *work)
{
    const bool has_memory = work->type == cudaGraphNodeTypeMemAlloc || work->type == cudaGraphNodeTypeMemFree;
    if (has_memory && work->memory)
        umsim_graph_memory_drop(work->memory);
}

/* As many as the pool's list names. @return how many */
static size_t list_of(const struct umsim_pool *pool, struct cudaMemAccessDesc list[UMSIM_DEVICES_MAX])
{
    size_t count = 0;
    for (unsigned device = 0; device < umsim_devices; device++)
        if (pool->access >> device & 1)
            list[count++] = (struct cudaMemAccessDesc){.location = {cudaMemLocationTypeDevice, (int)device},
                                                       .flags = cudaMemAccessFlagsProtReadWrite};
    return count;
}

cudaError_t umsim_capture_alloc(struct umsim_stream *stream, const struct umsim_pool *pool, void **p,
                                size_t bytes, const char *call, const void *caller)
{
    struct umsim_work work;
    struct cudaMemAccessDesc list[UMSIM_DEVICES_MAX];
    struct cudaMemAllocNodeParams params = {
        .poolProps = {.allocType = cudaMemAllocationTypePinned,
                      .location = {cudaMemLocationTypeDevice, (int)pool->device}},
        .bytesize = bytes,
        .accessDescs = list,
        .accessDescCount = list_of(pool, list)};
    cudaError_t error = umsim_describe_alloc(umsim_capture_graph(stream), &params, call, caller, &work);
    if (error)
        return error;
    error = umsim_capture_add(stream, &work);
    umsim_describe_end(&work);
    if (!error)
        *p = params.dptr;
    return error;
}

cudaError_t umsim_capture_free(struct umsim_stream *stream, void *p)
{
    struct umsim_work work;
    cudaError_t error = umsim_describe_free(umsim_capture_graph(stream), p, &work);
    error = error ? error : umsim_capture_add(stream, &work);
    umsim_describe_end(&work);
    return error;
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                     const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                     struct cudaMemAllocNodeParams *nodeParams)
{
    UMSIM_ENTER(cudaGraphAddMemAllocNode, pGraphNode, graph, nodeParams);
    struct umsim_work work;
    cudaError_t error = umsim_describe_alloc(umsim_graph_of(graph), nodeParams, "cudaGraphAddMemAllocNode",
                                             __builtin_return_address(0), &work);
    error = error ? error : umsim_graph_add(pGraphNode, graph, pDependencies, numDependencies, &work);
    umsim_describe_end(&work);
    return umsim_leave(error);
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                    const cudaGraphNode_t *pDependencies, size_t numDependencies, void *dptr)
{
    UMSIM_ENTER(cudaGraphAddMemFreeNode, pGraphNode, graph, dptr);
    struct umsim_work work;
    cudaError_t error = umsim_describe_free(umsim_graph_of(graph), dptr, &work);
    error = error ? error : umsim_graph_add(pGraphNode, graph, pDependencies, numDependencies, &work);
    umsim_describe_end(&work);
    return umsim_leave(error);
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t handle, struct cudaMemAllocNodeParams *params_out)
{
    UMSIM_ENTER(cudaGraphMemAllocNodeGetParams, handle, params_out);
    const struct umsim_node *node = umsim_node_of(handle);
    if (!node || !params_out || node->work.type != cudaGraphNodeTypeMemAlloc)
        return umsim_leave(cudaErrorInvalidValue);
    const struct umsim_graph_memory *memory = node->work.memory;
    *params_out = (struct cudaMemAllocNodeParams){
        .poolProps = {.allocType = cudaMemAllocationTypePinned,
                      .location = {cudaMemLocationTypeDevice, (int)memory->device}},
        .bytesize = memory->allocation ? memory->allocation->bytes : 0,
        .accessDescs = memory->access,
        .accessDescCount = memory->access_count,
        .dptr = umsim_graph_memory_at(memory)};
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t handle, void *dptr_out)
{
    UMSIM_ENTER(cudaGraphMemFreeNodeGetParams, handle, dptr_out);
    const struct umsim_node *node = umsim_node_of(handle);
    if (!node || !dptr_out || node->work.type != cudaGraphNodeTypeMemFree)
        return umsim_leave(cudaErrorInvalidValue);
    *(void **)dptr_out = umsim_graph_memory_at(node->work.memory);
    return umsim_leave(cudaSuccess);
}

/* ---- the device's ---- */

cudaError_t cudaDeviceGraphMemTrim(int device)
{
    UMSIM_ENTER(cudaDeviceGraphMemTrim, device);
    if (!umsim_is_device(device))
        return umsim_leave(cudaErrorInvalidDevice);
    umsim_spend(UMSIM_CALL_LOOKUP);
    struct kept *its = &kept[device];
    its->reserved = umsim_round_up(most(its->need, its->pages), CHUNK);
    umsim_device_bytes_changed((unsigned)device);
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr, void *value)
{
    UMSIM_ENTER(cudaDeviceGetGraphMemAttribute, device, attr, value);
    const struct kept *its = &kept[umsim_is_device(device) ? device : 0];
    const size_t values[] = {[cudaGraphMemAttrUsedMemCurrent] = its->reserved,
                             [cudaGraphMemAttrUsedMemHigh] = its->used_high,
                             [cudaGraphMemAttrReservedMemCurrent] = its->reserved,
                             [cudaGraphMemAttrReservedMemHigh] = its->reserved_high};
    if (!value || (unsigned)attr >= sizeof values / sizeof values[0])
        return umsim_leave(cudaErrorInvalidValue);
    if (!umsim_is_device(device))
        return umsim_leave(cudaErrorInvalidDevice);
    umsim_spend(UMSIM_CALL_LOOKUP);
    *(uint64_t *)value = values[attr];
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr, void *value)
{
    UMSIM_ENTER(cudaDeviceSetGraphMemAttribute, device, attr, value);
    if (!value || *(uint64_t *)value ||
        (attr != cudaGraphMemAttrUsedMemHigh && attr != cudaGraphMemAttrReservedMemHigh))
        return umsim_leave(cudaErrorInvalidValue);
    if (!umsim_is_device(device))
        return umsim_leave(cudaErrorInvalidDevice);
    umsim_spend(UMSIM_CALL_LOOKUP);
    if (attr == cudaGraphMemAttrUsedMemHigh)
        kept[device].used_high = kept[device].reserved;
    else
        kept[device].reserved_high = kept[device].reserved;
    return umsim_leave(cudaSuccess);
}
