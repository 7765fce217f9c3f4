/**
 * @file graph.c
 * @brief Graphs and their nodes (CUDA Runtime API, Graph Management).
 *
 * graph_exec.c has executable graphs.
 */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

static struct umsim_graph *graphs;

static struct umsim_graph *graph_of(cudaGraph_t handle)
{
    return umsim_graph_is((struct umsim_graph *)handle) ? (struct umsim_graph *)handle : NULL;
}

static struct umsim_node *node_of(cudaGraphNode_t handle)
{
    for (struct umsim_graph *graph = graphs; graph; graph = graph->next)
        for (struct umsim_node *node = graph->first; node; node = node->next)
            if (node == (struct umsim_node *)handle)
                return node;
    return NULL;
}

bool umsim_graph_is(const struct umsim_graph *graph)
{
    for (const struct umsim_graph *g = graphs; g; g = g->next)
        if (g == graph)
            return true;
    return false;
}

void umsim_graph_list(struct umsim_graph *graph)
{
    graph->next = graphs;
    graphs = graph;
}

static void unlist(struct umsim_graph *graph)
{
    struct umsim_graph **link = &graphs;
    while (*link != graph)
        link = &(*link)->next;
    *link = graph->next;
}

struct umsim_graph *umsim_graph_make(void)
{
    return calloc(1, sizeof(struct umsim_graph));
}

/* ---- work ---- */

static void *copy_of(const void *from, size_t bytes)
{
    void *to = malloc(bytes ? bytes : 1);
    return to ? memcpy(to, from, bytes) : NULL;
}

static struct umsim_graph *graph_copy(const struct umsim_graph *graph);

bool umsim_work_copy(struct umsim_work *to, const struct umsim_work *from)
{
    *to = *from;
    if (from->type == cudaGraphNodeTypeGraph)
        return (to->child = graph_copy(from->child)) != NULL;
    if (from->type != cudaGraphNodeTypeKernel)
        return true;
    const struct umsim_launch_request *launch = &from->launch;
    to->launch.closure = copy_of(launch->closure, launch->closure_bytes);
    to->launch.declared = copy_of(launch->declared, launch->declared_count * sizeof *launch->declared);
    if (to->launch.closure && to->launch.declared)
        return true;
    umsim_work_free(to);
    return false;
}

void umsim_work_free(struct umsim_work *work)
{
    if (work->type == cudaGraphNodeTypeGraph)
        umsim_graph_free(work->child);
    if (work->type != cudaGraphNodeTypeKernel)
        return;
    free((void *)work->launch.closure);
    free((void *)work->launch.declared);
}

/* ---- nodes ---- */

static bool comes_after(const struct umsim_node *node, const struct umsim_node *other)
{
    for (size_t i = 0; i < node->after_count; i++)
        if (node->after[i] == other)
            return true;
    return false;
}

static bool add_after(struct umsim_node *node, struct umsim_node *other)
{
    if (comes_after(node, other))
        return true;
    struct umsim_node **grown = realloc(node->after, (node->after_count + 1) * sizeof *grown);
    if (!grown)
        return false;
    node->after = grown;
    node->after[node->after_count++] = other;
    return true;
}

static void node_free(struct umsim_node *node)
{
    umsim_work_free(&node->work);
    free(node->after);
    free(node);
}

struct umsim_node *umsim_node_add(struct umsim_graph *graph, struct umsim_node *const *after,
                                  size_t after_count, const struct umsim_work *work)
{
    static uint64_t made;
    struct umsim_node *node = calloc(1, sizeof *node);
    if (!node || !umsim_work_copy(&node->work, work)) {
        free(node);
        return NULL;
    }
    node->graph = graph;
    node->id = ++made;
    for (size_t i = 0; i < after_count; i++)
        if (after[i]->graph != graph || !add_after(node, after[i])) {
            node_free(node);
            return NULL;
        }
    struct umsim_node **last = &graph->first;
    while (*last)
        last = &(*last)->next;
    *last = node;
    return node;
}

size_t umsim_graph_count(struct umsim_graph *graph)
{
    size_t count = 0;
    for (struct umsim_node *node = graph->first; node; node = node->next)
        node->index = count++;
    return count;
}

void umsim_graph_free(struct umsim_graph *graph)
{
    for (struct umsim_node *node = graph ? graph->first : NULL, *next; node; node = next) {
        next = node->next;
        node_free(node);
    }
    free(graph);
}

