/**
 * @file um_cuda_compat.h
 * @brief Hides the differences between CUDA 12 and CUDA 13, all in one place.
 *
 * CUDA 13 changed cudaMemPrefetchAsync() and cudaMemAdvise(): they take a struct cudaMemLocation in place of
 * a device number. Labs that prefetch or advise call the two functions below, and name the CUDA call in a
 * comment beside it. CUDA 13 also removed fields from cudaDeviceProp, the clock rates among them;
 * cudaDeviceGetAttribute() gives these in both versions.
 */
#ifndef UM_CUDA_COMPAT_H
#define UM_CUDA_COMPAT_H

#include <string.h>
#include <cuda_runtime_api.h>

#if !defined(CUDART_VERSION) || CUDART_VERSION < 12000
#error "CUDA 12 or 13 is needed"
#endif

#if CUDART_VERSION >= 13000
/** A place for prefetch and advice: a device number, or cudaCpuDeviceId for the host. */
static inline struct cudaMemLocation um_location(int device)
{
    struct cudaMemLocation location;

    memset(&location, 0, sizeof location);
    location.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    location.id = device == cudaCpuDeviceId ? 0 : device;
    return location;
}
#endif

/** cudaMemPrefetchAsync(): bring managed memory to `device` (the host: cudaCpuDeviceId), in stream order. */
static inline cudaError_t um_prefetch(const void *p, size_t bytes, int device, cudaStream_t stream)
{
#if CUDART_VERSION >= 13000
    return cudaMemPrefetchAsync(p, bytes, um_location(device), 0, stream);
#else
    return cudaMemPrefetchAsync(p, bytes, device, stream);
#endif
}

/**
 * cudaMemAdvise(): tell the driver how managed memory will be used. ReadMostly ignores `device`, but it has
 * to be a valid one.
 */
static inline cudaError_t um_advise(const void *p, size_t bytes, enum cudaMemoryAdvise advice, int device)
{
#if CUDART_VERSION >= 13000
    return cudaMemAdvise(p, bytes, advice, um_location(device));
#else
    return cudaMemAdvise(p, bytes, advice, device);
#endif
}

/** A device attribute, or `otherwise` when the runtime does not know it. */
static inline int um_attribute(enum cudaDeviceAttr attribute, int device, int otherwise)
{
    int value = 0;

    if (cudaDeviceGetAttribute(&value, attribute, device) == cudaSuccess)
        return value;
    (void)cudaGetLastError(); /* the question is no failure: do not leave its error for the next check */
    return otherwise;
}

#endif
