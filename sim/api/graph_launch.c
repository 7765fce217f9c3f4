/**
 * @file graph_launch.c
 * @brief Launches executable graphs (CUDA Runtime API, Graph Management).
 *
 * A launch issues what a program could have issued itself, with events between streams; only the price
 * differs. What a conditional node runs is issued when its condition is known, which is in the middle of the
 * queue's work.
 */
#include "graph_exec.h"
#include "graph_memory.h"
#include "../base/report.h"
#include "../base/sticky.h"

#include <stdlib.h>

/* Adds nothing but order: `stream` goes on after `other`. */
static bool wait_for(struct umsim_stream *stream, struct umsim_op *other)
{
    struct umsim_op *op = umsim_op_make(sizeof *op, "graph node");
    if (op)
        umsim_op_issue_after(op, stream, other);
    return op != NULL;
}

static cudaError_t issue_on_device(const struct umsim_work *work, struct umsim_stream *stream)
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
    case cudaGraphNodeTypeEventRecord:
        return umsim_issue_event_record(work->event, stream);
    case cudaGraphNodeTypeWaitEvent:
        return umsim_issue_event_wait(work->event, stream);
    case cudaGraphNodeTypeMemAlloc:
        return umsim_graph_memory_issue(work->memory, true, stream);
    case cudaGraphNodeTypeMemFree:
        return umsim_graph_memory_issue(work->memory, false, stream);
    default:
        return wait_for(stream, NULL) ? cudaSuccess : cudaErrorMemoryAllocation;
    }
}

static cudaError_t issue(const struct umsim_work *work, struct umsim_stream *stream)
{
    umsim_issued_on = work->on;
    const cudaError_t error = issue_on_device(work, stream);
    umsim_issued_on = 0;
    return error;
}

/* ---- conditions ---- */

/* A conditional node is two operations. The first one asks the number when all before it has run, issues the
 * graph that runs, and has the queue run it; the second one ends when that has ended. */
struct choice_op {
    struct umsim_op op;
    struct umsim_exec *exec; /* held */
    size_t node;
    struct umsim_op *end; /* held */
};

bool umsim_exec_has_kernel(const struct umsim_exec *exec)
{
    for (size_t i = 0; i < exec->count; i++) {
        const struct umsim_exec_node *node = &exec->node[i];
        if (node->work.type == cudaGraphNodeTypeKernel && !node->disabled)
            return true;
        for (unsigned k = 0; node->body && node->body[k]; k++)
            if (umsim_exec_has_kernel(node->body[k]))
                return true;
    }
    return false;
}

static cudaError_t issue_all(struct umsim_exec *exec, struct umsim_stream *stream);

/* Runs a node's graph from `at_ns` on, in a stream of a device. @return when it has ended */
static uint64_t run_body(struct umsim_exec *body, unsigned device, uint64_t at_ns)
{
    struct umsim_stream *stream = body->lane[0];
    stream->device = device;
    if (stream->tail_ns < at_ns)
        stream->tail_ns = at_ns;
    const cudaError_t error = issue_all(body, stream);
    if (error)
        umsim_sticky_set(error);
    if (stream->tail)
        umsim_queue_run_inside(stream->tail);
    return stream->tail_ns;
}

/* @return which graph runs; the node's number of graphs for none */
static unsigned chosen(const struct umsim_choice *condition)
{
    const unsigned value = atomic_load(umsim_condition_of(condition->handle));
    if (condition->type == cudaGraphCondTypeSwitch)
        return value < condition->size ? value : condition->size;
    if (value)
        return 0;
    return condition->type == cudaGraphCondTypeIf ? 1 : condition->size;
}

/* Nothing in the graph can change its condition. */
static bool never_ends(const struct umsim_choice *condition, const struct umsim_exec *body)
{
    if (condition->type != cudaGraphCondTypeWhile || umsim_exec_has_kernel(body))
        return false;
    umsim_say(
        "a WHILE node of a graph never ends: its condition is %u, and no kernel in its graph could call "
        "cudaGraphSetConditional() to set it to 0",
        atomic_load(umsim_condition_of(condition->handle)));
    umsim_sticky_set(cudaErrorLaunchTimeout);
    return true;
}

