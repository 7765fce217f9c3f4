/**
 * @file umsim/cu_graph.h
 * @brief Graphs and captures of the driver API. Included by cuda.h.
 *
 * They are the runtime's graphs, and answer as those do (umsim/api_graph.h, api_graph_nodes.h).
 */
#ifndef UMSIM_CU_GRAPH_H
#define UMSIM_CU_GRAPH_H

#include "umsim/cu_graph_types.h"
#include "umsim/cu_names.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @name Graphs
 * @{ */
/** An empty graph; flags 0. */
CUresult cuGraphCreate(CUgraph *__phGraph, unsigned int __flags);
/** Destroys a graph; what was made of it stays. */
CUresult cuGraphDestroy(CUgraph __hGraph);
/** A copy of a graph. */
CUresult cuGraphClone(CUgraph *__phGraphClone, CUgraph __originalGraph);
/** A node's copy in it. */
CUresult cuGraphNodeFindInClone(CUgraphNode *__phNode, CUgraphNode __hOriginalNode, CUgraph __hClonedGraph);
/** A graph's nodes; NULL: how many. */
CUresult cuGraphGetNodes(CUgraph __hGraph, CUgraphNode *__nodes, size_t *__numNodes);
/** Those that wait for none. */
CUresult cuGraphGetRootNodes(CUgraph __hGraph, CUgraphNode *__rootNodes, size_t *__numRootNodes);
/** A graph's edges. */
CUresult cuGraphGetEdges(CUgraph __hGraph, CUgraphNode *__from, CUgraphNode *__to,
                         CUgraphEdgeData *__edgeData, size_t *__numEdges);
/** What a node waits for. */
CUresult cuGraphNodeGetDependencies(CUgraphNode __hNode, CUgraphNode *__dependencies,
                                    CUgraphEdgeData *__edgeData, size_t *__numDependencies);
/** What waits for it. */
CUresult cuGraphNodeGetDependentNodes(CUgraphNode __hNode, CUgraphNode *__dependentNodes,
                                      CUgraphEdgeData *__edgeData, size_t *__numDependentNodes);
/** Adds edges; their data NULL or zeros. */
CUresult cuGraphAddDependencies(CUgraph __hGraph, const CUgraphNode *__from, const CUgraphNode *__to,
                                const CUgraphEdgeData *__edgeData, size_t __numDependencies);
/** Removes edges. */
CUresult cuGraphRemoveDependencies(CUgraph __hGraph, const CUgraphNode *__from, const CUgraphNode *__to,
                                   const CUgraphEdgeData *__edgeData, size_t __numDependencies);
/** Removes a node and its edges. */
CUresult cuGraphDestroyNode(CUgraphNode __hNode);
/** What a node does. */
CUresult cuGraphNodeGetType(CUgraphNode __hNode, CUgraphNodeType *__type);
/** Writes a graph as a file for Graphviz. */
CUresult cuGraphDebugDotPrint(CUgraph __hGraph, const char *__path, unsigned int __flags);
/** @} */

/** @name Nodes
 * @{ */
/** Adds a node of any type. Of memory, conditions and graphs the structure receives what the node has. */
CUresult cuGraphAddNode(CUgraphNode *__phGraphNode, CUgraph __hGraph, const CUgraphNode *__dependencies,
                        const CUgraphEdgeData *__dependencyData, size_t __numDependencies,
                        CUgraphNodeParams *__nodeParams);
/** Changes a node. */
CUresult cuGraphNodeSetParams(CUgraphNode __hNode, CUgraphNodeParams *__nodeParams);
/** Changes what it became in a ready graph. */
CUresult cuGraphExecNodeSetParams(CUgraphExec __hGraphExec, CUgraphNode __hNode,
                                  CUgraphNodeParams *__nodeParams);
/** A node that only orders others. */
CUresult cuGraphAddEmptyNode(CUgraphNode *__phGraphNode, CUgraph __hGraph, const CUgraphNode *__dependencies,
                             size_t __numDependencies);
/** A kernel's launch, by `func` or `kern`. */
CUresult cuGraphAddKernelNode(CUgraphNode *__phGraphNode, CUgraph __hGraph, const CUgraphNode *__dependencies,
                              size_t __numDependencies, const CUDA_KERNEL_NODE_PARAMS *__nodeParams);
/** What it launches; arguments belong to the node. */
CUresult cuGraphKernelNodeGetParams(CUgraphNode __hNode, CUDA_KERNEL_NODE_PARAMS *__nodeParams);
/** Changes it. */
CUresult cuGraphKernelNodeSetParams(CUgraphNode __hNode, const CUDA_KERNEL_NODE_PARAMS *__nodeParams);
/** The same in a ready graph. */
CUresult cuGraphExecKernelNodeSetParams(CUgraphExec __hGraphExec, CUgraphNode __hNode,
                                        const CUDA_KERNEL_NODE_PARAMS *__nodeParams);
/** Gives a kernel node another one's attributes. */
CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode __dst, CUgraphNode __src);
/** An attribute of a kernel node. */
CUresult cuGraphKernelNodeGetAttribute(CUgraphNode __hNode, CUkernelNodeAttrID __attr,
                                       CUkernelNodeAttrValue *__value_out);
