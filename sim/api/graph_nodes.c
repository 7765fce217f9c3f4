/**
 * @file graph_nodes.c
 * @brief Adds nodes to graphs (CUDA Runtime API, Graph Management).
 */
#include "graph_params.h"
#include "graph_memory.h"

cudaError_t umsim_graph_add(cudaGraphNode_t *out, cudaGraph_t handle, const cudaGraphNode_t *after,
                            size_t count, const struct umsim_work *work)
{
    struct umsim_graph *graph = umsim_graph_of(handle);
    if (!out || !graph || (count && !after))
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; i++) {
        const struct umsim_node *node = umsim_node_of(after[i]);
        if (!node || node->graph != graph)
            return cudaErrorInvalidValue;
        for (size_t k = 0; k < i; k++) /* as an H200: each is named once */
            if (after[k] == after[i])
                return cudaErrorInvalidValue;
    }
    struct umsim_node *node = umsim_node_add(graph, (struct umsim_node *const *)after, count, work);
    *out = (cudaGraphNode_t)node;
    return node ? cudaSuccess : cudaErrorMemoryAllocation;
}

#define ADDED(pGraphNode, graph, pDependencies, numDependencies, error, work)                                \
    umsim_leave((error) ? (error) : umsim_graph_add(pGraphNode, graph, pDependencies, numDependencies, work))

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                   const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                   const struct cudaKernelNodeParams *pNodeParams)
{
    struct umsim_work work;
    _Alignas(64) char closure_buffer[UMSIM_CLOSURE_MAX];
    cudaError_t error = umsim_describe_kernel(pNodeParams, &work, closure_buffer);
    UMSIM_ENTER(cudaGraphAddKernelNode, pGraphNode, graph, pNodeParams);
    return ADDED(pGraphNode, graph, pDependencies, numDependencies, error, &work);
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                   const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                   const struct cudaMemcpy3DParms *pCopyParams)
{
    UMSIM_ENTER(cudaGraphAddMemcpyNode, pGraphNode, graph, pCopyParams);
    struct umsim_work work;
    cudaError_t error = umsim_describe_copy3d(pCopyParams, &work);
    return ADDED(pGraphNode, graph, pDependencies, numDependencies, error, &work);
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                     const cudaGraphNode_t *pDependencies, size_t numDependencies, void *dst,
                                     const void *src, size_t count, enum cudaMemcpyKind kind)
{
    const struct umsim_work work = umsim_work_of_copy(dst, src, count, kind);
    UMSIM_ENTER(cudaGraphAddMemcpyNode1D, pGraphNode, graph, work.copy);
    cudaError_t error = umsim_copy_check(&work.copy);
    return ADDED(pGraphNode, graph, pDependencies, numDependencies, error, &work);
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                           const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                           const void *symbol, const void *src, size_t count, size_t offset,
                                           enum cudaMemcpyKind kind)
{
    struct umsim_work work = umsim_work_of_copy((char *)symbol + offset, src, count, kind);
    UMSIM_ENTER(cudaGraphAddMemcpyNodeToSymbol, pGraphNode, graph, symbol, offset, work.copy);
    cudaError_t error = umsim_check_symbol_copy(&work.copy, symbol, offset, true);
    return ADDED(pGraphNode, graph, pDependencies, numDependencies, error, &work);
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                             const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                             void *dst, const void *symbol, size_t count, size_t offset,
                                             enum cudaMemcpyKind kind)
{
    struct umsim_work work = umsim_work_of_copy(dst, (const char *)symbol + offset, count, kind);
    UMSIM_ENTER(cudaGraphAddMemcpyNodeFromSymbol, pGraphNode, graph, symbol, offset, work.copy);
    cudaError_t error = umsim_check_symbol_copy(&work.copy, symbol, offset, false);
    return ADDED(pGraphNode, graph, pDependencies, numDependencies, error, &work);
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                   const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                   const struct cudaMemsetParams *pMemsetParams)
{
    struct umsim_work work;
    cudaError_t error = umsim_describe_set(pMemsetParams, &work);
    UMSIM_ENTER(cudaGraphAddMemsetNode, pGraphNode, graph, pMemsetParams, work.set);
    return ADDED(pGraphNode, graph, pDependencies, numDependencies, error, &work);
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                 const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                 const struct cudaHostNodeParams *pNodeParams)
{
    UMSIM_ENTER(cudaGraphAddHostNode, pGraphNode, graph, pNodeParams);
    struct umsim_work work;
    cudaError_t error = umsim_describe_host(pNodeParams, &work);
    return ADDED(pGraphNode, graph, pDependencies, numDependencies, error, &work);
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                  const cudaGraphNode_t *pDependencies, size_t numDependencies)
{
    UMSIM_ENTER(cudaGraphAddEmptyNode, pGraphNode, graph);
    const struct umsim_work work = {.type = cudaGraphNodeTypeEmpty};
    return ADDED(pGraphNode, graph, pDependencies, numDependencies, cudaSuccess, &work);
}

