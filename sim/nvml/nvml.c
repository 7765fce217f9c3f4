/**
 * @file nvml.c
 * @brief NVML's queries (nvml.h), answered by the runtime's calls on the same device.
 *
 * The library is a program of the runtime API like any other. Its file is libumsim-nvml.so.1: under NVIDIA's
 * name it would stand before a real driver's where both are installed. The linker finds it as
 * libnvidia-ml.so.
 */
#include "../include/cuda_runtime_api.h"
#include "../include/nvml.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* A handle is the index + 1. */
static atomic_int users;

static const struct {
    nvmlReturn_t result;
    const char *words;
} words[] = {
    {NVML_SUCCESS, "Success"},
    {NVML_ERROR_UNINITIALIZED, "Uninitialized: nvmlInit() comes first"},
    {NVML_ERROR_INVALID_ARGUMENT, "Invalid Argument"},
    {NVML_ERROR_NOT_SUPPORTED, "Not Supported"},
    {NVML_ERROR_NO_PERMISSION, "Insufficient Permissions"},
    {NVML_ERROR_NOT_FOUND, "Not Found"},
    {NVML_ERROR_INSUFFICIENT_SIZE, "Insufficient Size"},
    {NVML_ERROR_GPU_IS_LOST, "GPU is lost"},
    {NVML_ERROR_UNKNOWN, "Unknown Error"},
};

const char *nvmlErrorString(nvmlReturn_t result)
{
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (words[i].result == result)
            return words[i].words;
    return "Unknown Error";
}

nvmlReturn_t nvmlInit_v2(void)
{
    atomic_fetch_add(&users, 1);
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlInitWithFlags(unsigned flags)
{
    (void)flags;
    return nvmlInit_v2();
}

nvmlReturn_t nvmlShutdown(void)
{
    if (atomic_load(&users) == 0)
        return NVML_ERROR_UNINITIALIZED;
    atomic_fetch_sub(&users, 1);
    return NVML_SUCCESS;
}

static nvmlReturn_t checked(bool valid)
{
    if (atomic_load(&users) == 0)
        return NVML_ERROR_UNINITIALIZED;
    return valid ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
}

static int devices(void)
{
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

static int index_of(nvmlDevice_t device)
{
    return (int)(intptr_t)device - 1;
}

static nvmlReturn_t checked_device(nvmlDevice_t device, const void *result)
{
    const nvmlReturn_t status = checked(result != NULL);
    if (status != NVML_SUCCESS)
        return status;
    return device && index_of(device) < devices() ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
}

static nvmlReturn_t put(const char *text, char *to, unsigned length)
{
    if (strlen(text) >= length)
        return NVML_ERROR_INSUFFICIENT_SIZE;
    memcpy(to, text, strlen(text) + 1);
    return NVML_SUCCESS;
}

static bool attribute(enum cudaDeviceAttr which, nvmlDevice_t device, int *value)
{
    return cudaDeviceGetAttribute(value, which, index_of(device)) == cudaSuccess;
}

nvmlReturn_t nvmlSystemGetDriverVersion(char *version, unsigned length)
{
    (void)length;
    const nvmlReturn_t status = checked(version != NULL);
    return status != NVML_SUCCESS ? status : NVML_ERROR_NOT_SUPPORTED;
}

nvmlReturn_t nvmlSystemGetNVMLVersion(char *version, unsigned length)
{
    const nvmlReturn_t status = checked(version != NULL);
    char text[16];
    snprintf(text, sizeof text, "%d", NVML_API_VERSION);
    return status != NVML_SUCCESS ? status : put(text, version, length);
}

nvmlReturn_t nvmlSystemGetCudaDriverVersion(int *version)
{
    const nvmlReturn_t status = checked(version != NULL);
    if (status != NVML_SUCCESS)
        return status;
    return cudaDriverGetVersion(version) == cudaSuccess ? NVML_SUCCESS : NVML_ERROR_UNKNOWN;
}

nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int *version)
{
    return nvmlSystemGetCudaDriverVersion(version);
}

nvmlReturn_t nvmlDeviceGetCount_v2(unsigned *count)
{
    const nvmlReturn_t status = checked(count != NULL);
    if (status == NVML_SUCCESS)
        *count = (unsigned)devices();
    return status;
}

nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned index, nvmlDevice_t *device)
{
    const nvmlReturn_t status = checked(device && index < (unsigned)devices());
    if (status == NVML_SUCCESS)
        *device = (nvmlDevice_t)(intptr_t)(index + 1);
    return status;
}

nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char *bus_id, nvmlDevice_t *device)
{
    const nvmlReturn_t status = checked(bus_id && device);
    if (status != NVML_SUCCESS)
        return status;
    int found = 0;
    if (cudaDeviceGetByPCIBusId(&found, bus_id) != cudaSuccess) {
        (void)cudaGetLastError();
        return NVML_ERROR_NOT_FOUND;
    }
    *device = (nvmlDevice_t)(intptr_t)(found + 1);
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char *name, unsigned length)
{
    const nvmlReturn_t status = checked_device(device, name);
    struct cudaDeviceProp properties;
    if (status != NVML_SUCCESS)
        return status;
    if (cudaGetDeviceProperties(&properties, index_of(device)) != cudaSuccess)
        return NVML_ERROR_UNKNOWN;
    return put(properties.name, name, length);
}

nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned *index)
{
    const nvmlReturn_t status = checked_device(device, index);
    if (status == NVML_SUCCESS)
        *index = (unsigned)index_of(device);
    return status;
}

nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char *uuid, unsigned length)
{
    const nvmlReturn_t status = checked_device(device, uuid);
    struct cudaDeviceProp properties;
    char text[64] = "GPU-";
    if (status != NVML_SUCCESS)
        return status;
    if (cudaGetDeviceProperties(&properties, index_of(device)) != cudaSuccess)
        return NVML_ERROR_UNKNOWN;
    for (int i = 0; i < 16; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%02x",
                 i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", (unsigned char)properties.uuid.bytes[i]);
    return put(text, uuid, length);
}

nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t *pci)
{
    const nvmlReturn_t status = checked_device(device, pci);
    int domain, bus, place;
    if (status != NVML_SUCCESS)
        return status;
    if (!attribute(cudaDevAttrPciDomainId, device, &domain) ||
        !attribute(cudaDevAttrPciBusId, device, &bus) || !attribute(cudaDevAttrPciDeviceId, device, &place))
        return NVML_ERROR_UNKNOWN;
    memset(pci, 0, sizeof *pci);
    pci->domain = (unsigned)domain;
    pci->bus = (unsigned)bus;
    pci->device = (unsigned)place;
    snprintf(pci->busId, sizeof pci->busId, "%08X:%02X:%02X.0", pci->domain, pci->bus, pci->device);
    snprintf(pci->busIdLegacy, sizeof pci->busIdLegacy, "%04X:%02X:%02X.0", pci->domain & 0xffff,
             pci->bus & 0xff, pci->device & 0xff);
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int *major, int *minor)
{
    const nvmlReturn_t status = checked_device(device, major && minor ? major : NULL);
    if (status != NVML_SUCCESS)
        return status;
    return attribute(cudaDevAttrComputeCapabilityMajor, device, major) &&
                   attribute(cudaDevAttrComputeCapabilityMinor, device, minor)
               ? NVML_SUCCESS
               : NVML_ERROR_UNKNOWN;
}

nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t *memory)
{
    const nvmlReturn_t status = checked_device(device, memory);
    size_t left, total;
    if (status != NVML_SUCCESS)
        return status;
    if (cudaMemGetInfo(&left, &total) != cudaSuccess)
        return NVML_ERROR_UNKNOWN;
    *memory = (nvmlMemory_t){total, left, total - left};
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned *clock)
{
    const nvmlReturn_t status = checked_device(device, clock);
    int khz;
    if (status != NVML_SUCCESS)
        return status;
    if (type >= NVML_CLOCK_COUNT)
        return NVML_ERROR_INVALID_ARGUMENT;
    if (type == NVML_CLOCK_VIDEO)
        return NVML_ERROR_NOT_SUPPORTED;
    if (!attribute(type == NVML_CLOCK_MEM ? cudaDevAttrMemoryClockRate : cudaDevAttrClockRate, device, &khz))
        return NVML_ERROR_UNKNOWN;
    *clock = (unsigned)khz / 1000;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned *clock)
{
    return nvmlDeviceGetMaxClockInfo(device, type, clock);
}

