/**
 * @file graph_memory.h
 * @brief Device memory that graphs take and free.
 *
 * Its addresses are taken when the node is made, and given back when no graph knows them any more. Its pages
 * exist from the node that takes it until something frees it, as the queue gets there; how much of the
 * device's memory is left is known when a call is made. So there are two states: what has been issued, and
 * what has run (absent, space/registry.h).
 *
 * Callers hold the lock.
 */
#ifndef UMSIM_API_GRAPH_MEMORY_H
#define UMSIM_API_GRAPH_MEMORY_H

#include "graph.h"
#include "../space/registry.h"

/** Counts the graphs' nodes and operations that know the memory. */
void umsim_graph_memory_hold(struct umsim_graph_memory *memory);
void umsim_graph_memory_drop(struct umsim_graph_memory *memory);

/** A node that takes memory: makes it, and writes its address to the parameters. umsim_describe_end() is to
 * follow. */
cudaError_t umsim_describe_alloc(struct umsim_graph *graph, struct cudaMemAllocNodeParams *params,
                                 const char *call, const void *caller, struct umsim_work *work);
/** A node that frees memory. The same. */
cudaError_t umsim_describe_free(struct umsim_graph *graph, void *p, struct umsim_work *work);
/** The work has become a node, or has not. */
void umsim_describe_end(struct umsim_work *work);

/** cudaMallocAsync() and cudaFreeAsync() in a captured stream: memory of the pool's device, with its list. */
cudaError_t umsim_capture_alloc(struct umsim_stream *stream, const struct umsim_pool *pool, void **p,
                                size_t bytes, const char *call, const void *caller);
cudaError_t umsim_capture_free(struct umsim_stream *stream, void *p);

/** Whether a launch of this work can take its memory now, or free it. */
bool umsim_graph_memory_is_taken(const struct umsim_graph_memory *memory);
/** Pages that taking it would need, bytes. */
size_t umsim_graph_memory_pages(const struct umsim_graph_memory *memory);
/** Whose memory it is. */
unsigned umsim_graph_memory_device(const struct umsim_graph_memory *memory);
/** Whether the device has so many bytes more for graphs. */
bool umsim_graph_memory_fits(unsigned device, size_t bytes);
/** The address, for cudaGraphMemAllocNodeGetParams() and its kind. */
void *umsim_graph_memory_at(const struct umsim_graph_memory *memory);
/** Of the instantiated graph that has it, NULL for none; there is one at a time. */
const void **umsim_graph_memory_user(struct umsim_graph_memory *memory);

/** Issues that memory is taken, or freed. */
cudaError_t umsim_graph_memory_issue(struct umsim_graph_memory *memory, bool takes,
                                     struct umsim_stream *stream);
/** cudaFreeAsync(): frees memory of a graph's in stream order. */
cudaError_t umsim_graph_memory_free(struct umsim_alloc *allocation, struct umsim_stream *stream);
/** cudaFree(): everything has run. @return cudaErrorInvalidValue if it is not taken */
cudaError_t umsim_graph_memory_free_now(struct umsim_alloc *allocation);

/** A device's memory that is kept for graphs and not in use, bytes. */
size_t umsim_graph_memory_held(unsigned device);
/** The allocation goes, because the device is reset. */
void umsim_graph_memory_forget(struct umsim_alloc *allocation);

#endif
