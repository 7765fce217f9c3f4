/**
 * @file stream_attributes.c
 * @brief Attributes of streams and of graphs' kernel nodes (CUDA Runtime API, Stream Management, Graph
 * Management).
 *
 * A stream's priority is the stream's own. A kernel node's launch may be a cooperative one. What else there
 * is concerns caches, fences and ways of waiting that are not modelled: it is kept, and told.
 */
#include "attributes_kept.h"
#include "graph.h"
#include "../base/machine.h"

#include <stdlib.h>

enum { KINDS = cudaLaunchAttributeMemSyncDomain + 1 };

/* The attributes of one stream or node, by their numbers. */
struct umsim_kept_attributes {
    const struct umsim_stream *stream; /* whose they are, if they are a stream's */
    cudaLaunchAttributeValue value[KINDS];
    struct umsim_kept_attributes *next;
};

static struct umsim_kept_attributes *of_streams;

/* What an H100 tells at first (driver 580, CUDA 13.0): as policy of waits none of those that can be set. */
static struct umsim_kept_attributes *make(void)
{
    struct umsim_kept_attributes *it = calloc(1, sizeof *it);
    if (!it)
        return NULL;
    it->value[cudaLaunchAttributeSynchronizationPolicy].syncPolicy = (enum cudaSynchronizationPolicy) - 1;
    it->value[cudaLaunchAttributeMemSyncDomainMap].memSyncDomainMap.remote = 1;
    return it;
}

static struct umsim_kept_attributes *of_stream(const struct umsim_stream *stream)
{
    struct umsim_kept_attributes *it = of_streams;
    while (it && it->stream != stream)
        it = it->next;
    if (it || !(it = make()))
        return it;
    it->stream = stream;
    it->next = of_streams;
    return of_streams = it;
}

void umsim_stream_attributes_forget(const struct umsim_stream *stream)
{
    for (struct umsim_kept_attributes **link = &of_streams; *link; link = &(*link)->next) {
        struct umsim_kept_attributes *it = *link;
        if (it->stream != stream)
            continue;
        *link = it->next;
        free(it);
        return;
    }
}

/* ---- values ---- */

static bool is_window(const struct cudaAccessPolicyWindow *window)
{
    return window->hitRatio >= 0 && window->hitRatio <= 1 &&
           window->num_bytes <=
               (size_t)umsim_machine_of(umsim_device())->attributes.max_access_policy_window_size &&
           (unsigned)window->hitProp <= cudaAccessPropertyPersisting &&
           (unsigned)window->missProp <= cudaAccessPropertyStreaming;
}

static bool is_value(cudaLaunchAttributeID id, const cudaLaunchAttributeValue *value)
{
    switch (id) {
    case cudaLaunchAttributeAccessPolicyWindow:
        return is_window(&value->accessPolicyWindow);
    case cudaLaunchAttributeSynchronizationPolicy:
        return value->syncPolicy >= cudaSyncPolicyAuto && value->syncPolicy <= cudaSyncPolicyBlockingSync;
    case cudaLaunchAttributeMemSyncDomain:
        return (unsigned)value->memSyncDomain <= cudaLaunchMemSyncDomainRemote;
    default:
        return true;
    }
}

static bool is_of_streams(cudaLaunchAttributeID id)
{
    return id == cudaLaunchAttributeAccessPolicyWindow || id == cudaLaunchAttributeSynchronizationPolicy ||
           id == cudaLaunchAttributePriority || id == cudaLaunchAttributeMemSyncDomainMap ||
           id == cudaLaunchAttributeMemSyncDomain;
}

static bool is_of_nodes(cudaLaunchAttributeID id)
{
    return id == cudaLaunchAttributeCooperative || id == cudaLaunchAttributeClusterDimension ||
           id == cudaLaunchAttributeClusterSchedulingPolicyPreference ||
           (is_of_streams(id) && id != cudaLaunchAttributeSynchronizationPolicy);
}

/* ---- streams ---- */