nvmlReturn_t nvmlDeviceGetApplicationsClock(nvmlDevice_t device, nvmlClockType_t type, unsigned *clock)
{
    return nvmlDeviceGetMaxClockInfo(device, type, clock);
}

nvmlReturn_t nvmlDeviceGetDefaultApplicationsClock(nvmlDevice_t device, nvmlClockType_t type, unsigned *clock)
{
    return nvmlDeviceGetMaxClockInfo(device, type, clock);
}

static nvmlReturn_t only_clock(nvmlDevice_t device, nvmlClockType_t type, unsigned *count, unsigned *clocks)
{
    const nvmlReturn_t status = checked_device(device, count);
    if (status != NVML_SUCCESS)
        return status;
    const unsigned capacity = *count;
    *count = 1;
    if (capacity < 1)
        return NVML_ERROR_INSUFFICIENT_SIZE;
    return nvmlDeviceGetMaxClockInfo(device, type, clocks);
}

nvmlReturn_t nvmlDeviceGetSupportedMemoryClocks(nvmlDevice_t device, unsigned *count, unsigned *clocks)
{
    return only_clock(device, NVML_CLOCK_MEM, count, clocks);
}

nvmlReturn_t nvmlDeviceGetSupportedGraphicsClocks(nvmlDevice_t device, unsigned memory_clock, unsigned *count,
                                                  unsigned *clocks)
{
    unsigned its;
    const nvmlReturn_t status = nvmlDeviceGetMaxClockInfo(device, NVML_CLOCK_MEM, &its);
    if (status != NVML_SUCCESS)
        return status;
    return memory_clock == its ? only_clock(device, NVML_CLOCK_GRAPHICS, count, clocks)
                               : NVML_ERROR_NOT_FOUND;
}

nvmlReturn_t nvmlDeviceSetApplicationsClocks(nvmlDevice_t device, unsigned memory_clock,
                                             unsigned graphics_clock)
{
    (void)memory_clock;
    (void)graphics_clock;
    const nvmlReturn_t status = checked_device(device, &device);
    return status != NVML_SUCCESS ? status : NVML_ERROR_NO_PERMISSION;
}

nvmlReturn_t nvmlDeviceResetApplicationsClocks(nvmlDevice_t device)
{
    return nvmlDeviceSetApplicationsClocks(device, 0, 0);
}

nvmlReturn_t nvmlDeviceGetAPIRestriction(nvmlDevice_t device, nvmlRestrictedAPI_t what,
                                         nvmlEnableState_t *is_restricted)
{
    (void)what;
    const nvmlReturn_t status = checked_device(device, is_restricted);
    return status != NVML_SUCCESS ? status : NVML_ERROR_NOT_SUPPORTED;
}

nvmlReturn_t nvmlDeviceGetTemperature(nvmlDevice_t device, nvmlTemperatureSensors_t sensor, unsigned *celsius)
{
    (void)sensor;
    const nvmlReturn_t status = checked_device(device, celsius);
    return status != NVML_SUCCESS ? status : NVML_ERROR_NOT_SUPPORTED;
}

#define LACKING(name, T)                                                                                     \
    nvmlReturn_t name(nvmlDevice_t device, T *value)                                                         \
    {                                                                                                        \
        const nvmlReturn_t status = checked_device(device, value);                                           \
        return status != NVML_SUCCESS ? status : NVML_ERROR_NOT_SUPPORTED;                                   \
    }
LACKING(nvmlDeviceGetUtilizationRates, nvmlUtilization_t)
LACKING(nvmlDeviceGetPowerUsage, unsigned)
LACKING(nvmlDeviceGetPowerManagementLimit, unsigned)
LACKING(nvmlDeviceGetEnforcedPowerLimit, unsigned)
LACKING(nvmlDeviceGetTotalEnergyConsumption, unsigned long long)
LACKING(nvmlDeviceGetFanSpeed, unsigned)
LACKING(nvmlDeviceGetPerformanceState, nvmlPstates_t)
