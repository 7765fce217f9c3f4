/**
 * @file mixed.cu
 * @brief Programs of the runtime that make driver calls.
 */
extern "C" {
#include "behaviour.h"
}

#include <cuda_runtime.h>

__global__ void add(int *p, int n)
{
    atomicAdd(p, n);
}

static void the_runtime_makes_the_primary_context_current()
{
    CUcontext before = NULL, primary = NULL, after = NULL, own = NULL;
    void *p = NULL;
    int count = 0, active = 0;
    unsigned flags = 0;
    answer("mixed: cudaGetDeviceCount", "%s", cudaGetErrorName(cudaGetDeviceCount(&count)));
    RETURNS("mixed: cuCtxGetCurrent after cudaGetDeviceCount", cuCtxGetCurrent(&before));
    answer("mixed: after cudaGetDeviceCount", "%s", before ? "a context" : "none");
    answer("mixed: cudaMalloc", "%s", cudaGetErrorName(cudaMalloc(&p, 256)));
    RETURNS("mixed: cuCtxGetCurrent after cudaMalloc", cuCtxGetCurrent(&after));
    NEED(cuDevicePrimaryCtxGetState(0, &flags, &active));
    answer("mixed: primary context after cudaMalloc", "active %d", active);
    NEED(cuDevicePrimaryCtxRetain(&primary, 0));
    answer("mixed: after cudaMalloc", "%s",
           after == primary ? "the primary one"
           : after          ? "another"
                            : "none");
    RETURNS("mixed: cuMemFree of cudaMalloc's", cuMemFree((CUdeviceptr)(size_t)p));
    NEED(cuCtxCreate(&own, NULL, 0, 0));
    answer("mixed: cudaMalloc in a context of the program's", "%s", cudaGetErrorName(cudaMalloc(&p, 256)));
    NEED(cuCtxGetCurrent(&after));
    answer("mixed: then current", "%s", after == own ? "its own" : "another");
    answer("mixed: cudaSetDevice", "%s", cudaGetErrorName(cudaSetDevice(0)));
    NEED(cuCtxGetCurrent(&after));
    answer("mixed: after cudaSetDevice", "%s",
           after == primary ? "the primary one"
           : after == own   ? "its own"
                            : "another");
}

static void memory_is_shared_by_both()
{
    CUdeviceptr p = 0;
    void *own = NULL;
    cudaPointerAttributes attributes;
    size_t bytes = 0;
    CUcontext context = NULL, primary = NULL;
    cudaFree(NULL);
    NEED(cuDevicePrimaryCtxRetain(&primary, 0));
    RETURNS("mixed: cuMemAlloc", cuMemAlloc(&p, 4096));
    answer("mixed: cudaPointerGetAttributes", "%s",
           cudaGetErrorName(cudaPointerGetAttributes(&attributes, (void *)(size_t)p)));
    answer("mixed: cudaPointerGetAttributes: type", "%d", (int)attributes.type);
    answer("mixed: cudaMemset", "%s", cudaGetErrorName(cudaMemset((void *)(size_t)p, 1, 4096)));
    answer("mixed: cudaFree of cuMemAlloc's", "%s", cudaGetErrorName(cudaFree((void *)(size_t)p)));
    cudaMalloc(&own, 1000);
    RETURNS("mixed: cuMemGetAddressRange", cuMemGetAddressRange(&p, &bytes, (CUdeviceptr)(size_t)own));
    answer("mixed: cuMemGetAddressRange: bytes", "%zu", bytes);
    RETURNS("mixed: cuPointerGetAttribute: context",
            cuPointerGetAttribute(&context, CU_POINTER_ATTRIBUTE_CONTEXT, (CUdeviceptr)(size_t)own));
    answer("mixed: cuPointerGetAttribute: context: which", "%s",
           context == primary ? "the primary one" : "another");
}

static void streams_and_events_are_shared_by_both()
{
    cudaStream_t stream = NULL;
    CUstream other = NULL;
    cudaEvent_t event = NULL;
    cudaStreamCreate(&stream);
    cudaEventCreate(&event);
    RETURNS("mixed: cuStreamQuery", cuStreamQuery(stream));
    RETURNS("mixed: cuEventRecord", cuEventRecord(event, stream));
    RETURNS("mixed: cuEventSynchronize", cuEventSynchronize(event));
    NEED(cuStreamCreate(&other, 0));
    answer("mixed: cudaStreamSynchronize", "%s", cudaGetErrorName(cudaStreamSynchronize(other)));
    answer("mixed: cudaStreamDestroy", "%s", cudaGetErrorName(cudaStreamDestroy(other)));
    RETURNS("mixed: cuStreamDestroy", cuStreamDestroy(stream));
}

static void the_runtimes_kernels_have_handles()
{
    cudaFunction_t function = NULL;
    int *p = NULL, host = 0, n = 5;
    int value = 77;
    void *parameters[] = {&p, &n};
    cudaMalloc(reinterpret_cast<void **>(&p), sizeof *p);
    cudaMemset(p, 0, sizeof *p);
    answer("mixed: cudaGetFuncBySymbol", "%s",
           cudaGetErrorName(cudaGetFuncBySymbol(&function, reinterpret_cast<const void *>(add))));
    answer("mixed: cudaGetFuncBySymbol: no kernel", "%s",
           cudaGetErrorName(
               cudaGetFuncBySymbol(&function, reinterpret_cast<const void *>(memory_is_shared_by_both))));
    cudaGetFuncBySymbol(&function, reinterpret_cast<const void *>(add));
    RETURNS("mixed: cuLaunchKernel", cuLaunchKernel(function, 2, 1, 1, 3, 1, 1, 0, 0, parameters, NULL));
    answer("mixed: cudaMemcpy", "%s",
           cudaGetErrorName(cudaMemcpy(&host, p, sizeof host, cudaMemcpyDeviceToHost)));
    answer("mixed: cuLaunchKernel: result", "%d", host);
    RETURNS("mixed: cuFuncGetAttribute",
            cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
}

static void errors_of_one_are_not_the_others()
{
    CUdeviceptr p = 0;
    cudaFree(NULL);
    RETURNS("mixed: a refused cuMemAlloc", cuMemAlloc(&p, 0));
    answer("mixed: cudaGetLastError after it", "%s", cudaGetErrorName(cudaGetLastError()));
    cudaFree(reinterpret_cast<void *>(16));
    RETURNS("mixed: cuCtxSynchronize after a refused cudaFree", cuCtxSynchronize());
    answer("mixed: cudaPeekAtLastError after both", "%s", cudaGetErrorName(cudaPeekAtLastError()));
}

#define RUN(name)                                                                                            \
    {                                                                                                        \
#name, name                                                                                          \
    }
extern "C" const struct behaviour mixed_behaviours[] = {RUN(the_runtime_makes_the_primary_context_current),
                                                        RUN(memory_is_shared_by_both),
                                                        RUN(streams_and_events_are_shared_by_both),
                                                        RUN(the_runtimes_kernels_have_handles),
                                                        RUN(errors_of_one_are_not_the_others),
                                                        {NULL, NULL}};
