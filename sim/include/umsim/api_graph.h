/**
 * @file umsim/api_graph.h
 * @brief Graphs and stream capture (CUDA Runtime API, Graph Management). Included by cuda_runtime_api.h.
 *
 * A graph is work and its order. One is captured from streams between cudaStreamBeginCapture() and
 * cudaStreamEndCapture(), or put together node by node; cudaGraphInstantiate() makes it ready, and
 * cudaGraphLaunch() issues all of it at once, for the price of one launch. While a stream is captured its
 * work does not run: calls that would have to wait for it return cudaErrorStreamCaptureUnsupported and spoil
 * the capture.
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
#endif
#ifdef __cplusplus
extern "C" {
#endif
/** @endcond */

/** @name Stream capture
 * @{ */
/** Captures what is issued to a stream from now on, and to streams that come to wait for it by events.
 *  @return cudaErrorIllegalState (captured already), cudaErrorStreamCaptureUnsupported (the legacy stream),
 *  cudaErrorInvalidValue (mode). */
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode);
/** Ends the capture that began in `stream`; the graph is the caller's. Where it fails `*pGraph` is NULL, and
 * the capture has ended all the same. @return cudaErrorIllegalState (not captured),
 * cudaErrorStreamCaptureInvalidated (spoilt), cudaErrorStreamCaptureUnmatched (began in another stream),
 * cudaErrorStreamCaptureUnjoined (another stream's work is not waited for),
 * cudaErrorStreamCaptureWrongThread. */
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *pGraph);
/** Whether a stream is captured. @return cudaErrorStreamCaptureImplicit (the legacy stream, while one is
 * captured). */
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *pCaptureStatus);
/** Changes which captures forbid this thread's calls; `*mode` becomes what it was. @return
 * cudaErrorInvalidValue. */
cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode);
/** @} */

/** @name Graphs
 * Every call returns cudaErrorInvalidValue for a handle that is none. A node comes after `numDependencies`
 * others of its graph. @{ */
/** An empty graph; `flags` 0. */
cudaError_t cudaGraphCreate(cudaGraph_t *pGraph, unsigned int flags);
/** Frees a graph and its nodes; graphs that were instantiated from it stay. */
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
/** A copy of a graph. */
cudaError_t cudaGraphClone(cudaGraph_t *pGraphClone, cudaGraph_t originalGraph);
/** Adds the launch of a kernel; its arguments are copied now. @return also what cudaLaunchKernel() returns.
 */
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                   const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                   const struct cudaKernelNodeParams *pNodeParams);
/** Adds a copy in three dimensions. @return also what cudaMemcpy3D() returns. */
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                   const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                   const struct cudaMemcpy3DParms *pCopyParams);
/** Adds a copy of `count` bytes. @return also what cudaMemcpy() returns. */
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                     const cudaGraphNode_t *pDependencies, size_t numDependencies, void *dst,
                                     const void *src, size_t count, enum cudaMemcpyKind kind);
/** Adds a memset. */
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                   const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                   const struct cudaMemsetParams *pMemsetParams);
/** Adds the call of a host function. */
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                 const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                 const struct cudaHostNodeParams *pNodeParams);
/** Adds a node that does nothing. */
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                  const cudaGraphNode_t *pDependencies, size_t numDependencies);
/** Adds a copy of a graph as one node. */
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                       const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                       cudaGraph_t childGraph);
#ifdef UMSIM_CUDA12
/** Has each `to[i]` come after `from[i]`. */
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, size_t numDependencies)
    UMSIM_CUDA12_SYMBOL("cudaGraphAddDependencies");
#else
/** Has each `to[i]` come after `from[i]`; `edgeData` NULL or zeros. */
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, const cudaGraphEdgeData *edgeData,
                                     size_t numDependencies);
#endif
/** Takes a node out of its graph. */
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node);
/** The nodes of a graph: `*numNodes` of them, or how many there are where `nodes` is NULL. What is asked
 * beyond those there are is NULL. */
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *numNodes);
/** Likewise those that come after no other. */
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *pRootNodes, size_t *pNumRootNodes);
/** What a node does. */
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *pType);
/** Writes a graph as a .dot file, for Graphviz; `flags` say what is told of each node.
 *  @return cudaErrorOperatingSystem when the file cannot be written. */
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned int flags);
/** Makes a graph ready to be launched; later changes of `graph` do not change it. @return
 * cudaErrorInvalidValue, also for nodes that wait for each other. */
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *pGraphExec, cudaGraph_t graph,
                                 unsigned long long flags UMSIM_DEFAULT(0));
/** The same. */
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *pGraphExec, cudaGraph_t graph,
                                          unsigned long long flags UMSIM_DEFAULT(0));
/** Issues all of a graph to a stream, behind its own last launch. In a stream that is captured it is one
 * node. */
cudaError_t cudaGraphLaunch(cudaGraphExec_t graphExec, cudaStream_t stream);
/** What a first launch would have to bring to the device: nothing here. */
cudaError_t cudaGraphUpload(cudaGraphExec_t graphExec, cudaStream_t stream);
/** Frees what cudaGraphInstantiate() gave; launches under way go on. */
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graphExec);
/** Gives the nodes of a ready graph the parameters of a graph of the same shape.
 *  @return cudaErrorGraphExecUpdateFailure: `resultInfo` says why. */
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t hGraphExec, cudaGraph_t hGraph,
                                cudaGraphExecUpdateResultInfo *resultInfo);
/** Changes a kernel node of a graph. */
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                         const struct cudaKernelNodeParams *pNodeParams);
/** Changes, in a ready graph, what was made of a kernel node. */
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams *pNodeParams);
/** Likewise a copy. */
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t hGraphExec, cudaGraphNode_t node, void *dst,
                                               const void *src, size_t count, enum cudaMemcpyKind kind);
/** Likewise a memset. */
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                             const struct cudaMemsetParams *pNodeParams);
/** Likewise a host function. */
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                           const struct cudaHostNodeParams *pNodeParams);
/** @} */

#ifdef __cplusplus
}
#endif
#endif
