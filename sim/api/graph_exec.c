/**
 * @file graph_exec.c
 * @brief Executable graphs and their launches (CUDA Runtime API, Graph Management).
 *
 * An executable graph is flat: the child graphs in its nodes are unfolded, and its nodes are in an order in
 * which they can run. Nodes that may overlap are spread over lanes. The first lane is the stream that the
 * graph is launched into; the others are streams that belong to the executable graph. A launch therefore
 * issues what a program could have issued itself, with events between streams; only the price differs.
 */
#include "graph.h"
#include "../record/counters.h"
#include "../base/sticky.h"

#include <stdlib.h>
#include <string.h>

/** When a graph has more branches than this, branches share lanes. */
#define LANES_MAX 32

struct exec_node {
    uint64_t id;
    struct umsim_work work;
    size_t *after, after_count; /* indices lower than its own */
    unsigned lane;
    struct umsim_op *done; /* set while the graph is launched */
};

struct umsim_exec {
    struct exec_node *node;
    size_t count;
    unsigned lanes;
    struct umsim_stream *lane[LANES_MAX]; /* [0] is not used */
    struct umsim_op *last;                /* of its last launch */
    struct umsim_exec *next;
};

static struct umsim_exec *execs;

static struct umsim_exec *exec_of(cudaGraphExec_t handle)
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
    struct exec_node *grown = realloc(exec->node, (exec->count + 1) * sizeof *grown);
    if (!grown)
        return NONE;
    exec->node = grown;
    grown[exec->count] = (struct exec_node){.id = id};
    if (!umsim_work_copy(&grown[exec->count].work, work))
        return NONE;
    return exec->count++;
}

static bool comes_after(struct umsim_exec *exec, size_t node, size_t other)
{
    struct exec_node *it = &exec->node[node];
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
    size_t *done = malloc((count + 1) * sizeof *done), left = count;
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
        struct exec_node *node = &exec->node[i];
        size_t before = NONE;
        for (size_t k = 0; before == NONE && k < node->after_count; k++)
            if (!continued[node->after[k]])
                before = node->after[k];
        node->lane = before != NONE ? exec->node[before].lane : exec->lanes++ % LANES_MAX;
        if (before != NONE)
            continued[before] = true;
    }
    if (exec->lanes > LANES_MAX)
        exec->lanes = LANES_MAX;
    free(continued);
    return continued != NULL;
}

static bool make_lanes(struct umsim_exec *exec)
{
    for (unsigned i = 1; i < exec->lanes; i++) {
        exec->lane[i] = calloc(1, sizeof *exec->lane[i]);
        if (!exec->lane[i])
            return false;
        exec->lane[i]->flags = cudaStreamNonBlocking;
        umsim_stream_add(exec->lane[i]);
    }
    return true;
}

static void exec_free(struct umsim_exec *exec)
{
    for (size_t i = 0; i < exec->count; i++) {
        umsim_work_free(&exec->node[i].work);
        free(exec->node[i].after);
    }
    for (unsigned i = 1; i < exec->lanes; i++)
        if (exec->lane[i])
            umsim_stream_retire(exec->lane[i]);
    if (exec->last)
        umsim_op_drop(exec->last);
    free(exec->node);
    free(exec);
}

static struct umsim_exec *exec_make(struct umsim_graph *graph)
{
    struct umsim_exec *exec = calloc(1, sizeof *exec);
    if (exec && flatten(exec, graph, NONE, NULL) && choose_lanes(exec) && make_lanes(exec))
        return exec;
    if (exec)
        exec_free(exec);
    return NULL;
}

static cudaError_t instantiate(cudaGraphExec_t *out, cudaGraph_t handle, unsigned long long flags)
{
    struct umsim_graph *graph = (struct umsim_graph *)handle;
    if (!out || !umsim_graph_is(graph))
        return cudaErrorInvalidValue;
    if (flags & cudaGraphInstantiateFlagDeviceLaunch)
        return cudaErrorNotSupported;
    struct umsim_exec *exec = exec_make(graph);
    *out = (cudaGraphExec_t)exec;
    if (!exec)
        return cudaErrorInvalidValue;
    exec->next = execs;
    execs = exec;
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *pGraphExec, cudaGraph_t graph, unsigned long long flags)
{
    UMSIM_ENTER(cudaGraphInstantiate, pGraphExec, graph, flags);
    return umsim_leave(instantiate(pGraphExec, graph, flags));
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *pGraphExec, cudaGraph_t graph,
                                          unsigned long long flags)
{
    UMSIM_ENTER(cudaGraphInstantiateWithFlags, pGraphExec, graph, flags);
    return umsim_leave(instantiate(pGraphExec, graph, flags));
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t handle)
{
    UMSIM_ENTER(cudaGraphExecDestroy, handle);
    for (struct umsim_exec **link = &execs; *link; link = &(*link)->next) {
        struct umsim_exec *exec = *link;
        if (exec != (struct umsim_exec *)handle)
            continue;
        *link = exec->next;
        exec_free(exec);
        return umsim_leave(cudaSuccess);
    }
    return umsim_leave(cudaErrorInvalidValue);
}

