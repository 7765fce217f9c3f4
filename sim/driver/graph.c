/**
 * @file graph.c
 * @brief Graphs and ready graphs (CUDA Driver API: Graph Management). Handles are the runtime's; what nodes
 * do is in graph_nodes.c.
 */
#include "driver.h"

_Static_assert(sizeof(CUgraphEdgeData) == sizeof(cudaGraphEdgeData), "one layout");
_Static_assert(sizeof(CUDA_GRAPH_INSTANTIATE_PARAMS) == sizeof(cudaGraphInstantiateParams), "one layout");
_Static_assert(sizeof(CUgraphExecUpdateResultInfo) == sizeof(cudaGraphExecUpdateResultInfo), "one layout");

CUresult cuGraphCreate(CUgraph *phGraph, unsigned int flags)
{
    UMSIM_DRIVER(cuGraphCreate, UMSIM_NEEDS_INIT);
    return umsim_result(cudaGraphCreate((cudaGraph_t *)phGraph, flags));
}

CUresult cuGraphDestroy(CUgraph hGraph)
{
    UMSIM_DRIVER(cuGraphDestroy, UMSIM_NEEDS_INIT);
    return umsim_result(cudaGraphDestroy((cudaGraph_t)hGraph));
}

CUresult cuGraphClone(CUgraph *phGraphClone, CUgraph originalGraph)
{
    UMSIM_DRIVER(cuGraphClone, UMSIM_NEEDS_INIT);
    return umsim_result(cudaGraphClone((cudaGraph_t *)phGraphClone, (cudaGraph_t)originalGraph));
}

CUresult cuGraphNodeFindInClone(CUgraphNode *phNode, CUgraphNode hOriginalNode, CUgraph hClonedGraph)
{
    UMSIM_DRIVER(cuGraphNodeFindInClone, UMSIM_NEEDS_INIT);
    return umsim_result(cudaGraphNodeFindInClone((cudaGraphNode_t *)phNode, (cudaGraphNode_t)hOriginalNode,
                                                 (cudaGraph_t)hClonedGraph));
}

CUresult cuGraphGetNodes(CUgraph hGraph, CUgraphNode *nodes, size_t *numNodes)
{
    UMSIM_DRIVER(cuGraphGetNodes, UMSIM_NEEDS_INIT);
    return umsim_result(cudaGraphGetNodes((cudaGraph_t)hGraph, (cudaGraphNode_t *)nodes, numNodes));
}

CUresult cuGraphGetRootNodes(CUgraph hGraph, CUgraphNode *rootNodes, size_t *numRootNodes)
{
    UMSIM_DRIVER(cuGraphGetRootNodes, UMSIM_NEEDS_INIT);
    return umsim_result(
        cudaGraphGetRootNodes((cudaGraph_t)hGraph, (cudaGraphNode_t *)rootNodes, numRootNodes));
}

CUresult cuGraphGetEdges(CUgraph hGraph, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *edgeData,
                         size_t *numEdges)
{
    UMSIM_DRIVER(cuGraphGetEdges, UMSIM_NEEDS_INIT);
    return umsim_result(cudaGraphGetEdges((cudaGraph_t)hGraph, (cudaGraphNode_t *)from, (cudaGraphNode_t *)to,
                                          (cudaGraphEdgeData *)edgeData, numEdges));
}

CUresult cuGraphNodeGetDependencies(CUgraphNode hNode, CUgraphNode *dependencies, CUgraphEdgeData *edgeData,
                                    size_t *numDependencies)
{
    UMSIM_DRIVER(cuGraphNodeGetDependencies, UMSIM_NEEDS_INIT);
    return umsim_result(cudaGraphNodeGetDependencies((cudaGraphNode_t)hNode, (cudaGraphNode_t *)dependencies,
                                                     (cudaGraphEdgeData *)edgeData, numDependencies));
}

CUresult cuGraphNodeGetDependentNodes(CUgraphNode hNode, CUgraphNode *dependentNodes,
                                      CUgraphEdgeData *edgeData, size_t *numDependentNodes)
{
    UMSIM_DRIVER(cuGraphNodeGetDependentNodes, UMSIM_NEEDS_INIT);
    return umsim_result(cudaGraphNodeGetDependentNodes((cudaGraphNode_t)hNode,
                                                       (cudaGraphNode_t *)dependentNodes,
                                                       (cudaGraphEdgeData *)edgeData, numDependentNodes));
}

