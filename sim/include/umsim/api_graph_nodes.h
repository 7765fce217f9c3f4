/**
 * @file umsim/api_graph_nodes.h
 * @brief What graphs' nodes do, asked and changed: parameters, memory, conditions, events, objects of the
 * program's (CUDA Runtime API, Graph Management). Included by cuda_runtime_api.h.
 *
 * Every call returns cudaErrorInvalidValue for an invalid handle, and for a node of another type.
 */
#ifndef UMSIM_API_GRAPH_NODES_H
#define UMSIM_API_GRAPH_NODES_H

#include "driver_types.h"

/** @cond internal */
#ifdef __cplusplus
extern "C" {
#endif
/** @endcond */

/** @name Nodes of any type
 * @{ */
#ifdef UMSIM_CUDA12
/** Adds a node of any type. */
cudaError_t cudaGraphAddNode(cudaGraphNode_t *__pGraphNode, cudaGraph_t __graph,
                             const cudaGraphNode_t *__pDependencies, size_t __numDependencies,
                             struct cudaGraphNodeParams *__nodeParams)
    UMSIM_CUDA12_SYMBOL("cudaGraphAddNode");
#else
/** Adds a node of any type; `__dependencyData` NULL or zeros. Of memory, conditions and graphs the structure
 * receives what the node has. @return also what the call for the type returns; cudaErrorNotSupported (types
 * and edges that are not provided) */
cudaError_t cudaGraphAddNode(cudaGraphNode_t *__pGraphNode, cudaGraph_t __graph,
                             const cudaGraphNode_t *__pDependencies,
                             const cudaGraphEdgeData *__dependencyData, size_t __numDependencies,
                             struct cudaGraphNodeParams *__nodeParams);
#endif
/** Changes a node: kernels, copies, memsets, host functions, events. */
cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t __node, struct cudaGraphNodeParams *__nodeParams);
/** Likewise what it became in a ready graph. */
cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t __graphExec, cudaGraphNode_t __node,
                                       struct cudaGraphNodeParams *__nodeParams);
/** @} */

/** @name Kernels, copies, memsets, host functions
 * @{ */
/** What a kernel node launches. The array of arguments and what it leads to belong to the node, until it is
 * changed or destroyed; an argument that a captured kernel does not use is told as zeros. */
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t __node, struct cudaKernelNodeParams *__pNodeParams);
/** Changes a kernel node of a graph. */
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t __node,
                                         const struct cudaKernelNodeParams *__pNodeParams);
/** Changes, in a ready graph, the launch that a kernel node became. */
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t __hGraphExec, cudaGraphNode_t __node,
                                             const struct cudaKernelNodeParams *__pNodeParams);
/** Likewise a copy. */
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t __hGraphExec, cudaGraphNode_t __node,
                                               void *__dst, const void *__src, size_t __count,
                                               enum cudaMemcpyKind __kind);
/** Likewise a memset. */
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t __hGraphExec, cudaGraphNode_t __node,
                                             const struct cudaMemsetParams *__pNodeParams);
/** Likewise a host function. */
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t __hGraphExec, cudaGraphNode_t __node,
                                           const struct cudaHostNodeParams *__pNodeParams);
/** Adds a copy to a __device__ or __constant__ variable, from `__offset` bytes on. @return also
 * cudaErrorInvalidSymbol. */
cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *__pGraphNode, cudaGraph_t __graph,
                                           const cudaGraphNode_t *__pDependencies, size_t __numDependencies,
                                           const void *__symbol, const void *__src, size_t __count,
                                           size_t __offset, enum cudaMemcpyKind __kind);
/** The other way. */
cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *__pGraphNode, cudaGraph_t __graph,
                                             const cudaGraphNode_t *__pDependencies, size_t __numDependencies,
                                             void *__dst, const void *__symbol, size_t __count,
                                             size_t __offset, enum cudaMemcpyKind __kind);
/** What a memcpy node copies. */
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t __node, struct cudaMemcpy3DParms *__pNodeParams);
/** Changes it. */
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t __node,
                                         const struct cudaMemcpy3DParms *__pNodeParams);
/** The same for a copy of `__count` bytes. */
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t __node, void *__dst, const void *__src,
                                           size_t __count, enum cudaMemcpyKind __kind);
/** The same for a copy to a variable. */
cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t __node, const void *__symbol,
                                                 const void *__src, size_t __count, size_t __offset,
                                                 enum cudaMemcpyKind __kind);
/** The same for a copy from one. */
cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t __node, void *__dst, const void *__symbol,
                                                   size_t __count, size_t __offset,
                                                   enum cudaMemcpyKind __kind);
/** Changes, in a ready graph, the copy that a node became. */
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t __hGraphExec, cudaGraphNode_t __node,
                                             const struct cudaMemcpy3DParms *__pNodeParams);
/** The same for a copy to a variable. */
cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t __hGraphExec, cudaGraphNode_t __node,
                                                     const void *__symbol, const void *__src, size_t __count,
                                                     size_t __offset, enum cudaMemcpyKind __kind);
/** The same for a copy from one. */
cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t __hGraphExec, cudaGraphNode_t __node,
                                                       void *__dst, const void *__symbol, size_t __count,
                                                       size_t __offset, enum cudaMemcpyKind __kind);
/** What a memset node fills. */
cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t __node, struct cudaMemsetParams *__pNodeParams);
/** Changes it. */
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t __node,
                                         const struct cudaMemsetParams *__pNodeParams);
