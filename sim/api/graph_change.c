/**
 * @file graph_change.c
 * @brief Changes what nodes do, in graphs and in executable graphs (CUDA Runtime API, Graph Management).
 */
#include "graph_params.h"

#include <stdlib.h>

cudaError_t umsim_node_change(cudaGraphNode_t handle, const struct umsim_work *work)
{
    struct umsim_node *node = umsim_node_of(handle);
    struct umsim_work mine;
    if (!node || node->work.type != work->type)
        return cudaErrorInvalidValue;
    if (!umsim_work_copy(&mine, work))
        return cudaErrorMemoryAllocation;
    mine.on = node->work.on;
    umsim_work_free(&node->work);
    free(node->told);
    node->told = NULL;
    node->work = mine;
    return cudaSuccess;
}

cudaError_t umsim_exec_node_change(cudaGraphExec_t exec, cudaGraphNode_t handle,
                                   const struct umsim_work *work)
{
    const struct umsim_node *node = umsim_node_of(handle);
    return node ? umsim_exec_change(exec, node->id, work) : cudaErrorInvalidValue;
}

/* ---- kernels ---- */

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const struct cudaKernelNodeParams *pNodeParams)
{
    struct umsim_work work;
    _Alignas(64) char closure_buffer[UMSIM_CLOSURE_MAX];
    cudaError_t error = umsim_describe_kernel(pNodeParams, &work, closure_buffer);
    UMSIM_ENTER(cudaGraphKernelNodeSetParams, node, pNodeParams);
    return umsim_leave(error ? error : umsim_node_change(node, &work));
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams *pNodeParams)
{
    struct umsim_work work;
    _Alignas(64) char closure_buffer[UMSIM_CLOSURE_MAX];
    cudaError_t error = umsim_describe_kernel(pNodeParams, &work, closure_buffer);
    UMSIM_ENTER(cudaGraphExecKernelNodeSetParams, hGraphExec, node, pNodeParams);
    return umsim_leave(error ? error : umsim_exec_node_change(hGraphExec, node, &work));
}

/* ---- copies ---- */

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const struct cudaMemcpy3DParms *pNodeParams)
{
    UMSIM_ENTER(cudaGraphMemcpyNodeSetParams, node, pNodeParams);
    struct umsim_work work;
    cudaError_t error = umsim_describe_copy3d(pNodeParams, &work);
    return umsim_leave(error ? error : umsim_node_change(node, &work));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                             const struct cudaMemcpy3DParms *pNodeParams)
{
    UMSIM_ENTER(cudaGraphExecMemcpyNodeSetParams, hGraphExec, node, pNodeParams);
    struct umsim_work work;
    cudaError_t error = umsim_describe_copy3d(pNodeParams, &work);
    return umsim_leave(error ? error : umsim_exec_node_change(hGraphExec, node, &work));
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *dst, const void *src, size_t count,
                                           enum cudaMemcpyKind kind)
{
    const struct umsim_work work = umsim_work_of_copy(dst, src, count, kind);
    UMSIM_ENTER(cudaGraphMemcpyNodeSetParams1D, node, work.copy);
    cudaError_t error = umsim_copy_check(&work.copy);
    return umsim_leave(error ? error : umsim_node_change(node, &work));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t hGraphExec, cudaGraphNode_t node, void *dst,
                                               const void *src, size_t count, enum cudaMemcpyKind kind)
{
    const struct umsim_work work = umsim_work_of_copy(dst, src, count, kind);
    UMSIM_ENTER(cudaGraphExecMemcpyNodeSetParams1D, hGraphExec, node, work.copy);
    cudaError_t error = umsim_copy_check(&work.copy);
    return umsim_leave(error ? error : umsim_exec_node_change(hGraphExec, node, &work));
}

cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void *symbol, const void *src,
                                                 size_t count, size_t offset, enum cudaMemcpyKind kind)
{
    struct umsim_work work = umsim_work_of_copy((char *)symbol + offset, src, count, kind);
    UMSIM_ENTER(cudaGraphMemcpyNodeSetParamsToSymbol, node, symbol, offset, work.copy);
    cudaError_t error = umsim_check_symbol_copy(&work.copy, symbol, offset, true);
    return umsim_leave(error ? error : umsim_node_change(node, &work));
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                                     const void *symbol, const void *src, size_t count,
                                                     size_t offset, enum cudaMemcpyKind kind)
{
    struct umsim_work work = umsim_work_of_copy((char *)symbol + offset, src, count, kind);
    UMSIM_ENTER(cudaGraphExecMemcpyNodeSetParamsToSymbol, hGraphExec, node, symbol, offset, work.copy);
    cudaError_t error = umsim_check_symbol_copy(&work.copy, symbol, offset, true);
    return umsim_leave(error ? error : umsim_exec_node_change(hGraphExec, node, &work));
}

cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *dst, const void *symbol,
                                                   size_t count, size_t offset, enum cudaMemcpyKind kind)
{
    struct umsim_work work = umsim_work_of_copy(dst, (const char *)symbol + offset, count, kind);
    UMSIM_ENTER(cudaGraphMemcpyNodeSetParamsFromSymbol, node, symbol, offset, work.copy);
    cudaError_t error = umsim_check_symbol_copy(&work.copy, symbol, offset, false);
    return umsim_leave(error ? error : umsim_node_change(node, &work));
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                                       void *dst, const void *symbol, size_t count,
                                                       size_t offset, enum cudaMemcpyKind kind)
{
    struct umsim_work work = umsim_work_of_copy(dst, (const char *)symbol + offset, count, kind);
    UMSIM_ENTER(cudaGraphExecMemcpyNodeSetParamsFromSymbol, hGraphExec, node, symbol, offset, work.copy);
    cudaError_t error = umsim_check_symbol_copy(&work.copy, symbol, offset, false);
    return umsim_leave(error ? error : umsim_exec_node_change(hGraphExec, node, &work));
}