static void run_choice(struct umsim_op *op)
{
    struct choice_op *it = (struct choice_op *)op;
    const struct umsim_exec_node *node = &it->exec->node[it->node];
    const struct umsim_choice *condition = &node->work.condition;
    const uint64_t outer_ns = umsim_issued_as_ns;
    uint64_t at_ns = op->end_ns;
    umsim_issued_as_ns = op->issue_ns;
    while (!umsim_sticky_error()) {
        const unsigned which = chosen(condition);
        if (which >= condition->size || never_ends(condition, node->body[which]))
            break;
        at_ns = run_body(node->body[which], op->stream->device, at_ns);
        if (condition->type != cudaGraphCondTypeWhile)
            break;
    }
    umsim_issued_as_ns = outer_ns;
    if (it->end->ready_ns < at_ns)
        it->end->ready_ns = at_ns;
    umsim_op_drop(it->end);
    umsim_exec_drop(it->exec);
}

static cudaError_t issue_choice(struct umsim_exec *exec, const struct umsim_exec_node *node,
                                struct umsim_stream *stream)
{
    struct choice_op *it = umsim_op_make(sizeof *it, "condition");
    struct umsim_op *end = umsim_op_make(sizeof *end, "end of condition");
    if (!it || !end)
        return cudaErrorMemoryAllocation;
    it->op.then = run_choice;
    it->exec = exec;
    exec->references++;
    it->node = (size_t)(node - exec->node);
    it->end = umsim_op_hold(end);
    umsim_op_issue(&it->op, stream);
    umsim_op_issue(end, stream);
    return cudaSuccess;
}

static void assign_defaults(const struct umsim_exec *exec)
{
    for (size_t i = 0; i < exec->default_count; i++)
        umsim_condition_assign(&exec->defaults[i]);
    for (size_t i = 0; i < exec->count; i++)
        for (unsigned k = 0; exec->node[i].body && exec->node[i].body[k]; k++)
            assign_defaults(exec->node[i].body[k]);
}

struct defaults_op {
    struct umsim_op op;
    struct umsim_exec *exec; /* held */
};

static void run_defaults(struct umsim_op *op)
{
    struct defaults_op *it = (struct defaults_op *)op;
    assign_defaults(it->exec);
    umsim_exec_drop(it->exec);
}

static bool has_conditions(const struct umsim_exec *exec)
{
    for (size_t i = 0; i < exec->count; i++)
        if (exec->node[i].body)
            return true;
    return exec->default_count;
}

/* The numbers get their first values when the launch begins, which another launch may come before. */
static cudaError_t issue_defaults(struct umsim_exec *exec, struct umsim_stream *stream)
{
    if (!has_conditions(exec))
        return cudaSuccess;
    struct defaults_op *it = umsim_op_make(sizeof *it, "graph node");
    if (!it)
        return cudaErrorMemoryAllocation;
    it->op.run = run_defaults;
    it->exec = exec;
    exec->references++;
    umsim_op_issue(&it->op, stream);
    return cudaSuccess;
}

/* ---- nodes ---- */

/* Issues one node after the nodes that it depends on; the first node of a lane also waits for the beginning
 * of the launch. */
static cudaError_t issue_node(struct umsim_exec *exec, struct umsim_exec_node *node,
                              struct umsim_stream *stream)
{
    bool good = true;
    for (size_t i = 0; good && i < node->after_count; i++) {
        const struct umsim_exec_node *before = &exec->node[node->after[i]];
        if (before->lane != node->lane)
            good = wait_for(stream, before->done);
    }
    static const struct umsim_work nothing = {.type = cudaGraphNodeTypeEmpty};
    cudaError_t error = !good        ? cudaErrorMemoryAllocation
                        : node->body ? issue_choice(exec, node, stream)
                                     : issue(node->disabled ? &nothing : &node->work, stream);
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
    for (unsigned lane = 1; lane < exec->lanes; lane++) {
        exec->lane[lane]->device = stream->device; /* who waits for that device waits for all lanes */
        if (!begin || !wait_for(exec->lane[lane], begin))
            return cudaErrorMemoryAllocation;
    }
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

/* ---- a launch ---- */

/* Memory that the last launch has left: freed first, or the launch is refused. */
static cudaError_t free_the_left(const struct umsim_exec *exec, struct umsim_stream *stream)
{
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < exec->count && !error; i++) {
        const struct umsim_work *work = &exec->node[i].work;
        if (work->type != cudaGraphNodeTypeMemAlloc || !umsim_graph_memory_is_taken(work->memory))
            continue;
        error = exec->flags & cudaGraphInstantiateFlagAutoFreeOnLaunch
                    ? umsim_graph_memory_issue(work->memory, false, stream)
                    : cudaErrorInvalidValue;
    }
    return error;
}