/* ---- launching it ---- */

/* Adds nothing but order: `stream` goes on after `other`. */
static bool wait_for(struct umsim_stream *stream, struct umsim_op *other)
{
    struct umsim_op *op = umsim_op_make(sizeof *op, "graph node");
    if (op)
        umsim_op_issue_after(op, stream, other);
    return op != NULL;
}

static cudaError_t issue(const struct umsim_work *work, struct umsim_stream *stream)
{
    struct umsim_copy copy = work->copy;
    struct umsim_set set = work->set;
    struct umsim_launch_request launch = work->launch;
    switch (work->type) {
    case cudaGraphNodeTypeKernel:
        launch.in_graph = true;
        return umsim_launch_issue(&launch, stream) ? cudaSuccess : cudaErrorMemoryAllocation;
    case cudaGraphNodeTypeMemcpy:
        copy.in_graph = copy.async = true;
        return umsim_copy_issue(&copy, stream);
    case cudaGraphNodeTypeMemset:
        set.in_graph = set.async = true;
        return umsim_set_issue(&set, stream);
    case cudaGraphNodeTypeHost:
        return umsim_issue_host(&work->host, stream);
    default:
        return wait_for(stream, NULL) ? cudaSuccess : cudaErrorMemoryAllocation;
    }
}

/* Issues one node after the nodes that it depends on; the first node of a lane also waits for the beginning
 * of the launch. */
static cudaError_t issue_node(struct umsim_exec *exec, struct exec_node *node, struct umsim_stream *stream)
{
    bool good = true;
    for (size_t i = 0; good && i < node->after_count; i++) {
        const struct exec_node *before = &exec->node[node->after[i]];
        if (before->lane != node->lane)
            good = wait_for(stream, before->done);
    }
    cudaError_t error = good ? issue(&node->work, stream) : cudaErrorMemoryAllocation;
    if (stream->tail)
        node->done = umsim_op_hold(stream->tail);
    return error;
}

static cudaError_t issue_all(struct umsim_exec *exec, struct umsim_stream *stream)
{
    struct umsim_op *begin = NULL;
    cudaError_t error = cudaSuccess;
    exec->lane[0] = stream;
    if (exec->lanes > 1 && wait_for(stream, NULL))
        begin = umsim_op_hold(stream->tail);
    for (unsigned lane = 1; lane < exec->lanes; lane++)
        if (!begin || !wait_for(exec->lane[lane], begin))
            return cudaErrorMemoryAllocation;
    for (size_t i = 0; !error && i < exec->count; i++)
        error = issue_node(exec, &exec->node[i], exec->lane[exec->node[i].lane]);
    for (unsigned lane = 1; lane < exec->lanes; lane++)
        if (!wait_for(stream, exec->lane[lane]->tail))
            error = cudaErrorMemoryAllocation;
    if (begin)
        umsim_op_drop(begin);
    for (size_t i = 0; i < exec->count; i++) {
        if (exec->node[i].done)
            umsim_op_drop(exec->node[i].done);
        exec->node[i].done = NULL;
    }
    return error;
}

static cudaError_t launch(struct umsim_exec *exec, struct umsim_stream *stream)
{
    umsim_spend(UMSIM_CALL_LAUNCH);
    if (exec->last && exec->last->stream != stream && !wait_for(stream, exec->last))
        return cudaErrorMemoryAllocation;
    cudaError_t error = issue_all(exec, stream);
    if (exec->last)
        umsim_op_drop(exec->last);
    exec->last = stream->tail ? umsim_op_hold(stream->tail) : NULL;
    return error ? error : umsim_sticky_error();
}

