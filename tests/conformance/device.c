/**
 * @file device.c
 * @brief The device: its number, properties, attributes, limits, flags, address, versions.
 */
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "behaviour.h"
#include "um_test.h"
#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>

static void after(void)
{
    (void)cudaGetLastError(); /* a refused call leaves its error behind */
}

static void cudaGetDeviceCount_counts_devices_and_one_of_them_is_in_use(void)
{
    int count = -1, device = -1;

    UM_RETURNS("cudaGetDeviceCount", cudaGetDeviceCount(&count));
    CU_ASSERT_TRUE(count >= 1);
    UM_RETURNS("cudaGetDeviceCount: NULL", cudaGetDeviceCount(NULL));
    UM_RETURNS("cudaGetDevice", cudaGetDevice(&device));
    UM_EQUAL(device, 0);
    UM_RETURNS("cudaGetDevice: NULL", cudaGetDevice(NULL));
    after();
}

static void a_device_that_does_not_exist_cannot_be_chosen(void)
{
    int device = -1;

    UM_RETURNS("cudaSetDevice(0)", cudaSetDevice(0));
    UM_RETURNS("cudaSetDevice(99)", cudaSetDevice(99));
    UM_RETURNS("cudaSetDevice(-1)", cudaSetDevice(-1));
    after();
    UM_RETURNS("cudaGetDevice: after cudaSetDevice refused", cudaGetDevice(&device));
    UM_EQUAL(device, 0);
}

static void a_device_is_chosen_by_properties(void)
{
    struct cudaDeviceProp wanted;
    int device = -1, count = 0;

    memset(&wanted, 0, sizeof wanted);
    UM_RETURNS("cudaChooseDevice", cudaChooseDevice(&device, &wanted));
    CU_ASSERT_EQUAL(cudaGetDeviceCount(&count), cudaSuccess);
    CU_ASSERT_TRUE(device >= 0 && device < count);
    UM_RETURNS("cudaChooseDevice: device NULL", cudaChooseDevice(NULL, &wanted));
    UM_RETURNS("cudaChooseDevice: prop NULL", cudaChooseDevice(&device, NULL));
    after();
}

static int attribute(enum cudaDeviceAttr number)
{
    int value = INT_MIN;

    CU_ASSERT_EQUAL(cudaDeviceGetAttribute(&value, number, 0), cudaSuccess);
    return value;
}

static void attributes_that_there_are_not_are_refused(void)
{
    int value = 77;

    UM_RETURNS("cudaDeviceGetAttribute: NULL", cudaDeviceGetAttribute(NULL, cudaDevAttrWarpSize, 0));
    UM_RETURNS("cudaDeviceGetAttribute: device 99", cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 99));
    UM_RETURNS("cudaDeviceGetAttribute: attribute 0",
               cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)0, 0));
    UM_RETURNS("cudaDeviceGetAttribute: attribute 5000",
               cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)5000, 0));
    after();
    UM_EQUAL(value, 77);
}

static void properties_of_no_device_are_refused(void)
{
    struct cudaDeviceProp p;

    UM_RETURNS("cudaGetDeviceProperties", cudaGetDeviceProperties(&p, 0));
    UM_RETURNS("cudaGetDeviceProperties: NULL", cudaGetDeviceProperties(NULL, 0));
    UM_RETURNS("cudaGetDeviceProperties: device 99", cudaGetDeviceProperties(&p, 99));
    UM_RETURNS("cudaGetDeviceProperties: NULL, device 99", cudaGetDeviceProperties(NULL, 99));
    after();
}