/** Sets it. */
CUresult cuGraphKernelNodeSetAttribute(CUgraphNode __hNode, CUkernelNodeAttrID __attr,
                                       const CUkernelNodeAttrValue *__value);
/** A copy. */
CUresult cuGraphAddMemcpyNode(CUgraphNode *__phGraphNode, CUgraph __hGraph, const CUgraphNode *__dependencies,
                              size_t __numDependencies, const CUDA_MEMCPY3D *__copyParams, CUcontext __ctx);
/** What it copies. */
CUresult cuGraphMemcpyNodeGetParams(CUgraphNode __hNode, CUDA_MEMCPY3D *__nodeParams);
/** Changes it. */
CUresult cuGraphMemcpyNodeSetParams(CUgraphNode __hNode, const CUDA_MEMCPY3D *__nodeParams);
/** The same in a ready graph. */
CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec __hGraphExec, CUgraphNode __hNode,
                                        const CUDA_MEMCPY3D *__copyParams, CUcontext __ctx);
/** A memset. */
CUresult cuGraphAddMemsetNode(CUgraphNode *__phGraphNode, CUgraph __hGraph, const CUgraphNode *__dependencies,
                              size_t __numDependencies, const CUDA_MEMSET_NODE_PARAMS *__memsetParams,
                              CUcontext __ctx);
/** What it fills. */
CUresult cuGraphMemsetNodeGetParams(CUgraphNode __hNode, CUDA_MEMSET_NODE_PARAMS *__nodeParams);
/** Changes it. */
CUresult cuGraphMemsetNodeSetParams(CUgraphNode __hNode, const CUDA_MEMSET_NODE_PARAMS *__nodeParams);
/** The same in a ready graph. */
CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec __hGraphExec, CUgraphNode __hNode,
                                        const CUDA_MEMSET_NODE_PARAMS *__memsetParams, CUcontext __ctx);
/** The call of a function of the host's. */
CUresult cuGraphAddHostNode(CUgraphNode *__phGraphNode, CUgraph __hGraph, const CUgraphNode *__dependencies,
                            size_t __numDependencies, const CUDA_HOST_NODE_PARAMS *__nodeParams);
/** What it calls. */
CUresult cuGraphHostNodeGetParams(CUgraphNode __hNode, CUDA_HOST_NODE_PARAMS *__nodeParams);
/** Changes it. */
CUresult cuGraphHostNodeSetParams(CUgraphNode __hNode, const CUDA_HOST_NODE_PARAMS *__nodeParams);
/** The same in a ready graph. */
CUresult cuGraphExecHostNodeSetParams(CUgraphExec __hGraphExec, CUgraphNode __hNode,
                                      const CUDA_HOST_NODE_PARAMS *__nodeParams);
/** A copy of a graph, as a node. */
CUresult cuGraphAddChildGraphNode(CUgraphNode *__phGraphNode, CUgraph __hGraph,
                                  const CUgraphNode *__dependencies, size_t __numDependencies,
                                  CUgraph __childGraph);
/** The graph, which belongs to the node. */
CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode __hNode, CUgraph *__phGraph);
/** Gives it the parameters of a graph of the same shape, in a ready graph. */
CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec __hGraphExec, CUgraphNode __hNode,
                                            CUgraph __childGraph);
/** Records an event. */
CUresult cuGraphAddEventRecordNode(CUgraphNode *__phGraphNode, CUgraph __hGraph,
                                   const CUgraphNode *__dependencies, size_t __numDependencies,
                                   CUevent __event);
/** Which one. */
CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode __hNode, CUevent *__event_out);
/** Another one. */
CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode __hNode, CUevent __event);
/** The same in a ready graph. */
CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec __hGraphExec, CUgraphNode __hNode, CUevent __event);
/** Waits for an event. */
CUresult cuGraphAddEventWaitNode(CUgraphNode *__phGraphNode, CUgraph __hGraph,
                                 const CUgraphNode *__dependencies, size_t __numDependencies,
                                 CUevent __event);
/** Which one. */
CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode __hNode, CUevent *__event_out);
/** Another one. */
CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode __hNode, CUevent __event);
/** The same in a ready graph. */
CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec __hGraphExec, CUgraphNode __hNode, CUevent __event);
/** Takes device memory, whose address `dptr` receives. */
CUresult cuGraphAddMemAllocNode(CUgraphNode *__phGraphNode, CUgraph __hGraph,
                                const CUgraphNode *__dependencies, size_t __numDependencies,
                                CUDA_MEM_ALLOC_NODE_PARAMS *__nodeParams);
/** What it takes. */
CUresult cuGraphMemAllocNodeGetParams(CUgraphNode __hNode, CUDA_MEM_ALLOC_NODE_PARAMS *__params_out);
/** Gives it back. */
CUresult cuGraphAddMemFreeNode(CUgraphNode *__phGraphNode, CUgraph __hGraph,
                               const CUgraphNode *__dependencies, size_t __numDependencies,
                               CUdeviceptr __dptr);
