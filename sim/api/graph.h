/**
 * @file graph.h
 * @brief Graphs, their nodes, and streams that are captured into graphs.
 *
 * A node holds its work in the form in which the calls that issue work take it: a launch with its parameters,
 * a copy, and so on. A captured stream remembers the nodes that its next node depends on; work issued to it
 * becomes a node instead of an operation. When a graph is launched, its nodes become operations again: on the
 * stream that it is launched into, and, for what may overlap, on streams that belong to the graph
 * (graph_exec.c). Callers hold the simulator's lock.
 */
#ifndef UMSIM_API_GRAPH_H_
#define UMSIM_API_GRAPH_H_

#include "runtime.h"
#include "../queue/copy_op.h"
#include "../queue/kernel_op.h"

struct umsim_graph;
struct umsim_graph_memory;

/** Which of a conditional node's graphs runs. */
struct umsim_choice {
    cudaGraphConditionalHandle handle;
    enum cudaGraphConditionalNodeType type;
    unsigned size; /* the number of graphs */
};

/** What a node does; its type says which members are used. The node owns what the pointers point at, but for
 * memory, which it shares. */
struct umsim_work {
    enum cudaGraphNodeType type;
    struct umsim_launch_request launch;
    const void *stub; /* the kernel as the program names it; NULL: not known yet */
    struct umsim_copy copy;
    bool is_3d; /* the copy was asked for in this form: */
    struct cudaMemcpy3DParms as_3d;
    struct umsim_set set;
    struct cudaHostNodeParams host;
    struct umsim_graph *child;
    cudaEvent_t event;
    struct umsim_graph_memory *memory;
    struct umsim_choice condition;
    unsigned on; /* the device, plus 1; 0: not known yet, the current one */
};

struct umsim_node {
    struct umsim_graph *graph;
    struct umsim_node *next;   /* made after this one */
    struct umsim_node **after; /* the nodes that it depends on */
    size_t after_count;
    uint64_t id, origin; /* its own number, and that of the node which it is a copy of */
    size_t index;        /* its index in its graph, valid after umsim_graph_count() */
    struct umsim_work work;
    struct umsim_graph **body;                /* of a conditional node: its graphs */
    struct umsim_kept_attributes *attributes; /* of a kernel node (stream_attributes.c); NULL: none */
    void **told; /* of a kernel node: the arguments that cudaGraphKernelNodeGetParams() told; or NULL */
};

/** A number that conditional nodes ask; each launch begins with `value`, if `assigned`. */
struct umsim_default {
    unsigned index, value;
    bool assigned;
};

struct umsim_graph {
    struct umsim_node *first;
    struct umsim_graph *next;   /* next graph that programs have handles to */
    bool listed;                /* programs have a handle to it */
    bool owned;                 /* ... which they cannot destroy: a node has it, or a capture */
    bool is_body;               /* a conditional node has it */
    struct umsim_graph *around; /* ... of this graph */
    bool captured;              /* a stream is captured into it */
    struct umsim_default *defaults;
    size_t default_count;
    struct umsim_kept *kept; /* objects of the program's (graph_objects.c) */
};

/** @name Graphs and nodes @{ */
struct umsim_graph *umsim_graph_make(void);
/** Frees a graph that no program has a handle to any more, or ever had. */
void umsim_graph_free(struct umsim_graph *graph);
/** Whether `graph` is a graph that a program has a handle to. */
bool umsim_graph_is(const struct umsim_graph *graph);
void umsim_graph_list(struct umsim_graph *graph);
/** @return NULL when there is no memory, or when one of the nodes in `after` is not a node of the graph */
struct umsim_node *umsim_node_add(struct umsim_graph *graph, struct umsim_node *const *after,
                                  size_t after_count, const struct umsim_work *work);
/**
 * Copies the work and what it points at.
 * @return false when there is no memory
 */
bool umsim_work_copy(struct umsim_work *to, const struct umsim_work *from);
void umsim_work_free(struct umsim_work *work);
/** Whether a node depends on another one directly; has it depend on it. @return false without memory @{ */
bool umsim_node_comes_after(const struct umsim_node *node, const struct umsim_node *other);
/** Whether `node` is one of `from`, or one of them depends on it, by any number of nodes between. `seen`: one
 * for each node of the graph, false at first. */
bool umsim_node_is_behind(struct umsim_node *const *from, size_t count, const struct umsim_node *node,
                          bool *seen);
bool umsim_node_add_after(struct umsim_node *node, struct umsim_node *other);
/** @} */
/** Numbers the nodes, and returns how many there are. */
size_t umsim_graph_count(struct umsim_graph *graph);
/** The graph or the node behind a program's handle, or NULL. @{ */
struct umsim_graph *umsim_graph_of(cudaGraph_t handle);
struct umsim_node *umsim_node_of(cudaGraphNode_t handle);
/** @} */
/** Whether a node, or one in its graphs, is of a type. */
bool umsim_graph_has(const struct umsim_graph *graph, enum cudaGraphNodeType type);
/** Whether nodes take or free memory: then the graph cannot be cloned, among others. */
bool umsim_graph_has_memory(const struct umsim_graph *graph);
/** Whether these data of edges say nothing but order; NULL does. */
bool umsim_edges_are_plain(const cudaGraphEdgeData *data, size_t count);
/** What the calls that add a node do. */
cudaError_t umsim_graph_add(cudaGraphNode_t *out, cudaGraph_t handle, const cudaGraphNode_t *after,
                            size_t count, const struct umsim_work *work);
