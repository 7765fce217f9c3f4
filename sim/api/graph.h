/**
 * @file graph.h
 * @brief Graphs, what they are made of, and streams that are captured into them.
 *
 * A node holds its work as the calls that issue work take it: a launch with its parameters, a copy, ... A
 * captured stream remembers the nodes that its next one comes after; work for it becomes a node instead of an
 * operation. A graph that is launched becomes operations again, on the stream that it is launched into and on
 * streams of its own for what may overlap (graph_exec.c). Callers hold the simulator's lock.
 */
#ifndef UMSIM_API_GRAPH_H_
#define UMSIM_API_GRAPH_H_

#include "runtime.h"
#include "../queue/copy_op.h"
#include "../queue/kernel_op.h"

struct umsim_graph;

/** What a node does; which of these counts its type says. Pointers are the node's own. */
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
    struct umsim_node *next;   /* made after it */
    struct umsim_node **after; /* what it comes after */
    size_t after_count;
    uint64_t id;  /* a copy of a node has the same */
    size_t index; /* among its graph's, while somebody counts */
    struct umsim_work work;
};

struct umsim_graph {
    struct umsim_node *first;
    struct umsim_graph *next; /* of those that programs have handles to */
};

/** @name Graphs and nodes @{ */
struct umsim_graph *umsim_graph_make(void);
/** Of a graph that no program has a handle to any more, or never had. */
void umsim_graph_free(struct umsim_graph *graph);
/** Whether a program has a handle to it. */
bool umsim_graph_is(const struct umsim_graph *graph);
void umsim_graph_list(struct umsim_graph *graph);
/** @return NULL without memory, or when one that it comes after is not a node of the graph */
struct umsim_node *umsim_node_add(struct umsim_graph *graph, struct umsim_node *const *after,
                                  size_t after_count, const struct umsim_work *work);
/** Copies what it points at, too. @return false without memory */
bool umsim_work_copy(struct umsim_work *to, const struct umsim_work *from);
void umsim_work_free(struct umsim_work *work);
/** The number of nodes; numbers them. */
size_t umsim_graph_count(struct umsim_graph *graph);
/** @} */

/** @name Ready graphs @{ */
/** Gives what was made of the node `id` other work of its type. @return cudaErrorInvalidValue where there is
 * none */
cudaError_t umsim_exec_change(cudaGraphExec_t exec, uint64_t id, const struct umsim_work *work);
/** @} */

/** @name Captures @{ */

/** How many there are. */
extern unsigned umsim_captures;

/** What stands against a call, whose name it is, while something is captured. */
cudaError_t umsim_capture_forbids(const char *call);

/** What stands against work for a stream, or (`waits`) against waiting for it. */
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

/** Before a stream is destroyed: it leaves its capture, if the capture's first stream has waited for its
 * work. */
void umsim_capture_leave(struct umsim_stream *stream);

/** Makes a node of what was to be issued to a captured stream. */
cudaError_t umsim_capture_add(struct umsim_stream *stream, const struct umsim_work *work);

/** What an event that was recorded in a captured stream stands for. */
struct umsim_mark {
    uint64_t capture; /* 0: none */
    struct umsim_node **after;
    size_t after_count;
};
cudaError_t umsim_capture_mark(struct umsim_stream *stream, struct umsim_mark *mark);
void umsim_capture_unmark(struct umsim_mark *mark);
/** What stands against waiting for a marked event outside of streams; 0 when there is no mark. */
cudaError_t umsim_capture_of_mark(const struct umsim_mark *mark);
/** cudaStreamWaitEvent() where the event is marked or the stream is captured; `recorded`: it was, outside. */
cudaError_t umsim_capture_join(struct umsim_stream *stream, const struct umsim_mark *mark, bool recorded);
/** @} */

/** Issues what a call wants to a stream, or makes a node of it. */
cudaError_t umsim_issue_copy(const struct umsim_copy *copy, struct umsim_stream *stream);
cudaError_t umsim_issue_set(const struct umsim_set *set, struct umsim_stream *stream);
cudaError_t umsim_issue_launch(const struct umsim_launch_request *request, struct umsim_stream *stream);
/** A host function of a graph. */
cudaError_t umsim_issue_host(const struct cudaHostNodeParams *host, struct umsim_stream *stream);

/** Has `request` say what launching `params` would; its closure is in `closure_buffer`, of UMSIM_CLOSURE_MAX
 * bytes. */
cudaError_t umsim_launch_describe(const struct cudaKernelNodeParams *params,
                                  struct umsim_launch_request *request, void *closure_buffer);
/** A copy in three dimensions as copy_op.h has it. @return what is wrong with it */
cudaError_t umsim_copy_of_3d(const struct cudaMemcpy3DParms *params, struct umsim_copy *copy);

#endif
