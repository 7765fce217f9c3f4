/**
 * @file old_launch.c
 * @brief Launches by calls for each part (CUDA Driver API: Execution Control [DEPRECATED]).
 */
#include "old_launch.h"

#include <stdlib.h>
#include <string.h>

/* @return NULL: the function is none, or there is no memory */
static struct umsim_old_launch *old_of(CUfunction handle, CUresult *error)
{
    struct CUfunc_st *function = umsim_driver_function(handle);
    *error = CUDA_ERROR_INVALID_HANDLE;
    if (!function)
        return NULL;
    if (!function->old)
        function->old = calloc(1, sizeof *function->old);
    *error = function->old ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    return function->old;
}

CUresult cuFuncSetBlockShape(CUfunction hfunc, int x, int y, int z)
{
    UMSIM_DRIVER(cuFuncSetBlockShape, UMSIM_NEEDS_CONTEXT);
    CUresult error;
    struct umsim_old_launch *old = old_of(hfunc, &error);
    if (!old || x <= 0 || y <= 0 || z <= 0)
        return old ? CUDA_ERROR_INVALID_VALUE : error;
    old->block[0] = (unsigned)x;
    old->block[1] = (unsigned)y;
    old->block[2] = (unsigned)z;
    return CUDA_SUCCESS;
}

CUresult cuFuncSetSharedSize(CUfunction hfunc, unsigned int bytes)
{
    UMSIM_DRIVER(cuFuncSetSharedSize, UMSIM_NEEDS_CONTEXT);
    CUresult error;
    struct umsim_old_launch *old = old_of(hfunc, &error);
    if (old)
        old->shared = bytes;
    return error;
}

CUresult cuParamSetSize(CUfunction hfunc, unsigned int numbytes)
{
    UMSIM_DRIVER(cuParamSetSize, UMSIM_NEEDS_CONTEXT);
    CUresult error;
    struct umsim_old_launch *old = old_of(hfunc, &error);
    if (!old || numbytes > sizeof old->parameters)
        return old ? CUDA_ERROR_INVALID_VALUE : error;
    old->bytes = numbytes;
    return CUDA_SUCCESS;
}

static CUresult set(CUfunction handle, int offset, const void *value, size_t bytes)
{
    CUresult error;
    struct umsim_old_launch *old = old_of(handle, &error);
    if (!old)
        return error;
    if (offset < 0 || !value || bytes > sizeof old->parameters ||
        (size_t)offset > sizeof old->parameters - bytes)
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(old->parameters + offset, value, bytes);
    return CUDA_SUCCESS;
}

CUresult cuParamSeti(CUfunction hfunc, int offset, unsigned int value)
{
    UMSIM_DRIVER(cuParamSeti, UMSIM_NEEDS_CONTEXT);
    return set(hfunc, offset, &value, sizeof value);
}

CUresult cuParamSetf(CUfunction hfunc, int offset, float value)
{
    UMSIM_DRIVER(cuParamSetf, UMSIM_NEEDS_CONTEXT);
    return set(hfunc, offset, &value, sizeof value);
}

CUresult cuParamSetv(CUfunction hfunc, int offset, void *ptr, unsigned int numbytes)
{
    UMSIM_DRIVER(cuParamSetv, UMSIM_NEEDS_CONTEXT);
    return set(hfunc, offset, ptr, numbytes);
}

static CUresult launch(CUfunction handle, int width, int height, cudaStream_t stream)
{
    CUresult error;
    struct umsim_old_launch *old = old_of(handle, &error);
    if (!old || width <= 0 || height <= 0)
        return old ? CUDA_ERROR_INVALID_VALUE : error;
    size_t bytes = old->bytes;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, old->parameters, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                     CU_LAUNCH_PARAM_END};
    return cuLaunchKernel(handle, (unsigned)width, (unsigned)height, 1, old->block[0], old->block[1],
                          old->block[2], old->shared, (CUstream)stream, NULL, extra);
}

CUresult cuLaunch(CUfunction f)
{
    UMSIM_DRIVER(cuLaunch, UMSIM_NEEDS_CONTEXT);
    return launch(f, 1, 1, cudaStreamLegacy);
}

CUresult cuLaunchGrid(CUfunction f, int grid_width, int grid_height)
{
    UMSIM_DRIVER(cuLaunchGrid, UMSIM_NEEDS_CONTEXT);
    return launch(f, grid_width, grid_height, cudaStreamLegacy);
}

CUresult cuLaunchGridAsync(CUfunction f, int grid_width, int grid_height, CUstream hStream)
{
    UMSIM_DRIVER(cuLaunchGridAsync, UMSIM_NEEDS_CONTEXT);
    return launch(f, grid_width, grid_height, UMSIM_STREAM(hStream));
}
