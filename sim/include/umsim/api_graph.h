/**
 * @file umsim/api_graph.h
 * @brief Graphs and stream capture (CUDA Runtime API, Graph Management). Included by cuda_runtime_api.h.
 *
 * A graph is work and its order. It is captured from streams between cudaStreamBeginCapture() and
 * cudaStreamEndCapture(), or put together node by node. cudaGraphInstantiate() makes it ready, and
 * cudaGraphLaunch() issues all of it at once, for the price of one launch. While a stream is captured its
 * work does not run: calls that would have to wait for it return cudaErrorStreamCaptureUnsupported and
 * invalidate the capture.
 */
#ifndef UMSIM_API_GRAPH_H
#define UMSIM_API_GRAPH_H

#include "driver_types.h"

/** @cond internal */
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define cudaStreamBeginCapture cudaStreamBeginCapture_ptsz
#define cudaStreamEndCapture cudaStreamEndCapture_ptsz
#define cudaStreamIsCapturing cudaStreamIsCapturing_ptsz
#define cudaGraphLaunch cudaGraphLaunch_ptsz
#define cudaGraphUpload cudaGraphUpload_ptsz
#define cudaGraphInstantiateWithParams cudaGraphInstantiateWithParams_ptsz
#define cudaStreamBeginCaptureToGraph cudaStreamBeginCaptureToGraph_ptsz
#define cudaStreamUpdateCaptureDependencies cudaStreamUpdateCaptureDependencies_ptsz
#ifdef UMSIM_CUDA12
#define cudaStreamGetCaptureInfo cudaStreamGetCaptureInfo_v2_ptsz
#else
#define cudaStreamGetCaptureInfo cudaStreamGetCaptureInfo_ptsz
#endif
#elif defined(UMSIM_CUDA12)
#define cudaStreamGetCaptureInfo cudaStreamGetCaptureInfo_v2
#endif
#ifdef __cplusplus
extern "C" {
#endif
/** @endcond */

/** @name Stream capture
 * @{ */
/** Captures what is issued to a stream from now on, and to streams that later wait for it by events. @return
 * cudaErrorIllegalState (captured already), cudaErrorStreamCaptureUnsupported (the legacy stream),
 * cudaErrorInvalidValue (mode). */
cudaError_t cudaStreamBeginCapture(cudaStream_t __stream, enum cudaStreamCaptureMode __mode);
/**
 * Ends the capture that began in `__stream`; the caller owns the graph. If the call fails, `*__pGraph` is
 * NULL, and the capture has ended nevertheless.
 * @return cudaErrorIllegalState (not captured), cudaErrorStreamCaptureInvalidated (an earlier error),
 * cudaErrorStreamCaptureUnmatched (began in another stream), cudaErrorStreamCaptureUnjoined (another stream's
 * work is not waited for), cudaErrorStreamCaptureWrongThread.
 */
cudaError_t cudaStreamEndCapture(cudaStream_t __stream, cudaGraph_t *__pGraph);
/** Whether a stream is captured. @return cudaErrorStreamCaptureImplicit (the legacy stream, while one is
 * captured). */
cudaError_t cudaStreamIsCapturing(cudaStream_t __stream, enum cudaStreamCaptureStatus *__pCaptureStatus);
/**
 * Captures into a graph that exists: what is captured first comes after the `__numDependencies` nodes.
 * cudaStreamEndCapture() gives the same graph. @return also cudaErrorInvalidValue (another capture has it).
 */
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t __stream, cudaGraph_t __graph,
                                          const cudaGraphNode_t *__dependencies,
                                          const cudaGraphEdgeData *__dependencyData, size_t __numDependencies,
                                          enum cudaStreamCaptureMode __mode);
#ifdef UMSIM_CUDA12
/** Whether a stream is captured, the number of its capture, the graph that is made, and the nodes that the
 * stream's next node depends on. */
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t __stream, enum cudaStreamCaptureStatus *__captureStatus_out,
                                     unsigned long long *__id_out UMSIM_DEFAULT(0),
                                     cudaGraph_t *__graph_out UMSIM_DEFAULT(0),
                                     const cudaGraphNode_t **__dependencies_out UMSIM_DEFAULT(0),
                                     size_t *__numDependencies_out UMSIM_DEFAULT(0))
    UMSIM_CUDA12_SYMBOL("cudaStreamGetCaptureInfo_v2" UMSIM_PTSZ);
/** Changes which nodes the stream's next node depends on. */
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t __stream, cudaGraphNode_t *__dependencies,
                                                size_t __numDependencies,
                                                unsigned int __flags UMSIM_DEFAULT(0))
    UMSIM_CUDA12_SYMBOL("cudaStreamUpdateCaptureDependencies" UMSIM_PTSZ);
