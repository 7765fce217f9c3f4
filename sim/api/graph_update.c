/**
 * @file graph_update.c
 * @brief Changes executable graphs: single nodes, all nodes, and which of them run (CUDA Runtime API, Graph
 * Management).
 */
#include "graph_exec.h"

#include <string.h>

void umsim_exec_settle(struct umsim_exec *exec)
{
    bool asks = false;
    for (size_t i = 0; i < exec->count; i++)
        asks |= exec->node[i].body != NULL;
    if (!asks || !exec->last)
        return;
    struct umsim_op *last = umsim_op_hold(exec->last);
    umsim_queue_finish(last); /* the caller's clock does not wait for it */
    umsim_op_drop(last);
}

static struct umsim_exec_node *node_in(struct umsim_exec *exec, uint64_t id)
{
    for (size_t i = 0; i < exec->count; i++) {
        if (exec->node[i].id == id)
            return &exec->node[i];
        for (unsigned k = 0; exec->node[i].body && exec->node[i].body[k]; k++) {
            struct umsim_exec_node *found = node_in(exec->node[i].body[k], id);
            if (found)
                return found;
        }
    }
    return NULL;
}

static struct umsim_exec_node *node_of(cudaGraphExec_t handle, uint64_t id)
{
    struct umsim_exec *exec = umsim_exec_of(handle);
    if (exec)
        umsim_exec_settle(exec);
    return exec ? node_in(exec, id) : NULL;
}

static cudaError_t give(struct umsim_exec_node *node, const struct umsim_work *work)
{
    struct umsim_work mine;
    if (!umsim_work_copy(&mine, work))
        return cudaErrorMemoryAllocation;
    if (!mine.on)
        mine.on = node->work.on;
    umsim_work_free(&node->work);
    node->work = mine;
    return cudaSuccess;
}

cudaError_t umsim_exec_change(cudaGraphExec_t handle, uint64_t id, const struct umsim_work *work)
{
    struct umsim_exec_node *node = node_of(handle, id);
    return node && node->work.type == work->type ? give(node, work) : cudaErrorInvalidValue;
}

/* ---- whether a node runs ---- */

static struct umsim_exec_node *switchable(cudaGraphExec_t exec, cudaGraphNode_t handle)
{
    const struct umsim_node *node = umsim_node_of(handle);
    struct umsim_exec_node *it = node ? node_of(exec, node->id) : NULL;
    const bool fits =
        it && (it->work.type == cudaGraphNodeTypeKernel || it->work.type == cudaGraphNodeTypeMemcpy ||
               it->work.type == cudaGraphNodeTypeMemset);
    return fits ? it : NULL;
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode, unsigned int isEnabled)
{
    UMSIM_ENTER(cudaGraphNodeSetEnabled, hGraphExec, hNode, isEnabled);
    struct umsim_exec_node *node = switchable(hGraphExec, hNode);
    if (!node)
        return umsim_leave(cudaErrorInvalidValue);
    node->disabled = !isEnabled;
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode,
                                    unsigned int *isEnabled)
{
    UMSIM_ENTER(cudaGraphNodeGetEnabled, hGraphExec, hNode, isEnabled);
    const struct umsim_exec_node *node = switchable(hGraphExec, hNode);
    if (!node || !isEnabled)
        return umsim_leave(cudaErrorInvalidValue);
    *isEnabled = !node->disabled;
    return umsim_leave(cudaSuccess);
}

/* ---- all nodes ---- */

static enum cudaGraphExecUpdateResult compare(const struct umsim_exec *exec, const struct umsim_exec *wanted,
                                              size_t *at);

/* What stays as it is: memory, how a condition chooses; the graphs of a condition have the same shape. A
 * graph that was made anew has numbers of its own. */
static enum cudaGraphExecUpdateResult compare_nodes(const struct umsim_exec_node *a,
                                                    const struct umsim_exec_node *b)
{
    size_t at;
    if (a->work.type != b->work.type)
        return cudaGraphExecUpdateErrorNodeTypeChanged;
    if (a->work.memory != b->work.memory || a->work.condition.type != b->work.condition.type ||
        a->work.condition.size != b->work.condition.size)
        return cudaGraphExecUpdateErrorParametersChanged;
    for (unsigned k = 0; a->body && a->body[k]; k++) {
        const enum cudaGraphExecUpdateResult result = compare(a->body[k], b->body[k], &at);
        if (result)
            return result;
    }
    return cudaGraphExecUpdateSuccess;
}

static enum cudaGraphExecUpdateResult compare(const struct umsim_exec *exec, const struct umsim_exec *wanted,
                                              size_t *at)
{
    *at = 0;
    if (exec->count != wanted->count)
        return cudaGraphExecUpdateErrorTopologyChanged;
    for (size_t i = 0; i < exec->count; i++) {
        const struct umsim_exec_node *a = &exec->node[i], *b = &wanted->node[i];
        *at = i;
        if (a->after_count != b->after_count ||
            (a->after_count && memcmp(a->after, b->after, a->after_count * sizeof *a->after) != 0))
            return cudaGraphExecUpdateErrorTopologyChanged;
        const enum cudaGraphExecUpdateResult result = compare_nodes(a, b);
        if (result)
            return result;
    }
    return cudaGraphExecUpdateSuccess;
}

