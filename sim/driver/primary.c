/**
 * @file primary.c
 * @brief The primary context of each device (CUDA Driver API: Primary Context Management).
 */
#include "context.h"

static unsigned kept[UMSIM_DEVICES_MAX]; /* how often each was retained */

/* One way to wait at most, and no bits that have no meaning. */
bool umsim_context_are_flags(unsigned flags)
{
    const unsigned how = flags & CU_CTX_SCHED_MASK;
    return !(flags & ~(unsigned)CU_CTX_FLAGS_MASK) && !(how & (how - 1));
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *pctx, CUdevice dev)
{
    UMSIM_DRIVER(cuDevicePrimaryCtxRetain, UMSIM_NEEDS_INIT);
    if (!pctx || !umsim_is_device(dev))
        return pctx ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_VALUE;
    const CUresult error = umsim_result(cudaFree(NULL)); /* the device starts now */
    if (error)
        return error;
    kept[dev]++;
    *pctx = umsim_context_primary((unsigned)dev);
    (*pctx)->destroyed = false;
    return CUDA_SUCCESS;
}

static CUresult reset(unsigned device)
{
    UMSIM_AS_DEVICE(device);
    kept[device] = 0;
    umsim_context_primary(device)->destroyed = true; /* until it is asked for again */
    return umsim_result(cudaDeviceReset());
}

/* The runtime keeps it, too, from its first call on. */
CUresult cuDevicePrimaryCtxRelease(CUdevice dev)
{
    UMSIM_DRIVER(cuDevicePrimaryCtxRelease, UMSIM_NEEDS_INIT);
    if (!umsim_is_device(dev))
        return CUDA_ERROR_INVALID_DEVICE;
    if (!kept[dev])
        return CUDA_ERROR_INVALID_CONTEXT;
    return --kept[dev] || umsim_runtime_is_used((unsigned)dev) ? CUDA_SUCCESS : reset((unsigned)dev);
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice dev, unsigned int flags)
{
    UMSIM_DRIVER(cuDevicePrimaryCtxSetFlags, UMSIM_NEEDS_INIT);
    if (!umsim_is_device(dev))
        return CUDA_ERROR_INVALID_DEVICE;
    if (!umsim_context_are_flags(flags))
        return CUDA_ERROR_INVALID_VALUE;
    umsim_context_primary((unsigned)dev)->flags = flags;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice dev, unsigned int *flags, int *active)
{
    UMSIM_DRIVER(cuDevicePrimaryCtxGetState, UMSIM_NEEDS_INIT);
    if (!umsim_is_device(dev))
        return CUDA_ERROR_INVALID_DEVICE;
    if (!flags || !active)
        return CUDA_ERROR_INVALID_VALUE;
    *flags = umsim_context_primary((unsigned)dev)->flags;
    *active = kept[dev] || umsim_runtime_is_used((unsigned)dev);
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxReset(CUdevice dev)
{
    UMSIM_DRIVER(cuDevicePrimaryCtxReset, UMSIM_NEEDS_INIT);
    return umsim_is_device(dev) ? reset((unsigned)dev) : CUDA_ERROR_INVALID_DEVICE;
}
