/**
 * @file graph_edges.c
 * @brief The nodes of graphs and the order between them, as programs ask for it and change it (CUDA Runtime
 * API, Graph Management).
 */
#include "graph.h"

#include <string.h>

static const cudaGraphEdgeData plain;

bool umsim_edges_are_plain(const cudaGraphEdgeData *data, size_t count)
{
    for (size_t i = 0; data && i < count; i++)
        if (memcmp(&data[i], &plain, sizeof plain) != 0)
            return false;
    return true;
}

/* ---- what there is ---- */

/* Where a call puts what it finds: as much as there is capacity for. The rest of the arrays becomes NULL. */
struct answer {
    cudaGraphNode_t *nodes, *others; /* either may be NULL */
    cudaGraphEdgeData *data;
    size_t capacity, found;
};

static void tell(struct answer *answer, struct umsim_node *node, struct umsim_node *other)
{
    const size_t at = answer->found++;
    if (at >= answer->capacity)
        return;
    if (answer->nodes)
        answer->nodes[at] = (cudaGraphNode_t)node;
    if (answer->others)
        answer->others[at] = (cudaGraphNode_t)other;
    if (answer->data)
        answer->data[at] = plain;
}

static cudaError_t told(struct answer *answer, size_t *count)
{
    const bool only_counts = !answer->nodes && !answer->others;
    for (size_t i = answer->found; i < answer->capacity && !only_counts; i++) {
        if (answer->nodes)
            answer->nodes[i] = NULL;
        if (answer->others)
            answer->others[i] = NULL;
    }
    *count = !only_counts && answer->found > answer->capacity ? answer->capacity : answer->found;
    return cudaSuccess;
}

static struct answer answer_of(cudaGraphNode_t *nodes, cudaGraphNode_t *others, cudaGraphEdgeData *data,
                               const size_t *capacity)
{
    return (struct answer){nodes, others, data, nodes || others ? *capacity : 0, 0};
}

static cudaError_t tell_nodes(const struct umsim_graph *graph, cudaGraphNode_t *nodes, size_t *count,
                              bool roots_only)
{
    if (!graph || !count)
        return cudaErrorInvalidValue;
    struct answer answer = answer_of(nodes, NULL, NULL, count);
    for (struct umsim_node *node = graph->first; node; node = node->next)
        if (!roots_only || !node->after_count)
            tell(&answer, node, NULL);
    return told(&answer, count);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *numNodes)
{
    UMSIM_ENTER(cudaGraphGetNodes, graph, numNodes);
    return umsim_leave(tell_nodes(umsim_graph_of(graph), nodes, numNodes, false));
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *pRootNodes, size_t *pNumRootNodes)
{
    UMSIM_ENTER(cudaGraphGetRootNodes, graph, pNumRootNodes);
    return umsim_leave(tell_nodes(umsim_graph_of(graph), pRootNodes, pNumRootNodes, true));
}

