/**
 * @file graph_nodes.c
 * @brief What graphs' nodes do (CUDA Driver API: Graph Management). The driver's structures become the
 * runtime's (graph_params.h).
 */
#include "context.h"
#include "graph_params.h"

#include <stdlib.h>

/* What a call for a node adds to a graph, and where. */
#define NODE                                                                                                 \
    (cudaGraphNode_t *)phGraphNode, (cudaGraph_t)hGraph, (const cudaGraphNode_t *)dependencies,              \
        numDependencies
#define OF_EXEC (cudaGraphExec_t) hGraphExec, (cudaGraphNode_t)hNode

/* Contexts share their memory: one has to be named, and to live. */
static bool is_context(CUcontext context)
{
    return context && umsim_context_lives(context);
}

/* The same, but none is the current one: of new nodes that copy or fill, as an H200 has it. */
static bool is_context_or_none(CUcontext context)
{
    return !context || umsim_context_lives(context);
}

/* ---- of any type ---- */

CUresult cuGraphAddNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                        const CUgraphEdgeData *dependencyData, size_t numDependencies,
                        CUgraphNodeParams *nodeParams)
{
    UMSIM_DRIVER(cuGraphAddNode, UMSIM_NEEDS_CONTEXT);
    struct umsim_node_params params;
    CUresult error = umsim_node_params_of(&params, nodeParams);
    UMSIM_AS_DEVICE(error ? umsim_device() : params.device);
    if (!error)
        error = umsim_result(cudaGraphAddNode(
            (cudaGraphNode_t *)phGraphNode, (cudaGraph_t)hGraph, (const cudaGraphNode_t *)dependencies,
            (const cudaGraphEdgeData *)dependencyData, numDependencies, &params.runtime));
    if (!error)
        umsim_node_params_told(nodeParams, &params);
    free(params.kernel.unpacked);
    return error;
}

CUresult cuGraphNodeSetParams(CUgraphNode hNode, CUgraphNodeParams *nodeParams)
{
    UMSIM_DRIVER(cuGraphNodeSetParams, UMSIM_NEEDS_CONTEXT);
    struct umsim_node_params params;
    CUresult error = umsim_node_params_of(&params, nodeParams);
    if (!error)
        error = umsim_result(cudaGraphNodeSetParams((cudaGraphNode_t)hNode, &params.runtime));
    free(params.kernel.unpacked);
    return error;
}

CUresult cuGraphExecNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, CUgraphNodeParams *nodeParams)
{
    UMSIM_DRIVER(cuGraphExecNodeSetParams, UMSIM_NEEDS_CONTEXT);
    struct umsim_node_params params;
    CUresult error = umsim_node_params_of(&params, nodeParams);
    if (!error)
        error = umsim_result(cudaGraphExecNodeSetParams(OF_EXEC, &params.runtime));
    free(params.kernel.unpacked);
    return error;
}

CUresult cuGraphAddEmptyNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                             size_t numDependencies)
{
    UMSIM_DRIVER(cuGraphAddEmptyNode, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaGraphAddEmptyNode(NODE));
}

/* ---- kernels ---- */

CUresult cuGraphAddKernelNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                              size_t numDependencies, const CUDA_KERNEL_NODE_PARAMS *nodeParams)
{
    UMSIM_DRIVER(cuGraphAddKernelNode, UMSIM_NEEDS_CONTEXT);
    struct umsim_kernel_params params;
    CUresult error = umsim_kernel_params_of(&params, nodeParams);
    UMSIM_AS_DEVICE(error ? umsim_device() : params.device);
    if (!error)
        error = umsim_result(cudaGraphAddKernelNode(NODE, &params.runtime));
    free(params.unpacked);
    return error;
}

CUresult cuGraphKernelNodeSetParams(CUgraphNode hNode, const CUDA_KERNEL_NODE_PARAMS *nodeParams)
{
    UMSIM_DRIVER(cuGraphKernelNodeSetParams, UMSIM_NEEDS_CONTEXT);
    struct umsim_kernel_params params;
    CUresult error = umsim_kernel_params_of(&params, nodeParams);
    if (!error)
        error = umsim_result(cudaGraphKernelNodeSetParams((cudaGraphNode_t)hNode, &params.runtime));
    free(params.unpacked);
    return error;
}

CUresult cuGraphExecKernelNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                        const CUDA_KERNEL_NODE_PARAMS *nodeParams)
{
    UMSIM_DRIVER(cuGraphExecKernelNodeSetParams, UMSIM_NEEDS_CONTEXT);
    struct umsim_kernel_params params;
    CUresult error = umsim_kernel_params_of(&params, nodeParams);
    if (!error)
        error = umsim_result(cudaGraphExecKernelNodeSetParams(OF_EXEC, &params.runtime));
    free(params.unpacked);
    return error;
}

