/**
 * @file graph_params.c
 * @brief The parameters of graphs' nodes: turned into work, told, changed (CUDA Runtime API, Graph
 * Management).
 */
#include "graph_params.h"
#include "copy.h"
#include "event.h"

#include <string.h>

/* ---- parameters become work ---- */

cudaError_t umsim_describe_kernel(const struct cudaKernelNodeParams *params, struct umsim_work *work,
                                  void *closure_buffer)
{
    *work = (struct umsim_work){.type = cudaGraphNodeTypeKernel};
    if (!params || params->extra || !params->func)
        return cudaErrorInvalidValue;
    work->stub = params->func;
    return umsim_launch_describe(params, &work->launch, closure_buffer);
}

cudaError_t umsim_describe_copy3d(const struct cudaMemcpy3DParms *params, struct umsim_work *work)
{
    *work = (struct umsim_work){.type = cudaGraphNodeTypeMemcpy, .is_3d = true};
    if (!params)
        return cudaErrorInvalidValue;
    work->as_3d = *params;
    cudaError_t error = umsim_copy_of_3d(params, &work->copy);
    return error ? error : umsim_copy_check(&work->copy);
}

/* Memory of another device's pool or graph that does not list the current one. Of cudaMalloc()'s two H200s
 * find nothing wrong before the launch. */
static bool is_unlisted(const void *p)
{
    const struct umsim_alloc *allocation = umsim_registry_find(p);
    return allocation && umsim_has_list(allocation) && !umsim_may_reach(umsim_device(), allocation);
}

cudaError_t umsim_describe_set(const struct cudaMemsetParams *params, struct umsim_work *work)
{
    *work = (struct umsim_work){.type = cudaGraphNodeTypeMemset};
    if (!params)
        return cudaErrorInvalidValue;
    const size_t width = params->width * params->elementSize;
    work->set = (struct umsim_set){.to = params->dst,
                                   .pitch = params->height == 1 ? width : params->pitch,
                                   .width = width,
                                   .rows = params->height,
                                   .value = (int)params->value,
                                   .async = true,
                                   .in_graph = true,
                                   .element = params->elementSize};
    const bool is_element = params->elementSize == 1 || params->elementSize == 2 || params->elementSize == 4;
    return params->dst && is_element && work->set.pitch >= width && !is_unlisted(params->dst)
               ? cudaSuccess
               : cudaErrorInvalidValue;
}

cudaError_t umsim_describe_host(const struct cudaHostNodeParams *params, struct umsim_work *work)
{
    *work = (struct umsim_work){.type = cudaGraphNodeTypeHost};
    if (!params || !params->fn)
        return cudaErrorInvalidValue;
    work->host = *params;
    return cudaSuccess;
}

cudaError_t umsim_check_event(cudaEvent_t event)
{
    return umsim_event_state(event) == UMSIM_EVENT_UNKNOWN ? cudaErrorInvalidValue : cudaSuccess;
}

