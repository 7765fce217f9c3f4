/**
 * @file cuda12.c
 * @brief The symbols of programs compiled against CUDA 12's declarations (-DUMSIM_CUDA12), where those differ
 * from CUDA 13's; cuda_runtime_api.h lists them.
 *
 * This file sees CUDA 12's declarations; the rest of the library sees CUDA 13's. What does not depend on the
 * version is left to CUDA 13's function, called by its symbol.
 */
#undef UMSIM_CUDA12
#define UMSIM_CUDA12
#include "array.h"
#include "attributes.h"
#include "runtime.h"

/* ---- CUDA 13's functions whose names mean something else in this file ---- */

struct pointer_attributes13 {
    struct cudaPointerAttributes as_before;
    long reserved[8];
};

cudaError_t prefetch13(const void *, size_t, struct cudaMemLocation, unsigned,
                       cudaStream_t) __asm__("cudaMemPrefetchAsync");
cudaError_t advise13(const void *, size_t, enum cudaMemoryAdvise,
                     struct cudaMemLocation) __asm__("cudaMemAdvise");
cudaError_t pointer_attributes13(struct pointer_attributes13 *,
                                 const void *) __asm__("cudaPointerGetAttributes");

#define OWN(stream) ((stream) ? (stream) : cudaStreamPerThread)

/* ---- the device ---- */

/* cuda_runtime_api.h defines cudaGetDeviceProperties as another name, as CUDA 12's header does. */
#undef cudaGetDeviceProperties
cudaError_t cudaGetDeviceProperties_v2(struct cudaDeviceProp *prop, int device)
{
    UMSIM_ENTER_AS(cudaGetDeviceProperties, UMSIM_ANSWERS_ALWAYS, prop, device);
    if (!prop || !umsim_is_device(device))
        return umsim_leave(prop ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    umsim_spend(UMSIM_CALL_LOOKUP);
    umsim_properties_fill(prop, (unsigned)device);
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *prop)
{
    UMSIM_ENTER_AS(cudaChooseDevice, UMSIM_ANSWERS_ALWAYS, device, prop);
    if (!device || !prop)
        return umsim_leave(cudaErrorInvalidValue);
    umsim_spend(UMSIM_CALL_LOOKUP);
    *device = 0; /* all devices are of one kind */
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaRuntimeGetVersion(int *runtimeVersion)
{
    UMSIM_ENTER_AS(cudaRuntimeGetVersion, UMSIM_ANSWERS_ALWAYS, runtimeVersion);
    if (!runtimeVersion)
        return umsim_leave(cudaErrorInvalidValue);
    *runtimeVersion = CUDART_VERSION;
    return umsim_leave(cudaSuccess);
}

/* ---- managed memory ---- */

/* `device` is a device number or cudaCpuDeviceId. */
static struct cudaMemLocation location(int device)
{
    if (device == cudaCpuDeviceId)
        return (struct cudaMemLocation){cudaMemLocationTypeHost, 0};
    return (struct cudaMemLocation){cudaMemLocationTypeDevice, device};
}

cudaError_t cudaMemPrefetchAsync(const void *devPtr, size_t count, int dstDevice, cudaStream_t stream)
{
    return prefetch13(devPtr, count, location(dstDevice), 0, stream);
}

cudaError_t prefetch_ptsz(const void *, size_t, int,
                          cudaStream_t) __asm__("umsim_cuda12_cudaMemPrefetchAsync_ptsz");
cudaError_t prefetch_ptsz(const void *devPtr, size_t count, int dstDevice, cudaStream_t stream)
{
    return prefetch13(devPtr, count, location(dstDevice), 0, OWN(stream));
}

cudaError_t cudaMemPrefetchAsync_v2(const void *devPtr, size_t count, struct cudaMemLocation location,
                                    unsigned int flags, cudaStream_t stream)
{
    return prefetch13(devPtr, count, location, flags, stream);
}

cudaError_t cudaMemPrefetchAsync_v2_ptsz(const void *devPtr, size_t count, struct cudaMemLocation location,
                                         unsigned int flags, cudaStream_t stream)
{
    return prefetch13(devPtr, count, location, flags, OWN(stream));
}

/* ReadMostly has no location: CUDA 12 accepts any device number for it. */
cudaError_t cudaMemAdvise(const void *devPtr, size_t count, enum cudaMemoryAdvise advice, int device)
{
    bool no_place = advice == cudaMemAdviseSetReadMostly || advice == cudaMemAdviseUnsetReadMostly ||
                    advice == cudaMemAdviseUnsetPreferredLocation;
    return advise13(devPtr, count, advice, location(no_place ? 0 : device));
}

cudaError_t cudaMemAdvise_v2(const void *devPtr, size_t count, enum cudaMemoryAdvise advice,
                             struct cudaMemLocation location)
{
    return advise13(devPtr, count, advice, location);
}

/* CUDA 12's structure is the first part of CUDA 13's. */
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *ptr)
{
    struct pointer_attributes13 all;
    cudaError_t error = pointer_attributes13(attributes ? &all : NULL, ptr);
    if (!error)
        *attributes = all.as_before;
    return error;
}

/* ---- graphs: edges carry nothing but order ---- */

cudaError_t add_dependencies13(cudaGraph_t, const cudaGraphNode_t *, const cudaGraphNode_t *, const void *,
                               size_t) __asm__("cudaGraphAddDependencies");
cudaError_t remove_dependencies13(cudaGraph_t, const cudaGraphNode_t *, const cudaGraphNode_t *, const void *,
                                  size_t) __asm__("cudaGraphRemoveDependencies");
cudaError_t edges13(cudaGraph_t, cudaGraphNode_t *, cudaGraphNode_t *, void *,
                    size_t *) __asm__("cudaGraphGetEdges");
cudaError_t dependencies13(cudaGraphNode_t, cudaGraphNode_t *, void *,
                           size_t *) __asm__("cudaGraphNodeGetDependencies");
cudaError_t dependents13(cudaGraphNode_t, cudaGraphNode_t *, void *,
                         size_t *) __asm__("cudaGraphNodeGetDependentNodes");
cudaError_t add_node13(cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, const void *, size_t,
                       struct cudaGraphNodeParams *) __asm__("cudaGraphAddNode");
cudaError_t capture_info13(cudaStream_t, enum cudaStreamCaptureStatus *, unsigned long long *, cudaGraph_t *,
                           const cudaGraphNode_t **, const void **,
                           size_t *) __asm__("cudaStreamGetCaptureInfo");
cudaError_t update_dependencies13(cudaStream_t, cudaGraphNode_t *, const void *, size_t,
                                  unsigned) __asm__("cudaStreamUpdateCaptureDependencies");

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, size_t numDependencies)
{
    return add_dependencies13(graph, from, to, NULL, numDependencies);
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to, size_t numDependencies)
{
    return remove_dependencies13(graph, from, to, NULL, numDependencies);
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, size_t *numEdges)
{
    return edges13(graph, from, to, NULL, numEdges);
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *pDependencies,
                                         size_t *pNumDependencies)
{
    return dependencies13(node, pDependencies, NULL, pNumDependencies);
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *pDependentNodes,
                                           size_t *pNumDependentNodes)
{
    return dependents13(node, pDependentNodes, NULL, pNumDependentNodes);
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                             const cudaGraphNode_t *pDependencies, size_t numDependencies,
                             struct cudaGraphNodeParams *nodeParams)
{
    struct cudaGraphNodeParams own;
    if (nodeParams &&
        nodeParams->type == cudaGraphNodeTypeGraph) { /* CUDA 13's say behind it whose the graph is */
        memset(&own, 0, sizeof own);
        own.type = nodeParams->type;
        own.graph.graph = nodeParams->graph.graph;
        nodeParams = &own;
    }
    return add_node13(pGraphNode, graph, pDependencies, NULL, numDependencies, nodeParams);
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *captureStatus_out,
                                     unsigned long long *id_out, cudaGraph_t *graph_out,
                                     const cudaGraphNode_t **dependencies_out, size_t *numDependencies_out)
{
    return capture_info13(stream, captureStatus_out, id_out, graph_out, dependencies_out, NULL,
                          numDependencies_out);
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *dependencies,
                                                size_t numDependencies, unsigned int flags)
{
    return update_dependencies13(stream, dependencies, NULL, numDependencies, flags);
}