/** What a host node calls. */
cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t __node, struct cudaHostNodeParams *__pNodeParams);
/** Changes it. */
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t __node,
                                       const struct cudaHostNodeParams *__pNodeParams);
/** @} */

/** @name Graphs as nodes
 * @{ */
/** The graph that a node runs: it belongs to the node, and what is changed in it changes the node. */
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t __node, cudaGraph_t *__pGraph);
/** Gives the nodes of a ready graph that a child graph became the parameters of a graph of the same shape. */
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t __hGraphExec, cudaGraphNode_t __node,
                                                 cudaGraph_t __childGraph);
/** @} */

/** @name Events
 * @{ */
/** Adds the recording of an event. */
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *__pGraphNode, cudaGraph_t __graph,
                                        const cudaGraphNode_t *__pDependencies, size_t __numDependencies,
                                        cudaEvent_t __event);
/** Adds a wait for what an event was last recorded for, when the graph is launched. */
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *__pGraphNode, cudaGraph_t __graph,
                                      const cudaGraphNode_t *__pDependencies, size_t __numDependencies,
                                      cudaEvent_t __event);
/** The event of such a node. @{ */
cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t __node, cudaEvent_t *__event_out);
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t __node, cudaEvent_t *__event_out);
/** @} */
/** Takes another event. @{ */
cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t __node, cudaEvent_t __event);
cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t __node, cudaEvent_t __event);
cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t __hGraphExec, cudaGraphNode_t __hNode,
                                                 cudaEvent_t __event);
cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t __hGraphExec, cudaGraphNode_t __hNode,
                                               cudaEvent_t __event);
/** @} */
/** @} */

/** @name Memory
 * @{ */
/**
 * Adds a node that takes device memory. `dptr` of the parameters receives its address, which stays the same
 * for all launches. The memory is there from the node on until a node frees it, of this graph or of another,
 * or cudaFreeAsync() or cudaFree(); before and afterwards an access is an illegal one. A graph that has left
 * memory behind cannot be launched again before it is freed (cudaErrorInvalidValue), unless it was
 * instantiated with cudaGraphInstantiateFlagAutoFreeOnLaunch. Graphs with nodes for memory have one ready
 * graph at a time, cannot be cloned, and lose no nodes or dependencies (cudaErrorNotSupported).
 */
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *__pGraphNode, cudaGraph_t __graph,
                                     const cudaGraphNode_t *__pDependencies, size_t __numDependencies,
                                     struct cudaMemAllocNodeParams *__nodeParams);
/** What such a node takes. */
cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t __node,
                                           struct cudaMemAllocNodeParams *__params_out);
/** Adds a node that frees memory of a graph's. @return cudaErrorInvalidValue also if this graph frees it
 * already. */
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *__pGraphNode, cudaGraph_t __graph,
                                    const cudaGraphNode_t *__pDependencies, size_t __numDependencies,
                                    void *__dptr);
/** The address that such a node frees: `*(void **)__dptr_out`. */
cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t __node, void *__dptr_out);
/** Gives back what is kept for graphs and not in use. */
cudaError_t cudaDeviceGraphMemTrim(int __device);
/** How much memory graphs have: a uint64_t at `__value`. */
cudaError_t cudaDeviceGetGraphMemAttribute(int __device, enum cudaGraphMemAttributeType __attr,
                                           void *__value);
/** Sets a high-water mark to 0. */
cudaError_t cudaDeviceSetGraphMemAttribute(int __device, enum cudaGraphMemAttributeType __attr,
                                           void *__value);
/** @} */

/** @name Conditions
 * @{ */
/**
 * Makes a number for a conditional node of `__graph`, which has its graphs run by it (cudaGraphAddNode()).
 * Kernels of the graph set it by cudaGraphSetConditional(). With cudaGraphCondAssignDefault each launch of
 * the graph begins with `__defaultLaunchValue`.
 */
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *__pHandle_out, cudaGraph_t __graph,
                                             unsigned int __defaultLaunchValue UMSIM_DEFAULT(0),
                                             unsigned int __flags UMSIM_DEFAULT(0));
/** @} */

/** @name Objects of the program's that graphs keep alive
 * @{ */
/** Counts references to an object; `__destroy(__ptr)` is called when there are none, not in the call that
 * gives the last one back, but in its order on the device. It must not call CUDA. `__flags`
 * cudaUserObjectNoDestructorSync. */
cudaError_t cudaUserObjectCreate(cudaUserObject_t *__object_out, void *__ptr, cudaHostFn_t __destroy,
                                 unsigned int __initialRefcount, unsigned int __flags);
/** Adds references. */
cudaError_t cudaUserObjectRetain(cudaUserObject_t __object, unsigned int __count UMSIM_DEFAULT(1));
/** Gives some back. */
cudaError_t cudaUserObjectRelease(cudaUserObject_t __object, unsigned int __count UMSIM_DEFAULT(1));
/** Gives references to a graph; those that are made of it have their own. */
cudaError_t cudaGraphRetainUserObject(cudaGraph_t __graph, cudaUserObject_t __object,
                                      unsigned int __count UMSIM_DEFAULT(1),
                                      unsigned int __flags UMSIM_DEFAULT(0));
/** Takes them from it. */
cudaError_t cudaGraphReleaseUserObject(cudaGraph_t __graph, cudaUserObject_t __object,
                                       unsigned int __count UMSIM_DEFAULT(1));
/** @} */

#ifdef __cplusplus
}
#endif
#endif