/** Gives a node, or (`exec`) what became of it, other work of the same type. */
cudaError_t umsim_node_change(cudaGraphNode_t handle, const struct umsim_work *work);
cudaError_t umsim_exec_node_change(cudaGraphExec_t exec, cudaGraphNode_t handle,
                                   const struct umsim_work *work);
/** @} */

/** @name Conditions (graph_condition.c) @{ */
/** The number behind a handle. @return NULL: there is none */
_Atomic unsigned *umsim_condition_of(cudaGraphConditionalHandle handle);
void umsim_condition_assign(const struct umsim_default *it);
/** Checks a conditional node's parameters. */
cudaError_t umsim_condition_check(const struct umsim_graph *graph, const struct umsim_choice *condition);
/** Makes the graphs of a conditional node. @return false without memory */
bool umsim_condition_bodies(struct umsim_node *node);
/** @} */

/** @name Executable graphs (graph_exec.h) @{ */
/**
 * Gives other work of the same type to what was made of the node `id`.
 * @return cudaErrorInvalidValue where nothing was made of that node
 */
cudaError_t umsim_exec_change(cudaGraphExec_t exec, uint64_t id, const struct umsim_work *work);
/** The same for a node that is a graph, and for all that it runs. */
cudaError_t umsim_exec_change_child(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraph_t child);
/** @} */

/** @name Captures @{ */

/** Ends all captures, of a program that has ended; this thread's mode is as at the start. The caller holds
 * the lock. */
void umsim_captures_abandon(void);

/** The number of captures in progress. */
extern unsigned umsim_captures;

/** The error that a capture in progress raises against the call named `call`. */
cudaError_t umsim_capture_forbids(const char *call);

/** The error that a capture raises against work for a stream, or (`waits`) against waiting for the stream. */
cudaError_t umsim_capture_against(struct umsim_stream *stream, bool waits);

static inline cudaError_t umsim_admit(struct umsim_stream *stream, bool waits)
{
    return umsim_captures ? umsim_capture_against(stream, waits) : cudaSuccess;
}

/** The same for work that no graph can hold. */
static inline cudaError_t umsim_admit_uncaptured(struct umsim_stream *stream)
{
    return umsim_captures ? umsim_capture_against(stream, stream->capture) : cudaSuccess;
}

/**
 * Removes a stream from its capture before the stream is destroyed, if another stream of the capture has
 * waited for its work.
 */
void umsim_capture_leave(struct umsim_stream *stream);

/** The graph that a captured stream's work goes to. */
struct umsim_graph *umsim_capture_graph(const struct umsim_stream *stream);
/** Turns work that is issued to a captured stream into a node. */
cudaError_t umsim_capture_add(struct umsim_stream *stream, const struct umsim_work *work);

/** What an event that was recorded in a captured stream stands for. */
struct umsim_mark {
    uint64_t capture; /* 0: none */
    struct umsim_node **after;
    size_t after_count;
};
cudaError_t umsim_capture_mark(struct umsim_stream *stream, struct umsim_mark *mark);
void umsim_capture_unmark(struct umsim_mark *mark);
/** The error for waiting for a marked event outside of streams; 0 when there is no mark. */
cudaError_t umsim_capture_of_mark(const struct umsim_mark *mark);
/**
 * cudaStreamWaitEvent() for a marked event or a captured stream; `recorded`: the event was recorded outside a
 * capture.
 */
cudaError_t umsim_capture_join(struct umsim_stream *stream, const struct umsim_mark *mark, bool recorded);
/** @} */

/** Issues the work of a call to a stream, or makes a node of it if the stream is captured. */
cudaError_t umsim_issue_copy(const struct umsim_copy *copy, struct umsim_stream *stream);
cudaError_t umsim_issue_set(const struct umsim_set *set, struct umsim_stream *stream);
cudaError_t umsim_issue_launch(const struct umsim_launch_request *request, struct umsim_stream *stream);
/** Records an event, or waits for one, as a graph's node. @{ */
cudaError_t umsim_issue_event_record(cudaEvent_t handle, struct umsim_stream *stream);
cudaError_t umsim_issue_event_wait(cudaEvent_t handle, struct umsim_stream *stream);
/** @} */
/** Issues a graph's host function. */
cudaError_t umsim_issue_host(const struct cudaHostNodeParams *host, struct umsim_stream *stream);

/**
 * Fills in `request` with what a launch of `params` would do. Its closure goes to `closure_buffer`, of
 * UMSIM_CLOSURE_MAX bytes.
 */
cudaError_t umsim_launch_describe(const struct cudaKernelNodeParams *params,
                                  struct umsim_launch_request *request, void *closure_buffer);
/**
 * Converts a copy in three dimensions to the form of copy_op.h.
 * @return the error, if the parameters are wrong
 */
cudaError_t umsim_copy_of_3d(const struct cudaMemcpy3DParms *params, struct umsim_copy *copy);

#endif
