/**
 * @file per_thread.c
 * @brief The calls of a program compiled with CUDA_API_PER_THREAD_DEFAULT_STREAM (CUDA Driver API, "API
 * synchronization behavior").
 *
 * Each does what the plain call does, with the calling thread's own stream in place of stream 0.
 */
#include "driver.h"

#define FORM(name, ending, parameters, arguments)                                                            \
    CUresult name##ending parameters;                                                                        \
    CUresult name##ending parameters                                                                         \
    {                                                                                                        \
        umsim_driver_per_thread();                                                                           \
        return name arguments;                                                                               \
    }
#define PTDS(name, parameters, arguments) FORM(name, _ptds, parameters, arguments)
#define PTSZ(name, parameters, arguments) FORM(name, _ptsz, parameters, arguments)

PTDS(cuMemcpy, (CUdeviceptr dst, CUdeviceptr src, size_t ByteCount), (dst, src, ByteCount))
PTDS(cuMemcpyPeer,
     (CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice, CUcontext srcContext,
      size_t ByteCount),
     (dstDevice, dstContext, srcDevice, srcContext, ByteCount))
PTDS(cuMemcpyHtoD_v2, (CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount),
     (dstDevice, srcHost, ByteCount))
PTDS(cuMemcpyDtoH_v2, (void *dstHost, CUdeviceptr srcDevice, size_t ByteCount),
     (dstHost, srcDevice, ByteCount))
PTDS(cuMemcpyDtoD_v2, (CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount),
     (dstDevice, srcDevice, ByteCount))
PTDS(cuMemcpyDtoA_v2, (CUarray dstArray, size_t dstOffset, CUdeviceptr srcDevice, size_t ByteCount),
     (dstArray, dstOffset, srcDevice, ByteCount))
PTDS(cuMemcpyAtoD_v2, (CUdeviceptr dstDevice, CUarray srcArray, size_t srcOffset, size_t ByteCount),
     (dstDevice, srcArray, srcOffset, ByteCount))
PTDS(cuMemcpyHtoA_v2, (CUarray dstArray, size_t dstOffset, const void *srcHost, size_t ByteCount),
     (dstArray, dstOffset, srcHost, ByteCount))
PTDS(cuMemcpyAtoH_v2, (void *dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount),
     (dstHost, srcArray, srcOffset, ByteCount))
PTDS(cuMemcpyAtoA_v2,
     (CUarray dstArray, size_t dstOffset, CUarray srcArray, size_t srcOffset, size_t ByteCount),
     (dstArray, dstOffset, srcArray, srcOffset, ByteCount))
PTDS(cuMemcpy2D_v2, (const CUDA_MEMCPY2D *pCopy), (pCopy))
PTDS(cuMemcpy2DUnaligned_v2, (const CUDA_MEMCPY2D *pCopy), (pCopy))
PTDS(cuMemcpy3D_v2, (const CUDA_MEMCPY3D *pCopy), (pCopy))
PTDS(cuMemcpy3DPeer, (const CUDA_MEMCPY3D_PEER *pCopy), (pCopy))
PTSZ(cuMemcpyAsync, (CUdeviceptr dst, CUdeviceptr src, size_t ByteCount, CUstream hStream),
     (dst, src, ByteCount, hStream))
PTSZ(cuMemcpyPeerAsync,
     (CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice, CUcontext srcContext,
      size_t ByteCount, CUstream hStream),
     (dstDevice, dstContext, srcDevice, srcContext, ByteCount, hStream))
PTSZ(cuMemcpyHtoDAsync_v2, (CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount, CUstream hStream),
     (dstDevice, srcHost, ByteCount, hStream))
PTSZ(cuMemcpyDtoHAsync_v2, (void *dstHost, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream),
     (dstHost, srcDevice, ByteCount, hStream))
PTSZ(cuMemcpyDtoDAsync_v2, (CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream),
     (dstDevice, srcDevice, ByteCount, hStream))
