/**
 * @file two_mixed.cu
 * @brief Two devices, the runtime and the driver: whose context cudaSetDevice() and cuCtxSetCurrent() make
 * current.
 */
extern "C" {
#include "behaviour.h"
}

#include <cuda_runtime.h>

static CUcontext primary[2];

static void current(const char *name)
{
    CUcontext context = nullptr;
    int device = -1;
    const CUresult result = cuCtxGetCurrent(&context);
    const cudaError_t error = cudaGetDevice(&device);
    answer(name, "%s: %s, %s: %d", result_name(result),
           !context                ? "none"
           : context == primary[0] ? "0's primary one"
           : context == primary[1] ? "1's primary one"
                                   : "another",
           cudaGetErrorName(error), device);
}

static void the_current_device_is_the_contexts()
{
    CUcontext own = nullptr, popped;
    NEED(cuInit(0));
    NEED(cuDevicePrimaryCtxRetain(&primary[0], 0));
    NEED(cuDevicePrimaryCtxRetain(&primary[1], 1));
    current("two mixed: at first");
    answer("two mixed: cudaSetDevice(1)", "%s", cudaGetErrorName(cudaSetDevice(1)));
    current("two mixed: after cudaSetDevice(1)");
    answer("two mixed: cudaSetDevice(0)", "%s", cudaGetErrorName(cudaSetDevice(0)));
    current("two mixed: after cudaSetDevice(0)");
    NEED(cuCtxSetCurrent(primary[1]));
    current("two mixed: after cuCtxSetCurrent of 1's");
    NEED(cuCtxPopCurrent(&popped));
    current("two mixed: after cuCtxPopCurrent");
    answer("two mixed: cudaFree(NULL) with none", "%s", cudaGetErrorName(cudaFree(nullptr)));
    current("two mixed: after cudaFree(NULL)");
    NEED(cuCtxCreate(&own, nullptr, 0, 1));
    current("two mixed: in a context of the program's on 1");
    void *p = nullptr;
    cudaPointerAttributes attributes;
    answer("two mixed: cudaMalloc there", "%s", cudaGetErrorName(cudaMalloc(&p, 256)));
    cudaPointerGetAttributes(&attributes, p);
    answer("two mixed: cudaMalloc there: device", "%d", attributes.device);
    CUcontext context = nullptr;
    NEED(cuPointerGetAttribute(&context, CU_POINTER_ATTRIBUTE_CONTEXT, (CUdeviceptr)(size_t)p));
    answer("two mixed: cudaMalloc there: its own context", "%d", context == own);
    answer("two mixed: cudaSetDevice(1) there", "%s", cudaGetErrorName(cudaSetDevice(1)));
    current("two mixed: after cudaSetDevice(1) there");
    NEED(cuCtxDestroy(own));
    answer("two mixed: cudaMalloc's memory, its context destroyed", "%s", cudaGetErrorName(cudaFree(p)));
    cudaGetLastError();
    answer("two mixed: cudaDeviceReset", "%s", cudaGetErrorName(cudaDeviceReset()));
    current("two mixed: after cudaDeviceReset");
}

static void peer_access_of_the_runtime_is_the_primary_contexts()
{
    int *p = nullptr;
    cudaSetDevice(1);
    cudaMalloc((void **)&p, 256);
    NEED(cuDevicePrimaryCtxRetain(&primary[0], 0));
    NEED(cuDevicePrimaryCtxRetain(&primary[1], 1));
    cudaSetDevice(0);
    answer("two mixed: cudaDeviceEnablePeerAccess(1)", "%s",
           cudaGetErrorName(cudaDeviceEnablePeerAccess(1, 0)));
    RETURNS("two mixed: cuCtxEnablePeerAccess then", cuCtxEnablePeerAccess(primary[1], 0));
    RETURNS("two mixed: cuCtxDisablePeerAccess", cuCtxDisablePeerAccess(primary[1]));
    answer("two mixed: cudaDeviceDisablePeerAccess(1) then", "%s",
           cudaGetErrorName(cudaDeviceDisablePeerAccess(1)));
}

extern "C" const struct behaviour two_mixed_behaviours[] = {
    {"two_the_current_device_is_the_contexts", the_current_device_is_the_contexts},
    {"two_peer_access_of_the_runtime_is_the_primary_contexts",
     peer_access_of_the_runtime_is_the_primary_contexts},
    {nullptr, nullptr},
};