/* A node may depend on nodes that were made later. So all nodes are copied first, then their dependencies. */
static struct umsim_graph *graph_copy(const struct umsim_graph *graph)
{
    struct umsim_graph *copy = umsim_graph_make();
    const size_t count = umsim_graph_count((struct umsim_graph *)graph);
    struct umsim_node **made = calloc(count + 1, sizeof(struct umsim_node *));
    bool good = copy && made;
    for (const struct umsim_node *node = graph->first; good && node; node = node->next) {
        good = (made[node->index] = umsim_node_add(copy, NULL, 0, &node->work));
        if (good)
            made[node->index]->id = node->id;
    }
    for (const struct umsim_node *node = graph->first; good && node; node = node->next)
        for (size_t i = 0; good && i < node->after_count; i++)
            good = add_after(made[node->index], made[node->after[i]->index]);
    free(made);
    if (good)
        return copy;
    umsim_graph_free(copy);
    return NULL;
}

/* ---- the API: graphs ---- */

cudaError_t cudaGraphCreate(cudaGraph_t *pGraph, unsigned int flags)
{
    UMSIM_ENTER(cudaGraphCreate, pGraph, flags);
    if (!pGraph || flags)
        return umsim_leave(cudaErrorInvalidValue);
    struct umsim_graph *graph = umsim_graph_make();
    *pGraph = (cudaGraph_t)graph;
    if (graph)
        umsim_graph_list(graph);
    return umsim_leave(graph ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaGraphDestroy(cudaGraph_t handle)
{
    UMSIM_ENTER(cudaGraphDestroy, handle);
    struct umsim_graph *graph = graph_of(handle);
    if (!graph)
        return umsim_leave(cudaErrorInvalidValue);
    unlist(graph);
    umsim_graph_free(graph);
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaGraphClone(cudaGraph_t *pGraphClone, cudaGraph_t originalGraph)
{
    UMSIM_ENTER(cudaGraphClone, pGraphClone, originalGraph);
    const struct umsim_graph *graph = graph_of(originalGraph);
    if (!pGraphClone || !graph)
        return umsim_leave(cudaErrorInvalidValue);
    struct umsim_graph *copy = graph_copy(graph);
    *pGraphClone = (cudaGraph_t)copy;
    if (copy)
        umsim_graph_list(copy);
    return umsim_leave(copy ? cudaSuccess : cudaErrorMemoryAllocation);
}

/* Writes as many nodes as fit, of those that `wanted` selects; the rest of the array becomes NULL. */
static cudaError_t tell_nodes(const struct umsim_graph *graph, cudaGraphNode_t *nodes, size_t *count,
                              bool roots_only)
{
    if (!graph || !count)
        return cudaErrorInvalidValue;
    size_t found = 0;
    for (struct umsim_node *node = graph->first; node; node = node->next) {
        if (roots_only && node->after_count)
            continue;
        if (nodes && found < *count)
            nodes[found] = (cudaGraphNode_t)node;
        found++;
    }
    for (size_t i = found; nodes && i < *count; i++)
        nodes[i] = NULL;
    *count = nodes && found > *count ? *count : found;
    return cudaSuccess;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *numNodes)
{
    UMSIM_ENTER(cudaGraphGetNodes, graph, numNodes);
    return umsim_leave(tell_nodes(graph_of(graph), nodes, numNodes, false));
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *pRootNodes, size_t *pNumRootNodes)
{
    UMSIM_ENTER(cudaGraphGetRootNodes, graph, pNumRootNodes);
    return umsim_leave(tell_nodes(graph_of(graph), pRootNodes, pNumRootNodes, true));
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t handle, enum cudaGraphNodeType *pType)
{
    UMSIM_ENTER(cudaGraphNodeGetType, handle, pType);
    const struct umsim_node *node = node_of(handle);
    if (!node || !pType)
        return umsim_leave(cudaErrorInvalidValue);
    *pType = node->work.type;
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t handle)
{
    UMSIM_ENTER(cudaGraphDestroyNode, handle);
    struct umsim_node *node = node_of(handle);
    if (!node)
        return umsim_leave(cudaErrorInvalidValue);
    struct umsim_node **link = &node->graph->first;
    for (struct umsim_node *other = *link; other; other = other->next)
        for (size_t i = 0; i < other->after_count; i++)
            if (other->after[i] == node)
                other->after[i--] = other->after[--other->after_count];
    while (*link != node)
        link = &(*link)->next;
    *link = node->next;
    node_free(node);
    return umsim_leave(cudaSuccess);
}

/* ---- the API: making nodes ---- */

static cudaError_t add(cudaGraphNode_t *out, cudaGraph_t handle, const cudaGraphNode_t *after, size_t count,
                       const struct umsim_work *work)
{
    struct umsim_graph *graph = graph_of(handle);
    if (!out || !graph || (count && !after))
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; i++)
        if (!node_of(after[i]) || node_of(after[i])->graph != graph)
            return cudaErrorInvalidValue;
    struct umsim_node *node = umsim_node_add(graph, (struct umsim_node *const *)after, count, work);
    *out = (cudaGraphNode_t)node;
    return node ? cudaSuccess : cudaErrorMemoryAllocation;
}

/* Called without the lock, because it calls the kernel's stub, which takes the lock. */
static cudaError_t describe_kernel(const struct cudaKernelNodeParams *params, struct umsim_work *work,
                                   void *closure_buffer)
{
    *work = (struct umsim_work){.type = cudaGraphNodeTypeKernel};
    if (!params || params->extra || !params->func)
        return cudaErrorInvalidValue;
    return umsim_launch_describe(params, &work->launch, closure_buffer);
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                   const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                   const struct cudaKernelNodeParams *pNodeParams)
{
    struct umsim_work work;
    _Alignas(64) char closure_buffer[UMSIM_CLOSURE_MAX];
    cudaError_t error = describe_kernel(pNodeParams, &work, closure_buffer);
    UMSIM_ENTER(cudaGraphAddKernelNode, pGraphNode, graph, pNodeParams);
    return umsim_leave(error ? error : add(pGraphNode, graph, pDependencies, numDependencies, &work));
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                   const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                   const struct cudaMemcpy3DParms *pCopyParams)
{
    UMSIM_ENTER(cudaGraphAddMemcpyNode, pGraphNode, graph, pCopyParams);
    struct umsim_work work = {.type = cudaGraphNodeTypeMemcpy};
    cudaError_t error = pCopyParams ? umsim_copy_of_3d(pCopyParams, &work.copy) : cudaErrorInvalidValue;
    error = error ? error : umsim_copy_check(&work.copy);
    return umsim_leave(error ? error : add(pGraphNode, graph, pDependencies, numDependencies, &work));
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                     const cudaGraphNode_t *pDependencies, size_t numDependencies, void *dst,
                                     const void *src, size_t count, enum cudaMemcpyKind kind)
{
    const struct umsim_work work = {.type = cudaGraphNodeTypeMemcpy,
                                    .copy = umsim_copy_of(dst, src, count, count, count, 1, kind, true)};
    UMSIM_ENTER(cudaGraphAddMemcpyNode1D, pGraphNode, graph, work.copy);
    cudaError_t error = umsim_copy_check(&work.copy);
    return umsim_leave(error ? error : add(pGraphNode, graph, pDependencies, numDependencies, &work));
}

static cudaError_t describe_set(const struct cudaMemsetParams *params, struct umsim_work *work)
{
    *work = (struct umsim_work){.type = cudaGraphNodeTypeMemset};
    if (!params)
        return cudaErrorInvalidValue;
    const size_t width = params->width * params->elementSize;
    work->set = (struct umsim_set){.to = params->dst,
                                   .pitch = params->height == 1 ? width : params->pitch,
                                   .width = width,
                                   .rows = params->height,
                                   .value = (int)params->value,
                                   .async = true,
                                   .in_graph = true,
                                   .element = params->elementSize};
    const bool is_element = params->elementSize == 1 || params->elementSize == 2 || params->elementSize == 4;
    return params->dst && is_element && work->set.pitch >= width ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                   const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                   const struct cudaMemsetParams *pMemsetParams)
{
    struct umsim_work work;
    cudaError_t error = describe_set(pMemsetParams, &work);
    UMSIM_ENTER(cudaGraphAddMemsetNode, pGraphNode, graph, pMemsetParams, work.set);
    return umsim_leave(error ? error : add(pGraphNode, graph, pDependencies, numDependencies, &work));
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                 const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                 const struct cudaHostNodeParams *pNodeParams)
{
    UMSIM_ENTER(cudaGraphAddHostNode, pGraphNode, graph, pNodeParams);
    if (!pNodeParams || !pNodeParams->fn)
        return umsim_leave(cudaErrorInvalidValue);
    const struct umsim_work work = {.type = cudaGraphNodeTypeHost, .host = *pNodeParams};
    return umsim_leave(add(pGraphNode, graph, pDependencies, numDependencies, &work));
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                  const cudaGraphNode_t *pDependencies, size_t numDependencies)
{
    UMSIM_ENTER(cudaGraphAddEmptyNode, pGraphNode, graph);
    const struct umsim_work work = {.type = cudaGraphNodeTypeEmpty};
    return umsim_leave(add(pGraphNode, graph, pDependencies, numDependencies, &work));
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                       const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                       cudaGraph_t childGraph)
{
    UMSIM_ENTER(cudaGraphAddChildGraphNode, pGraphNode, graph, childGraph);
    const struct umsim_work work = {.type = cudaGraphNodeTypeGraph, .child = graph_of(childGraph)};
    if (!work.child)
        return umsim_leave(cudaErrorInvalidValue);
    return umsim_leave(add(pGraphNode, graph, pDependencies, numDependencies, &work));
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t handle, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, const cudaGraphEdgeData *edgeData,
                                     size_t numDependencies)
{
    static const cudaGraphEdgeData plain;
    UMSIM_ENTER(cudaGraphAddDependencies, handle, numDependencies);
    const struct umsim_graph *graph = graph_of(handle);
    if (!graph || (numDependencies && (!from || !to)))
        return umsim_leave(cudaErrorInvalidValue);
    for (size_t i = 0; i < numDependencies; i++) {
        struct umsim_node *first = node_of(from[i]), *second = node_of(to[i]);
        if (!first || !second || first == second || first->graph != graph || second->graph != graph ||
            comes_after(second, first))
            return umsim_leave(cudaErrorInvalidValue);
        if (edgeData && memcmp(&edgeData[i], &plain, sizeof plain) != 0)
            return umsim_leave(cudaErrorNotSupported);
    }
    for (size_t i = 0; i < numDependencies; i++)
        if (!add_after((struct umsim_node *)to[i], (struct umsim_node *)from[i]))
            return umsim_leave(cudaErrorMemoryAllocation);
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t handle,
                                         const struct cudaKernelNodeParams *pNodeParams)
{
    struct umsim_work work, mine;
    _Alignas(64) char closure_buffer[UMSIM_CLOSURE_MAX];
    cudaError_t error = describe_kernel(pNodeParams, &work, closure_buffer);
    UMSIM_ENTER(cudaGraphKernelNodeSetParams, handle, pNodeParams);
    struct umsim_node *node = node_of(handle);
    if (error || !node || node->work.type != cudaGraphNodeTypeKernel)
        return umsim_leave(error ? error : cudaErrorInvalidValue);
    if (!umsim_work_copy(&mine, &work))
        return umsim_leave(cudaErrorMemoryAllocation);
    umsim_work_free(&node->work);
    node->work = mine;
    return umsim_leave(cudaSuccess);
}

/* ---- the API: changing nodes of executable graphs ---- */

static cudaError_t change(cudaGraphExec_t exec, cudaGraphNode_t handle, const struct umsim_work *work)
{
    const struct umsim_node *node = node_of(handle);
    return node ? umsim_exec_change(exec, node->id, work) : cudaErrorInvalidValue;
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams *pNodeParams)
{
    struct umsim_work work;
    _Alignas(64) char closure_buffer[UMSIM_CLOSURE_MAX];
    cudaError_t error = describe_kernel(pNodeParams, &work, closure_buffer);
    UMSIM_ENTER(cudaGraphExecKernelNodeSetParams, hGraphExec, node, pNodeParams);
    return umsim_leave(error ? error : change(hGraphExec, node, &work));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t hGraphExec, cudaGraphNode_t node, void *dst,
                                               const void *src, size_t count, enum cudaMemcpyKind kind)
{
    const struct umsim_work work = {.type = cudaGraphNodeTypeMemcpy,
                                    .copy = umsim_copy_of(dst, src, count, count, count, 1, kind, true)};
    UMSIM_ENTER(cudaGraphExecMemcpyNodeSetParams1D, hGraphExec, node, work.copy);
    cudaError_t error = umsim_copy_check(&work.copy);
    return umsim_leave(error ? error : change(hGraphExec, node, &work));
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                             const struct cudaMemsetParams *pNodeParams)
{
    struct umsim_work work;
    cudaError_t error = describe_set(pNodeParams, &work);
    UMSIM_ENTER(cudaGraphExecMemsetNodeSetParams, hGraphExec, node, pNodeParams, work.set);
    return umsim_leave(error ? error : change(hGraphExec, node, &work));
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                           const struct cudaHostNodeParams *pNodeParams)
{
    UMSIM_ENTER(cudaGraphExecHostNodeSetParams, hGraphExec, node, pNodeParams);
    if (!pNodeParams || !pNodeParams->fn)
        return umsim_leave(cudaErrorInvalidValue);
    const struct umsim_work work = {.type = cudaGraphNodeTypeHost, .host = *pNodeParams};
    return umsim_leave(change(hGraphExec, node, &work));
}