/* One thing, asked twice. */
static void properties_are_what_the_attributes_say(void)
{
    struct cudaDeviceProp p;

    memset(&p, 0x55, sizeof p);
    CU_ASSERT_EQUAL_FATAL(cudaGetDeviceProperties(&p, 0), cudaSuccess);
    const struct {
        long long property;
        enum cudaDeviceAttr number;
    } both[] = {
        {(long long)p.sharedMemPerBlock, cudaDevAttrMaxSharedMemoryPerBlock},
        {p.regsPerBlock, cudaDevAttrMaxRegistersPerBlock},
        {p.warpSize, cudaDevAttrWarpSize},
        {(long long)p.memPitch, cudaDevAttrMaxPitch},
        {p.maxThreadsPerBlock, cudaDevAttrMaxThreadsPerBlock},
        {p.maxThreadsDim[0], cudaDevAttrMaxBlockDimX},
        {p.maxThreadsDim[1], cudaDevAttrMaxBlockDimY},
        {p.maxThreadsDim[2], cudaDevAttrMaxBlockDimZ},
        {p.maxGridSize[0], cudaDevAttrMaxGridDimX},
        {p.maxGridSize[1], cudaDevAttrMaxGridDimY},
        {p.maxGridSize[2], cudaDevAttrMaxGridDimZ},
        {(long long)p.totalConstMem, cudaDevAttrTotalConstantMemory},
        {p.major, cudaDevAttrComputeCapabilityMajor},
        {p.minor, cudaDevAttrComputeCapabilityMinor},
        {(long long)p.textureAlignment, cudaDevAttrTextureAlignment},
        {p.multiProcessorCount, cudaDevAttrMultiProcessorCount},
        {p.integrated, cudaDevAttrIntegrated},
        {p.canMapHostMemory, cudaDevAttrCanMapHostMemory},
        {p.maxTexture2DLinear[2], cudaDevAttrMaxTexture2DLinearPitch},
        {p.maxSurfaceCubemapLayered[1], cudaDevAttrMaxSurfaceCubemapLayeredLayers},
        {p.concurrentKernels, cudaDevAttrConcurrentKernels},
        {p.ECCEnabled, cudaDevAttrEccEnabled},
        {p.pciBusID, cudaDevAttrPciBusId},
        {p.pciDeviceID, cudaDevAttrPciDeviceId},
        {p.pciDomainID, cudaDevAttrPciDomainId},
        {p.asyncEngineCount, cudaDevAttrAsyncEngineCount},
        {p.unifiedAddressing, cudaDevAttrUnifiedAddressing},
        {p.memoryBusWidth, cudaDevAttrGlobalMemoryBusWidth},
        {p.l2CacheSize, cudaDevAttrL2CacheSize},
        {p.persistingL2CacheMaxSize, cudaDevAttrMaxPersistingL2CacheSize},
        {p.maxThreadsPerMultiProcessor, cudaDevAttrMaxThreadsPerMultiProcessor},
        {(long long)p.sharedMemPerMultiprocessor, cudaDevAttrMaxSharedMemoryPerMultiprocessor},
        {p.regsPerMultiprocessor, cudaDevAttrMaxRegistersPerMultiprocessor},
        {p.managedMemory, cudaDevAttrManagedMemory},
        {p.hostNativeAtomicSupported, cudaDevAttrHostNativeAtomicSupported},
        {p.pageableMemoryAccess, cudaDevAttrPageableMemoryAccess},
        {p.concurrentManagedAccess, cudaDevAttrConcurrentManagedAccess},
        {p.canUseHostPointerForRegisteredMem, cudaDevAttrCanUseHostPointerForRegisteredMem},
        {p.cooperativeLaunch, cudaDevAttrCooperativeLaunch},
        {(long long)p.sharedMemPerBlockOptin, cudaDevAttrMaxSharedMemoryPerBlockOptin},
        {p.pageableMemoryAccessUsesHostPageTables, cudaDevAttrPageableMemoryAccessUsesHostPageTables},
        {p.directManagedMemAccessFromHost, cudaDevAttrDirectManagedMemAccessFromHost},
        {p.maxBlocksPerMultiProcessor, cudaDevAttrMaxBlocksPerMultiprocessor},
        {(long long)p.reservedSharedMemPerBlock, cudaDevAttrReservedSharedMemoryPerBlock},
        {p.hostRegisterSupported, cudaDevAttrHostRegisterSupported},
        {p.memoryPoolsSupported, cudaDevAttrMemoryPoolsSupported},
        {p.clusterLaunch, cudaDevAttrClusterLaunch},
    };
    for (size_t i = 0; i < sizeof both / sizeof *both; i++)
        if (both[i].property != attribute(both[i].number))
            UM_FAIL("attribute %d is %d, the property %lld", (int)both[i].number, attribute(both[i].number),
                    both[i].property);
}