cudaError_t umsim_check_symbol_copy(struct umsim_copy *copy, const void *symbol, size_t offset,
                                    bool to_symbol)
{
    const enum cudaMemcpyKind kind = copy->kind,
                              other = to_symbol ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
    if (kind != other && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    umsim_symbol_place(copy, symbol, offset, to_symbol);
    cudaError_t error = umsim_symbol_check(symbol, offset, copy->width);
    return error ? error : umsim_copy_check(copy);
}

cudaError_t umsim_describe_node(const struct cudaGraphNodeParams *params, struct umsim_work *work)
{
    *work = (struct umsim_work){.type = params->type};
    switch (params->type) {
    case cudaGraphNodeTypeMemcpy:
        return params->memcpy.flags ? cudaErrorInvalidValue
                                    : umsim_describe_copy3d(&params->memcpy.copyParams, work);
    case cudaGraphNodeTypeMemset: /* the two structures are alike */
        return umsim_describe_set((const struct cudaMemsetParams *)&params->memset, work);
    case cudaGraphNodeTypeHost:
        return umsim_describe_host((const struct cudaHostNodeParams *)&params->host, work);
    case cudaGraphNodeTypeEventRecord:
        work->event = params->eventRecord.event;
        return umsim_check_event(work->event);
    case cudaGraphNodeTypeWaitEvent:
        work->event = params->eventWait.event;
        return umsim_check_event(work->event);
    case cudaGraphNodeTypeEmpty:
        return cudaSuccess;
    default:
        return cudaErrorNotSupported;
    }
}

/* ---- work is told as parameters ---- */

static const struct umsim_work *work_of(cudaGraphNode_t handle, enum cudaGraphNodeType type)
{
    const struct umsim_node *node = umsim_node_of(handle);
    return node && node->work.type == type ? &node->work : NULL;
}

/* A plain copy as CUDA tells it: one row, or rectangles. */
static struct cudaMemcpy3DParms as_3d(const struct umsim_copy *copy)
{
    const size_t slices = copy->slices ? copy->slices : 1;
    const size_t from_rows = copy->slices > 1 ? copy->from_slice / copy->from_pitch : copy->rows;
    const size_t to_rows = copy->slices > 1 ? copy->to_slice / copy->to_pitch : copy->rows;
    return (struct cudaMemcpy3DParms){
        .srcPtr = {(void *)copy->from, copy->from_pitch, copy->width, from_rows},
        .dstPtr = {copy->to, copy->to_pitch, copy->width, to_rows},
        .extent = {copy->width, copy->rows, slices},
        .kind = copy->kind};
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, struct cudaMemcpy3DParms *pNodeParams)
{
    UMSIM_ENTER(cudaGraphMemcpyNodeGetParams, node, pNodeParams);
    const struct umsim_work *work = work_of(node, cudaGraphNodeTypeMemcpy);
    if (!work || !pNodeParams)
        return umsim_leave(cudaErrorInvalidValue);
    *pNodeParams = work->is_3d ? work->as_3d : as_3d(&work->copy);
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, struct cudaMemsetParams *pNodeParams)
{
    UMSIM_ENTER(cudaGraphMemsetNodeGetParams, node, pNodeParams);
    const struct umsim_work *work = work_of(node, cudaGraphNodeTypeMemset);
    if (!work || !pNodeParams)
        return umsim_leave(cudaErrorInvalidValue);
    const struct umsim_set *set = &work->set;
    const unsigned element = set->element ? set->element : 1;
    *pNodeParams = (struct cudaMemsetParams){.dst = set->to,
                                             .pitch = set->pitch,
                                             .value = (unsigned)set->value,
                                             .elementSize = element,
                                             .width = set->width / element,
                                             .height = set->rows};
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, struct cudaHostNodeParams *pNodeParams)
{
    UMSIM_ENTER(cudaGraphHostNodeGetParams, node, pNodeParams);
    const struct umsim_work *work = work_of(node, cudaGraphNodeTypeHost);
    if (!work || !pNodeParams)
        return umsim_leave(cudaErrorInvalidValue);
    *pNodeParams = work->host;
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *pGraph)
{
    UMSIM_ENTER(cudaGraphChildGraphNodeGetGraph, node, pGraph);
    const struct umsim_work *work = work_of(node, cudaGraphNodeTypeGraph);
    if (!work || !pGraph)
        return umsim_leave(cudaErrorInvalidValue);
    *pGraph = (cudaGraph_t)work->child;
    return umsim_leave(cudaSuccess);
}

static cudaError_t tell_event(cudaGraphNode_t node, enum cudaGraphNodeType type, cudaEvent_t *out)
{
    const struct umsim_work *work = work_of(node, type);
    if (!work || !out)
        return cudaErrorInvalidValue;
    *out = work->event;
    return cudaSuccess;
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event_out)
{
    UMSIM_ENTER(cudaGraphEventRecordNodeGetEvent, node, event_out);
    return umsim_leave(tell_event(node, cudaGraphNodeTypeEventRecord, event_out));
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event_out)
{
    UMSIM_ENTER(cudaGraphEventWaitNodeGetEvent, node, event_out);
    return umsim_leave(tell_event(node, cudaGraphNodeTypeWaitEvent, event_out));
}
