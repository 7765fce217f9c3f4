/**
 * @file graph_exec.c
 * @brief Makes executable graphs (CUDA Runtime API, Graph Management).
 *
 * An executable graph is flat: the child graphs in its nodes are unfolded, and its nodes are in an order in
 * which they can run. Nodes that may overlap are spread over lanes. The first lane is the stream that the
 * graph is launched into; the others are streams that belong to the executable graph. The graphs of a
 * conditional node are executable graphs, too, whose first lane is a stream of their own.
 */
#include "graph_exec.h"
#include "graph_memory.h"
#include "graph_objects.h"

#include <stdlib.h>

static struct umsim_exec *execs;

struct umsim_exec *umsim_exec_of(cudaGraphExec_t handle)
{
    for (struct umsim_exec *exec = execs; exec; exec = exec->next)
        if (exec == (struct umsim_exec *)handle)
            return exec;
    return NULL;
}

/* ---- making one ---- */

#define NONE SIZE_MAX

/* @return its index, or NONE without memory */
static size_t append(struct umsim_exec *exec, uint64_t id, const struct umsim_work *work)
{
    struct umsim_exec_node *grown = realloc(exec->node, (exec->count + 1) * sizeof *grown);
    if (!grown)
        return NONE;
    exec->node = grown;
    grown[exec->count] = (struct umsim_exec_node){.id = id};
    if (!umsim_work_copy(&grown[exec->count].work, work))
        return NONE;
    return exec->count++;
}

/* Makes the graphs of a conditional node executable. */
static bool append_bodies(struct umsim_exec_node *it, const struct umsim_node *node)
{
    const unsigned size = node->work.condition.size;
    it->body = calloc(size + 1, sizeof(struct umsim_exec *));
    for (unsigned i = 0; it->body && i < size; i++) {
        it->body[i] = umsim_exec_make(node->body[i], true);
        if (!it->body[i])
            return false;
    }
    return it->body != NULL;
}

/* The numbers that the graph's conditions begin with. */
static bool append_defaults(struct umsim_exec *exec, const struct umsim_graph *graph)
{
    if (!graph->default_count)
        return true;
    struct umsim_default *grown =
        realloc(exec->defaults, (exec->default_count + graph->default_count) * sizeof *exec->defaults);
    if (!grown)
        return false;
    exec->defaults = grown;
    for (size_t i = 0; i < graph->default_count; i++)
        exec->defaults[exec->default_count++] = graph->defaults[i];
    return true;
}

static bool comes_after(struct umsim_exec *exec, size_t node, size_t other)
{
    struct umsim_exec_node *it = &exec->node[node];
    size_t *grown = realloc(it->after, (it->after_count + 1) * sizeof *grown);
    if (!grown)
        return false;
    it->after = grown;
    it->after[it->after_count++] = other;
    return true;
}

static bool flatten(struct umsim_exec *exec, struct umsim_graph *graph, size_t entry, size_t *exit);

/* Places a node whose predecessors have been placed.
 * @return where it ends, or NONE when it cannot be placed */
static size_t place(struct umsim_exec *exec, const struct umsim_node *node, const size_t *done, size_t entry)
{
    static const struct umsim_work nothing = {.type = cudaGraphNodeTypeEmpty};
    const bool is_graph = node->work.type == cudaGraphNodeTypeGraph;
    size_t at = append(exec, node->id, is_graph ? &nothing : &node->work), end;
    bool good = at != NONE && (node->after_count || entry == NONE || comes_after(exec, at, entry));
    for (size_t i = 0; good && i < node->after_count; i++)
        good = comes_after(exec, at, done[node->after[i]->index]);
    if (good && node->work.type == cudaGraphNodeTypeConditional)
        good = append_bodies(&exec->node[at], node);
    if (!good || !is_graph)
        return good ? at : NONE;
    return flatten(exec, node->work.child, at, &end) ? end : NONE;
}

static bool is_ready(const struct umsim_node *node, const size_t *done)
{
    for (size_t i = 0; i < node->after_count; i++)
        if (done[node->after[i]->index] == NONE)
            return false;
    return true;
}