PTSZ(cuMemcpyHtoAAsync_v2,
     (CUarray dstArray, size_t dstOffset, const void *srcHost, size_t ByteCount, CUstream hStream),
     (dstArray, dstOffset, srcHost, ByteCount, hStream))
PTSZ(cuMemcpyAtoHAsync_v2,
     (void *dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount, CUstream hStream),
     (dstHost, srcArray, srcOffset, ByteCount, hStream))
PTSZ(cuMemcpy2DAsync_v2, (const CUDA_MEMCPY2D *pCopy, CUstream hStream), (pCopy, hStream))
PTSZ(cuMemcpy3DAsync_v2, (const CUDA_MEMCPY3D *pCopy, CUstream hStream), (pCopy, hStream))
PTSZ(cuMemcpy3DPeerAsync, (const CUDA_MEMCPY3D_PEER *pCopy, CUstream hStream), (pCopy, hStream))
PTDS(cuMemsetD8_v2, (CUdeviceptr dstDevice, unsigned char uc, size_t N), (dstDevice, uc, N))
PTDS(cuMemsetD16_v2, (CUdeviceptr dstDevice, unsigned short us, size_t N), (dstDevice, us, N))
PTDS(cuMemsetD32_v2, (CUdeviceptr dstDevice, unsigned int ui, size_t N), (dstDevice, ui, N))
PTDS(cuMemsetD2D8_v2, (CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width, size_t Height),
     (dstDevice, dstPitch, uc, Width, Height))
PTDS(cuMemsetD2D16_v2,
     (CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width, size_t Height),
     (dstDevice, dstPitch, us, Width, Height))
PTDS(cuMemsetD2D32_v2, (CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width, size_t Height),
     (dstDevice, dstPitch, ui, Width, Height))
PTSZ(cuMemsetD8Async, (CUdeviceptr dstDevice, unsigned char uc, size_t N, CUstream hStream),
     (dstDevice, uc, N, hStream))
PTSZ(cuMemsetD16Async, (CUdeviceptr dstDevice, unsigned short us, size_t N, CUstream hStream),
     (dstDevice, us, N, hStream))
PTSZ(cuMemsetD32Async, (CUdeviceptr dstDevice, unsigned int ui, size_t N, CUstream hStream),
     (dstDevice, ui, N, hStream))
PTSZ(cuMemsetD2D8Async,
     (CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width, size_t Height,
      CUstream hStream),
     (dstDevice, dstPitch, uc, Width, Height, hStream))
PTSZ(cuMemsetD2D16Async,
     (CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width, size_t Height,
      CUstream hStream),
     (dstDevice, dstPitch, us, Width, Height, hStream))
PTSZ(cuMemsetD2D32Async,
     (CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width, size_t Height, CUstream hStream),
     (dstDevice, dstPitch, ui, Width, Height, hStream))
PTSZ(cuMemFreeAsync, (CUdeviceptr dptr, CUstream hStream), (dptr, hStream))
PTSZ(cuMemAllocAsync, (CUdeviceptr * dptr, size_t bytesize, CUstream hStream), (dptr, bytesize, hStream))
PTSZ(cuMemAllocFromPoolAsync, (CUdeviceptr * dptr, size_t bytesize, CUmemoryPool pool, CUstream hStream),
     (dptr, bytesize, pool, hStream))
PTSZ(cuMemPrefetchAsync_v2,
     (CUdeviceptr devPtr, size_t count, CUmemLocation location, unsigned int flags, CUstream hStream),
     (devPtr, count, location, flags, hStream))
PTSZ(cuStreamGetPriority, (CUstream hStream, int *priority), (hStream, priority))
PTSZ(cuStreamGetDevice, (CUstream hStream, CUdevice *device), (hStream, device))
PTSZ(cuStreamGetFlags, (CUstream hStream, unsigned int *flags), (hStream, flags))
PTSZ(cuStreamGetId, (CUstream hStream, unsigned long long *streamId), (hStream, streamId))
PTSZ(cuStreamGetCtx, (CUstream hStream, CUcontext *pctx), (hStream, pctx))
PTSZ(cuStreamGetCtx_v2, (CUstream hStream, CUcontext *pCtx, CUgreenCtx *pGreenCtx),
     (hStream, pCtx, pGreenCtx))
