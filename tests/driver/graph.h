/**
 * @file graph.h
 * @brief What the tests of graphs share (graph.c).
 */
#ifndef DRIVER_GRAPH_H
#define DRIVER_GRAPH_H

#include "behaviour.h"

/** An empty graph, in a context of the program's own. */
CUgraph a_graph(void);
/** The current context. */
CUcontext current(void);
/** Makes a graph ready, launches it, and waits. */
CUresult run_graph(CUgraph graph);
/** An int in device memory. */
int read_int(CUdeviceptr p);

#endif
