/* device.c: the device and its limits (CUDA Runtime API, Device Management; Profiler Control; versions). */
#include "attributes.h"
#include "runtime.h"
#include "../fault/counters.h"
#include "../include/cuda_profiler_api.h"

#include <stdio.h>

/* The machine has one device: every thread's is number 0. */
cudaError_t cudaGetDeviceCount(int *count)
{
    UMSIM_ENTER(cudaGetDeviceCount);
    if (!count) return umsim_leave(cudaErrorInvalidValue);
    umsim_spend(UMSIM_CALL_LOOKUP);
    *count = 1;
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaGetDevice(int *device)
{
    UMSIM_ENTER(cudaGetDevice);
    if (!device) return umsim_leave(cudaErrorInvalidValue);
    umsim_spend(UMSIM_CALL_LOOKUP);
    *device = 0;
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaSetDevice(int device)
{
    UMSIM_ENTER(cudaSetDevice);
    umsim_spend(UMSIM_CALL_LOOKUP);
    return umsim_leave(umsim_is_device(device) ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device)
{
    UMSIM_ENTER(cudaGetDeviceProperties);
    if (!prop || !umsim_is_device(device))
        return umsim_leave(prop ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    umsim_spend(UMSIM_CALL_LOOKUP);
    umsim_properties_fill(prop);
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device)
{
    UMSIM_ENTER(cudaDeviceGetAttribute);
    if (!value || !umsim_is_device(device))
        return umsim_leave(value ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    umsim_spend(UMSIM_CALL_LOOKUP);
    return umsim_leave(umsim_attribute((int)attr, value) ? cudaSuccess : cudaErrorInvalidValue);
}

/* With one device there is no choice. */
cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *prop)
{
    UMSIM_ENTER(cudaChooseDevice);
    if (!device || !prop) return umsim_leave(cudaErrorInvalidValue);
    umsim_spend(UMSIM_CALL_LOOKUP);
    *device = 0;
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaDeviceSynchronize(void)
{
    UMSIM_ENTER(cudaDeviceSynchronize);
    umsim_wait_for_device();
    umsim_spend(UMSIM_CALL_SYNCHRONIZE);
    umsim_count(synchronizations, 1);
    return umsim_leave(umsim_sticky_error());
}

/* What device code may use. The values are kept and told; the simulator's kernels have their own stacks and heap. */
static struct limit {
    bool supported;
    size_t value, largest;
} limits[] = {
    [cudaLimitStackSize] = {true, 1024, 512 << 10},
    [cudaLimitPrintfFifoSize] = {true, 1 << 20, SIZE_MAX},
    [cudaLimitMallocHeapSize] = {true, 8 << 20, SIZE_MAX},
    [cudaLimitDevRuntimeSyncDepth] = {false, 0, 0},
    [cudaLimitDevRuntimePendingLaunchCount] = {true, 2048, SIZE_MAX},
    [cudaLimitMaxL2FetchGranularity] = {true, 64, 128},
    [cudaLimitPersistingL2CacheSize] = {true, 0, SIZE_MAX},
};

static cudaError_t find_limit(enum cudaLimit number, struct limit **limit)
{
    if ((size_t)number >= sizeof limits / sizeof *limits) return cudaErrorInvalidValue;
    *limit = &limits[number];
    return limits[number].supported ? cudaSuccess : cudaErrorUnsupportedLimit;
}

cudaError_t cudaDeviceGetLimit(size_t *pValue, enum cudaLimit limit)
{
    UMSIM_ENTER(cudaDeviceGetLimit);
    struct limit *found;
    if (!pValue) return umsim_leave(cudaErrorInvalidValue);
    umsim_spend(UMSIM_CALL_LOOKUP);
    cudaError_t error = find_limit(limit, &found);
    if (!error) *pValue = found->value;
    return umsim_leave(error);
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    UMSIM_ENTER(cudaDeviceSetLimit);
    struct limit *found;
    umsim_spend(UMSIM_CALL_LOOKUP);
    cudaError_t error = find_limit(limit, &found);
    if (!error && value > found->largest) error = cudaErrorInvalidValue;
    if (!error) found->value = value;
    return umsim_leave(error);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *leastPriority, int *greatestPriority)
{
    UMSIM_ENTER(cudaDeviceGetStreamPriorityRange);
    umsim_spend(UMSIM_CALL_LOOKUP);
    if (leastPriority) *leastPriority = (int)umsim_machine.attributes.least_stream_priority;
    if (greatestPriority) *greatestPriority = (int)umsim_machine.attributes.greatest_stream_priority;
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaDeviceGetPCIBusId(char *pciBusId, int len, int device)
{
    UMSIM_ENTER(cudaDeviceGetPCIBusId);
    const struct umsim_attributes *has = &umsim_machine.attributes;
    char text[sizeof "0000:00:00.0"];
    if (!pciBusId || !umsim_is_device(device))
        return umsim_leave(pciBusId ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    umsim_spend(UMSIM_CALL_LOOKUP);
    snprintf(text, sizeof text, "%04x:%02x:%02x.0", (unsigned)has->pci_domain_id & 0xffff,
             (unsigned)has->pci_bus_id & 0xff, (unsigned)has->pci_device_id & 0xff);
    if (len < (int)sizeof text) return umsim_leave(cudaErrorInvalidValue);
    memcpy(pciBusId, text, sizeof text);
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaDeviceCanAccessPeer(int *canAccessPeer, int device, int peerDevice)
{
    UMSIM_ENTER(cudaDeviceCanAccessPeer);
    if (!canAccessPeer) return umsim_leave(cudaErrorInvalidValue);
    if (!umsim_is_device(device) || !umsim_is_device(peerDevice)) return umsim_leave(cudaErrorInvalidDevice);
    umsim_spend(UMSIM_CALL_LOOKUP);
    *canAccessPeer = 0;
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaDriverGetVersion(int *driverVersion)
{
    UMSIM_ENTER_AS(cudaDriverGetVersion, UMSIM_ANSWERS_ALWAYS);
    if (!driverVersion) return umsim_leave(cudaErrorInvalidValue);
    *driverVersion = (int)umsim_machine.attributes.driver_version;
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaRuntimeGetVersion(int *runtimeVersion)
{
    UMSIM_ENTER_AS(cudaRuntimeGetVersion, UMSIM_ANSWERS_ALWAYS);
    if (!runtimeVersion) return umsim_leave(cudaErrorInvalidValue);
    *runtimeVersion = CUDART_VERSION;
    return umsim_leave(cudaSuccess);
}

/* Mapped host memory is always on. How the host waits changes nothing here: it waits in virtual time. */
static unsigned device_flags = cudaDeviceScheduleAuto | cudaDeviceMapHost;

cudaError_t cudaSetDeviceFlags(unsigned int flags)
{
    UMSIM_ENTER(cudaSetDeviceFlags);
    unsigned schedule = flags & cudaDeviceScheduleMask;
    umsim_spend(UMSIM_CALL_LOOKUP);
    if ((flags & ~(unsigned)cudaDeviceMask) || (schedule & (schedule - 1)))
        return umsim_leave(cudaErrorInvalidValue);
    device_flags = flags | cudaDeviceMapHost;
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaGetDeviceFlags(unsigned int *flags)
{
    UMSIM_ENTER(cudaGetDeviceFlags);
    if (!flags) return umsim_leave(cudaErrorInvalidValue);
    umsim_spend(UMSIM_CALL_LOOKUP);
    *flags = device_flags;
    return umsim_leave(cudaSuccess);
}

/* A wish, on hardware too; caches are not modelled. */
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache cacheConfig)
{
    UMSIM_ENTER(cudaDeviceSetCacheConfig);
    umsim_spend(UMSIM_CALL_LOOKUP);
    return umsim_leave((unsigned)cacheConfig > cudaFuncCachePreferEqual ? cudaErrorInvalidValue
                                                                        : cudaSuccess);
}

/* They talk to a profiler, and there is none; UMSIM_TRACE writes what the simulator does. */
cudaError_t cudaProfilerStart(void)
{
    UMSIM_ENTER(cudaProfilerStart);
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaProfilerStop(void)
{
    UMSIM_ENTER(cudaProfilerStop);
    return umsim_leave(cudaSuccess);
}