CUresult cuGraphAddDependencies(CUgraph hGraph, const CUgraphNode *from, const CUgraphNode *to,
                                const CUgraphEdgeData *edgeData, size_t numDependencies)
{
    UMSIM_DRIVER(cuGraphAddDependencies, UMSIM_NEEDS_INIT);
    return umsim_result(cudaGraphAddDependencies((cudaGraph_t)hGraph, (const cudaGraphNode_t *)from,
                                                 (const cudaGraphNode_t *)to,
                                                 (const cudaGraphEdgeData *)edgeData, numDependencies));
}

CUresult cuGraphRemoveDependencies(CUgraph hGraph, const CUgraphNode *from, const CUgraphNode *to,
                                   const CUgraphEdgeData *edgeData, size_t numDependencies)
{
    UMSIM_DRIVER(cuGraphRemoveDependencies, UMSIM_NEEDS_INIT);
    return umsim_result(cudaGraphRemoveDependencies((cudaGraph_t)hGraph, (const cudaGraphNode_t *)from,
                                                    (const cudaGraphNode_t *)to,
                                                    (const cudaGraphEdgeData *)edgeData, numDependencies));
}

CUresult cuGraphDestroyNode(CUgraphNode hNode)
{
    UMSIM_DRIVER(cuGraphDestroyNode, UMSIM_NEEDS_INIT);
    return umsim_result(cudaGraphDestroyNode((cudaGraphNode_t)hNode));
}

CUresult cuGraphNodeGetType(CUgraphNode hNode, CUgraphNodeType *type)
{
    UMSIM_DRIVER(cuGraphNodeGetType, UMSIM_NEEDS_INIT);
    return umsim_result(cudaGraphNodeGetType((cudaGraphNode_t)hNode, (enum cudaGraphNodeType *)type));
}

CUresult cuGraphDebugDotPrint(CUgraph hGraph, const char *path, unsigned int flags)
{
    UMSIM_DRIVER(cuGraphDebugDotPrint, UMSIM_NEEDS_INIT);
    /* the runtime has no numbers for names of types, memory and batches: such lines are written anyway, or
     * not */
    const unsigned of_driver =
        CU_GRAPH_DEBUG_DOT_FLAGS_RUNTIME_TYPES | CU_GRAPH_DEBUG_DOT_FLAGS_MEM_ALLOC_NODE_PARAMS |
        CU_GRAPH_DEBUG_DOT_FLAGS_MEM_FREE_NODE_PARAMS | CU_GRAPH_DEBUG_DOT_FLAGS_BATCH_MEM_OP_NODE_PARAMS |
        CU_GRAPH_DEBUG_DOT_FLAGS_EXTRA_TOPO_INFO;
    return umsim_result(cudaGraphDebugDotPrint((cudaGraph_t)hGraph, path, flags & ~of_driver));
}

/* ---- ready graphs ---- */

CUresult cuGraphInstantiate(CUgraphExec *phGraphExec, CUgraph hGraph, unsigned long long flags)
{
    const unsigned long long known =
        CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH | CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD |
        CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH | CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY;
    UMSIM_DRIVER(cuGraphInstantiate, UMSIM_NEEDS_CONTEXT);
    if (flags & ~known)
        return CUDA_ERROR_INVALID_VALUE;
    return umsim_result(cudaGraphInstantiate((cudaGraphExec_t *)phGraphExec, (cudaGraph_t)hGraph, flags));
}

CUresult cuGraphInstantiateWithParams(CUgraphExec *phGraphExec, CUgraph hGraph,
                                      CUDA_GRAPH_INSTANTIATE_PARAMS *instantiateParams)
{
    UMSIM_DRIVER(cuGraphInstantiateWithParams, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaGraphInstantiateWithParams((cudaGraphExec_t *)phGraphExec, (cudaGraph_t)hGraph,
                                                       (cudaGraphInstantiateParams *)instantiateParams));
}

CUresult cuGraphExecGetFlags(CUgraphExec hGraphExec, cuuint64_t *flags)
{
    UMSIM_DRIVER(cuGraphExecGetFlags, UMSIM_NEEDS_INIT);
    return umsim_result(cudaGraphExecGetFlags((cudaGraphExec_t)hGraphExec, (unsigned long long *)flags));
}

