/**
 * @file launch.c
 * @brief Launches (CUDA Driver API: Execution Control).
 *
 * The runtime launches by an array of pointers to parameters. Parameters that come packed are pointed to
 * where they lie in the buffer.
 */
#include "function.h"
#include "old_launch.h"

#include <stdlib.h>

_Static_assert(sizeof(CUlaunchAttribute) == sizeof(cudaLaunchAttribute), "one layout");
_Static_assert(offsetof(CUlaunchAttribute, value) == offsetof(cudaLaunchAttribute, val), "one layout");

/* Reads the list that ends with CU_LAUNCH_PARAM_END. */
static CUresult read_extra(void **extra, char **buffer, size_t *bytes)
{
    for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
        if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
            *buffer = extra[1];
        else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE)
            *bytes = *(const size_t *)extra[1];
        else
            return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

CUresult umsim_unpack(const struct CUfunc_st *function, char *buffer, size_t bytes, void **parameters)
{
    size_t offset = 0, size = 0;
    for (unsigned i = 0; i < function->parameter_count; i++) {
        umsim_parameter_at(function, i, &offset, &size);
        if (offset + size > bytes)
            return CUDA_ERROR_INVALID_VALUE;
        parameters[i] = buffer + offset;
    }
    return function->has_parameters ? CUDA_SUCCESS : CUDA_ERROR_NOT_SUPPORTED;
}

CUresult umsim_unpack_extra(const struct CUfunc_st *function, void **extra, void **parameters)
{
    char *buffer = NULL;
    size_t bytes = 0;
    const CUresult error = read_extra(extra, &buffer, &bytes);
    if (error || (!buffer && function->parameter_count))
        return error ? error : CUDA_ERROR_INVALID_VALUE;
    return umsim_unpack(function, buffer, bytes, parameters);
}

static CUresult launch(CUfunction handle, const cudaLaunchConfig_t *config, void **given, void **extra)
{
    const struct CUfunc_st *function = umsim_driver_function(handle);
    const struct umsim_stream *stream = umsim_stream_of(config->stream);
    if (!function || !stream || !umsim_function_runs_on(function, stream->device))
        return CUDA_ERROR_INVALID_HANDLE;
    UMSIM_AS_DEVICE(stream->device);
    if (given && extra)
        return CUDA_ERROR_INVALID_VALUE;
    if (!extra)
        return given || !function->parameter_count
                   ? umsim_result(cudaLaunchKernelExC(config, function->stub, given))
                   : CUDA_ERROR_INVALID_VALUE;
    void **parameters = calloc(function->parameter_count + 1, sizeof *parameters);
    if (!parameters)
        return CUDA_ERROR_OUT_OF_MEMORY;
    CUresult error = umsim_unpack_extra(function, extra, parameters);
    if (!error)
        error = umsim_result(cudaLaunchKernelExC(config, function->stub, parameters));
    free(parameters);
    return error;
}

CUresult cuLaunchKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ,
                        unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ,
                        unsigned int sharedMemBytes, CUstream hStream, void **kernelParams, void **extra)
{
    UMSIM_DRIVER(cuLaunchKernel, UMSIM_NEEDS_CONTEXT);
    const cudaLaunchConfig_t config = {.gridDim = {gridDimX, gridDimY, gridDimZ},
                                       .blockDim = {blockDimX, blockDimY, blockDimZ},
                                       .dynamicSmemBytes = sharedMemBytes,
                                       .stream = UMSIM_STREAM(hStream)};
    return launch(f, &config, kernelParams, extra);
}

CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY,
                                   unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY,
                                   unsigned int blockDimZ, unsigned int sharedMemBytes, CUstream hStream,
                                   void **kernelParams)
{
    UMSIM_DRIVER(cuLaunchCooperativeKernel, UMSIM_NEEDS_CONTEXT);
    cudaLaunchAttribute cooperative = {.id = cudaLaunchAttributeCooperative, .val = {.cooperative = 1}};
    const cudaLaunchConfig_t config = {.gridDim = {gridDimX, gridDimY, gridDimZ},
                                       .blockDim = {blockDimX, blockDimY, blockDimZ},
                                       .dynamicSmemBytes = sharedMemBytes,
                                       .stream = UMSIM_STREAM(hStream),
                                       .attrs = &cooperative,
                                       .numAttrs = 1};
    return launch(f, &config, kernelParams, NULL);
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction f, void **kernelParams, void **extra)
{
    UMSIM_DRIVER(cuLaunchKernelEx, UMSIM_NEEDS_CONTEXT);
    if (!config)
        return CUDA_ERROR_INVALID_VALUE;
    const cudaLaunchConfig_t same = {.gridDim = {config->gridDimX, config->gridDimY, config->gridDimZ},
                                     .blockDim = {config->blockDimX, config->blockDimY, config->blockDimZ},
                                     .dynamicSmemBytes = config->sharedMemBytes,
                                     .stream = UMSIM_STREAM(config->hStream),
                                     .attrs = (cudaLaunchAttribute *)config->attrs,
                                     .numAttrs = config->numAttrs};
    return launch(f, &same, kernelParams, extra);
}