/** Which address it gives back. */
CUresult cuGraphMemFreeNodeGetParams(CUgraphNode __hNode, CUdeviceptr *__dptr_out);
/** A number that kernels set, and that a conditional node of the graph asks. */
CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle *__pHandle_out, CUgraph __hGraph,
                                        CUcontext __ctx, unsigned int __defaultLaunchValue,
                                        unsigned int __flags);
/** @} */

/** @name Ready graphs
 * @{ */
/** Makes a graph ready. */
CUresult cuGraphInstantiate(CUgraphExec *__phGraphExec, CUgraph __hGraph, unsigned long long __flags);
/** The same, and says what is in the way. */
CUresult cuGraphInstantiateWithParams(CUgraphExec *__phGraphExec, CUgraph __hGraph,
                                      CUDA_GRAPH_INSTANTIATE_PARAMS *__instantiateParams);
/** With which flags. */
CUresult cuGraphExecGetFlags(CUgraphExec __hGraphExec, cuuint64_t *__flags);
/** Switches a node off or on. */
CUresult cuGraphNodeSetEnabled(CUgraphExec __hGraphExec, CUgraphNode __hNode, unsigned int __isEnabled);
/** Whether it is on. */
CUresult cuGraphNodeGetEnabled(CUgraphExec __hGraphExec, CUgraphNode __hNode, unsigned int *__isEnabled);
/** Uploads it: nothing is to be done. */
CUresult cuGraphUpload(CUgraphExec __hGraphExec, CUstream __hStream);
/** Launches it. */
CUresult cuGraphLaunch(CUgraphExec __hGraphExec, CUstream __hStream);
/** Gives it the parameters of a graph of the same shape. */
CUresult cuGraphExecUpdate(CUgraphExec __hGraphExec, CUgraph __hGraph,
                           CUgraphExecUpdateResultInfo *__resultInfo);
/** Destroys it. */
CUresult cuGraphExecDestroy(CUgraphExec __hGraphExec);
/** @} */

/** @name Objects and memory of graphs
 * @{ */
/** Counts references to an object; the last one given back calls `__destroy(__ptr)`. */
CUresult cuUserObjectCreate(CUuserObject *__object_out, void *__ptr, CUhostFn __destroy,
                            unsigned int __initialRefcount, unsigned int __flags);
/** Adds references. */
CUresult cuUserObjectRetain(CUuserObject __object, unsigned int __count);
/** Gives some back. */
CUresult cuUserObjectRelease(CUuserObject __object, unsigned int __count);
/** Gives references to a graph. */
CUresult cuGraphRetainUserObject(CUgraph __graph, CUuserObject __object, unsigned int __count,
                                 unsigned int __flags);
/** Takes them from it. */
CUresult cuGraphReleaseUserObject(CUgraph __graph, CUuserObject __object, unsigned int __count);
/** Gives back what is kept for graphs and not in use. */
CUresult cuDeviceGraphMemTrim(CUdevice __device);
/** How much memory graphs have. */
CUresult cuDeviceGetGraphMemAttribute(CUdevice __device, CUgraphMem_attribute __attr, void *__value);
/** Sets a high-water mark to 0. */
CUresult cuDeviceSetGraphMemAttribute(CUdevice __device, CUgraphMem_attribute __attr, void *__value);
/** @} */

/** @name Captures
 * @{ */
/** What comes next in a stream becomes a graph's nodes. */
CUresult cuStreamBeginCapture(CUstream __hStream, CUstreamCaptureMode __mode);
/** Nodes of this graph. */
CUresult cuStreamBeginCaptureToGraph(CUstream __hStream, CUgraph __hGraph, const CUgraphNode *__dependencies,
                                     const CUgraphEdgeData *__dependencyData, size_t __numDependencies,
                                     CUstreamCaptureMode __mode);
/** What a capture forbids in this thread. */
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *__mode);
/** Ends it and gives the graph. */
CUresult cuStreamEndCapture(CUstream __hStream, CUgraph *__phGraph);
/** Whether a capture is under way. */
CUresult cuStreamIsCapturing(CUstream __hStream, CUstreamCaptureStatus *__captureStatus);
/** Which one, of which graph, and what the next node will wait for. */
CUresult cuStreamGetCaptureInfo(CUstream __hStream, CUstreamCaptureStatus *__captureStatus_out,
                                cuuint64_t *__id_out, CUgraph *__graph_out,
                                const CUgraphNode **__dependencies_out,
                                const CUgraphEdgeData **__edgeData_out, size_t *__numDependencies_out);
/** Changes what the next node will wait for. */
CUresult cuStreamUpdateCaptureDependencies(CUstream __hStream, CUgraphNode *__dependencies,
                                           const CUgraphEdgeData *__dependencyData, size_t __numDependencies,
                                           unsigned int __flags);
/** @} */

#ifdef __cplusplus
}
#endif
#endif
