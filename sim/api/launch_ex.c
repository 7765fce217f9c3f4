/**
 * @file launch_ex.c
 * @brief Launches with attributes (CUDA Runtime API, Execution Control).
 *
 * Most attributes are hints to a scheduler and change nothing here. A cluster has one block, because the
 * __shared__ memory of several blocks is not in one place.
 */
#include "runtime.h"
#include "../base/report.h"

/* Reads the attributes that matter here.
 * @return cudaErrorNotSupported for attributes whose effect a program would wait for forever */
static cudaError_t read_attributes(const cudaLaunchConfig_t *config, bool *cooperative)
{
    *cooperative = false;
    if (config->numAttrs && !config->attrs)
        return cudaErrorInvalidValue;
    for (unsigned i = 0; i < config->numAttrs; i++) {
        const cudaLaunchAttribute *attribute = &config->attrs[i];
        switch (attribute->id) {
        case cudaLaunchAttributeCooperative:
            *cooperative = attribute->val.cooperative != 0;
            break;
        case cudaLaunchAttributeClusterDimension:
            if (attribute->val.clusterDim.x != 1 || attribute->val.clusterDim.y != 1 ||
                attribute->val.clusterDim.z != 1) {
                umsim_say("cudaLaunchKernelEx: clusters of %u x %u x %u blocks are not provided, only of "
                          "one: let the "
                          "blocks work through global memory",
                          attribute->val.clusterDim.x, attribute->val.clusterDim.y,
                          attribute->val.clusterDim.z);
                return cudaErrorNotSupported;
            }
            break;
        case cudaLaunchAttributeProgrammaticEvent:
        case cudaLaunchAttributeLaunchCompletionEvent:
        case cudaLaunchAttributeDeviceUpdatableKernelNode:
            return cudaErrorNotSupported;
        default:
            break;
        }
    }
    return cudaSuccess;
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *func, void **args)
{
    bool cooperative;
    const cudaError_t error = config ? read_attributes(config, &cooperative) : cudaErrorInvalidValue;
    if (error) {
        UMSIM_ENTER(cudaLaunchKernelExC, config, func);
        return umsim_leave(error);
    }
    return (cooperative ? cudaLaunchCooperativeKernel : cudaLaunchKernel)(
        func, config->gridDim, config->blockDim, args, config->dynamicSmemBytes, config->stream);
}
