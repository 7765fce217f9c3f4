/**
 * @file umsim/cu_names.h
 * @brief The symbols behind the driver API's names. Included by cuda.h.
 *
 * A function that has changed keeps its name in sources, and has a new symbol: cuMemAlloc() is cuMemAlloc_v2.
 * What uses the default stream has a further one for programs that are compiled with
 * CUDA_API_PER_THREAD_DEFAULT_STREAM.
 */
#ifndef UMSIM_CU_NAMES_H
#define UMSIM_CU_NAMES_H

#define UMSIM_JOIN_AGAIN(name, suffix) name##suffix
#define UMSIM_JOIN(name, suffix) UMSIM_JOIN_AGAIN(name, suffix)
#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
#define UMSIM_CU_PTDS(name) UMSIM_JOIN(name, _ptds)
#define UMSIM_CU_PTSZ(name) UMSIM_JOIN(name, _ptsz)
#define cuGetProcAddress cuGetProcAddress_v2_ptsz
#else
#define UMSIM_CU_PTDS(name) name
#define UMSIM_CU_PTSZ(name) name
#define cuGetProcAddress cuGetProcAddress_v2
#endif

#define cuDeviceGetUuid cuDeviceGetUuid_v2
#define cuDeviceTotalMem cuDeviceTotalMem_v2
#define cuDevicePrimaryCtxRelease cuDevicePrimaryCtxRelease_v2
#define cuDevicePrimaryCtxSetFlags cuDevicePrimaryCtxSetFlags_v2
#define cuDevicePrimaryCtxReset cuDevicePrimaryCtxReset_v2
#define cuCtxCreate cuCtxCreate_v4
#define cuCtxDestroy cuCtxDestroy_v2
#define cuCtxPushCurrent cuCtxPushCurrent_v2
#define cuCtxPopCurrent cuCtxPopCurrent_v2
#define cuMemGetInfo cuMemGetInfo_v2
#define cuMemAlloc cuMemAlloc_v2
#define cuMemAllocPitch cuMemAllocPitch_v2
#define cuMemFree cuMemFree_v2
#define cuMemGetAddressRange cuMemGetAddressRange_v2
#define cuMemAllocHost cuMemAllocHost_v2
#define cuMemHostGetDevicePointer cuMemHostGetDevicePointer_v2
#define cuMemHostRegister cuMemHostRegister_v2
#define cuIpcOpenMemHandle cuIpcOpenMemHandle_v2
#define cuArrayCreate cuArrayCreate_v2
#define cuArrayGetDescriptor cuArrayGetDescriptor_v2
#define cuArray3DCreate cuArray3DCreate_v2
#define cuArray3DGetDescriptor cuArray3DGetDescriptor_v2
#define cuMemAdvise cuMemAdvise_v2
#define cuStreamDestroy cuStreamDestroy_v2
#define cuEventDestroy cuEventDestroy_v2
#define cuEventElapsedTime cuEventElapsedTime_v2
#define cuModuleGetGlobal cuModuleGetGlobal_v2
#define cuLinkCreate cuLinkCreate_v2
#define cuLinkAddData cuLinkAddData_v2
#define cuLinkAddFile cuLinkAddFile_v2
#define cuTexRefSetAddress cuTexRefSetAddress_v2
#define cuTexRefSetAddress2D cuTexRefSetAddress2D_v3
#define cuTexRefGetAddress cuTexRefGetAddress_v2
#define cuGraphInstantiate cuGraphInstantiateWithFlags
#define cuGraphExecUpdate cuGraphExecUpdate_v2
#define cuGraphAddKernelNode cuGraphAddKernelNode_v2
#define cuGraphKernelNodeGetParams cuGraphKernelNodeGetParams_v2
#define cuGraphKernelNodeSetParams cuGraphKernelNodeSetParams_v2
#define cuGraphExecKernelNodeSetParams cuGraphExecKernelNodeSetParams_v2
#define cuGraphGetEdges cuGraphGetEdges_v2
#define cuGraphNodeGetDependencies cuGraphNodeGetDependencies_v2
#define cuGraphNodeGetDependentNodes cuGraphNodeGetDependentNodes_v2
#define cuGraphAddDependencies cuGraphAddDependencies_v2
#define cuGraphRemoveDependencies cuGraphRemoveDependencies_v2
#define cuGraphAddNode cuGraphAddNode_v2