CUresult cuGraphNodeSetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode, unsigned int isEnabled)
{
    UMSIM_DRIVER(cuGraphNodeSetEnabled, UMSIM_NEEDS_INIT);
    return umsim_result(
        cudaGraphNodeSetEnabled((cudaGraphExec_t)hGraphExec, (cudaGraphNode_t)hNode, isEnabled));
}

CUresult cuGraphNodeGetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode, unsigned int *isEnabled)
{
    UMSIM_DRIVER(cuGraphNodeGetEnabled, UMSIM_NEEDS_INIT);
    return umsim_result(
        cudaGraphNodeGetEnabled((cudaGraphExec_t)hGraphExec, (cudaGraphNode_t)hNode, isEnabled));
}

CUresult cuGraphUpload(CUgraphExec hGraphExec, CUstream hStream)
{
    UMSIM_DRIVER(cuGraphUpload, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaGraphUpload((cudaGraphExec_t)hGraphExec, UMSIM_STREAM(hStream)));
}

CUresult cuGraphLaunch(CUgraphExec hGraphExec, CUstream hStream)
{
    UMSIM_DRIVER(cuGraphLaunch, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaGraphLaunch((cudaGraphExec_t)hGraphExec, UMSIM_STREAM(hStream)));
}

CUresult cuGraphExecUpdate(CUgraphExec hGraphExec, CUgraph hGraph, CUgraphExecUpdateResultInfo *resultInfo)
{
    UMSIM_DRIVER(cuGraphExecUpdate, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaGraphExecUpdate((cudaGraphExec_t)hGraphExec, (cudaGraph_t)hGraph,
                                            (cudaGraphExecUpdateResultInfo *)resultInfo));
}

CUresult cuGraphExecDestroy(CUgraphExec hGraphExec)
{
    UMSIM_DRIVER(cuGraphExecDestroy, UMSIM_NEEDS_INIT);
    return umsim_result(cudaGraphExecDestroy((cudaGraphExec_t)hGraphExec));
}

/* ---- objects and memory ---- */

CUresult cuUserObjectCreate(CUuserObject *object_out, void *ptr, CUhostFn destroy,
                            unsigned int initialRefcount, unsigned int flags)
{
    UMSIM_DRIVER(cuUserObjectCreate, UMSIM_NEEDS_INIT);
    return umsim_result(cudaUserObjectCreate((cudaUserObject_t *)object_out, ptr, (cudaHostFn_t)destroy,
                                             initialRefcount, flags));
}

CUresult cuUserObjectRetain(CUuserObject object, unsigned int count)
{
    UMSIM_DRIVER(cuUserObjectRetain, UMSIM_NEEDS_INIT);
    return umsim_result(cudaUserObjectRetain((cudaUserObject_t)object, count));
}

CUresult cuUserObjectRelease(CUuserObject object, unsigned int count)
{
    UMSIM_DRIVER(cuUserObjectRelease, UMSIM_NEEDS_INIT);
    return umsim_result(cudaUserObjectRelease((cudaUserObject_t)object, count));
}

CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned int count, unsigned int flags)
{
    UMSIM_DRIVER(cuGraphRetainUserObject, UMSIM_NEEDS_INIT);
    return umsim_result(
        cudaGraphRetainUserObject((cudaGraph_t)graph, (cudaUserObject_t)object, count, flags));
}

CUresult cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned int count)
{
    UMSIM_DRIVER(cuGraphReleaseUserObject, UMSIM_NEEDS_INIT);
    return umsim_result(cudaGraphReleaseUserObject((cudaGraph_t)graph, (cudaUserObject_t)object, count));
}

CUresult cuDeviceGraphMemTrim(CUdevice device)
{
    UMSIM_DRIVER(cuDeviceGraphMemTrim, UMSIM_NEEDS_INIT);
    return umsim_result(cudaDeviceGraphMemTrim(device));
}

CUresult cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attr, void *value)
{
    UMSIM_DRIVER(cuDeviceGetGraphMemAttribute, UMSIM_NEEDS_INIT);
    return umsim_result(cudaDeviceGetGraphMemAttribute(device, (enum cudaGraphMemAttributeType)attr, value));
}

CUresult cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attr, void *value)
{
    UMSIM_DRIVER(cuDeviceSetGraphMemAttribute, UMSIM_NEEDS_INIT);
    return umsim_result(cudaDeviceSetGraphMemAttribute(device, (enum cudaGraphMemAttributeType)attr, value));
}