static void the_memory_is_what_cudaMemGetInfo_says(void)
{
    struct cudaDeviceProp p;
    size_t free_bytes = 0, total = 0;

    CU_ASSERT_EQUAL_FATAL(cudaGetDeviceProperties(&p, 0), cudaSuccess);
    CU_ASSERT_EQUAL_FATAL(cudaMemGetInfo(&free_bytes, &total), cudaSuccess);
    UM_EQUAL(p.totalGlobalMem, total);
    CU_ASSERT_TRUE(free_bytes <= total);
    CU_ASSERT_TRUE(memchr(p.name, 0, sizeof p.name) && p.name[0] != 0);
}

static void the_PCI_address_names_the_device(void)
{
    char text[32], part[32];
    unsigned domain, bus, device;

    UM_RETURNS("cudaDeviceGetPCIBusId", cudaDeviceGetPCIBusId(text, sizeof text, 0));
    UM_EQUAL(sscanf(text, "%4x:%2x:%2x.0", &domain, &bus, &device), 3);
    UM_EQUAL(strlen(text), 12);
    UM_EQUAL(domain, attribute(cudaDevAttrPciDomainId));
    UM_EQUAL(bus, attribute(cudaDevAttrPciBusId));
    UM_EQUAL(device, attribute(cudaDevAttrPciDeviceId));
    UM_RETURNS("cudaDeviceGetPCIBusId: 13 bytes", cudaDeviceGetPCIBusId(part, 13, 0));
    UM_STRING_EQUAL(part, text);
    UM_RETURNS("cudaDeviceGetPCIBusId: 12 bytes", cudaDeviceGetPCIBusId(part, 12, 0));
    UM_RETURNS("cudaDeviceGetPCIBusId: 0 bytes", cudaDeviceGetPCIBusId(part, 0, 0));
    UM_RETURNS("cudaDeviceGetPCIBusId: NULL", cudaDeviceGetPCIBusId(NULL, 32, 0));
    UM_RETURNS("cudaDeviceGetPCIBusId: device 99", cudaDeviceGetPCIBusId(text, 32, 99));
    after();
}

static void two_devices_are_told_apart_and_asked_whether_they_are_peers(void)
{
    int can = -1;

    UM_RETURNS("cudaDeviceCanAccessPeer: itself", cudaDeviceCanAccessPeer(&can, 0, 0));
    UM_BEHAVIOUR("cudaDeviceCanAccessPeer: itself: answer", "%d", can);
    UM_RETURNS("cudaDeviceCanAccessPeer: device 99", cudaDeviceCanAccessPeer(&can, 99, 0));
    UM_RETURNS("cudaDeviceCanAccessPeer: peer 99", cudaDeviceCanAccessPeer(&can, 0, 99));
    UM_RETURNS("cudaDeviceCanAccessPeer: NULL", cudaDeviceCanAccessPeer(NULL, 0, 0));
    after();
}

static void driver_and_runtime_tell_their_versions(void)
{
    int driver = 0, runtime = 0;

    UM_RETURNS("cudaDriverGetVersion", cudaDriverGetVersion(&driver));
    UM_RETURNS("cudaRuntimeGetVersion", cudaRuntimeGetVersion(&runtime));
    UM_EQUAL(runtime / 1000, CUDART_VERSION / 1000);
    CU_ASSERT_TRUE(driver >= 1000 && driver % 10 == 0);
    UM_RETURNS("cudaDriverGetVersion: NULL", cudaDriverGetVersion(NULL));
    UM_RETURNS("cudaRuntimeGetVersion: NULL", cudaRuntimeGetVersion(NULL));
    after();
}

static void priorities_have_a_range(void)
{
    int least = 77, greatest = 77;

    UM_RETURNS("cudaDeviceGetStreamPriorityRange", cudaDeviceGetStreamPriorityRange(&least, &greatest));
    UM_EQUAL(least, 0);
    CU_ASSERT_TRUE(greatest <= least);
    UM_RETURNS("cudaDeviceGetStreamPriorityRange: NULL", cudaDeviceGetStreamPriorityRange(NULL, NULL));
    after();
}