#else
/**
 * Whether a stream is captured; if it is, the number of the capture, the graph that is made, and the nodes
 * that the stream's next node depends on. Each place but the first may be NULL. The arrays are the library's:
 * they are valid until the next call that concerns the stream.
 */
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t __stream, enum cudaStreamCaptureStatus *__captureStatus_out,
                                     unsigned long long *__id_out UMSIM_DEFAULT(0),
                                     cudaGraph_t *__graph_out UMSIM_DEFAULT(0),
                                     const cudaGraphNode_t **__dependencies_out UMSIM_DEFAULT(0),
                                     const cudaGraphEdgeData **__edgeData_out UMSIM_DEFAULT(0),
                                     size_t *__numDependencies_out UMSIM_DEFAULT(0));
/** Has the stream's next node depend on these nodes, too, or on these only
 * (cudaStreamSetCaptureDependencies). @return cudaErrorIllegalState (not captured), cudaErrorInvalidValue. */
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t __stream, cudaGraphNode_t *__dependencies,
                                                const cudaGraphEdgeData *__dependencyData,
                                                size_t __numDependencies,
                                                unsigned int __flags UMSIM_DEFAULT(0));
#endif
/** Changes which captures forbid this thread's calls; `*__mode` becomes what it was. @return
 * cudaErrorInvalidValue. */
cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *__mode);
/** @} */

/**
 * @name Graphs
 * Every call returns cudaErrorInvalidValue for an invalid handle. A node runs after the `numDependencies`
 * nodes of its graph that it depends on.
 * @{
 */
/** An empty graph; `__flags` 0. */
cudaError_t cudaGraphCreate(cudaGraph_t *__pGraph, unsigned int __flags);
/** Frees a graph and its nodes; graphs that were instantiated from it stay. */
cudaError_t cudaGraphDestroy(cudaGraph_t __graph);
/** A copy of a graph. */
cudaError_t cudaGraphClone(cudaGraph_t *__pGraphClone, cudaGraph_t __originalGraph);
/** Adds the launch of a kernel; its arguments are copied now. @return also what cudaLaunchKernel() returns.
 */
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *__pGraphNode, cudaGraph_t __graph,
                                   const cudaGraphNode_t *__pDependencies, size_t __numDependencies,
                                   const struct cudaKernelNodeParams *__pNodeParams);
/** Adds a copy in three dimensions. @return also what cudaMemcpy3D() returns. */
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *__pGraphNode, cudaGraph_t __graph,
                                   const cudaGraphNode_t *__pDependencies, size_t __numDependencies,
                                   const struct cudaMemcpy3DParms *__pCopyParams);
/** Adds a copy of `__count` bytes. @return also what cudaMemcpy() returns. */
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *__pGraphNode, cudaGraph_t __graph,
                                     const cudaGraphNode_t *__pDependencies, size_t __numDependencies,
                                     void *__dst, const void *__src, size_t __count,
                                     enum cudaMemcpyKind __kind);
/** Adds a memset. */
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *__pGraphNode, cudaGraph_t __graph,
                                   const cudaGraphNode_t *__pDependencies, size_t __numDependencies,
                                   const struct cudaMemsetParams *__pMemsetParams);
/** Adds the call of a host function. */
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *__pGraphNode, cudaGraph_t __graph,
                                 const cudaGraphNode_t *__pDependencies, size_t __numDependencies,
                                 const struct cudaHostNodeParams *__pNodeParams);
/** Adds a node that does nothing. */
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *__pGraphNode, cudaGraph_t __graph,
                                  const cudaGraphNode_t *__pDependencies, size_t __numDependencies);
/** Adds a copy of a graph as one node. */
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *__pGraphNode, cudaGraph_t __graph,
                                       const cudaGraphNode_t *__pDependencies, size_t __numDependencies,
                                       cudaGraph_t __childGraph);
#ifdef UMSIM_CUDA12
/** Has each `__to[i]` come after `__from[i]`. */
cudaError_t cudaGraphAddDependencies(cudaGraph_t __graph, const cudaGraphNode_t *__from,
                                     const cudaGraphNode_t *__to, size_t __numDependencies)
    UMSIM_CUDA12_SYMBOL("cudaGraphAddDependencies");
#else
/** Has each `__to[i]` come after `__from[i]`; `__edgeData` NULL or zeros. */
cudaError_t cudaGraphAddDependencies(cudaGraph_t __graph, const cudaGraphNode_t *__from,
                                     const cudaGraphNode_t *__to, const cudaGraphEdgeData *__edgeData,
                                     size_t __numDependencies);
#endif
#ifdef UMSIM_CUDA12
/** Undoes it for each pair. */
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t __graph, const cudaGraphNode_t *__from,
                                        const cudaGraphNode_t *__to, size_t __numDependencies)
    UMSIM_CUDA12_SYMBOL("cudaGraphRemoveDependencies");
