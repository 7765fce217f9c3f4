/**
 * @file nvml.h
 * @brief NVML's queries: how many devices, their names, memory, clocks, places on the bus. Link with
 * -lnvidia-ml.
 *
 * What the profile in use, or the simulator, knows is answered; temperature, power, fans, utilization and the
 * driver's version are of no simulated GPU, so they answer NVML_ERROR_NOT_SUPPORTED, as real cards do for
 * what they lack. Nothing can be set. nvmlInit() starts nothing; a query of a device's memory starts the
 * simulator.
 */
#ifndef __nvml_nvml_h__
#define __nvml_nvml_h__

#ifdef __cplusplus
extern "C" {
#endif

#define NVML_API_VERSION 13 /**< the version that this header replaces */
#define NVML_DEVICE_NAME_BUFFER_SIZE 64
#define NVML_DEVICE_NAME_V2_BUFFER_SIZE 96
#define NVML_DEVICE_UUID_BUFFER_SIZE 80
#define NVML_DEVICE_UUID_V2_BUFFER_SIZE 96
#define NVML_DEVICE_PCI_BUS_ID_BUFFER_SIZE 32
#define NVML_DEVICE_PCI_BUS_ID_BUFFER_V2_SIZE 16
#define NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE 80
#define NVML_SYSTEM_NVML_VERSION_BUFFER_SIZE 80

/** The result of a call. */
typedef enum nvmlReturn_enum {
    NVML_SUCCESS = 0,
    NVML_ERROR_UNINITIALIZED = 1, /**< nvmlInit() was not called */
    NVML_ERROR_INVALID_ARGUMENT = 2,
    NVML_ERROR_NOT_SUPPORTED = 3, /**< the device does not have it */
    NVML_ERROR_NO_PERMISSION = 4,
    NVML_ERROR_ALREADY_INITIALIZED = 5,
    NVML_ERROR_NOT_FOUND = 6,
    NVML_ERROR_INSUFFICIENT_SIZE = 7,
    NVML_ERROR_INSUFFICIENT_POWER = 8,
    NVML_ERROR_DRIVER_NOT_LOADED = 9,
    NVML_ERROR_TIMEOUT = 10,
    NVML_ERROR_IRQ_ISSUE = 11,
    NVML_ERROR_LIBRARY_NOT_FOUND = 12,
    NVML_ERROR_FUNCTION_NOT_FOUND = 13,
    NVML_ERROR_CORRUPTED_INFOROM = 14,
    NVML_ERROR_GPU_IS_LOST = 15,
    NVML_ERROR_RESET_REQUIRED = 16,
    NVML_ERROR_OPERATING_SYSTEM = 17,
    NVML_ERROR_LIB_RM_VERSION_MISMATCH = 18,
    NVML_ERROR_IN_USE = 19,
    NVML_ERROR_MEMORY = 20,
    NVML_ERROR_NO_DATA = 21,
    NVML_ERROR_UNKNOWN = 999
} nvmlReturn_t;

/** A device. */
typedef struct nvmlDevice_st *nvmlDevice_t;

/** Bytes of device memory, as cudaMemGetInfo() has them. */
typedef struct nvmlMemory_st {
    unsigned long long total, free, used;
} nvmlMemory_t;
/** Percent; no simulated GPU has it. */
typedef struct nvmlUtilization_st {
    unsigned int gpu, memory;
} nvmlUtilization_t;
/** Where a device is on the bus. */
typedef struct nvmlPciInfo_st {
    char busIdLegacy[NVML_DEVICE_PCI_BUS_ID_BUFFER_V2_SIZE];
    unsigned int domain, bus, device;
    unsigned int pciDeviceId, pciSubSystemId; /**< 0: not known */
    char busId[NVML_DEVICE_PCI_BUS_ID_BUFFER_SIZE];
} nvmlPciInfo_t;

/** Which clock. */
typedef enum nvmlClockType_enum {
    NVML_CLOCK_GRAPHICS = 0,
    NVML_CLOCK_SM = 1,
    NVML_CLOCK_MEM = 2,
    NVML_CLOCK_VIDEO = 3,
    NVML_CLOCK_COUNT
} nvmlClockType_t;
/** Where temperature is measured. */
typedef enum nvmlTemperatureSensors_enum {
    NVML_TEMPERATURE_GPU = 0,
    NVML_TEMPERATURE_COUNT
} nvmlTemperatureSensors_t;
/** Whether something is allowed. */
typedef enum nvmlEnableState_enum { NVML_FEATURE_DISABLED = 0, NVML_FEATURE_ENABLED = 1 } nvmlEnableState_t;
/** What may need permission. */
typedef enum nvmlRestrictedAPI_enum {
    NVML_RESTRICTED_API_SET_APPLICATION_CLOCKS = 0,
    NVML_RESTRICTED_API_SET_AUTO_BOOSTED_CLOCKS = 1,
    NVML_RESTRICTED_API_COUNT
} nvmlRestrictedAPI_t;
/** How fast a device is set to be. */
typedef enum nvmlPStates_enum {
    NVML_PSTATE_0 = 0,
    NVML_PSTATE_15 = 15,
    NVML_PSTATE_UNKNOWN = 32
} nvmlPstates_t;

/** @name The library @{ */
nvmlReturn_t nvmlInit_v2(void);
nvmlReturn_t nvmlInitWithFlags(unsigned int __flags);
nvmlReturn_t nvmlShutdown(void);
const char *nvmlErrorString(nvmlReturn_t __result);
nvmlReturn_t nvmlSystemGetDriverVersion(char *__version, unsigned int __length);
nvmlReturn_t nvmlSystemGetNVMLVersion(char *__version, unsigned int __length);
nvmlReturn_t nvmlSystemGetCudaDriverVersion(int *__version);
nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int *__version);
/** @} */