static void flags_of_a_device_are_set_read_and_refused(void)
{
    unsigned before = 0, now = 0;

    UM_RETURNS("cudaGetDeviceFlags", cudaGetDeviceFlags(&before));
    UM_BEHAVIOUR("cudaGetDeviceFlags: at first", "0x%x", before);
    UM_RETURNS("cudaSetDeviceFlags: spin", cudaSetDeviceFlags(cudaDeviceScheduleSpin));
    CU_ASSERT_EQUAL(cudaGetDeviceFlags(&now), cudaSuccess);
    UM_BEHAVIOUR("cudaSetDeviceFlags: spin: cudaGetDeviceFlags", "0x%x", now);
    UM_RETURNS("cudaSetDeviceFlags: spin and yield",
               cudaSetDeviceFlags(cudaDeviceScheduleSpin | cudaDeviceScheduleYield));
    UM_RETURNS("cudaSetDeviceFlags: 0x100", cudaSetDeviceFlags(0x100));
    CU_ASSERT_EQUAL(cudaGetDeviceFlags(&now), cudaSuccess);
    UM_BEHAVIOUR("cudaSetDeviceFlags: after a refusal", "0x%x", now);
    UM_RETURNS("cudaSetDeviceFlags: LmemResizeToMax", cudaSetDeviceFlags(cudaDeviceLmemResizeToMax));
    CU_ASSERT_EQUAL(cudaGetDeviceFlags(&now), cudaSuccess);
    UM_BEHAVIOUR("cudaSetDeviceFlags: LmemResizeToMax: cudaGetDeviceFlags", "0x%x", now);
    UM_RETURNS("cudaGetDeviceFlags: NULL", cudaGetDeviceFlags(NULL));
    after();
    CU_ASSERT_EQUAL(cudaSetDeviceFlags(before), cudaSuccess);
}

static void limit_is_told(const char *returns, const char *told, enum cudaLimit limit)
{
    size_t value = 77;

    UM_RETURNS(returns, cudaDeviceGetLimit(&value, limit));
    UM_BEHAVIOUR(told, "%zu", value);
}

static void limits_have_their_values_at_first(void)
{
    size_t value = 77;

    limit_is_told("cudaDeviceGetLimit: stack", "cudaDeviceGetLimit: stack: at first", cudaLimitStackSize);
    limit_is_told("cudaDeviceGetLimit: printf", "cudaDeviceGetLimit: printf: at first",
                  cudaLimitPrintfFifoSize);
    limit_is_told("cudaDeviceGetLimit: heap", "cudaDeviceGetLimit: heap: at first", cudaLimitMallocHeapSize);
    limit_is_told("cudaDeviceGetLimit: pending launches", "cudaDeviceGetLimit: pending launches: at first",
                  cudaLimitDevRuntimePendingLaunchCount);
    limit_is_told("cudaDeviceGetLimit: L2 fetch", "cudaDeviceGetLimit: L2 fetch: at first",
                  cudaLimitMaxL2FetchGranularity);
    UM_RETURNS("cudaDeviceGetLimit: depth of device-side waits",
               cudaDeviceGetLimit(&value, cudaLimitDevRuntimeSyncDepth));
    UM_RETURNS("cudaDeviceGetLimit: limit 77", cudaDeviceGetLimit(&value, (enum cudaLimit)77));
    UM_RETURNS("cudaDeviceGetLimit: NULL", cudaDeviceGetLimit(NULL, cudaLimitStackSize));
    after();
}

/* Sets a limit, says what it then is, and sets it back. */
static void set_limit(const char *returns, const char *told, enum cudaLimit limit, size_t wanted)
{
    size_t before = 0, now = 0;

    CU_ASSERT_EQUAL_FATAL(cudaDeviceGetLimit(&before, limit), cudaSuccess);
    UM_RETURNS(returns, cudaDeviceSetLimit(limit, wanted));
    after();
    CU_ASSERT_EQUAL(cudaDeviceGetLimit(&now, limit), cudaSuccess);
    UM_BEHAVIOUR(told, "%zu", now);
    CU_ASSERT_EQUAL(cudaDeviceSetLimit(limit, before), cudaSuccess);
}