#define cuMemcpy UMSIM_CU_PTDS(cuMemcpy)
#define cuMemcpyPeer UMSIM_CU_PTDS(cuMemcpyPeer)
#define cuMemcpyHtoD UMSIM_CU_PTDS(cuMemcpyHtoD_v2)
#define cuMemcpyDtoH UMSIM_CU_PTDS(cuMemcpyDtoH_v2)
#define cuMemcpyDtoD UMSIM_CU_PTDS(cuMemcpyDtoD_v2)
#define cuMemcpyDtoA UMSIM_CU_PTDS(cuMemcpyDtoA_v2)
#define cuMemcpyAtoD UMSIM_CU_PTDS(cuMemcpyAtoD_v2)
#define cuMemcpyHtoA UMSIM_CU_PTDS(cuMemcpyHtoA_v2)
#define cuMemcpyAtoH UMSIM_CU_PTDS(cuMemcpyAtoH_v2)
#define cuMemcpyAtoA UMSIM_CU_PTDS(cuMemcpyAtoA_v2)
#define cuMemcpy2D UMSIM_CU_PTDS(cuMemcpy2D_v2)
#define cuMemcpy2DUnaligned UMSIM_CU_PTDS(cuMemcpy2DUnaligned_v2)
#define cuMemcpy3D UMSIM_CU_PTDS(cuMemcpy3D_v2)
#define cuMemcpy3DPeer UMSIM_CU_PTDS(cuMemcpy3DPeer)
#define cuMemcpyAsync UMSIM_CU_PTSZ(cuMemcpyAsync)
#define cuMemcpyPeerAsync UMSIM_CU_PTSZ(cuMemcpyPeerAsync)
#define cuMemcpyHtoDAsync UMSIM_CU_PTSZ(cuMemcpyHtoDAsync_v2)
#define cuMemcpyDtoHAsync UMSIM_CU_PTSZ(cuMemcpyDtoHAsync_v2)
#define cuMemcpyDtoDAsync UMSIM_CU_PTSZ(cuMemcpyDtoDAsync_v2)
#define cuMemcpyHtoAAsync UMSIM_CU_PTSZ(cuMemcpyHtoAAsync_v2)
#define cuMemcpyAtoHAsync UMSIM_CU_PTSZ(cuMemcpyAtoHAsync_v2)
#define cuMemcpy2DAsync UMSIM_CU_PTSZ(cuMemcpy2DAsync_v2)
#define cuMemcpy3DAsync UMSIM_CU_PTSZ(cuMemcpy3DAsync_v2)
#define cuMemcpy3DPeerAsync UMSIM_CU_PTSZ(cuMemcpy3DPeerAsync)
#define cuMemsetD8 UMSIM_CU_PTDS(cuMemsetD8_v2)
#define cuMemsetD16 UMSIM_CU_PTDS(cuMemsetD16_v2)
#define cuMemsetD32 UMSIM_CU_PTDS(cuMemsetD32_v2)
#define cuMemsetD2D8 UMSIM_CU_PTDS(cuMemsetD2D8_v2)
#define cuMemsetD2D16 UMSIM_CU_PTDS(cuMemsetD2D16_v2)
#define cuMemsetD2D32 UMSIM_CU_PTDS(cuMemsetD2D32_v2)
#define cuMemsetD8Async UMSIM_CU_PTSZ(cuMemsetD8Async)
#define cuMemsetD16Async UMSIM_CU_PTSZ(cuMemsetD16Async)
#define cuMemsetD32Async UMSIM_CU_PTSZ(cuMemsetD32Async)
#define cuMemsetD2D8Async UMSIM_CU_PTSZ(cuMemsetD2D8Async)
#define cuMemsetD2D16Async UMSIM_CU_PTSZ(cuMemsetD2D16Async)
#define cuMemsetD2D32Async UMSIM_CU_PTSZ(cuMemsetD2D32Async)
#define cuMemFreeAsync UMSIM_CU_PTSZ(cuMemFreeAsync)
#define cuMemAllocAsync UMSIM_CU_PTSZ(cuMemAllocAsync)
#define cuMemAllocFromPoolAsync UMSIM_CU_PTSZ(cuMemAllocFromPoolAsync)
#define cuMemPrefetchAsync UMSIM_CU_PTSZ(cuMemPrefetchAsync_v2)
#define cuStreamGetPriority UMSIM_CU_PTSZ(cuStreamGetPriority)
#define cuStreamGetDevice UMSIM_CU_PTSZ(cuStreamGetDevice)
#define cuStreamGetFlags UMSIM_CU_PTSZ(cuStreamGetFlags)
#define cuStreamGetId UMSIM_CU_PTSZ(cuStreamGetId)
#define cuStreamGetCtx UMSIM_CU_PTSZ(cuStreamGetCtx)
#define cuStreamGetCtx_v2 UMSIM_CU_PTSZ(cuStreamGetCtx_v2)
#define cuStreamWaitEvent UMSIM_CU_PTSZ(cuStreamWaitEvent)
#define cuStreamAddCallback UMSIM_CU_PTSZ(cuStreamAddCallback)
#define cuStreamBeginCapture UMSIM_CU_PTSZ(cuStreamBeginCapture_v2)
#define cuStreamBeginCaptureToGraph UMSIM_CU_PTSZ(cuStreamBeginCaptureToGraph)
#define cuStreamGetCaptureInfo UMSIM_CU_PTSZ(cuStreamGetCaptureInfo_v3)
#define cuStreamUpdateCaptureDependencies UMSIM_CU_PTSZ(cuStreamUpdateCaptureDependencies_v2)
#define cuStreamCopyAttributes UMSIM_CU_PTSZ(cuStreamCopyAttributes)
#define cuStreamGetAttribute UMSIM_CU_PTSZ(cuStreamGetAttribute)
#define cuStreamSetAttribute UMSIM_CU_PTSZ(cuStreamSetAttribute)
#define cuGraphInstantiateWithParams UMSIM_CU_PTSZ(cuGraphInstantiateWithParams)
#define cuGraphUpload UMSIM_CU_PTSZ(cuGraphUpload)
#define cuGraphLaunch UMSIM_CU_PTSZ(cuGraphLaunch)
#define cuStreamEndCapture UMSIM_CU_PTSZ(cuStreamEndCapture)
#define cuStreamIsCapturing UMSIM_CU_PTSZ(cuStreamIsCapturing)
#define cuStreamAttachMemAsync UMSIM_CU_PTSZ(cuStreamAttachMemAsync)
#define cuStreamQuery UMSIM_CU_PTSZ(cuStreamQuery)
#define cuStreamSynchronize UMSIM_CU_PTSZ(cuStreamSynchronize)
#define cuEventRecord UMSIM_CU_PTSZ(cuEventRecord)
#define cuEventRecordWithFlags UMSIM_CU_PTSZ(cuEventRecordWithFlags)
#define cuLaunchKernel UMSIM_CU_PTSZ(cuLaunchKernel)
#define cuLaunchKernelEx UMSIM_CU_PTSZ(cuLaunchKernelEx)
#define cuLaunchCooperativeKernel UMSIM_CU_PTSZ(cuLaunchCooperativeKernel)
#define cuLaunchHostFunc UMSIM_CU_PTSZ(cuLaunchHostFunc)

#endif
