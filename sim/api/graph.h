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

/** What a node does; its type says which members are used. The node owns what the pointers point at. */
struct umsim_work {
    enum cudaGraphNodeType type;
    struct umsim_launch_request launch;
    struct umsim_copy copy;
    struct umsim_set set;
    struct cudaHostNodeParams host;
    struct umsim_graph *child;
};

struct umsim_node {
    struct umsim_graph *graph;
    struct umsim_node *next;   /* made after this one */
    struct umsim_node **after; /* the nodes that it depends on */
    size_t after_count;
    uint64_t id;  /* a copy of a node has the same id */
    size_t index; /* its index in its graph, valid after umsim_graph_count() */
    struct umsim_work work;
};

struct umsim_graph {
    struct umsim_node *first;
    struct umsim_graph *next; /* next graph that programs have handles to */
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
/** Numbers the nodes, and returns how many there are. */
size_t umsim_graph_count(struct umsim_graph *graph);
/** @} */

/** @name Executable graphs @{ */
/**
 * Gives other work of the same type to what was made of the node `id`.
 * @return cudaErrorInvalidValue where nothing was made of that node
 */
cudaError_t umsim_exec_change(cudaGraphExec_t exec, uint64_t id, const struct umsim_work *work);
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
 * Removes a stream from its capture before the stream is destroyed, if the capture's first stream has waited
 * for its work.
 */
void umsim_capture_leave(struct umsim_stream *stream);

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