CUresult cuGraphKernelNodeGetParams(CUgraphNode hNode, CUDA_KERNEL_NODE_PARAMS *nodeParams)
{
    UMSIM_DRIVER(cuGraphKernelNodeGetParams, UMSIM_NEEDS_CONTEXT);
    struct cudaKernelNodeParams params;
    if (!nodeParams)
        return CUDA_ERROR_INVALID_VALUE;
    const CUresult error = umsim_result(cudaGraphKernelNodeGetParams((cudaGraphNode_t)hNode, &params));
    return error ? error : umsim_kernel_params_told(nodeParams, &params);
}

CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode dst, CUgraphNode src)
{
    UMSIM_DRIVER(cuGraphKernelNodeCopyAttributes, UMSIM_NEEDS_INIT);
    return umsim_result(cudaGraphKernelNodeCopyAttributes((cudaGraphNode_t)dst, (cudaGraphNode_t)src));
}

CUresult cuGraphKernelNodeGetAttribute(CUgraphNode hNode, CUkernelNodeAttrID attr,
                                       CUkernelNodeAttrValue *value_out)
{
    UMSIM_DRIVER(cuGraphKernelNodeGetAttribute, UMSIM_NEEDS_INIT);
    return umsim_result(cudaGraphKernelNodeGetAttribute((cudaGraphNode_t)hNode, (cudaLaunchAttributeID)attr,
                                                        (cudaLaunchAttributeValue *)value_out));
}

CUresult cuGraphKernelNodeSetAttribute(CUgraphNode hNode, CUkernelNodeAttrID attr,
                                       const CUkernelNodeAttrValue *value)
{
    UMSIM_DRIVER(cuGraphKernelNodeSetAttribute, UMSIM_NEEDS_INIT);
    return umsim_result(cudaGraphKernelNodeSetAttribute((cudaGraphNode_t)hNode, (cudaLaunchAttributeID)attr,
                                                        (const cudaLaunchAttributeValue *)value));
}

/* ---- copies ---- */

CUresult cuGraphAddMemcpyNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                              size_t numDependencies, const CUDA_MEMCPY3D *copyParams, CUcontext ctx)
{
    UMSIM_DRIVER(cuGraphAddMemcpyNode, UMSIM_NEEDS_CONTEXT);
    struct cudaMemcpy3DParms params;
    if (!is_context_or_none(ctx))
        return CUDA_ERROR_INVALID_CONTEXT;
    if (!copyParams || !copyParams->WidthInBytes || !copyParams->Height || !copyParams->Depth)
        return CUDA_ERROR_INVALID_VALUE;
    const CUresult error = umsim_copy_params_of(&params, copyParams);
    UMSIM_AS_DEVICE(umsim_context_device(ctx));
    return error ? error : umsim_result(cudaGraphAddMemcpyNode(NODE, &params));
}

CUresult cuGraphMemcpyNodeSetParams(CUgraphNode hNode, const CUDA_MEMCPY3D *copyParams)
{
    UMSIM_DRIVER(cuGraphMemcpyNodeSetParams, UMSIM_NEEDS_CONTEXT);
    struct cudaMemcpy3DParms params;
    const CUresult error = umsim_copy_params_of(&params, copyParams);
    return error ? error : umsim_result(cudaGraphMemcpyNodeSetParams((cudaGraphNode_t)hNode, &params));
}

CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                        const CUDA_MEMCPY3D *copyParams, CUcontext ctx)
{
    UMSIM_DRIVER(cuGraphExecMemcpyNodeSetParams, UMSIM_NEEDS_CONTEXT);
    struct cudaMemcpy3DParms params;
    if (!is_context(ctx))
        return CUDA_ERROR_INVALID_CONTEXT;
    const CUresult error = umsim_copy_params_of(&params, copyParams);
    return error ? error : umsim_result(cudaGraphExecMemcpyNodeSetParams(OF_EXEC, &params));
}

CUresult cuGraphMemcpyNodeGetParams(CUgraphNode hNode, CUDA_MEMCPY3D *nodeParams)
{
    UMSIM_DRIVER(cuGraphMemcpyNodeGetParams, UMSIM_NEEDS_CONTEXT);
    struct cudaMemcpy3DParms params;
    if (!nodeParams)
        return CUDA_ERROR_INVALID_VALUE;
    const CUresult error = umsim_result(cudaGraphMemcpyNodeGetParams((cudaGraphNode_t)hNode, &params));
    if (!error)
        umsim_copy_params_told(nodeParams, &params);
    return error;
}

/* ---- memsets, functions of the host ---- */