/** @name Devices @{ */
nvmlReturn_t nvmlDeviceGetCount_v2(unsigned int *__count);
nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned int __index, nvmlDevice_t *__device);
nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char *__busId, nvmlDevice_t *__device);
nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t __device, char *__name, unsigned int __length);
nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t __device, unsigned int *__index);
nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t __device, char *__uuid, unsigned int __length);
nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t __device, nvmlPciInfo_t *__pci);
nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t __device, int *__major, int *__minor);
nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t __device, nvmlMemory_t *__memory);
/** MHz, of the profile: kernels are modelled at these clocks. */
nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t __device, nvmlClockType_t __type, unsigned int *__clock);
nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t __device, nvmlClockType_t __type, unsigned int *__clock);
nvmlReturn_t nvmlDeviceGetApplicationsClock(nvmlDevice_t __device, nvmlClockType_t __type,
                                            unsigned int *__clock);
nvmlReturn_t nvmlDeviceGetDefaultApplicationsClock(nvmlDevice_t __device, nvmlClockType_t __type,
                                                   unsigned int *__clock);
/** There is one of each, the profile's. *__count: how many __clocks has space for; set to 1. */
nvmlReturn_t nvmlDeviceGetSupportedMemoryClocks(nvmlDevice_t __device, unsigned int *__count,
                                                unsigned int *__clocks);
nvmlReturn_t nvmlDeviceGetSupportedGraphicsClocks(nvmlDevice_t __device, unsigned int __memoryClock,
                                                  unsigned int *__count, unsigned int *__clocks);
/** A simulated GPU's clocks are the profile's: NVML_ERROR_NO_PERMISSION. */
nvmlReturn_t nvmlDeviceSetApplicationsClocks(nvmlDevice_t __device, unsigned int __memoryClock,
                                             unsigned int __graphicsClock);
nvmlReturn_t nvmlDeviceResetApplicationsClocks(nvmlDevice_t __device);
/** @} */

/** @name What no simulated GPU has: NVML_ERROR_NOT_SUPPORTED @{ */
nvmlReturn_t nvmlDeviceGetUtilizationRates(nvmlDevice_t __device, nvmlUtilization_t *__utilization);
nvmlReturn_t nvmlDeviceGetPowerUsage(nvmlDevice_t __device, unsigned int *__milliwatts);
nvmlReturn_t nvmlDeviceGetPowerManagementLimit(nvmlDevice_t __device, unsigned int *__milliwatts);
nvmlReturn_t nvmlDeviceGetEnforcedPowerLimit(nvmlDevice_t __device, unsigned int *__milliwatts);
nvmlReturn_t nvmlDeviceGetTotalEnergyConsumption(nvmlDevice_t __device, unsigned long long *__millijoules);
nvmlReturn_t nvmlDeviceGetTemperature(nvmlDevice_t __device, nvmlTemperatureSensors_t __sensor,
                                      unsigned int *__celsius);
nvmlReturn_t nvmlDeviceGetFanSpeed(nvmlDevice_t __device, unsigned int *__percent);
nvmlReturn_t nvmlDeviceGetPerformanceState(nvmlDevice_t __device, nvmlPstates_t *__state);
nvmlReturn_t nvmlDeviceGetAPIRestriction(nvmlDevice_t __device, nvmlRestrictedAPI_t __what,
                                         nvmlEnableState_t *__isRestricted);
/** @} */

/** @name The names that programs use @{ */
#define nvmlInit nvmlInit_v2
#define nvmlDeviceGetCount nvmlDeviceGetCount_v2
#define nvmlDeviceGetHandleByIndex nvmlDeviceGetHandleByIndex_v2
#define nvmlDeviceGetHandleByPciBusId nvmlDeviceGetHandleByPciBusId_v2
#define nvmlDeviceGetPciInfo nvmlDeviceGetPciInfo_v3
/** @} */

#ifdef __cplusplus
}
#endif
#endif