/* Adds a node that depends on all nodes on which no other depends. */
static size_t place_exit(struct umsim_exec *exec, size_t entry)
{
    static const struct umsim_work nothing = {.type = cudaGraphNodeTypeEmpty};
    const size_t count = exec->count, at = append(exec, 0, &nothing);
    bool good = at != NONE;
    for (size_t i = entry; good && i < count; i++) {
        bool last = true;
        for (size_t j = i + 1; j < count; j++)
            for (size_t k = 0; k < exec->node[j].after_count; k++)
                last &= exec->node[j].after[k] != i;
        good = !last || comes_after(exec, at, i);
    }
    return good ? at : NONE;
}

/* Nodes mostly are in an order in which they can run, so one round usually places all of them. */
static bool flatten(struct umsim_exec *exec, struct umsim_graph *graph, size_t entry, size_t *exit)
{
    const size_t count = umsim_graph_count(graph);
    const bool begun = append_defaults(exec, graph) && umsim_objects_copy(&exec->kept, graph->kept);
    size_t *done = begun ? malloc((count + 1) * sizeof *done) : NULL, left = count;
    for (size_t i = 0; done && i < count; i++)
        done[i] = NONE;
    bool good = done, progress = true;
    while (good && left && progress) {
        progress = false;
        for (const struct umsim_node *node = graph->first; good && node; node = node->next) {
            if (done[node->index] != NONE || !is_ready(node, done))
                continue;
            done[node->index] = place(exec, node, done, entry);
            good = done[node->index] != NONE;
            progress = true;
            left--;
        }
    }
    free(done);
    if (good && !left && entry != NONE)
        *exit = place_exit(exec, entry);
    return good && !left && (entry == NONE || *exit != NONE);
}

/* A node continues the lane of a node that it depends on, if it is the first to do so. */
static bool choose_lanes(struct umsim_exec *exec)
{
    bool *continued = calloc(exec->count + 1, sizeof *continued);
    for (size_t i = 0; continued && i < exec->count; i++) {
        struct umsim_exec_node *node = &exec->node[i];
        size_t before = NONE;
        for (size_t k = 0; before == NONE && k < node->after_count; k++)
            if (!continued[node->after[k]])
                before = node->after[k];
        node->lane = before != NONE ? exec->node[before].lane : exec->lanes++ % UMSIM_LANES_MAX;
        if (before != NONE)
            continued[before] = true;
    }
    if (exec->lanes > UMSIM_LANES_MAX)
        exec->lanes = UMSIM_LANES_MAX;
    free(continued);
    return continued != NULL;
}

static bool make_lanes(struct umsim_exec *exec)
{
    if (!exec->lanes)
        exec->lanes = 1;
    for (unsigned i = exec->is_body ? 0 : 1; i < exec->lanes; i++) {
        exec->lane[i] = calloc(1, sizeof *exec->lane[i]);
        if (!exec->lane[i])
            return false;
        exec->lane[i]->flags = cudaStreamNonBlocking;
        umsim_stream_add(exec->lane[i]);
    }
    return true;
}

static void node_end(struct umsim_exec *exec, struct umsim_exec_node *node)
{
    if (node->work.memory && *umsim_graph_memory_user(node->work.memory) == exec)
        *umsim_graph_memory_user(node->work.memory) = NULL;
    for (unsigned i = 0; node->body && node->body[i]; i++)
        umsim_exec_drop(node->body[i]);
    free(node->body);
    umsim_work_free(&node->work);
    free(node->after);
}

void umsim_exec_drop(struct umsim_exec *exec)
{
    if (--exec->references)
        return;
    for (size_t i = 0; i < exec->count; i++)
        node_end(exec, &exec->node[i]);
    for (unsigned i = exec->is_body ? 0 : 1; i < exec->lanes; i++)
        if (exec->lane[i])
            umsim_stream_retire(exec->lane[i]);
    umsim_objects_drop(exec->kept, exec->last);
    if (exec->last)
        umsim_op_drop(exec->last);
    free(exec->defaults);
    free(exec->node);
    free(exec);
}

struct umsim_exec *umsim_exec_make(struct umsim_graph *graph, bool is_body)
{
    struct umsim_exec *exec = calloc(1, sizeof *exec);
    if (!exec)
        return NULL;
    exec->references = 1;
    exec->is_body = is_body;
    if (flatten(exec, graph, NONE, NULL) && choose_lanes(exec) && make_lanes(exec))
        return exec;
    umsim_exec_drop(exec);
    return NULL;
}

