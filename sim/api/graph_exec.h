/**
 * @file graph_exec.h
 * @brief Executable graphs: made in graph_exec.c, launched in graph_launch.c, changed in graph_update.c.
 *
 * Callers hold the lock.
 */
#ifndef UMSIM_API_GRAPH_EXEC_H
#define UMSIM_API_GRAPH_EXEC_H

#include "graph.h"

/** When a graph has more branches than this, branches share lanes. */
#define UMSIM_LANES_MAX 32

struct umsim_exec_node {
    uint64_t id;
    struct umsim_work work;
    size_t *after, after_count; /* indices lower than its own */
    unsigned lane;
    bool disabled;            /* cudaGraphNodeSetEnabled() */
    struct umsim_exec **body; /* of a conditional node: its graphs, up to NULL */
    struct umsim_op *done;    /* set while the graph is launched */
};

struct umsim_exec {
    struct umsim_exec_node *node;
    size_t count;
    unsigned lanes;
    bool is_body; /* a conditional node's: lane [0] is its own stream */
    struct umsim_stream *lane[UMSIM_LANES_MAX];
    struct umsim_op *last; /* of its last launch */
    struct umsim_default *defaults;
    size_t default_count;
    struct umsim_kept *kept; /* objects of the program's */
    unsigned long long flags;
    unsigned references; /* the program's handle, and launches whose conditions have not been asked yet */
    struct umsim_exec *next;
};

/** The executable graph behind a handle, or NULL. */
struct umsim_exec *umsim_exec_of(cudaGraphExec_t handle);
/** @return NULL when there is no memory, or when nodes wait for each other */
struct umsim_exec *umsim_exec_make(struct umsim_graph *graph, bool is_body);
void umsim_exec_drop(struct umsim_exec *exec);
/** Whether one of its nodes, or of theirs, launches a kernel. */
bool umsim_exec_has_kernel(const struct umsim_exec *exec);
/** Runs what is under way of a graph with conditions, because it is about to change: what a condition runs is
 * issued only when it is asked. */
void umsim_exec_settle(struct umsim_exec *exec);

#endif