/* The same with the thread's own stream in place of stream 0. */
cudaError_t capture_info_ptsz(cudaStream_t, enum cudaStreamCaptureStatus *, unsigned long long *,
                              cudaGraph_t *, const cudaGraphNode_t **,
                              size_t *) __asm__("umsim_cuda12_cudaStreamGetCaptureInfo_v2_ptsz");
cudaError_t capture_info_ptsz(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                              unsigned long long *id, cudaGraph_t *graph,
                              const cudaGraphNode_t **dependencies, size_t *count)
{
    return capture_info13(OWN(stream), status, id, graph, dependencies, NULL, count);
}

cudaError_t
update_dependencies_ptsz(cudaStream_t, cudaGraphNode_t *, size_t,
                         unsigned) __asm__("umsim_cuda12_cudaStreamUpdateCaptureDependencies_ptsz");
cudaError_t update_dependencies_ptsz(cudaStream_t stream, cudaGraphNode_t *dependencies, size_t count,
                                     unsigned flags)
{
    return update_dependencies13(OWN(stream), dependencies, NULL, count, flags);
}

/* ---- textures and surfaces ---- */

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *pResDesc, cudaTextureObject_t texObject)
{
    UMSIM_ENTER(cudaGetTextureObjectResourceDesc, pResDesc, texObject);
    return umsim_leave(umsim_texture_resource(pResDesc, sizeof *pResDesc, texObject, false));
}

cudaError_t cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc *pResViewDesc,
                                                 cudaTextureObject_t texObject)
{
    UMSIM_ENTER(cudaGetTextureObjectResourceViewDesc, pResViewDesc, texObject);
    return umsim_leave(umsim_texture_view(pResViewDesc, sizeof *pResViewDesc, texObject));
}

cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *pResDesc,
                                             cudaSurfaceObject_t surfObject)
{
    UMSIM_ENTER(cudaGetSurfaceObjectResourceDesc, pResDesc, surfObject);
    return umsim_leave(umsim_texture_resource(pResDesc, sizeof *pResDesc, surfObject, true));
}