/* A node's graph can hold neither memory nor conditions. */
static cudaError_t describe_child(cudaGraph_t child, struct umsim_work *work)
{
    *work = (struct umsim_work){.type = cudaGraphNodeTypeGraph, .child = umsim_graph_of(child)};
    if (!work->child)
        return cudaErrorInvalidValue;
    const bool fits =
        !umsim_graph_has_memory(work->child) && !umsim_graph_has(work->child, cudaGraphNodeTypeConditional);
    return fits ? cudaSuccess : cudaErrorNotSupported;
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                       const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                       cudaGraph_t childGraph)
{
    UMSIM_ENTER(cudaGraphAddChildGraphNode, pGraphNode, graph, childGraph);
    struct umsim_work work;
    cudaError_t error = describe_child(childGraph, &work);
    return ADDED(pGraphNode, graph, pDependencies, numDependencies, error, &work);
}

/* ---- events ---- */

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                        const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                        cudaEvent_t event)
{
    UMSIM_ENTER(cudaGraphAddEventRecordNode, pGraphNode, graph, event);
    const struct umsim_work work = {.type = cudaGraphNodeTypeEventRecord, .event = event};
    return ADDED(pGraphNode, graph, pDependencies, numDependencies, umsim_check_event(event), &work);
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                      const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                      cudaEvent_t event)
{
    UMSIM_ENTER(cudaGraphAddEventWaitNode, pGraphNode, graph, event);
    const struct umsim_work work = {.type = cudaGraphNodeTypeWaitEvent, .event = event};
    return ADDED(pGraphNode, graph, pDependencies, numDependencies, umsim_check_event(event), &work);
}

/* ---- any node ---- */

/* `kernel` is what the parameters of a kernel node say, described without the lock. */
static cudaError_t describe(struct cudaGraphNodeParams *params, cudaGraph_t graph, const void *caller,
                            const struct umsim_work *kernel, struct umsim_work *work)
{
    switch (params->type) {
    case cudaGraphNodeTypeKernel:
        *work = *kernel;
        return cudaSuccess;
    case cudaGraphNodeTypeGraph:
        return params->graph.ownership == cudaGraphChildGraphOwnershipClone
                   ? describe_child(params->graph.graph, work)
                   : cudaErrorNotSupported;
    case cudaGraphNodeTypeMemAlloc:
        return umsim_describe_alloc(umsim_graph_of(graph), (struct cudaMemAllocNodeParams *)&params->alloc,
                                    "cudaGraphAddNode", caller, work);
    case cudaGraphNodeTypeMemFree:
        return umsim_describe_free(umsim_graph_of(graph), params->free.dptr, work);
    case cudaGraphNodeTypeConditional:
        *work = (struct umsim_work){
            .type = cudaGraphNodeTypeConditional,
            .condition = {params->conditional.handle, params->conditional.type, params->conditional.size}};
        return umsim_condition_check(umsim_graph_of(graph), &work->condition);
    default:
        return umsim_describe_node(params, work);
    }
}

/* What the parameters tell about the node that was made of them. */
static cudaError_t tell(struct cudaGraphNodeParams *params, cudaGraphNode_t handle)
{
    struct umsim_node *node = (struct umsim_node *)handle;
    if (params->type == cudaGraphNodeTypeGraph)
        params->graph.graph = (cudaGraph_t)node->work.child;
    if (params->type != cudaGraphNodeTypeConditional)
        return cudaSuccess;
    params->conditional.phGraph_out = (cudaGraph_t *)node->body;
    return cudaSuccess;
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                             const cudaGraphNode_t *pDependencies, const cudaGraphEdgeData *dependencyData,
                             size_t numDependencies, struct cudaGraphNodeParams *nodeParams)
{
    struct umsim_work kernel, work;
    _Alignas(64) char closure_buffer[UMSIM_CLOSURE_MAX];
    cudaError_t error = cudaSuccess;
    if (nodeParams && nodeParams->type == cudaGraphNodeTypeKernel)
        error = umsim_describe_kernel((const struct cudaKernelNodeParams *)&nodeParams->kernel, &kernel,
                                      closure_buffer);
    UMSIM_ENTER(cudaGraphAddNode, pGraphNode, graph, nodeParams);
    if (!pGraphNode || !nodeParams || !umsim_graph_of(graph))
        return umsim_leave(cudaErrorInvalidValue);
    if (!umsim_edges_are_plain(dependencyData, numDependencies))
        return umsim_leave(cudaErrorNotSupported);
    error = error ? error : describe(nodeParams, graph, __builtin_return_address(0), &kernel, &work);
    if (error)
        return umsim_leave(error);
    error = umsim_graph_add(pGraphNode, graph, pDependencies, numDependencies, &work);
    umsim_describe_end(&work);
    return umsim_leave(error ? error : tell(nodeParams, *pGraphNode));
}
