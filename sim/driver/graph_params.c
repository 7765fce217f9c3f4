/**
 * @file graph_params.c
 * @brief Implementation of graph_params.h.
 */
#include "graph_params.h"
#include "context.h"
#include "old_launch.h"
#include "../base/lock.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(CUgraphNodeParams) == sizeof(struct cudaGraphNodeParams), "one layout");
_Static_assert(offsetof(CUgraphNodeParams, alloc) == offsetof(struct cudaGraphNodeParams, alloc),
               "one layout");
_Static_assert(offsetof(CUDA_MEM_ALLOC_NODE_PARAMS, dptr) == offsetof(struct cudaMemAllocNodeParams, dptr),
               "one layout");
_Static_assert(offsetof(CUDA_MEMSET_NODE_PARAMS_v2, height) == offsetof(struct cudaMemsetParamsV2, height),
               "one layout");
_Static_assert(offsetof(CUDA_CONDITIONAL_NODE_PARAMS, phGraph_out) ==
                   offsetof(struct cudaConditionalNodeParams, phGraph_out),
               "one layout");
_Static_assert(offsetof(CUDA_CHILD_GRAPH_NODE_PARAMS, ownership) ==
                   offsetof(struct cudaChildGraphNodeParams, ownership),
               "one layout");
_Static_assert(sizeof(CUDA_KERNEL_NODE_PARAMS_v2) == sizeof(CUDA_KERNEL_NODE_PARAMS_v3), "one layout");

CUresult umsim_kernel_params_of(struct umsim_kernel_params *out, const CUDA_KERNEL_NODE_PARAMS *p)
{
    *out = (struct umsim_kernel_params){.unpacked = NULL};
    if (!p || (p->kernelParams && p->extra))
        return CUDA_ERROR_INVALID_VALUE;
    if (!p->func && !p->kern)
        return CUDA_ERROR_INVALID_HANDLE;
    const struct CUfunc_st *function = umsim_driver_function(p->func ? (void *)p->func : (void *)p->kern);
    if (!function)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!p->kernelParams && !p->extra && function->parameter_count)
        return CUDA_ERROR_INVALID_VALUE;
    out->device =
        function->device == UMSIM_ANY_DEVICE ? umsim_context_device(p->ctx) : (unsigned)function->device;
    out->runtime = (struct cudaKernelNodeParams){.func = (void *)(uintptr_t)function->stub,
                                                 .gridDim = {p->gridDimX, p->gridDimY, p->gridDimZ},
                                                 .blockDim = {p->blockDimX, p->blockDimY, p->blockDimZ},
                                                 .sharedMemBytes = p->sharedMemBytes,
                                                 .kernelParams = p->kernelParams};
    if (!p->extra)
        return CUDA_SUCCESS;
    out->unpacked = calloc(function->parameter_count + 1, sizeof *out->unpacked);
    out->runtime.kernelParams = out->unpacked;
    return out->unpacked ? umsim_unpack_extra(function, p->extra, out->unpacked) : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult umsim_kernel_params_told(CUDA_KERNEL_NODE_PARAMS *out, const struct cudaKernelNodeParams *p)
{
    umsim_lock();
    struct CUfunc_st *function = umsim_function_of(p->func, NULL, UMSIM_ANY_DEVICE);
    umsim_unlock();
    if (!function)
        return CUDA_ERROR_INVALID_HANDLE;
    *out = (CUDA_KERNEL_NODE_PARAMS){.func = function,
                                     .gridDimX = p->gridDim.x,
                                     .gridDimY = p->gridDim.y,
                                     .gridDimZ = p->gridDim.z,
                                     .blockDimX = p->blockDim.x,
                                     .blockDimY = p->blockDim.y,
                                     .blockDimZ = p->blockDim.z,
                                     .sharedMemBytes = p->sharedMemBytes,
                                     .kernelParams = p->kernelParams,
                                     .kern = (CUkernel)function,
                                     .ctx = umsim_context_current()};
    return CUDA_SUCCESS;
}

static bool is_provided(CUgraphNodeType type)
{
    return (unsigned)type <= CU_GRAPH_NODE_TYPE_CONDITIONAL && type != CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL &&
           type != CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT && type != CU_GRAPH_NODE_TYPE_BATCH_MEM_OP;
}

static CUresult kernel_of(struct umsim_node_params *out, const CUgraphNodeParams *params)
{
    CUDA_KERNEL_NODE_PARAMS same;
    memcpy(&same, &params->kernel, sizeof same);
    const CUresult error = umsim_kernel_params_of(&out->kernel, &same);
    const struct cudaKernelNodeParams *p = &out->kernel.runtime;
    out->device = out->kernel.device;
    out->runtime.kernel = (struct cudaKernelNodeParamsV2){p->func,           p->gridDim,      p->blockDim,
                                                          p->sharedMemBytes, p->kernelParams, NULL};
    return error;
}

CUresult umsim_node_params_of(struct umsim_node_params *out, const CUgraphNodeParams *params)
{
    *out = (struct umsim_node_params){.kernel = {.unpacked = NULL}};
    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    if (!is_provided(params->type))
        return (unsigned)params->type > CU_GRAPH_NODE_TYPE_CONDITIONAL ? CUDA_ERROR_INVALID_VALUE
                                                                       : CUDA_ERROR_NOT_SUPPORTED;
    if (params->reserved2)
        return CUDA_ERROR_INVALID_VALUE;
    if (params->type == CU_GRAPH_NODE_TYPE_CONDITIONAL && !params->conditional.ctx)
        return CUDA_ERROR_INVALID_CONTEXT;
    memcpy(&out->runtime, params, sizeof out->runtime);
    out->device = umsim_device();
    if (params->type == CU_GRAPH_NODE_TYPE_KERNEL)
        return kernel_of(out, params);
    if (params->type == CU_GRAPH_NODE_TYPE_MEMSET)
        out->device = umsim_context_device(params->memset.ctx);
    if (params->type == CU_GRAPH_NODE_TYPE_MEMCPY) {
        out->device = umsim_context_device(params->memcpy.copyCtx);
        out->runtime.memcpy = (struct cudaMemcpyNodeParams){.flags = params->memcpy.flags};
        return umsim_copy_params_of(&out->runtime.memcpy.copyParams, &params->memcpy.copyParams);
    }
    return CUDA_SUCCESS;
}

void umsim_node_params_told(CUgraphNodeParams *out, const struct umsim_node_params *params)
{
    if (out->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC)
        out->alloc.dptr = umsim_address(params->runtime.alloc.dptr);
    if (out->type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
        out->conditional.phGraph_out = params->runtime.conditional.phGraph_out;
}