/* What a conditional node runs consists of kernels, copies, memsets, graphs and conditions. */
static bool fits_in_body(const struct umsim_graph *graph)
{
    static const enum cudaGraphNodeType others[] = {cudaGraphNodeTypeHost, cudaGraphNodeTypeWaitEvent,
                                                    cudaGraphNodeTypeEventRecord, cudaGraphNodeTypeMemAlloc,
                                                    cudaGraphNodeTypeMemFree};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (umsim_graph_has(graph, others[i]))
            return false;
    return true;
}

/* The first node that stands in the way, or NULL. */
static struct umsim_node *unfit_node(const struct umsim_graph *graph)
{
    for (struct umsim_node *node = graph->first; node; node = node->next) {
        if (node->work.type == cudaGraphNodeTypeMemAlloc && *umsim_graph_memory_user(node->work.memory))
            return node;
        for (unsigned i = 0; node->body && i < node->work.condition.size; i++)
            if (!fits_in_body(node->body[i]))
                return node;
    }
    return NULL;
}

/* Memory belongs to one executable graph at a time, but for memory that another graph frees. */
static void take_memory(struct umsim_exec *exec)
{
    for (size_t i = 0; i < exec->count; i++)
        if (exec->node[i].work.type == cudaGraphNodeTypeMemAlloc)
            *umsim_graph_memory_user(exec->node[i].work.memory) = exec;
}

static cudaError_t instantiate(cudaGraphExec_t *out, cudaGraph_t handle, cudaGraphInstantiateParams *params)
{
    struct umsim_graph *graph = (struct umsim_graph *)handle;
    params->errNode_out = NULL;
    params->result_out = cudaGraphInstantiateError;
    if (!out || !umsim_graph_is(graph))
        return cudaErrorInvalidValue;
    const bool refused = graph->is_body || (params->flags & cudaGraphInstantiateFlagDeviceLaunch);
    params->errNode_out = (cudaGraphNode_t)unfit_node(graph);
    params->result_out = cudaGraphInstantiateNodeOperationNotSupported;
    if (refused || params->errNode_out)
        return cudaErrorNotSupported;
    struct umsim_exec *exec = umsim_exec_make(graph, false);
    *out = (cudaGraphExec_t)exec;
    params->result_out = exec ? cudaGraphInstantiateSuccess : cudaGraphInstantiateInvalidStructure;
    if (!exec)
        return cudaErrorInvalidValue;
    take_memory(exec);
    exec->flags = params->flags;
    exec->next = execs;
    execs = exec;
    return cudaSuccess;
}

static cudaError_t instantiate_plain(cudaGraphExec_t *out, cudaGraph_t graph, unsigned long long flags)
{
    cudaGraphInstantiateParams params = {.flags = flags};
    return instantiate(out, graph, &params);
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *pGraphExec, cudaGraph_t graph, unsigned long long flags)
{
    UMSIM_ENTER(cudaGraphInstantiate, pGraphExec, graph, flags);
    return umsim_leave(instantiate_plain(pGraphExec, graph, flags));
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *pGraphExec, cudaGraph_t graph,
                                          unsigned long long flags)
{
    UMSIM_ENTER(cudaGraphInstantiateWithFlags, pGraphExec, graph, flags);
    return umsim_leave(instantiate_plain(pGraphExec, graph, flags));
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t handle)
{
    UMSIM_ENTER(cudaGraphExecDestroy, handle);
    for (struct umsim_exec **link = &execs; *link; link = &(*link)->next) {
        struct umsim_exec *exec = *link;
        if (exec != (struct umsim_exec *)handle)
            continue;
        *link = exec->next;
        umsim_exec_drop(exec);
        return umsim_leave(cudaSuccess);
    }
    return umsim_leave(cudaErrorInvalidValue);
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *pGraphExec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams *instantiateParams)
{
    UMSIM_ENTER(cudaGraphInstantiateWithParams, pGraphExec, graph, instantiateParams);
    if (!instantiateParams)
        return umsim_leave(cudaErrorInvalidValue);
    return umsim_leave(instantiate(pGraphExec, graph, instantiateParams));
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t graphExec, unsigned long long *flags)
{
    UMSIM_ENTER(cudaGraphExecGetFlags, graphExec, flags);
    const struct umsim_exec *exec = umsim_exec_of(graphExec);
    if (!exec || !flags)
        return umsim_leave(cudaErrorInvalidValue);
    *flags = exec->flags;
    return umsim_leave(cudaSuccess);
}