static void limits_are_rounded_raised_or_refused(void)
{
    set_limit("cudaDeviceSetLimit: stack 2000", "cudaDeviceSetLimit: stack 2000: then", cudaLimitStackSize,
              2000);
    set_limit("cudaDeviceSetLimit: stack 100", "cudaDeviceSetLimit: stack 100: then", cudaLimitStackSize,
              100);
    set_limit("cudaDeviceSetLimit: stack 2^50", "cudaDeviceSetLimit: stack 2^50: then", cudaLimitStackSize,
              (size_t)1 << 50);
    set_limit("cudaDeviceSetLimit: heap 64 MiB", "cudaDeviceSetLimit: heap 64 MiB: then",
              cudaLimitMallocHeapSize, (size_t)64 << 20);
    set_limit("cudaDeviceSetLimit: heap 1 byte", "cudaDeviceSetLimit: heap 1 byte: then",
              cudaLimitMallocHeapSize, 1);
    set_limit("cudaDeviceSetLimit: printf 1 byte", "cudaDeviceSetLimit: printf 1 byte: then",
              cudaLimitPrintfFifoSize, 1);
    set_limit("cudaDeviceSetLimit: L2 fetch 128", "cudaDeviceSetLimit: L2 fetch 128: then",
              cudaLimitMaxL2FetchGranularity, 128);
    set_limit("cudaDeviceSetLimit: L2 fetch 129", "cudaDeviceSetLimit: L2 fetch 129: then",
              cudaLimitMaxL2FetchGranularity, 129);
    UM_RETURNS("cudaDeviceSetLimit: depth of device-side waits",
               cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 2));
    UM_RETURNS("cudaDeviceSetLimit: limit 77", cudaDeviceSetLimit((enum cudaLimit)77, 1));
    after();
}

static void wishes_about_caches_and_banks_change_no_result(void)
{
    UM_RETURNS("cudaDeviceSetCacheConfig: prefer L1", cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
    UM_RETURNS("cudaDeviceSetCacheConfig: none", cudaDeviceSetCacheConfig(cudaFuncCachePreferNone));
    UM_RETURNS("cudaDeviceSetCacheConfig: 9", cudaDeviceSetCacheConfig((enum cudaFuncCache)9));
    UM_RETURNS("cudaProfilerStart", cudaProfilerStart());
    UM_RETURNS("cudaProfilerStop", cudaProfilerStop());
    after();
}

static void an_idle_device_is_synchronised(void)
{
    UM_RETURNS("cudaDeviceSynchronize: nothing to wait for", cudaDeviceSynchronize());
}

UM_TESTS("device",
         {"cudaGetDeviceCount counts devices, and one of them is in use",
          cudaGetDeviceCount_counts_devices_and_one_of_them_is_in_use},
         {"a device that does not exist cannot be chosen", a_device_that_does_not_exist_cannot_be_chosen},
         {"a device is chosen by properties", a_device_is_chosen_by_properties},
         {"an idle device is synchronised", an_idle_device_is_synchronised},
         {"two devices are told apart, and asked whether they are peers",
          two_devices_are_told_apart_and_asked_whether_they_are_peers},
         {"the PCI address names the device", the_PCI_address_names_the_device},
         {"driver and runtime tell their versions", driver_and_runtime_tell_their_versions},
         {"priorities have a range", priorities_have_a_range},
         {"flags of a device are set, read and refused", flags_of_a_device_are_set_read_and_refused},
         {"wishes about caches and banks change no result", wishes_about_caches_and_banks_change_no_result});

UM_TESTS("device properties",
         {"attributes that there are not are refused", attributes_that_there_are_not_are_refused},
         {"properties of no device are refused", properties_of_no_device_are_refused},
         {"properties are what the attributes say", properties_are_what_the_attributes_say},
         {"the memory is what cudaMemGetInfo says", the_memory_is_what_cudaMemGetInfo_says});

UM_TESTS("device limits", {"limits have their values at first", limits_have_their_values_at_first},
         {"limits are rounded, raised or refused", limits_are_rounded_raised_or_refused});
