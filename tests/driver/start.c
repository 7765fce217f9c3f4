/**
 * @file start.c
 * @brief Before cuInit(); errors; the device; functions by their names.
 */
#include "behaviour.h"

#include <stdio.h>
#include <string.h>

static void before_cuInit_little_answers(void)
{
    CUdevice device;
    CUcontext context;
    CUdeviceptr p;
    CUmodule module;
    const char *text;
    int n = 0;
    RETURNS("before cuInit: cuDriverGetVersion", cuDriverGetVersion(&n));
    RETURNS("before cuInit: cuDriverGetVersion(NULL)", cuDriverGetVersion(NULL));
    RETURNS("before cuInit: cuDeviceGet", cuDeviceGet(&device, 0));
    RETURNS("before cuInit: cuDeviceGetCount", cuDeviceGetCount(&n));
    RETURNS("before cuInit: cuDeviceGetAttribute",
            cuDeviceGetAttribute(&n, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
    RETURNS("before cuInit: cuCtxGetCurrent", cuCtxGetCurrent(&context));
    RETURNS("before cuInit: cuCtxCreate", cuCtxCreate(&context, NULL, 0, 0));
    RETURNS("before cuInit: cuDevicePrimaryCtxRetain", cuDevicePrimaryCtxRetain(&context, 0));
    RETURNS("before cuInit: cuMemAlloc", cuMemAlloc(&p, 16));
    RETURNS("before cuInit: cuMemFree(0)", cuMemFree(0));
    RETURNS("before cuInit: cuCtxSynchronize", cuCtxSynchronize());
    RETURNS("before cuInit: cuModuleLoadData(NULL)", cuModuleLoadData(&module, NULL));
    RETURNS("before cuInit: cuGetErrorName", cuGetErrorName(CUDA_ERROR_ASSERT, &text));
    RETURNS("cuInit: flags 1", cuInit(1));
    RETURNS("cuInit", cuInit(0));
    RETURNS("cuInit: again", cuInit(0));
}

static void errors_have_names(void)
{
    static const CUresult some[] = {CUDA_SUCCESS,
                                    CUDA_ERROR_INVALID_VALUE,
                                    CUDA_ERROR_OUT_OF_MEMORY,
                                    CUDA_ERROR_NOT_INITIALIZED,
                                    CUDA_ERROR_DEINITIALIZED,
                                    CUDA_ERROR_INVALID_CONTEXT,
                                    CUDA_ERROR_NO_BINARY_FOR_GPU,
                                    CUDA_ERROR_INVALID_PTX,
                                    CUDA_ERROR_NOT_FOUND,
                                    CUDA_ERROR_LAUNCH_FAILED,
                                    CUDA_ERROR_NOT_SUPPORTED,
                                    CUDA_ERROR_UNKNOWN};
    const char *text = "untouched";
    char name[64];
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        snprintf(name, sizeof name, "cuGetErrorName: %d", (int)some[i]);
        answer(name, "%s", result_name(some[i]));
    }
    RETURNS("cuGetErrorName: 9", cuGetErrorName((CUresult)9, &text));
    answer("cuGetErrorName: 9: text", "%s", text ? text : "NULL");
    RETURNS("cuGetErrorName: 12345", cuGetErrorName((CUresult)12345, &text));
    RETURNS("cuGetErrorName: -1", cuGetErrorName((CUresult)-1, &text));
    RETURNS("cuGetErrorString: 1", cuGetErrorString(CUDA_ERROR_INVALID_VALUE, &text));
    answer("cuGetErrorString: 1: has words", "%d", text && strchr(text, ' ') ? 1 : 0);
    text = "untouched";
    RETURNS("cuGetErrorString: 12345", cuGetErrorString((CUresult)12345, &text));
    answer("cuGetErrorString: 12345: text", "%s", text ? text : "NULL");
}

static void devices_are_counted_from_0(void)
{
    CUdevice device = -5;
    int n = 0;
    NEED(cuInit(0));
    RETURNS("cuDeviceGetCount(NULL)", cuDeviceGetCount(NULL));
    RETURNS("cuDeviceGet: 0", cuDeviceGet(&device, 0));
    answer("cuDeviceGet: 0: the handle", "%d", device);
    RETURNS("cuDeviceGet: -1", cuDeviceGet(&device, -1));
    RETURNS("cuDeviceGet: 1000", cuDeviceGet(&device, 1000));
    RETURNS("cuDeviceGet(NULL)", cuDeviceGet(NULL, 0));
    RETURNS("cuDeviceGet(NULL): 1000", cuDeviceGet(NULL, 1000));
    RETURNS("cuDeviceGetAttribute: device 1000",
            cuDeviceGetAttribute(&n, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 1000));
    RETURNS("cuDeviceGetAttribute(NULL)", cuDeviceGetAttribute(NULL, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
    RETURNS("cuDeviceGetAttribute: 0", cuDeviceGetAttribute(&n, (CUdevice_attribute)0, 0));
    RETURNS("cuDeviceGetAttribute: -1", cuDeviceGetAttribute(&n, (CUdevice_attribute)-1, 0));
    RETURNS("cuDeviceGetAttribute: 100000", cuDeviceGetAttribute(&n, (CUdevice_attribute)100000, 0));
}

static void a_device_tells_what_it_is(void)
{
    char name[100], small[5];
    CUuuid uuid;
    CUdevprop properties;
    size_t bytes = 0;
    int major = 0, minor = 0, n = 0;
    NEED(cuInit(0));
    memset(name, 'x', sizeof name);
    RETURNS("cuDeviceGetName", cuDeviceGetName(name, sizeof name, 0));
    answer("cuDeviceGetName: ends inside", "%d", memchr(name, 0, sizeof name) != NULL);
    memset(small, 'x', sizeof small);
    RETURNS("cuDeviceGetName: 5 bytes", cuDeviceGetName(small, 5, 0));
    answer("cuDeviceGetName: 5 bytes: last", "%d", small[4]);
    RETURNS("cuDeviceGetName: device 7", cuDeviceGetName(name, sizeof name, 7));
    RETURNS("cuDeviceGetUuid", cuDeviceGetUuid(&uuid, 0));
    RETURNS("cuDeviceGetUuid(NULL)", cuDeviceGetUuid(NULL, 0));
    RETURNS("cuDeviceTotalMem", cuDeviceTotalMem(&bytes, 0));
    answer("cuDeviceTotalMem: over 1 GiB", "%d", bytes > (size_t)1 << 30);
    RETURNS("cuDeviceTotalMem(NULL)", cuDeviceTotalMem(NULL, 0));
    RETURNS("cuDeviceTotalMem: device 7", cuDeviceTotalMem(&bytes, 7));
    RETURNS("cuDeviceComputeCapability", cuDeviceComputeCapability(&major, &minor, 0));
    RETURNS("cuDeviceComputeCapability(NULL)", cuDeviceComputeCapability(NULL, &minor, 0));
    NEED(cuDeviceGetAttribute(&n, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0));
    answer("cuDeviceComputeCapability: as the attribute", "%d", n == major);
    RETURNS("cuDeviceGetProperties", cuDeviceGetProperties(&properties, 0));
    answer("cuDeviceGetProperties: threads, warp", "%d %d", properties.maxThreadsPerBlock,
           properties.SIMDWidth);
    RETURNS("cuDeviceGetProperties(NULL)", cuDeviceGetProperties(NULL, 0));
    RETURNS("cuDeviceGetExecAffinitySupport(NULL)",
            cuDeviceGetExecAffinitySupport(NULL, CU_EXEC_AFFINITY_TYPE_SM_COUNT, 0));
    RETURNS("cuDeviceGetTexture1DLinearMaxWidth",
            cuDeviceGetTexture1DLinearMaxWidth(&bytes, CU_AD_FORMAT_FLOAT, 1, 0));
    RETURNS("cuDeviceGetTexture1DLinearMaxWidth(NULL)",
            cuDeviceGetTexture1DLinearMaxWidth(NULL, CU_AD_FORMAT_FLOAT, 1, 0));
}

static void attributes_of_the_manual(void)
{
    static const struct {
        const char *name;
        CUdevice_attribute attribute;
    } some[] = {
        {"cuDeviceGetAttribute: warp", CU_DEVICE_ATTRIBUTE_WARP_SIZE},
        {"cuDeviceGetAttribute: threads of a block", CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK},
        {"cuDeviceGetAttribute: grid x", CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X},
        {"cuDeviceGetAttribute: unified addressing", CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING},
        {"cuDeviceGetAttribute: managed memory", CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY},
        {"cuDeviceGetAttribute: concurrent managed access", CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS},
        {"cuDeviceGetAttribute: memory pools", CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED},
        {"cuDeviceGetAttribute: cooperative launch", CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH},
        {"cuDeviceGetAttribute: map host memory", CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY},
        {"cuDeviceGetAttribute: stream priorities", CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED},
        {"cuDeviceGetAttribute: compute mode", CU_DEVICE_ATTRIBUTE_COMPUTE_MODE},
        {"cuDeviceGetAttribute: host register", CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED},
    };
    int value;
    NEED(cuInit(0));
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        NEED(cuDeviceGetAttribute(&value, some[i].attribute, 0));
        answer(some[i].name, "%d", value);
    }
}

static void a_device_is_found_on_its_bus(void)
{
    char id[32] = "";
    CUdevice device = -1;
    NEED(cuInit(0));
    RETURNS("cuDeviceGetPCIBusId", cuDeviceGetPCIBusId(id, sizeof id, 0));
    RETURNS("cuDeviceGetByPCIBusId", cuDeviceGetByPCIBusId(&device, id));
    answer("cuDeviceGetByPCIBusId: the device", "%d", device);
    RETURNS("cuDeviceGetPCIBusId: 4 bytes", cuDeviceGetPCIBusId(id, 4, 0));
    RETURNS("cuDeviceGetPCIBusId(NULL)", cuDeviceGetPCIBusId(NULL, 16, 0));
    RETURNS("cuDeviceGetByPCIBusId: no number", cuDeviceGetByPCIBusId(&device, "nonsense"));
    RETURNS("cuDeviceGetByPCIBusId: ffff:ff:1f.0", cuDeviceGetByPCIBusId(&device, "ffff:ff:1f.0"));
    RETURNS("cuDeviceGetByPCIBusId(NULL)", cuDeviceGetByPCIBusId(&device, NULL));
}

static void no_device_is_its_own_peer(void)
{
    int n = -1;
    NEED(cuInit(0));
    RETURNS("cuDeviceCanAccessPeer: 0, 0", cuDeviceCanAccessPeer(&n, 0, 0));
    answer("cuDeviceCanAccessPeer: 0, 0: answer", "%d", n);
    RETURNS("cuDeviceCanAccessPeer: 0, 1000", cuDeviceCanAccessPeer(&n, 0, 1000));
    RETURNS("cuDeviceCanAccessPeer(NULL)", cuDeviceCanAccessPeer(NULL, 0, 0));
    RETURNS("cuDeviceGetP2PAttribute: 0, 0",
            cuDeviceGetP2PAttribute(&n, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 0));
}

typedef CUresult (*version_fn)(int *);
typedef CUresult (*alloc_fn)(CUdeviceptr *, size_t);

static void ask(const char *name, const char *symbol, int version, cuuint64_t flags)
{
    char label[128];
    void *function = (void *)1;
    CUdriverProcAddressQueryResult status = (CUdriverProcAddressQueryResult)77;
    snprintf(label, sizeof label, "cuGetProcAddress: %s", name);
    const CUresult result = cuGetProcAddress(symbol, &function, version, flags, &status);
    answer(label, "%s, status %d, %s", result_name(result), (int)status,
           !function               ? "NULL"
           : function == (void *)1 ? "untouched"
                                   : "an address");
}

static void functions_are_found_by_name(void)
{
    void *function = NULL, *other = NULL;
    CUdeviceptr p;
    int version = 0;
    NEED(cuInit(0));
    ask("cuInit", "cuInit", 12000, 0);
    ask("cuMemAlloc, 12000", "cuMemAlloc", 12000, 0);
    ask("cuMemAlloc, 2000", "cuMemAlloc", 2000, 0);
    ask("cuMemAlloc, 1000", "cuMemAlloc", 1000, 0);
    ask("cuMemAlloc_v2", "cuMemAlloc_v2", 12000, 0);
    ask("cuMemAllocAsync, 11010", "cuMemAllocAsync", 11010, 0);
    ask("cuMemAllocAsync, 11020", "cuMemAllocAsync", 11020, 0);
    ask("cuLibraryLoadData, 11080", "cuLibraryLoadData", 11080, 0);
    ask("no such name", "cuNoSuchFunction", 12000, 0);
    ask("an empty name", "", 12000, 0);
    ask("both flags", "cuMemcpyHtoD", 12000, 3);
    ask("flag 4", "cuMemcpyHtoD", 12000, 4);
    ask("per thread", "cuMemcpyHtoD", 12000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM);
    ask("version 0", "cuInit", 0, 0);
    RETURNS("cuGetProcAddress: no status, found", cuGetProcAddress("cuInit", &function, 12000, 0, NULL));
    RETURNS("cuGetProcAddress: no status, no such name",
            cuGetProcAddress("cuNoSuchFunction", &function, 12000, 0, NULL));
    NEED(cuGetProcAddress("cuDriverGetVersion", &function, 12000, 0, NULL));
    answer("cuGetProcAddress: cuDriverGetVersion works", "%d",
           ((version_fn)function)(&version) == CUDA_SUCCESS && version >= 12000);
    NEED(cuGetProcAddress("cuMemAlloc", &function, 12000, 0, NULL));
    answer("cuGetProcAddress: cuMemAlloc without a context", "%s", result_name(((alloc_fn)function)(&p, 16)));
    NEED(cuGetProcAddress("cuCtxCreate", &function, 11030, 0, NULL));
    NEED(cuGetProcAddress("cuCtxCreate", &other, 13000, 0, NULL));
    answer("cuGetProcAddress: two forms of cuCtxCreate", "%d", function != other);
    NEED(cuGetProcAddress("cuStreamQuery", &function, 12000, 0, NULL));
    NEED(cuGetProcAddress("cuStreamQuery", &other, 12000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM,
                          NULL));
    answer("cuGetProcAddress: two forms of cuStreamQuery", "%d", function != other);
}

#define RUN(name)                                                                                            \
    {                                                                                                        \
#name, name                                                                                          \
    }
const struct behaviour start_behaviours[] = {
    RUN(before_cuInit_little_answers), RUN(errors_have_names),           RUN(devices_are_counted_from_0),
    RUN(a_device_tells_what_it_is),    RUN(attributes_of_the_manual),    RUN(a_device_is_found_on_its_bus),
    RUN(no_device_is_its_own_peer),    RUN(functions_are_found_by_name), {NULL, NULL}};
