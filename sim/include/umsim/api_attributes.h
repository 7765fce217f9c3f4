/**
 * @file umsim/api_attributes.h
 * @brief Attributes of streams and of graphs' kernel nodes, and a few questions about devices and functions
 * (CUDA Runtime API). Included by cuda_runtime_api.h.
 */
#ifndef UMSIM_API_ATTRIBUTES_H
#define UMSIM_API_ATTRIBUTES_H

#include "driver_types.h"

/** @cond internal */
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define cudaStreamSetAttribute cudaStreamSetAttribute_ptsz
#define cudaStreamGetAttribute cudaStreamGetAttribute_ptsz
#define cudaStreamCopyAttributes cudaStreamCopyAttributes_ptsz
#define cudaGetDriverEntryPoint cudaGetDriverEntryPoint_ptsz
#define cudaGetDriverEntryPointByVersion cudaGetDriverEntryPointByVersion_ptsz
#endif
#ifdef __cplusplus
extern "C" {
#endif
/** @endcond */

/** @name Attributes
 * An access-policy window, a policy of waits and a domain of fences are kept and told; they change neither
 * what happens here nor what it costs.
 * @{ */
/** Sets an attribute of a stream. @return cudaErrorInvalidValue (no attribute of streams, or no such value),
 * cudaErrorInvalidResourceHandle */
cudaError_t cudaStreamSetAttribute(cudaStream_t __hStream, cudaLaunchAttributeID __attr,
                                   const cudaLaunchAttributeValue *__value);
/** Tells one. */
cudaError_t cudaStreamGetAttribute(cudaStream_t __hStream, cudaLaunchAttributeID __attr,
                                   cudaLaunchAttributeValue *__value_out);
/** Gives a stream the attributes of another one. */
cudaError_t cudaStreamCopyAttributes(cudaStream_t __dst, cudaStream_t __src);
/** Sets an attribute of a kernel node. @return cudaErrorInvalidValue, also for a node of another type;
 * cudaErrorNotSupported (clusters of more than one block) */
cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t __hNode, cudaLaunchAttributeID __attr,
                                            const cudaLaunchAttributeValue *__value);
/** Tells one. */
cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t __hNode, cudaLaunchAttributeID __attr,
                                            cudaLaunchAttributeValue *__value_out);
/** Gives a kernel node the attributes of another one. */
cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t __hDst, cudaGraphNode_t __hSrc);
/** Lines that persist in the L2 cache become normal ones: of no effect here. */
cudaError_t cudaCtxResetPersistingL2Cache(void);
/** @} */

/** @name Devices and functions
 * @{ */
/** What a device can do with another one's memory. @return cudaErrorInvalidDevice, also of a device and
 * itself; cudaErrorInvalidValue */
cudaError_t cudaDeviceGetP2PAttribute(int *__value, enum cudaDeviceP2PAttr __attr, int __srcDevice,
                                      int __dstDevice);
/** The name of a kernel in its object file; it lives as long as the kernel. @return
 * cudaErrorInvalidDeviceFunction */
cudaError_t cudaFuncGetName(const char **__name, const void *__func);
/** A function of the driver API by its name, as CUDA 12 (13 here) has it. `*__funcPtr` is NULL if there is
 * none, and
 * `*__driverStatus`, which may be NULL, says why. @return cudaErrorInvalidValue */
cudaError_t cudaGetDriverEntryPoint(const char *__symbol, void **__funcPtr, unsigned long long __flags,
                                    enum cudaDriverEntryPointQueryResult *__driverStatus UMSIM_DEFAULT(NULL));
/** The same as a version of CUDA has it: 12080 is 12.8. */
cudaError_t
cudaGetDriverEntryPointByVersion(const char *__symbol, void **__funcPtr, unsigned int __cudaVersion,
                                 unsigned long long __flags,
                                 enum cudaDriverEntryPointQueryResult *__driverStatus UMSIM_DEFAULT(NULL));
/** @} */

#ifdef __cplusplus
}
#endif
#endif
