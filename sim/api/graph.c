/**
 * @file graph.c
 * @brief Graphs and their nodes (CUDA Runtime API, Graph Management).
 *
 * graph_edges.c has what is asked of nodes and of their order, graph_nodes.c the making of nodes,
 * graph_params.c their parameters, graph_exec.c executable graphs.
 */
#include "graph.h"
#include "graph_memory.h"
#include "graph_objects.h"

#include <stdlib.h>
#include <string.h>

static struct umsim_graph *graphs;

struct umsim_graph *umsim_graph_of(cudaGraph_t handle)
{
    return umsim_graph_is((struct umsim_graph *)handle) ? (struct umsim_graph *)handle : NULL;
}

struct umsim_node *umsim_node_of(cudaGraphNode_t handle)
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
    graph->listed = true;
}

static void unlist(struct umsim_graph *graph)
{
    struct umsim_graph **link = &graphs;
    while (*link != graph)
        link = &(*link)->next;
    *link = graph->next;
    graph->listed = false;
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
    if (from->memory)
        umsim_graph_memory_hold(from->memory);
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
    if (work->memory)
        umsim_graph_memory_drop(work->memory);
    if (work->type != cudaGraphNodeTypeKernel)
        return;
    free((void *)work->launch.closure);
    free((void *)work->launch.declared);
}

/* ---- nodes ---- */

bool umsim_node_comes_after(const struct umsim_node *node, const struct umsim_node *other)
{
    for (size_t i = 0; i < node->after_count; i++)
        if (node->after[i] == other)
            return true;
    return false;
}

bool umsim_node_is_behind(struct umsim_node *const *from, size_t count, const struct umsim_node *node,
                          bool *seen)
{
    for (size_t i = 0; i < count; i++) {
        if (from[i] == node)
            return true;
        if (seen[from[i]->index])
            continue;
        seen[from[i]->index] = true;
        if (umsim_node_is_behind(from[i]->after, from[i]->after_count, node, seen))
            return true;
    }
    return false;
}

bool umsim_node_add_after(struct umsim_node *node, struct umsim_node *other)
{
    if (umsim_node_comes_after(node, other))
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
    for (unsigned i = 0; node->body && i < node->work.condition.size; i++)
        umsim_graph_free(node->body[i]);
    free(node->body);
    free(node->told);
    free(node->attributes);
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
    if (!node->work.on)
        node->work.on = umsim_device() + 1;
    node->graph = graph;
    node->id = node->origin = ++made;
    if (work->type == cudaGraphNodeTypeConditional && !umsim_condition_bodies(node)) {
        node_free(node);
        return NULL;
    }
    if (node->work.type == cudaGraphNodeTypeGraph && !node->work.child->listed) {
        umsim_graph_list(node->work.child);
        node->work.child->owned = true;
    }
    for (size_t i = 0; i < after_count; i++)
        if (after[i]->graph != graph || !umsim_node_add_after(node, after[i])) {
            node_free(node);
            return NULL;
        }
    struct umsim_node **last = &graph->first;
    while (*last)
        last = &(*last)->next;
    *last = node;
    return node;
}

bool umsim_graph_has(const struct umsim_graph *graph, enum cudaGraphNodeType type)
{
    for (const struct umsim_node *node = graph->first; node; node = node->next) {
        if (node->work.type == type || (node->work.child && umsim_graph_has(node->work.child, type)))
            return true;
        for (unsigned i = 0; node->body && i < node->work.condition.size; i++)
            if (umsim_graph_has(node->body[i], type))
                return true;
    }
    return false;
}

bool umsim_graph_has_memory(const struct umsim_graph *graph)
{
    return umsim_graph_has(graph, cudaGraphNodeTypeMemAlloc) ||
           umsim_graph_has(graph, cudaGraphNodeTypeMemFree);
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
    if (!graph)
        return;
    if (graph->listed)
        unlist(graph);
    umsim_objects_drop(graph->kept, NULL);
    free(graph->defaults);
    free(graph);
}

/* A node may depend on nodes that were made later. So all nodes are copied first, then their dependencies. */
static struct umsim_graph *graph_copy(const struct umsim_graph *graph)
{
    struct umsim_graph *copy = umsim_graph_make();
    const size_t count = umsim_graph_count((struct umsim_graph *)graph);
    struct umsim_node **made = calloc(count + 1, sizeof(struct umsim_node *));
    bool good = copy && made && umsim_objects_copy(&copy->kept, graph->kept);
    for (const struct umsim_node *node = graph->first; good && node; node = node->next) {
        good = (made[node->index] = umsim_node_add(copy, NULL, 0, &node->work));
        if (good)
            made[node->index]->origin = node->origin;
    }
    for (const struct umsim_node *node = graph->first; good && node; node = node->next)
        for (size_t i = 0; good && i < node->after_count; i++)
            good = umsim_node_add_after(made[node->index], made[node->after[i]->index]);
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
    struct umsim_graph *graph = umsim_graph_of(handle);
    if (!graph || graph->owned)
        return umsim_leave(cudaErrorInvalidValue);
    umsim_graph_free(graph);
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaGraphClone(cudaGraph_t *pGraphClone, cudaGraph_t originalGraph)
{
    UMSIM_ENTER(cudaGraphClone, pGraphClone, originalGraph);
    const struct umsim_graph *graph = umsim_graph_of(originalGraph);
    if (!pGraphClone || !graph)
        return umsim_leave(cudaErrorInvalidValue);
    if (umsim_graph_has_memory(graph) || umsim_graph_has(graph, cudaGraphNodeTypeConditional))
        return umsim_leave(cudaErrorNotSupported);
    struct umsim_graph *copy = graph_copy(graph);
    *pGraphClone = (cudaGraph_t)copy;
    if (copy)
        umsim_graph_list(copy);
    return umsim_leave(copy ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t handle)
{
    UMSIM_ENTER(cudaGraphDestroyNode, handle);
    struct umsim_node *node = umsim_node_of(handle);
    if (!node)
        return umsim_leave(cudaErrorInvalidValue);
    if (umsim_graph_has_memory(node->graph))
        return umsim_leave(cudaErrorNotSupported);
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