/* ---- memsets, host functions ---- */

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const struct cudaMemsetParams *pNodeParams)
{
    struct umsim_work work;
    cudaError_t error = umsim_describe_set(pNodeParams, &work);
    UMSIM_ENTER(cudaGraphMemsetNodeSetParams, node, pNodeParams, work.set);
    return umsim_leave(error ? error : umsim_node_change(node, &work));
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                             const struct cudaMemsetParams *pNodeParams)
{
    struct umsim_work work;
    cudaError_t error = umsim_describe_set(pNodeParams, &work);
    UMSIM_ENTER(cudaGraphExecMemsetNodeSetParams, hGraphExec, node, pNodeParams, work.set);
    return umsim_leave(error ? error : umsim_exec_node_change(hGraphExec, node, &work));
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const struct cudaHostNodeParams *pNodeParams)
{
    UMSIM_ENTER(cudaGraphHostNodeSetParams, node, pNodeParams);
    struct umsim_work work;
    cudaError_t error = umsim_describe_host(pNodeParams, &work);
    return umsim_leave(error ? error : umsim_node_change(node, &work));
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                           const struct cudaHostNodeParams *pNodeParams)
{
    UMSIM_ENTER(cudaGraphExecHostNodeSetParams, hGraphExec, node, pNodeParams);
    struct umsim_work work;
    cudaError_t error = umsim_describe_host(pNodeParams, &work);
    return umsim_leave(error ? error : umsim_exec_node_change(hGraphExec, node, &work));
}

/* ---- events ---- */

static struct umsim_work event_work(enum cudaGraphNodeType type, cudaEvent_t event)
{
    return (struct umsim_work){.type = type, .event = event};
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event)
{
    UMSIM_ENTER(cudaGraphEventRecordNodeSetEvent, node, event);
    const struct umsim_work work = event_work(cudaGraphNodeTypeEventRecord, event);
    cudaError_t error = umsim_check_event(event);
    return umsim_leave(error ? error : umsim_node_change(node, &work));
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event)
{
    UMSIM_ENTER(cudaGraphEventWaitNodeSetEvent, node, event);
    const struct umsim_work work = event_work(cudaGraphNodeTypeWaitEvent, event);
    cudaError_t error = umsim_check_event(event);
    return umsim_leave(error ? error : umsim_node_change(node, &work));
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode,
                                                 cudaEvent_t event)
{
    UMSIM_ENTER(cudaGraphExecEventRecordNodeSetEvent, hGraphExec, hNode, event);
    const struct umsim_work work = event_work(cudaGraphNodeTypeEventRecord, event);
    cudaError_t error = umsim_check_event(event);
    return umsim_leave(error ? error : umsim_exec_node_change(hGraphExec, hNode, &work));
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode,
                                               cudaEvent_t event)
{
    UMSIM_ENTER(cudaGraphExecEventWaitNodeSetEvent, hGraphExec, hNode, event);
    const struct umsim_work work = event_work(cudaGraphNodeTypeWaitEvent, event);
    cudaError_t error = umsim_check_event(event);
    return umsim_leave(error ? error : umsim_exec_node_change(hGraphExec, hNode, &work));
}

/* ---- any node ---- */

static cudaError_t describe_any(const struct cudaGraphNodeParams *params, struct umsim_work *work,
                                void *closure_buffer)
{
    *work = (struct umsim_work){.type = cudaGraphNodeTypeEmpty};
    if (params && params->type == cudaGraphNodeTypeKernel)
        return umsim_describe_kernel((const struct cudaKernelNodeParams *)&params->kernel, work,
                                     closure_buffer);
    return params ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, struct cudaGraphNodeParams *nodeParams)
{
    struct umsim_work work;
    _Alignas(64) char closure_buffer[UMSIM_CLOSURE_MAX];
    cudaError_t error = describe_any(nodeParams, &work, closure_buffer);
    UMSIM_ENTER(cudaGraphNodeSetParams, node, nodeParams);
    if (!error && work.type != cudaGraphNodeTypeKernel)
        error = umsim_describe_node(nodeParams, &work);
    return umsim_leave(error ? error : umsim_node_change(node, &work));
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t graphExec, cudaGraphNode_t node,
                                       struct cudaGraphNodeParams *nodeParams)
{
    struct umsim_work work;
    _Alignas(64) char closure_buffer[UMSIM_CLOSURE_MAX];
    cudaError_t error = describe_any(nodeParams, &work, closure_buffer);
    UMSIM_ENTER(cudaGraphExecNodeSetParams, graphExec, node, nodeParams);
    if (!error && work.type != cudaGraphNodeTypeKernel && nodeParams->type == cudaGraphNodeTypeGraph)
        return umsim_leave(umsim_exec_change_child(graphExec, node, nodeParams->graph.graph));
    if (!error && work.type != cudaGraphNodeTypeKernel)
        error = umsim_describe_node(nodeParams, &work);
    return umsim_leave(error ? error : umsim_exec_node_change(graphExec, node, &work));
}
