/**
 * @file device.c
 * @brief The device and its limits (CUDA Runtime API, Device Management; Profiler Control; versions).
 *
 * Two things follow an H200 (driver 580): which calls still answer after a kernel's sticky error, and which
 * of two mistakes in a call is reported.
 */
#include "attributes.h"
#include "device.h"
#include "../base/limits.h"
#include "runtime.h"
#include "../record/counters.h"
#include "../check/pieces.h"
#include "../space/heap.h"
#include "../devlib/print.h"
#include "../include/cuda_profiler_api.h"
#include "../base/machine.h"
#include "../base/sticky.h"

#include <stdio.h>

cudaError_t cudaGetDeviceCount(int *count)
{
    UMSIM_ENTER_AS(cudaGetDeviceCount, UMSIM_ANSWERS_ALWAYS, count);
    if (!count)
        return umsim_leave(cudaErrorInvalidValue);
    umsim_spend(UMSIM_CALL_LOOKUP);
    *count = (int)umsim_devices;
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaGetDevice(int *device)
{
    UMSIM_ENTER_AS(cudaGetDevice, UMSIM_ANSWERS_ALWAYS, device);
    if (!device)
        return umsim_leave(cudaErrorInvalidValue);
    umsim_spend(UMSIM_CALL_LOOKUP);
    *device = (int)umsim_device();
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaSetDevice(int device)
{
    UMSIM_ENTER_AS(cudaSetDevice, UMSIM_ANSWERS_ALWAYS, device);
    umsim_spend(UMSIM_CALL_LOOKUP);
    if (!umsim_is_device(device))
        return umsim_leave(cudaErrorInvalidDevice);
    umsim_device_choose((unsigned)device);
    umsim_want_primary(UMSIM_PRIMARY_ALWAYS);
    bool lost = umsim_sticky_error() == cudaErrorDevicesUnavailable;
    return umsim_leave(lost ? cudaErrorDevicesUnavailable : cudaSuccess);
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device)
{
    UMSIM_ENTER_AS(cudaGetDeviceProperties, UMSIM_ANSWERS_ALWAYS, prop, device);
    if (!prop || !umsim_is_device(device))
        return umsim_leave(prop ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    umsim_spend(UMSIM_CALL_LOOKUP);
    umsim_properties_fill(prop, (unsigned)device);
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device)
{
    UMSIM_ENTER_AS(cudaDeviceGetAttribute, UMSIM_ANSWERS_ALWAYS, value, attr, device);
    if (!value || !umsim_is_device(device))
        return umsim_leave(value ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    umsim_spend(UMSIM_CALL_LOOKUP);
    return umsim_leave(umsim_attribute_of((unsigned)device, (int)attr, value) ? cudaSuccess
                                                                              : cudaErrorInvalidValue);
}

/* All devices are of one kind, and the first one suits as well as any. */
cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *prop)
{
    UMSIM_ENTER_AS(cudaChooseDevice, UMSIM_ANSWERS_ALWAYS, device, prop);
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

cudaError_t cudaDeviceGetLimit(size_t *pValue, enum cudaLimit limit)
{
    UMSIM_ENTER(cudaDeviceGetLimit, pValue, limit);
    if (!pValue)
        return umsim_leave(cudaErrorInvalidValue);
    umsim_spend(UMSIM_CALL_LOOKUP);
    return umsim_leave(umsim_limit_get(limit, pValue));
}

static void reset_heap(void)
{
    umsim_heap_reset(umsim_device(), umsim_device_limit(umsim_device(), cudaLimitMallocHeapSize));
    umsim_pieces_reset(umsim_device());
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    UMSIM_ENTER(cudaDeviceSetLimit, limit, value);
    umsim_spend(UMSIM_CALL_LOOKUP);
    cudaError_t error = umsim_limit_check(limit, value);
    if (limit == cudaLimitPrintfFifoSize && umsim_print_used())
        error = cudaErrorInvalidValue; /* the manual: only before the first kernel that prints */
    if (limit == cudaLimitMallocHeapSize && umsim_heap_used(umsim_device()))
        error = cudaErrorInvalidValue; /* likewise */
    if (error)
        return umsim_leave(error);
    umsim_limit_set(limit, value);
    if (limit == cudaLimitMallocHeapSize)
        reset_heap();
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *leastPriority, int *greatestPriority)
{
    UMSIM_ENTER(cudaDeviceGetStreamPriorityRange);
    umsim_spend(UMSIM_CALL_LOOKUP);
    if (leastPriority)
        *leastPriority = (int)umsim_machine_of(umsim_device())->attributes.least_stream_priority;
    if (greatestPriority)
        *greatestPriority = (int)umsim_machine_of(umsim_device())->attributes.greatest_stream_priority;
    return umsim_leave(cudaSuccess);
}

/* Writes as much of the identifier as fits, and returns an error when it does not fit as a whole. */
cudaError_t cudaDeviceGetPCIBusId(char *pciBusId, int len, int device)
{
    UMSIM_ENTER_AS(cudaDeviceGetPCIBusId, UMSIM_ANSWERS_ALWAYS, pciBusId, len, device);
    const struct umsim_attributes *has = &umsim_machine.attributes;
    if (!pciBusId || !umsim_is_device(device))
        return umsim_leave(pciBusId ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    umsim_spend(UMSIM_CALL_LOOKUP);
    int needs = snprintf(
        pciBusId, len > 0 ? (size_t)len : 0, "%04x:%02x:%02x.0", (unsigned)has->pci_domain_id & 0xffff,
        (unsigned)umsim_device_bus((unsigned)device) & 0xff, (unsigned)has->pci_device_id & 0xff);
    return umsim_leave(needs < len ? cudaSuccess : cudaErrorInvalidValue);
}

/* Accepts "0000:18:00.0" in hexadecimal, also without the domain or without the function. */
cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *pciBusId)
{
    UMSIM_ENTER_AS(cudaDeviceGetByPCIBusId, UMSIM_ANSWERS_ALWAYS, device, pciBusId);
    const struct umsim_attributes *has = &umsim_machine.attributes;
    unsigned domain = 0, bus, slot, function = 0;
    if (!device || !pciBusId)
        return umsim_leave(cudaErrorInvalidValue);
    if (sscanf(pciBusId, "%x:%x:%x.%x", &domain, &bus, &slot, &function) < 3 &&
        sscanf(pciBusId, "%x:%x.%x", &bus, &slot, &function) < 2)
        return umsim_leave(cudaErrorInvalidValue);
    if (domain != (unsigned)has->pci_domain_id || slot != (unsigned)has->pci_device_id || function)
        return umsim_leave(cudaErrorInvalidDevice);
    for (unsigned i = 0; i < umsim_devices; i++)
        if (bus == (unsigned)umsim_device_bus(i)) {
            *device = (int)i;
            return umsim_leave(cudaSuccess);
        }
    return umsim_leave(cudaErrorInvalidDevice);
}

cudaError_t cudaDriverGetVersion(int *driverVersion)
{
    UMSIM_ENTER_AS(cudaDriverGetVersion, UMSIM_ANSWERS_ALWAYS, driverVersion);
    if (!driverVersion)
        return umsim_leave(cudaErrorInvalidValue);
    *driverVersion = (int)umsim_machine.attributes.driver_version;
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaRuntimeGetVersion(int *runtimeVersion)
{
    UMSIM_ENTER_AS(cudaRuntimeGetVersion, UMSIM_ANSWERS_ALWAYS, runtimeVersion);
    if (!runtimeVersion)
        return umsim_leave(cudaErrorInvalidValue);
    *runtimeVersion = CUDART_VERSION;
    return umsim_leave(cudaSuccess);
}

/* Mapped host memory is always enabled. How the host waits makes no difference, because it waits in virtual
 * time. */
#define DEVICE_FLAGS                                                                                         \
    (cudaDeviceScheduleMask | cudaDeviceMapHost | cudaDeviceLmemResizeToMax | cudaDeviceSyncMemops)
static unsigned set_flags[UMSIM_DEVICES_MAX]; /* of each device */

static cudaError_t set_flags_of(unsigned device, unsigned flags)
{
    const unsigned schedule = flags & cudaDeviceScheduleMask;
    if ((flags & ~(unsigned)cudaDeviceMask) || (schedule & (schedule - 1)))
        return cudaErrorInvalidValue;
    set_flags[device] = flags & DEVICE_FLAGS;
    return cudaSuccess;
}

cudaError_t cudaSetDeviceFlags(unsigned int flags)
{
    UMSIM_ENTER_AS(cudaSetDeviceFlags, UMSIM_ANSWERS_ALWAYS, flags);
    umsim_spend(UMSIM_CALL_LOOKUP);
    return umsim_leave(set_flags_of(umsim_device(), flags));
}

cudaError_t cudaGetDeviceFlags(unsigned int *flags)
{
    UMSIM_ENTER_AS(cudaGetDeviceFlags, UMSIM_ANSWERS_ALWAYS, flags);
    if (!flags)
        return umsim_leave(cudaErrorInvalidValue);
    umsim_spend(UMSIM_CALL_LOOKUP);
    *flags = set_flags[umsim_device()] | cudaDeviceScheduleAuto | cudaDeviceMapHost;
    return umsim_leave(cudaSuccess);
}

void umsim_device_settings_reset(void)
{
    umsim_limits_reset();
    reset_heap();
    set_flags[umsim_device()] = 0;
}

static enum cudaFuncCache cache_config[UMSIM_DEVICES_MAX];

/* Only a hint, on hardware too; caches are not modelled. */
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache cacheConfig)
{
    UMSIM_ENTER(cudaDeviceSetCacheConfig, cacheConfig);
    umsim_spend(UMSIM_CALL_LOOKUP);
    if ((unsigned)cacheConfig > cudaFuncCachePreferEqual)
        return umsim_leave(cudaErrorInvalidValue);
    cache_config[umsim_device()] = cacheConfig;
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *pCacheConfig)
{
    UMSIM_ENTER(cudaDeviceGetCacheConfig, pCacheConfig);
    if (!pCacheConfig)
        return umsim_leave(cudaErrorInvalidValue);
    *pCacheConfig = cache_config[umsim_device()];
    return umsim_leave(cudaSuccess);
}

/* A hint for old devices: banks are 4 bytes wide on all devices since Maxwell. */
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
    UMSIM_ENTER(cudaDeviceSetSharedMemConfig, config);
    return umsim_leave((unsigned)config > cudaSharedMemBankSizeEightByte ? cudaErrorInvalidValue
                                                                         : cudaSuccess);
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *pConfig)
{
    UMSIM_ENTER(cudaDeviceGetSharedMemConfig, pConfig);
    if (!pConfig)
        return umsim_leave(cudaErrorInvalidValue);
    *pConfig = cudaSharedMemBankSizeFourByte;
    return umsim_leave(cudaSuccess);
}

/* Of `flags` an H200 looks at one bit. */
cudaError_t cudaInitDevice(int device, unsigned int deviceFlags, unsigned int flags)
{
    UMSIM_ENTER(cudaInitDevice, device, deviceFlags, flags);
    if (!umsim_is_device(device))
        return umsim_leave(cudaErrorInvalidDevice);
    return umsim_leave(flags & cudaInitDeviceFlagsAreValid ? set_flags_of((unsigned)device, deviceFlags)
                                                           : cudaSuccess);
}

/* On two H200s the list makes its first device current in the calling thread, and has no other effect: other
 * threads begin on device 0, and devices that are not listed work. */
cudaError_t cudaSetValidDevices(int *device_arr, int len)
{
    UMSIM_ENTER_AS(cudaSetValidDevices, UMSIM_ANSWERS_ALWAYS, device_arr, len);
    umsim_spend(UMSIM_CALL_LOOKUP);
    if (len < 0 || (unsigned)len > umsim_devices || (len && !device_arr))
        return umsim_leave(cudaErrorInvalidValue);
    for (int i = 0; i < len; i++)
        if (!umsim_is_device(device_arr[i]))
            return umsim_leave(cudaErrorInvalidDevice);
    if (len)
        umsim_device_set((unsigned)device_arr[0]);
    return umsim_leave(cudaSuccess);
}

/* These calls talk to a profiler, and there is none. UMSIM_TRACE writes what the simulator does. */
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