CUresult cuGraphAddMemsetNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                              size_t numDependencies, const CUDA_MEMSET_NODE_PARAMS *memsetParams,
                              CUcontext ctx)
{
    UMSIM_DRIVER(cuGraphAddMemsetNode, UMSIM_NEEDS_CONTEXT);
    if (!is_context_or_none(ctx))
        return CUDA_ERROR_INVALID_CONTEXT;
    UMSIM_AS_DEVICE(umsim_context_device(ctx));
    return umsim_result(cudaGraphAddMemsetNode(NODE, (const struct cudaMemsetParams *)memsetParams));
}

CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                        const CUDA_MEMSET_NODE_PARAMS *memsetParams, CUcontext ctx)
{
    UMSIM_DRIVER(cuGraphExecMemsetNodeSetParams, UMSIM_NEEDS_CONTEXT);
    if (!is_context(ctx))
        return CUDA_ERROR_INVALID_CONTEXT;
    return umsim_result(
        cudaGraphExecMemsetNodeSetParams(OF_EXEC, (const struct cudaMemsetParams *)memsetParams));
}

CUresult cuGraphMemsetNodeGetParams(CUgraphNode hNode, CUDA_MEMSET_NODE_PARAMS *nodeParams)
{
    UMSIM_DRIVER(cuGraphMemsetNodeGetParams, UMSIM_NEEDS_INIT);
    return umsim_result(
        cudaGraphMemsetNodeGetParams((cudaGraphNode_t)hNode, (struct cudaMemsetParams *)nodeParams));
}

CUresult cuGraphMemsetNodeSetParams(CUgraphNode hNode, const CUDA_MEMSET_NODE_PARAMS *nodeParams)
{
    UMSIM_DRIVER(cuGraphMemsetNodeSetParams, UMSIM_NEEDS_INIT);
    return umsim_result(
        cudaGraphMemsetNodeSetParams((cudaGraphNode_t)hNode, (const struct cudaMemsetParams *)nodeParams));
}

CUresult cuGraphAddHostNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                            size_t numDependencies, const CUDA_HOST_NODE_PARAMS *nodeParams)
{
    UMSIM_DRIVER(cuGraphAddHostNode, UMSIM_NEEDS_INIT);
    return umsim_result(cudaGraphAddHostNode(NODE, (const struct cudaHostNodeParams *)nodeParams));
}

CUresult cuGraphHostNodeGetParams(CUgraphNode hNode, CUDA_HOST_NODE_PARAMS *nodeParams)
{
    UMSIM_DRIVER(cuGraphHostNodeGetParams, UMSIM_NEEDS_INIT);
    return umsim_result(
        cudaGraphHostNodeGetParams((cudaGraphNode_t)hNode, (struct cudaHostNodeParams *)nodeParams));
}

CUresult cuGraphHostNodeSetParams(CUgraphNode hNode, const CUDA_HOST_NODE_PARAMS *nodeParams)
{
    UMSIM_DRIVER(cuGraphHostNodeSetParams, UMSIM_NEEDS_INIT);
    return umsim_result(
        cudaGraphHostNodeSetParams((cudaGraphNode_t)hNode, (const struct cudaHostNodeParams *)nodeParams));
}

CUresult cuGraphExecHostNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                      const CUDA_HOST_NODE_PARAMS *nodeParams)
{
    UMSIM_DRIVER(cuGraphExecHostNodeSetParams, UMSIM_NEEDS_INIT);
    return umsim_result(
        cudaGraphExecHostNodeSetParams(OF_EXEC, (const struct cudaHostNodeParams *)nodeParams));
}

/* ---- graphs, events, memory, conditions ---- */

CUresult cuGraphAddChildGraphNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                                  size_t numDependencies, CUgraph childGraph)
{
    UMSIM_DRIVER(cuGraphAddChildGraphNode, UMSIM_NEEDS_INIT);
    return umsim_result(cudaGraphAddChildGraphNode(NODE, (cudaGraph_t)childGraph));
}

CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode hNode, CUgraph *phGraph)
{
    UMSIM_DRIVER(cuGraphChildGraphNodeGetGraph, UMSIM_NEEDS_INIT);
    return umsim_result(cudaGraphChildGraphNodeGetGraph((cudaGraphNode_t)hNode, (cudaGraph_t *)phGraph));
}

CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, CUgraph childGraph)
{
    UMSIM_DRIVER(cuGraphExecChildGraphNodeSetParams, UMSIM_NEEDS_INIT);
    return umsim_result(cudaGraphExecChildGraphNodeSetParams(OF_EXEC, (cudaGraph_t)childGraph));
}

CUresult cuGraphAddEventRecordNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                                   size_t numDependencies, CUevent event)
{
    UMSIM_DRIVER(cuGraphAddEventRecordNode, UMSIM_NEEDS_INIT);
    return umsim_result(cudaGraphAddEventRecordNode(NODE, (cudaEvent_t)event));
}

CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode hNode, CUevent *event_out)
{
    UMSIM_DRIVER(cuGraphEventRecordNodeGetEvent, UMSIM_NEEDS_INIT);
    return umsim_result(cudaGraphEventRecordNodeGetEvent((cudaGraphNode_t)hNode, (cudaEvent_t *)event_out));
}

CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode hNode, CUevent event)
{
    UMSIM_DRIVER(cuGraphEventRecordNodeSetEvent, UMSIM_NEEDS_INIT);
    return umsim_result(cudaGraphEventRecordNodeSetEvent((cudaGraphNode_t)hNode, (cudaEvent_t)event));
}

CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec hGraphExec, CUgraphNode hNode, CUevent event)
{
    UMSIM_DRIVER(cuGraphExecEventRecordNodeSetEvent, UMSIM_NEEDS_INIT);
    return umsim_result(cudaGraphExecEventRecordNodeSetEvent(OF_EXEC, (cudaEvent_t)event));
}

CUresult cuGraphAddEventWaitNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                                 size_t numDependencies, CUevent event)
{
    UMSIM_DRIVER(cuGraphAddEventWaitNode, UMSIM_NEEDS_INIT);
    return umsim_result(cudaGraphAddEventWaitNode(NODE, (cudaEvent_t)event));
}

CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode hNode, CUevent *event_out)
{
    UMSIM_DRIVER(cuGraphEventWaitNodeGetEvent, UMSIM_NEEDS_INIT);
    return umsim_result(cudaGraphEventWaitNodeGetEvent((cudaGraphNode_t)hNode, (cudaEvent_t *)event_out));
}

CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode hNode, CUevent event)
{
    UMSIM_DRIVER(cuGraphEventWaitNodeSetEvent, UMSIM_NEEDS_INIT);
    return umsim_result(cudaGraphEventWaitNodeSetEvent((cudaGraphNode_t)hNode, (cudaEvent_t)event));
}

CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec hGraphExec, CUgraphNode hNode, CUevent event)
{
    UMSIM_DRIVER(cuGraphExecEventWaitNodeSetEvent, UMSIM_NEEDS_INIT);
    return umsim_result(cudaGraphExecEventWaitNodeSetEvent(OF_EXEC, (cudaEvent_t)event));
}

CUresult cuGraphAddMemAllocNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                                size_t numDependencies, CUDA_MEM_ALLOC_NODE_PARAMS *nodeParams)
{
    UMSIM_DRIVER(cuGraphAddMemAllocNode, UMSIM_NEEDS_INIT);
    return umsim_result(cudaGraphAddMemAllocNode(NODE, (struct cudaMemAllocNodeParams *)nodeParams));
}

CUresult cuGraphMemAllocNodeGetParams(CUgraphNode hNode, CUDA_MEM_ALLOC_NODE_PARAMS *params_out)
{
    UMSIM_DRIVER(cuGraphMemAllocNodeGetParams, UMSIM_NEEDS_INIT);
    return umsim_result(
        cudaGraphMemAllocNodeGetParams((cudaGraphNode_t)hNode, (struct cudaMemAllocNodeParams *)params_out));
}

CUresult cuGraphAddMemFreeNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                               size_t numDependencies, CUdeviceptr dptr)
{
    UMSIM_DRIVER(cuGraphAddMemFreeNode, UMSIM_NEEDS_INIT);
    return umsim_result(cudaGraphAddMemFreeNode(NODE, umsim_pointer(dptr)));
}

CUresult cuGraphMemFreeNodeGetParams(CUgraphNode hNode, CUdeviceptr *dptr_out)
{
    UMSIM_DRIVER(cuGraphMemFreeNodeGetParams, UMSIM_NEEDS_INIT);
    return umsim_result(cudaGraphMemFreeNodeGetParams((cudaGraphNode_t)hNode, dptr_out));
}

CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle *pHandle_out, CUgraph hGraph, CUcontext ctx,
                                        unsigned int defaultLaunchValue, unsigned int flags)
{
    UMSIM_DRIVER(cuGraphConditionalHandleCreate, UMSIM_NEEDS_INIT);
    if (!is_context(ctx))
        return CUDA_ERROR_INVALID_CONTEXT;
    return umsim_result(cudaGraphConditionalHandleCreate((cudaGraphConditionalHandle *)pHandle_out,
                                                         (cudaGraph_t)hGraph, defaultLaunchValue, flags));
}