static bool takes(const struct umsim_exec *exec, size_t before, const struct umsim_graph_memory *memory)
{
    for (size_t i = 0; i < before; i++)
        if (exec->node[i].work.type == cudaGraphNodeTypeMemAlloc && exec->node[i].work.memory == memory)
            return true;
    return false;
}

/* What the nodes before have taken of a device, and the most that it was. */
struct taken {
    size_t now, highest;
};

static void note_taken(struct taken *its, const struct umsim_work *work)
{
    const size_t pages = work->memory ? umsim_graph_memory_pages(work->memory) : 0;
    if (work->type == cudaGraphNodeTypeMemAlloc)
        its->now += pages;
    else
        its->now -= its->now < pages ? its->now : pages;
    its->highest = its->now > its->highest ? its->now : its->highest;
}

/* Whether what is freed has been taken, and what is taken fits. */
static cudaError_t check_memory(const struct umsim_exec *exec)
{
    struct taken taken[UMSIM_DEVICES_MAX] = {{0}};
    for (size_t i = 0; i < exec->count; i++) {
        const struct umsim_work *work = &exec->node[i].work;
        if (work->type != cudaGraphNodeTypeMemAlloc && work->type != cudaGraphNodeTypeMemFree)
            continue;
        if (work->type == cudaGraphNodeTypeMemFree && !takes(exec, i, work->memory) &&
            !umsim_graph_memory_is_taken(work->memory))
            return cudaErrorInvalidValue;
        note_taken(&taken[umsim_graph_memory_device(work->memory)], work);
    }
    for (unsigned device = 0; device < umsim_devices; device++)
        if (taken[device].highest && !umsim_graph_memory_fits(device, taken[device].highest))
            return cudaErrorMemoryAllocation;
    return cudaSuccess;
}

static cudaError_t launch(struct umsim_exec *exec, struct umsim_stream *stream)
{
    umsim_spend(UMSIM_CALL_LAUNCH);
    if (exec->last && exec->last->stream != stream && !wait_for(stream, exec->last))
        return cudaErrorMemoryAllocation;
    cudaError_t error = free_the_left(exec, stream);
    error = error ? error : check_memory(exec);
    error = error ? error : issue_defaults(exec, stream);
    if (error)
        return error;
    error = issue_all(exec, stream);
    if (exec->last)
        umsim_op_drop(exec->last);
    exec->last = stream->tail ? umsim_op_hold(stream->tail) : NULL;
    return error ? error : umsim_sticky_error();
}

/* Captures the executable graph as one node of the graph that a stream is captured into. */
static cudaError_t capture(const struct umsim_exec *exec, struct umsim_stream *stream)
{
    for (size_t i = 0; i < exec->count; i++)
        if (exec->node[i].body || exec->node[i].work.memory)
            return cudaErrorNotSupported;
    struct umsim_work work = {.type = cudaGraphNodeTypeGraph, .child = umsim_graph_make()};
    struct umsim_node **made = calloc(exec->count + 1, sizeof(struct umsim_node *));
    struct umsim_node **after = calloc(exec->count + 1, sizeof(struct umsim_node *));
    bool good = work.child && made && after;
    for (size_t i = 0; good && i < exec->count; i++) {
        const struct umsim_exec_node *node = &exec->node[i];
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
    struct umsim_exec *exec = umsim_exec_of(graphExec);
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
    return umsim_leave(umsim_exec_of(graphExec) ? cudaSuccess : cudaErrorInvalidValue);
}