#define EXCHANGE(a, b)                                                                                       \
    do {                                                                                                     \
        __typeof__(a) before_ = (a);                                                                         \
        (a) = (b);                                                                                           \
        (b) = before_;                                                                                       \
    } while (0)

/* Exchanges what the nodes of two graphs of the same shape do, and what goes with it: the numbers that
 * conditions ask, the program's objects. */
static void exchange(struct umsim_exec *exec, struct umsim_exec *other)
{
    EXCHANGE(exec->defaults, other->defaults);
    EXCHANGE(exec->default_count, other->default_count);
    EXCHANGE(exec->kept, other->kept);
    for (size_t i = 0; i < exec->count; i++) {
        EXCHANGE(exec->node[i].work, other->node[i].work);
        for (unsigned k = 0; exec->node[i].body && exec->node[i].body[k]; k++)
            exchange(exec->node[i].body[k], other->node[i].body[k]);
    }
}

static cudaGraphNode_t node_with(const struct umsim_graph *graph, uint64_t id)
{
    for (struct umsim_node *node = graph->first; node; node = node->next)
        if (node->id == id)
            return (cudaGraphNode_t)node;
    return NULL;
}

static cudaError_t update(struct umsim_exec *exec, struct umsim_graph *graph,
                          cudaGraphExecUpdateResultInfo *info)
{
    struct umsim_exec *wanted = umsim_exec_make(graph, false);
    *info = (cudaGraphExecUpdateResultInfo){.result = cudaGraphExecUpdateError};
    if (!wanted)
        return cudaErrorInvalidValue;
    size_t at;
    umsim_exec_settle(exec);
    info->result = compare(exec, wanted, &at);
    if (!info->result) {
        exchange(exec, wanted);
        if (exec->last) /* what is under way may still use what is dropped */
            wanted->last = umsim_op_hold(exec->last);
    } else if (at < wanted->count && exec->count == wanted->count)
        info->errorNode = node_with(graph, wanted->node[at].id);
    umsim_exec_drop(wanted);
    return info->result ? cudaErrorGraphExecUpdateFailure : cudaSuccess;
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t hGraphExec, cudaGraph_t hGraph,
                                cudaGraphExecUpdateResultInfo *resultInfo)
{
    UMSIM_ENTER(cudaGraphExecUpdate, hGraphExec, hGraph, resultInfo);
    struct umsim_exec *exec = umsim_exec_of(hGraphExec);
    struct umsim_graph *graph = umsim_graph_of(hGraph);
    if (!exec || !graph || !resultInfo)
        return umsim_leave(cudaErrorInvalidValue);
    return umsim_leave(update(exec, graph, resultInfo));
}

/* ---- a graph within a graph: its nodes are nodes of the executable graph ---- */

static cudaError_t compare_child(struct umsim_exec *exec, const struct umsim_graph *mine,
                                 const struct umsim_graph *wanted, bool changes)
{
    const struct umsim_node *a = mine->first, *b = wanted->first;
    cudaError_t error = cudaSuccess;
    for (; a && b && !error; a = a->next, b = b->next) {
        struct umsim_exec_node *node = node_in(exec, a->id);
        if (!node || a->work.type != b->work.type || a->after_count != b->after_count)
            return cudaErrorInvalidValue;
        for (size_t i = 0; i < a->after_count; i++)
            if (a->after[i]->index != b->after[i]->index)
                return cudaErrorInvalidValue;
        if (a->work.type == cudaGraphNodeTypeGraph)
            error = compare_child(exec, a->work.child, b->work.child, changes);
        else if (changes)
            error = give(node, &b->work);
    }
    return error || !(a || b) ? error : cudaErrorInvalidValue;
}

static void number(struct umsim_graph *graph)
{
    umsim_graph_count(graph);
    for (struct umsim_node *node = graph->first; node; node = node->next)
        if (node->work.type == cudaGraphNodeTypeGraph)
            number(node->work.child);
}

cudaError_t umsim_exec_change_child(cudaGraphExec_t handle, cudaGraphNode_t node_handle, cudaGraph_t child)
{
    struct umsim_exec *exec = umsim_exec_of(handle);
    const struct umsim_node *node = umsim_node_of(node_handle);
    struct umsim_graph *wanted = umsim_graph_of(child);
    if (!exec || !node || !wanted || node->work.type != cudaGraphNodeTypeGraph)
        return cudaErrorInvalidValue;
    umsim_exec_settle(exec);
    number(node->work.child);
    number(wanted);
    cudaError_t error = compare_child(exec, node->work.child, wanted, false);
    return error ? error : compare_child(exec, node->work.child, wanted, true);
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                                 cudaGraph_t childGraph)
{
    UMSIM_ENTER(cudaGraphExecChildGraphNodeSetParams, hGraphExec, node, childGraph);
    return umsim_leave(umsim_exec_change_child(hGraphExec, node, childGraph));
}