cudaError_t cudaStreamSetAttribute(cudaStream_t handle, cudaLaunchAttributeID attr,
                                   const cudaLaunchAttributeValue *value)
{
    UMSIM_ENTER(cudaStreamSetAttribute, handle, attr, value);
    struct umsim_stream *stream = umsim_stream_of(handle);
    if (!stream)
        return umsim_leave(cudaErrorInvalidResourceHandle);
    if (!value || !is_of_streams(attr) || !is_value(attr, value))
        return umsim_leave(cudaErrorInvalidValue);
    if (attr == cudaLaunchAttributePriority) {
        stream->priority = umsim_stream_priority(value->priority);
        return umsim_leave(cudaSuccess);
    }
    struct umsim_kept_attributes *kept = of_stream(stream);
    if (kept)
        kept->value[attr] = *value;
    return umsim_leave(kept ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaStreamGetAttribute(cudaStream_t handle, cudaLaunchAttributeID attr,
                                   cudaLaunchAttributeValue *value_out)
{
    UMSIM_ENTER(cudaStreamGetAttribute, handle, attr, value_out);
    const struct umsim_stream *stream = umsim_stream_of(handle);
    if (!stream)
        return umsim_leave(cudaErrorInvalidResourceHandle);
    if (!value_out || !is_of_streams(attr))
        return umsim_leave(cudaErrorInvalidValue);
    const struct umsim_kept_attributes *kept = of_stream(stream);
    if (!kept)
        return umsim_leave(cudaErrorMemoryAllocation);
    *value_out = kept->value[attr];
    if (attr == cudaLaunchAttributePriority)
        value_out->priority = stream->priority;
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t dst, cudaStream_t src)
{
    UMSIM_ENTER(cudaStreamCopyAttributes, dst, src);
    struct umsim_stream *to = umsim_stream_of(dst);
    const struct umsim_stream *from = umsim_stream_of(src);
    if (!to || !from)
        return umsim_leave(cudaErrorInvalidResourceHandle);
    struct umsim_kept_attributes *mine = of_stream(to);
    const struct umsim_kept_attributes *others = of_stream(from);
    if (!mine || !others)
        return umsim_leave(cudaErrorMemoryAllocation);
    for (int i = 0; i < KINDS; i++)
        mine->value[i] = others->value[i];
    to->priority = from->priority;
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    UMSIM_ENTER(cudaCtxResetPersistingL2Cache);
    return umsim_leave(cudaSuccess);
}

/* ---- kernel nodes ---- */

static struct umsim_node *kernel_node(cudaGraphNode_t handle)
{
    struct umsim_node *node = umsim_node_of(handle);
    if (!node || node->work.type != cudaGraphNodeTypeKernel)
        return NULL;
    if (!node->attributes)
        node->attributes = make();
    return node;
}

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t handle, cudaLaunchAttributeID attr,
                                            const cudaLaunchAttributeValue *value)
{
    UMSIM_ENTER(cudaGraphKernelNodeSetAttribute, handle, attr, value);
    struct umsim_node *node = kernel_node(handle);
    if (!node || !value || !is_of_nodes(attr) || !is_value(attr, value))
        return umsim_leave(cudaErrorInvalidValue);
    if (!node->attributes)
        return umsim_leave(cudaErrorMemoryAllocation);
    if (attr == cudaLaunchAttributeClusterDimension &&
        (value->clusterDim.x != 1 || value->clusterDim.y != 1 || value->clusterDim.z != 1))
        return umsim_leave(cudaErrorNotSupported);
    node->attributes->value[attr] = *value;
    if (attr == cudaLaunchAttributeCooperative)
        node->work.launch.cooperative = value->cooperative != 0;
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t handle, cudaLaunchAttributeID attr,
                                            cudaLaunchAttributeValue *value_out)
{
    UMSIM_ENTER(cudaGraphKernelNodeGetAttribute, handle, attr, value_out);
    const struct umsim_node *node = kernel_node(handle);
    if (!node || !value_out || !is_of_nodes(attr))
        return umsim_leave(cudaErrorInvalidValue);
    if (!node->attributes)
        return umsim_leave(cudaErrorMemoryAllocation);
    *value_out = node->attributes->value[attr];
    if (attr == cudaLaunchAttributeCooperative)
        value_out->cooperative = node->work.launch.cooperative;
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t hDst, cudaGraphNode_t hSrc)
{
    UMSIM_ENTER(cudaGraphKernelNodeCopyAttributes, hDst, hSrc);
    struct umsim_node *to = kernel_node(hDst);
    const struct umsim_node *from = kernel_node(hSrc);
    if (!to || !from)
        return umsim_leave(cudaErrorInvalidValue);
    if (!to->attributes || !from->attributes)
        return umsim_leave(cudaErrorMemoryAllocation);
    for (int i = 0; i < KINDS; i++)
        to->attributes->value[i] = from->attributes->value[i];
    to->work.launch.cooperative = from->work.launch.cooperative;
    return umsim_leave(cudaSuccess);
}
