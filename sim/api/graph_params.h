/**
 * @file graph_params.h
 * @brief Turns the parameters of graphs' nodes into work.
 *
 * Each function checks the parameters and returns the error of the call that they belong to. Callers hold the
 * lock, except for umsim_describe_kernel().
 */
#ifndef UMSIM_API_GRAPH_PARAMS_H
#define UMSIM_API_GRAPH_PARAMS_H

#include "graph.h"

/** A plain copy, not checked yet. */
static inline struct umsim_work umsim_work_of_copy(void *dst, const void *src, size_t count,
                                                   enum cudaMemcpyKind kind)
{
    return (struct umsim_work){.type = cudaGraphNodeTypeMemcpy,
                               .copy = umsim_copy_of(dst, src, count, count, count, 1, kind, true)};
}

/** A launch; its closure goes to `closure_buffer`, of UMSIM_CLOSURE_MAX bytes. Without the lock, because it
 * calls the kernel's stub, which takes the lock. */
cudaError_t umsim_describe_kernel(const struct cudaKernelNodeParams *params, struct umsim_work *work,
                                  void *closure_buffer);
cudaError_t umsim_describe_copy3d(const struct cudaMemcpy3DParms *params, struct umsim_work *work);
cudaError_t umsim_describe_set(const struct cudaMemsetParams *params, struct umsim_work *work);
cudaError_t umsim_describe_host(const struct cudaHostNodeParams *params, struct umsim_work *work);
/** Copies, memsets, host functions, events and nothing. @return cudaErrorNotSupported for other types */
cudaError_t umsim_describe_node(const struct cudaGraphNodeParams *params, struct umsim_work *work);
/** Checks a copy to or from a variable, also its direction, and gives it the current device's variable. */
cudaError_t umsim_check_symbol_copy(struct umsim_copy *copy, const void *symbol, size_t offset,
                                    bool to_symbol);
/** cudaErrorInvalidValue where no event lies. */
cudaError_t umsim_check_event(cudaEvent_t event);

#endif