cudaError_t cudaGraphGetEdges(cudaGraph_t handle, cudaGraphNode_t *from, cudaGraphNode_t *to,
                              cudaGraphEdgeData *edgeData, size_t *numEdges)
{
    UMSIM_ENTER(cudaGraphGetEdges, handle, numEdges);
    const struct umsim_graph *graph = umsim_graph_of(handle);
    if (!graph || !numEdges || !from != !to)
        return umsim_leave(cudaErrorInvalidValue);
    struct answer answer = answer_of(from, to, edgeData, numEdges);
    for (struct umsim_node *node = graph->first; node; node = node->next)
        for (size_t i = 0; i < node->after_count; i++)
            tell(&answer, node->after[i], node);
    return umsim_leave(told(&answer, numEdges));
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t handle, cudaGraphNode_t *pDependencies,
                                         cudaGraphEdgeData *edgeData, size_t *pNumDependencies)
{
    UMSIM_ENTER(cudaGraphNodeGetDependencies, handle, pNumDependencies);
    const struct umsim_node *node = umsim_node_of(handle);
    if (!node || !pNumDependencies)
        return umsim_leave(cudaErrorInvalidValue);
    struct answer answer = answer_of(pDependencies, NULL, edgeData, pNumDependencies);
    for (size_t i = 0; i < node->after_count; i++)
        tell(&answer, node->after[i], NULL);
    return umsim_leave(told(&answer, pNumDependencies));
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t handle, cudaGraphNode_t *pDependentNodes,
                                           cudaGraphEdgeData *edgeData, size_t *pNumDependentNodes)
{
    UMSIM_ENTER(cudaGraphNodeGetDependentNodes, handle, pNumDependentNodes);
    const struct umsim_node *node = umsim_node_of(handle);
    if (!node || !pNumDependentNodes)
        return umsim_leave(cudaErrorInvalidValue);
    struct answer answer = answer_of(pDependentNodes, NULL, edgeData, pNumDependentNodes);
    for (struct umsim_node *other = node->graph->first; other; other = other->next)
        if (umsim_node_comes_after(other, node))
            tell(&answer, other, NULL);
    return umsim_leave(told(&answer, pNumDependentNodes));
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t handle, enum cudaGraphNodeType *pType)
{
    UMSIM_ENTER(cudaGraphNodeGetType, handle, pType);
    const struct umsim_node *node = umsim_node_of(handle);
    if (!node || !pType)
        return umsim_leave(cudaErrorInvalidValue);
    *pType = node->work.type;
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *pNode, cudaGraphNode_t originalNode,
                                     cudaGraph_t clonedGraph)
{
    UMSIM_ENTER(cudaGraphNodeFindInClone, pNode, originalNode, clonedGraph);
    const struct umsim_graph *clone = umsim_graph_of(clonedGraph);
    const struct umsim_node *wanted = umsim_node_of(originalNode);
    if (!pNode || !clone || !wanted)
        return umsim_leave(cudaErrorInvalidValue);
    for (struct umsim_node *node = clone->first; node; node = node->next)
        if (node->origin == wanted->origin && node != wanted) {
            *pNode = (cudaGraphNode_t)node;
            return umsim_leave(cudaSuccess);
        }
    return umsim_leave(cudaErrorInvalidValue);
}

/* ---- changing the order ---- */

/* Checks the pairs: nodes of the graph that depend on each other, or (`adds`) that do not yet. */
static cudaError_t check_pairs(cudaGraph_t handle, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                               const cudaGraphEdgeData *data, size_t count, bool adds)
{
    const struct umsim_graph *graph = umsim_graph_of(handle);
    if (!graph || (count && (!from || !to)))
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; i++) {
        const struct umsim_node *first = umsim_node_of(from[i]), *second = umsim_node_of(to[i]);
        if (!first || !second || first == second || first->graph != graph || second->graph != graph ||
            umsim_node_comes_after(second, first) == adds)
            return cudaErrorInvalidValue;
    }
    if (!adds && umsim_graph_has_memory(graph))
        return cudaErrorNotSupported;
    return umsim_edges_are_plain(data, count) ? cudaSuccess : cudaErrorNotSupported;
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t handle, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, const cudaGraphEdgeData *edgeData,
                                     size_t numDependencies)
{
    UMSIM_ENTER(cudaGraphAddDependencies, handle, numDependencies);
    cudaError_t error = check_pairs(handle, from, to, edgeData, numDependencies, true);
    for (size_t i = 0; i < numDependencies && !error; i++)
        if (!umsim_node_add_after((struct umsim_node *)to[i], (struct umsim_node *)from[i]))
            error = cudaErrorMemoryAllocation;
    return umsim_leave(error);
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t handle, const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to, const cudaGraphEdgeData *edgeData,
                                        size_t numDependencies)
{
    UMSIM_ENTER(cudaGraphRemoveDependencies, handle, numDependencies);
    cudaError_t error = check_pairs(handle, from, to, edgeData, numDependencies, false);
    for (size_t i = 0; i < numDependencies && !error; i++) {
        struct umsim_node *node = (struct umsim_node *)to[i];
        for (size_t k = 0; k < node->after_count; k++)
            if (node->after[k] == (struct umsim_node *)from[i])
                node->after[k--] = node->after[--node->after_count];
    }
    return umsim_leave(error);
}
