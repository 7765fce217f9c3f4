/**
 * @file graph_params.h
 * @brief What graphs' nodes do: the driver's structures as the runtime's, and back.
 *
 * A kernel is a handle here and a stub there, its arguments may come packed, and a copy counts bytes where
 * the runtime's counts an array's elements. All else has one layout.
 */
#ifndef UMSIM_DRIVER_GRAPH_PARAMS_H
#define UMSIM_DRIVER_GRAPH_PARAMS_H

#include "function.h"

/** A kernel node of the runtime's. */
struct umsim_kernel_params {
    struct cudaKernelNodeParams runtime;
    void **unpacked; /**< pointers to arguments that came packed: to be freed */
    unsigned device; /**< the function's, as on two H200s; of a kernel for all, its context's */
};

/**
 * Translates a kernel node.
 * @return CUDA_ERROR_INVALID_VALUE: nothing is named, or arguments in both forms; CUDA_ERROR_INVALID_HANDLE:
 *     no kernel
 */
CUresult umsim_kernel_params_of(struct umsim_kernel_params *out, const CUDA_KERNEL_NODE_PARAMS *params);
/** The other way. The kernel is told in both of its forms. */
CUresult umsim_kernel_params_told(CUDA_KERNEL_NODE_PARAMS *out, const struct cudaKernelNodeParams *params);

/** The runtime's form of a copy (copy.c). @return CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_INVALID_HANDLE */
CUresult umsim_copy_params_of(struct cudaMemcpy3DParms *out, const CUDA_MEMCPY3D *copy);
/** The other way (copy.c). */
void umsim_copy_params_told(CUDA_MEMCPY3D *out, const struct cudaMemcpy3DParms *copy);

/** A node of any type, of the runtime's. */
struct umsim_node_params {
    struct cudaGraphNodeParams runtime;
    struct umsim_kernel_params kernel;
    unsigned device; /**< where it is to run */
};

/** Translates a node. @return also CUDA_ERROR_NOT_SUPPORTED: a type that is not provided */
CUresult umsim_node_params_of(struct umsim_node_params *out, const CUgraphNodeParams *params);
/** Writes into the program's structure what the new node has: addresses, graphs. */
void umsim_node_params_told(CUgraphNodeParams *out, const struct umsim_node_params *params);

#endif