PTSZ(cuStreamWaitEvent, (CUstream hStream, CUevent hEvent, unsigned int Flags), (hStream, hEvent, Flags))
PTSZ(cuStreamAddCallback, (CUstream hStream, CUstreamCallback callback, void *userData, unsigned int flags),
     (hStream, callback, userData, flags))
PTSZ(cuStreamBeginCapture_v2, (CUstream hStream, CUstreamCaptureMode mode), (hStream, mode))
PTSZ(cuStreamEndCapture, (CUstream hStream, CUgraph *phGraph), (hStream, phGraph))
PTSZ(cuStreamBeginCaptureToGraph,
     (CUstream hStream, CUgraph hGraph, const CUgraphNode *dependencies,
      const CUgraphEdgeData *dependencyData, size_t numDependencies, CUstreamCaptureMode mode),
     (hStream, hGraph, dependencies, dependencyData, numDependencies, mode))
PTSZ(cuStreamGetCaptureInfo_v3,
     (CUstream hStream, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph,
      const CUgraphNode **dependencies, const CUgraphEdgeData **edgeData, size_t *numDependencies),
     (hStream, status, id, graph, dependencies, edgeData, numDependencies))
PTSZ(cuStreamUpdateCaptureDependencies_v2,
     (CUstream hStream, CUgraphNode *dependencies, const CUgraphEdgeData *dependencyData,
      size_t numDependencies, unsigned int flags),
     (hStream, dependencies, dependencyData, numDependencies, flags))
PTSZ(cuStreamCopyAttributes, (CUstream dst, CUstream src), (dst, src))
PTSZ(cuStreamGetAttribute, (CUstream hStream, CUstreamAttrID attr, CUstreamAttrValue *value_out),
     (hStream, attr, value_out))
PTSZ(cuStreamSetAttribute, (CUstream hStream, CUstreamAttrID attr, const CUstreamAttrValue *value),
     (hStream, attr, value))
PTSZ(cuGraphInstantiateWithParams,
     (CUgraphExec * phGraphExec, CUgraph hGraph, CUDA_GRAPH_INSTANTIATE_PARAMS *instantiateParams),
     (phGraphExec, hGraph, instantiateParams))
PTSZ(cuGraphUpload, (CUgraphExec hGraphExec, CUstream hStream), (hGraphExec, hStream))
PTSZ(cuGraphLaunch, (CUgraphExec hGraphExec, CUstream hStream), (hGraphExec, hStream))
PTSZ(cuStreamIsCapturing, (CUstream hStream, CUstreamCaptureStatus *captureStatus), (hStream, captureStatus))
PTSZ(cuStreamAttachMemAsync, (CUstream hStream, CUdeviceptr dptr, size_t length, unsigned int flags),
     (hStream, dptr, length, flags))
PTSZ(cuStreamQuery, (CUstream hStream), (hStream))
PTSZ(cuStreamSynchronize, (CUstream hStream), (hStream))
PTSZ(cuEventRecord, (CUevent hEvent, CUstream hStream), (hEvent, hStream))
PTSZ(cuEventRecordWithFlags, (CUevent hEvent, CUstream hStream, unsigned int flags), (hEvent, hStream, flags))
PTSZ(cuLaunchKernel,
     (CUfunction f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ,
      unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ, unsigned int sharedMemBytes,
      CUstream hStream, void **kernelParams, void **extra),
     (f, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes, hStream, kernelParams,
      extra))
PTSZ(cuLaunchKernelEx, (const CUlaunchConfig *config, CUfunction f, void **kernelParams, void **extra),
     (config, f, kernelParams, extra))
PTSZ(cuLaunchCooperativeKernel,
     (CUfunction f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ,
      unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ, unsigned int sharedMemBytes,
      CUstream hStream, void **kernelParams),
     (f, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes, hStream,
      kernelParams))
PTSZ(cuLaunchHostFunc, (CUstream hStream, CUhostFn fn, void *userData), (hStream, fn, userData))