/** The pairs of nodes of which one depends on the other. */
cudaError_t cudaGraphGetEdges(cudaGraph_t __graph, cudaGraphNode_t *__from, cudaGraphNode_t *__to,
                              size_t *__numEdges) UMSIM_CUDA12_SYMBOL("cudaGraphGetEdges");
/** The nodes that a node depends on. */
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t __node, cudaGraphNode_t *__pDependencies,
                                         size_t *__pNumDependencies)
    UMSIM_CUDA12_SYMBOL("cudaGraphNodeGetDependencies");
/** The nodes that depend on a node. */
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t __node, cudaGraphNode_t *__pDependentNodes,
                                           size_t *__pNumDependentNodes)
    UMSIM_CUDA12_SYMBOL("cudaGraphNodeGetDependentNodes");
#else
/** Undoes it for each pair. @return cudaErrorInvalidValue (there is no such pair), cudaErrorNotSupported
 * (graphs with nodes for memory). */
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t __graph, const cudaGraphNode_t *__from,
                                        const cudaGraphNode_t *__to, const cudaGraphEdgeData *__edgeData,
                                        size_t __numDependencies);
/** The pairs of nodes of which one depends on the other: `*__numEdges` of them, or only their number if
 * `__from` and `__to` are NULL. Entries beyond are NULL. */
cudaError_t cudaGraphGetEdges(cudaGraph_t __graph, cudaGraphNode_t *__from, cudaGraphNode_t *__to,
                              cudaGraphEdgeData *__edgeData, size_t *__numEdges);
/** Likewise the nodes that a node depends on. */
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t __node, cudaGraphNode_t *__pDependencies,
                                         cudaGraphEdgeData *__edgeData, size_t *__pNumDependencies);
/** Likewise the nodes that depend on a node. */
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t __node, cudaGraphNode_t *__pDependentNodes,
                                           cudaGraphEdgeData *__edgeData, size_t *__pNumDependentNodes);
#endif
/** The node of a clone that was made of `__originalNode`. */
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *__pNode, cudaGraphNode_t __originalNode,
                                     cudaGraph_t __clonedGraph);
/** Takes a node out of its graph. */
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t __node);
/** The nodes of a graph: `*__numNodes` of them, or only their number if `__nodes` is NULL. Entries beyond the
 * existing nodes are NULL. */
cudaError_t cudaGraphGetNodes(cudaGraph_t __graph, cudaGraphNode_t *__nodes, size_t *__numNodes);
/** The same for the nodes that depend on no other. */
cudaError_t cudaGraphGetRootNodes(cudaGraph_t __graph, cudaGraphNode_t *__pRootNodes,
                                  size_t *__pNumRootNodes);
/** What a node does. */
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t __node, enum cudaGraphNodeType *__pType);
/** Writes a graph as a .dot file, for Graphviz; `__flags` select what is shown of each node. @return
 * cudaErrorOperatingSystem if the file cannot be written. */
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t __graph, const char *__path, unsigned int __flags);
/** Makes a graph ready to be launched; later changes of `__graph` do not change it. @return
 * cudaErrorInvalidValue, also for nodes that wait for each other. */
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *__pGraphExec, cudaGraph_t __graph,
                                 unsigned long long __flags UMSIM_DEFAULT(0));
/** The same. */
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *__pGraphExec, cudaGraph_t __graph,
                                          unsigned long long __flags UMSIM_DEFAULT(0));
/** The same; the parameters receive the outcome, too. */
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *__pGraphExec, cudaGraph_t __graph,
                                           cudaGraphInstantiateParams *__instantiateParams);
/** The flags that a ready graph was made with. */
cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t __graphExec, unsigned long long *__flags);
/** Whether a ready graph runs a kernel, copy or memset: 0 leaves it out. */
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t __hGraphExec, cudaGraphNode_t __hNode,
                                    unsigned int __isEnabled);
/** Tells it. */
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t __hGraphExec, cudaGraphNode_t __hNode,
                                    unsigned int *__isEnabled);
/** Issues all of a graph to a stream, after its own last launch. In a stream that is being captured it
 * becomes one node. */
cudaError_t cudaGraphLaunch(cudaGraphExec_t __graphExec, cudaStream_t __stream);
/** Uploads what the first launch would otherwise have to upload to the device: nothing here. */
cudaError_t cudaGraphUpload(cudaGraphExec_t __graphExec, cudaStream_t __stream);
/** Frees the result of cudaGraphInstantiate(); launches under way continue. */
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t __graphExec);
/** Gives the nodes of a ready graph the parameters of a graph of the same shape. @return
 * cudaErrorGraphExecUpdateFailure: `__resultInfo` gives the reason. */
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t __hGraphExec, cudaGraph_t __hGraph,
                                cudaGraphExecUpdateResultInfo *__resultInfo);
/** @} */

#ifdef __cplusplus
}
#endif
#endif
