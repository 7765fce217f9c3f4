/**
 * @file device.c
 * @brief The device and its limits (CUDA Runtime API, Device Management; Profiler Control; versions).
 *
 * What answers after a kernel's sticky error, and which of two mistakes is reported, is as on an H200 (driver
 * 580).
 */
#include "attributes.h"
#include "device.h"
#include "runtime.h"
#include "../record/counters.h"
#include "../devlib/heap.h"
#include "../devlib/print.h"
#include "../include/cuda_profiler_api.h"

#include <stdio.h>

/* The machine has one device: every thread's is number 0. */
cudaError_t cudaGetDeviceCount(int *count)
{
    UMSIM_ENTER_AS(cudaGetDeviceCount, UMSIM_ANSWERS_ALWAYS);
    if (!count)
        return umsim_leave(cudaErrorInvalidValue);
    umsim_spend(UMSIM_CALL_LOOKUP);
    *count = 1;
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaGetDevice(int *device)
{
    UMSIM_ENTER_AS(cudaGetDevice, UMSIM_ANSWERS_ALWAYS);
    if (!device)
        return umsim_leave(cudaErrorInvalidValue);
    umsim_spend(UMSIM_CALL_LOOKUP);
    *device = 0;
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaSetDevice(int device)
{
    UMSIM_ENTER_AS(cudaSetDevice, UMSIM_ANSWERS_ALWAYS);
    umsim_spend(UMSIM_CALL_LOOKUP);
    if (!umsim_is_device(device))
        return umsim_leave(cudaErrorInvalidDevice);
    bool lost = umsim_sticky_error() == cudaErrorDevicesUnavailable;
    return umsim_leave(lost ? cudaErrorDevicesUnavailable : cudaSuccess);
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device)
{
    UMSIM_ENTER_AS(cudaGetDeviceProperties, UMSIM_ANSWERS_ALWAYS);
    if (!prop || !umsim_is_device(device))
        return umsim_leave(prop ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    umsim_spend(UMSIM_CALL_LOOKUP);
    umsim_properties_fill(prop);
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device)
{
    UMSIM_ENTER_AS(cudaDeviceGetAttribute, UMSIM_ANSWERS_ALWAYS);
    if (!value || !umsim_is_device(device))
        return umsim_leave(value ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    umsim_spend(UMSIM_CALL_LOOKUP);
    return umsim_leave(umsim_attribute((int)attr, value) ? cudaSuccess : cudaErrorInvalidValue);
}

/* With one device there is no choice. */
cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *prop)
{
    UMSIM_ENTER_AS(cudaChooseDevice, UMSIM_ANSWERS_ALWAYS);
    if (!device || !prop)
        return umsim_leave(cudaErrorInvalidValue);
    umsim_spend(UMSIM_CALL_LOOKUP);
    *device = 0;
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaDeviceSynchronize(void)
{
    UMSIM_ENTER(cudaDeviceSynchronize);
    uint64_t before = umsim_clock_now();
    umsim_wait_for_device();
    umsim_spend_wait(before);
    umsim_count(synchronizations, 1);
    return umsim_leave(umsim_sticky_error());
}

/*
 * What device code may use. A value is rounded up to a whole `unit` and up to `least`; one above `most` is
 * refused, or becomes `most`. The figures are an H200's (driver 580, CUDA 13.0); the largest stack is the
 * largest that was seen to be taken (524,272 bytes were refused). The simulator keeps the values and tells
 * them; its kernels have stacks of their own.
 */
struct limit {
    bool supported, refuses;
    size_t unit, least, most, at_start;
};

static const struct limit limits[] = {
    [cudaLimitStackSize] = {true, true, 16, 0, 512000, 1024},
    [cudaLimitPrintfFifoSize] = {true, false, 1, 512 << 10, (size_t)2 << 30, 8650752},
    [cudaLimitMallocHeapSize] = {true, false, 1, 4 << 20, 17681179680, 8 << 20},
    [cudaLimitDevRuntimeSyncDepth] = {false, false, 1, 0, 0, 0},
    [cudaLimitDevRuntimePendingLaunchCount] = {true, false, 1, 32, 599186, 2048},
    [cudaLimitMaxL2FetchGranularity] = {true, true, 1, 0, 128, 64},
};

/* Set by the program; 0 stands for the value at the start, n + 1 for n. */
static size_t limit_set[cudaLimitPersistingL2CacheSize + 1];

/* L2 set aside for persisting accesses comes in tenths of what there can be; three at the start. */
static struct limit persisting_l2(void)
{
    size_t most = (size_t)umsim_machine.attributes.max_persisting_l2_cache_size;
    return (struct limit){true, true, most / 10 ? most / 10 : 1, 0, most, most / 10 * 3};
}

static cudaError_t find_limit(enum cudaLimit number, struct limit *limit)
{
    if ((size_t)number >= sizeof limit_set / sizeof *limit_set)
        return cudaErrorInvalidValue;
    *limit = number == cudaLimitPersistingL2CacheSize ? persisting_l2() : limits[number];
    return limit->supported ? cudaSuccess : cudaErrorUnsupportedLimit;
}

size_t umsim_device_limit(enum cudaLimit number)
{
    return limit_set[number] ? limit_set[number] - 1 : limits[number].at_start;
}

cudaError_t cudaDeviceGetLimit(size_t *pValue, enum cudaLimit limit)
{
    UMSIM_ENTER(cudaDeviceGetLimit);
    struct limit found;
    if (!pValue)
        return umsim_leave(cudaErrorInvalidValue);
    umsim_spend(UMSIM_CALL_LOOKUP);
    cudaError_t error = find_limit(limit, &found);
    if (!error)
        *pValue = limit_set[limit] ? limit_set[limit] - 1 : found.at_start;
    return umsim_leave(error);
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    UMSIM_ENTER(cudaDeviceSetLimit);
    struct limit found;
    umsim_spend(UMSIM_CALL_LOOKUP);
    cudaError_t error = find_limit(limit, &found);
    if (!error && value > found.most && found.refuses)
        error = cudaErrorInvalidValue;
    if (limit == cudaLimitPrintfFifoSize && umsim_print_used())
        error = cudaErrorInvalidValue; /* the manual: before the first kernel that prints */
    if (limit == cudaLimitMallocHeapSize && umsim_heap_used())
        error = cudaErrorInvalidValue; /* likewise */
    if (error)
        return umsim_leave(error);
    size_t kept = value < found.least ? found.least : value > found.most ? found.most : value;
    limit_set[limit] = (kept + found.unit - 1) / found.unit * found.unit + 1;
    if (limit == cudaLimitMallocHeapSize)
        umsim_heap_reset(umsim_device_limit(limit));
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *leastPriority, int *greatestPriority)
{
    UMSIM_ENTER(cudaDeviceGetStreamPriorityRange);
    umsim_spend(UMSIM_CALL_LOOKUP);
    if (leastPriority)
        *leastPriority = (int)umsim_machine.attributes.least_stream_priority;
    if (greatestPriority)
        *greatestPriority = (int)umsim_machine.attributes.greatest_stream_priority;
    return umsim_leave(cudaSuccess);
}

/* As much of it as there is room for, and an error when that is not all. */
cudaError_t cudaDeviceGetPCIBusId(char *pciBusId, int len, int device)
{
    UMSIM_ENTER_AS(cudaDeviceGetPCIBusId, UMSIM_ANSWERS_ALWAYS);
    const struct umsim_attributes *has = &umsim_machine.attributes;
    if (!pciBusId || !umsim_is_device(device))
        return umsim_leave(pciBusId ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    umsim_spend(UMSIM_CALL_LOOKUP);
    int needs = snprintf(pciBusId, len > 0 ? (size_t)len : 0, "%04x:%02x:%02x.0",
                         (unsigned)has->pci_domain_id & 0xffff, (unsigned)has->pci_bus_id & 0xff,
                         (unsigned)has->pci_device_id & 0xff);
    return umsim_leave(needs < len ? cudaSuccess : cudaErrorInvalidValue);
}

/* "0000:18:00.0", without the domain or without the function, in hexadecimal. */
cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *pciBusId)
{
    UMSIM_ENTER_AS(cudaDeviceGetByPCIBusId, UMSIM_ANSWERS_ALWAYS);
    const struct umsim_attributes *has = &umsim_machine.attributes;
    unsigned domain = 0, bus, slot, function = 0;
    if (!device || !pciBusId)
        return umsim_leave(cudaErrorInvalidValue);
    if (sscanf(pciBusId, "%x:%x:%x.%x", &domain, &bus, &slot, &function) < 3 &&
        sscanf(pciBusId, "%x:%x.%x", &bus, &slot, &function) < 2)
        return umsim_leave(cudaErrorInvalidValue);
    if (domain != (unsigned)has->pci_domain_id || bus != (unsigned)has->pci_bus_id ||
        slot != (unsigned)has->pci_device_id || function)
        return umsim_leave(cudaErrorInvalidDevice);
    *device = 0;
    return umsim_leave(cudaSuccess);
}

/* There is no other device, and none is its own peer. */
cudaError_t cudaDeviceEnablePeerAccess(int peerDevice, unsigned int flags)
{
    UMSIM_ENTER(cudaDeviceEnablePeerAccess);
    (void)peerDevice;
    return umsim_leave(flags ? cudaErrorInvalidValue : cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceDisablePeerAccess(int peerDevice)
{
    UMSIM_ENTER(cudaDeviceDisablePeerAccess);
    (void)peerDevice;
    return umsim_leave(cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceCanAccessPeer(int *canAccessPeer, int device, int peerDevice)
{
    UMSIM_ENTER_AS(cudaDeviceCanAccessPeer, UMSIM_ANSWERS_ALWAYS);
    if (!umsim_is_device(device) || !umsim_is_device(peerDevice))
        return umsim_leave(cudaErrorInvalidDevice);
    if (!canAccessPeer)
        return umsim_leave(cudaErrorInvalidValue);
    umsim_spend(UMSIM_CALL_LOOKUP);
    *canAccessPeer = 0;
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaDriverGetVersion(int *driverVersion)
{
    UMSIM_ENTER_AS(cudaDriverGetVersion, UMSIM_ANSWERS_ALWAYS);
    if (!driverVersion)
        return umsim_leave(cudaErrorInvalidValue);
    *driverVersion = (int)umsim_machine.attributes.driver_version;
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaRuntimeGetVersion(int *runtimeVersion)
{
    UMSIM_ENTER_AS(cudaRuntimeGetVersion, UMSIM_ANSWERS_ALWAYS);
    if (!runtimeVersion)
        return umsim_leave(cudaErrorInvalidValue);
    *runtimeVersion = CUDART_VERSION;
    return umsim_leave(cudaSuccess);
}

/* Mapped host memory is always on. How the host waits changes nothing here: it waits in virtual time. */
#define DEVICE_FLAGS                                                                                         \
    (cudaDeviceScheduleMask | cudaDeviceMapHost | cudaDeviceLmemResizeToMax | cudaDeviceSyncMemops)
static unsigned device_flags = cudaDeviceScheduleAuto | cudaDeviceMapHost;

cudaError_t cudaSetDeviceFlags(unsigned int flags)
{
    UMSIM_ENTER_AS(cudaSetDeviceFlags, UMSIM_ANSWERS_ALWAYS);
    unsigned schedule = flags & cudaDeviceScheduleMask;
    umsim_spend(UMSIM_CALL_LOOKUP);
    if ((flags & ~(unsigned)cudaDeviceMask) || (schedule & (schedule - 1)))
        return umsim_leave(cudaErrorInvalidValue);
    device_flags = (flags & DEVICE_FLAGS) | cudaDeviceMapHost;
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaGetDeviceFlags(unsigned int *flags)
{
    UMSIM_ENTER_AS(cudaGetDeviceFlags, UMSIM_ANSWERS_ALWAYS);
    if (!flags)
        return umsim_leave(cudaErrorInvalidValue);
    umsim_spend(UMSIM_CALL_LOOKUP);
    *flags = device_flags;
    return umsim_leave(cudaSuccess);
}

void umsim_device_settings_reset(void)
{
    memset(limit_set, 0, sizeof limit_set);
    umsim_heap_reset(umsim_device_limit(cudaLimitMallocHeapSize));
    device_flags = cudaDeviceScheduleAuto | cudaDeviceMapHost;
}

static enum cudaFuncCache cache_config;

/* A wish, on hardware too; caches are not modelled. */
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache cacheConfig)
{
    UMSIM_ENTER(cudaDeviceSetCacheConfig);
    umsim_spend(UMSIM_CALL_LOOKUP);
    if ((unsigned)cacheConfig > cudaFuncCachePreferEqual)
        return umsim_leave(cudaErrorInvalidValue);
    cache_config = cacheConfig;
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *pCacheConfig)
{
    UMSIM_ENTER(cudaDeviceGetCacheConfig);
    if (!pCacheConfig)
        return umsim_leave(cudaErrorInvalidValue);
    *pCacheConfig = cache_config;
    return umsim_leave(cudaSuccess);
}

/* Banks are 4 bytes wide on all devices since Maxwell: a wish of old, and no more. */
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
    UMSIM_ENTER(cudaDeviceSetSharedMemConfig);
    return umsim_leave((unsigned)config > cudaSharedMemBankSizeEightByte ? cudaErrorInvalidValue
                                                                         : cudaSuccess);
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *pConfig)
{
    UMSIM_ENTER(cudaDeviceGetSharedMemConfig);
    if (!pConfig)
        return umsim_leave(cudaErrorInvalidValue);
    *pConfig = cudaSharedMemBankSizeFourByte;
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaInitDevice(int device, unsigned int deviceFlags, unsigned int flags)
{
    if (flags == 1 && umsim_is_device(device))
        return cudaSetDeviceFlags(deviceFlags);
    UMSIM_ENTER(cudaInitDevice);
    return umsim_leave(!umsim_is_device(device) ? cudaErrorInvalidDevice
                       : flags                  ? cudaErrorInvalidValue
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