/* Captures the executable graph as one node of the graph that a stream is captured into. */
static cudaError_t capture(const struct umsim_exec *exec, struct umsim_stream *stream)
{
    struct umsim_work work = {.type = cudaGraphNodeTypeGraph, .child = umsim_graph_make()};
    struct umsim_node **made = calloc(exec->count + 1, sizeof(struct umsim_node *));
    struct umsim_node **after = calloc(exec->count + 1, sizeof(struct umsim_node *));
    bool good = work.child && made && after;
    for (size_t i = 0; good && i < exec->count; i++) {
        const struct exec_node *node = &exec->node[i];
        for (size_t k = 0; k < node->after_count; k++)
            after[k] = made[node->after[k]];
        made[i] = umsim_node_add(work.child, after, node->after_count, &node->work);
        good = made[i] != NULL;
    }
    cudaError_t error = good ? umsim_capture_add(stream, &work) : cudaErrorMemoryAllocation;
    umsim_graph_free(work.child);
    free(made);
    free(after);
    return error;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t graphExec, cudaStream_t handle)
{
    UMSIM_ENTER(cudaGraphLaunch, graphExec, handle);
    struct umsim_exec *exec = exec_of(graphExec);
    struct umsim_stream *stream = umsim_stream_of(handle);
    if (!exec || !stream)
        return umsim_leave(exec ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue);
    cudaError_t error = umsim_admit(stream, false);
    if (error)
        return umsim_leave(error);
    return umsim_leave(stream->capture ? capture(exec, stream) : launch(exec, stream));
}

cudaError_t cudaGraphUpload(cudaGraphExec_t graphExec, cudaStream_t stream)
{
    UMSIM_ENTER(cudaGraphUpload, graphExec, stream);
    if (!umsim_stream_of(stream))
        return umsim_leave(cudaErrorInvalidResourceHandle);
    return umsim_leave(exec_of(graphExec) ? cudaSuccess : cudaErrorInvalidValue);
}

/* ---- changing it ---- */

cudaError_t umsim_exec_change(cudaGraphExec_t handle, uint64_t id, const struct umsim_work *work)
{
    struct umsim_exec *exec = exec_of(handle);
    struct umsim_work mine;
    for (size_t i = 0; exec && i < exec->count; i++) {
        struct exec_node *node = &exec->node[i];
        if (node->id != id || node->work.type != work->type)
            continue;
        if (!umsim_work_copy(&mine, work))
            return cudaErrorMemoryAllocation;
        umsim_work_free(&node->work);
        node->work = mine;
        return cudaSuccess;
    }
    return cudaErrorInvalidValue;
}

static enum cudaGraphExecUpdateResult compare(const struct umsim_exec *exec, const struct umsim_exec *wanted,
                                              size_t *at)
{
    *at = 0;
    if (exec->count != wanted->count)
        return cudaGraphExecUpdateErrorTopologyChanged;
    for (size_t i = 0; i < exec->count; i++) {
        const struct exec_node *a = &exec->node[i], *b = &wanted->node[i];
        *at = i;
        if (a->after_count != b->after_count ||
            (a->after_count && memcmp(a->after, b->after, a->after_count * sizeof *a->after) != 0))
            return cudaGraphExecUpdateErrorTopologyChanged;
        if (a->work.type != b->work.type)
            return cudaGraphExecUpdateErrorNodeTypeChanged;
    }
    return cudaGraphExecUpdateSuccess;
}

static cudaGraphNode_t node_with(const struct umsim_graph *graph, uint64_t id)
{
    for (struct umsim_node *node = graph->first; node; node = node->next)
        if (node->id == id)
            return (cudaGraphNode_t)node;
    return NULL;
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t hGraphExec, cudaGraph_t hGraph,
                                cudaGraphExecUpdateResultInfo *resultInfo)
{
    UMSIM_ENTER(cudaGraphExecUpdate, hGraphExec, hGraph, resultInfo);
    struct umsim_exec *exec = exec_of(hGraphExec);
    struct umsim_graph *graph = (struct umsim_graph *)hGraph;
    if (!exec || !umsim_graph_is(graph) || !resultInfo)
        return umsim_leave(cudaErrorInvalidValue);
    struct umsim_exec *wanted = exec_make(graph);
    *resultInfo = (cudaGraphExecUpdateResultInfo){.result = cudaGraphExecUpdateError};
    if (!wanted)
        return umsim_leave(cudaErrorInvalidValue);
    size_t at;
    resultInfo->result = compare(exec, wanted, &at);
    for (size_t i = 0; resultInfo->result == cudaGraphExecUpdateSuccess && i < exec->count; i++) {
        const struct umsim_work before = exec->node[i].work;
        exec->node[i].work = wanted->node[i].work;
        wanted->node[i].work = before;
    }
    if (resultInfo->result && at < wanted->count && exec->count == wanted->count)
        resultInfo->errorNode = node_with(graph, wanted->node[at].id);
    exec_free(wanted);
    return umsim_leave(resultInfo->result ? cudaErrorGraphExecUpdateFailure : cudaSuccess);
}
