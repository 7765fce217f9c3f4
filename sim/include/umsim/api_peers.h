/**
 * @file umsim/api_peers.h
 * @brief What devices do with each other's memory (CUDA Runtime API, Peer Device Memory Access, and the calls
 * of other chapters that name two devices). Included by cuda_runtime_api.h.
 */
#ifndef UMSIM_API_PEERS_H
#define UMSIM_API_PEERS_H

#include "driver_types.h"

/** @cond internal */
#ifdef __cplusplus
extern "C" {
#endif
/** @endcond */

/** @name Access to a peer's memory
 * @{ */
/** Whether one device can use another's memory, once that is enabled. @return cudaErrorInvalidValue,
 * cudaErrorInvalidDevice. */
cudaError_t cudaDeviceCanAccessPeer(int *__canAccessPeer, int __device, int __peerDevice);
/** Has the current device's kernels reach another's memory. @return cudaErrorPeerAccessUnsupported,
 * cudaErrorPeerAccessAlreadyEnabled, cudaErrorInvalidDevice, cudaErrorInvalidValue: flags. */
cudaError_t cudaDeviceEnablePeerAccess(int __peerDevice, unsigned int __flags);
/** Withdraws that. @return cudaErrorPeerAccessNotEnabled, cudaErrorInvalidDevice. */
cudaError_t cudaDeviceDisablePeerAccess(int __peerDevice);
/** @} */

/** @name Copies between devices
 * @{ */
/** Copies from one device to another, or within one. @return also cudaErrorInvalidDevice. */
cudaError_t cudaMemcpyPeer(void *__dst, int __dstDevice, const void *__src, int __srcDevice, size_t __count);
/** Queues the same in a stream. @return also cudaErrorInvalidResourceHandle. */
cudaError_t cudaMemcpyPeerAsync(void *__dst, int __dstDevice, const void *__src, int __srcDevice,
                                size_t __count, cudaStream_t __stream UMSIM_DEFAULT(0));
/** Copies slices of rows from one device to another, between arrays and memory. @return as cudaMemcpy3D(),
 * also cudaErrorInvalidDevice. */
cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *__p);
/** Queues the same in a stream. @return also cudaErrorInvalidResourceHandle. */
cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *__p,
                                  cudaStream_t __stream UMSIM_DEFAULT(0));
/** @} */

/** @name Pools and their devices
 * @{ */
/** Says which devices may use the pool's memory. @return cudaErrorInvalidValue, cudaErrorInvalidDevice. */
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t __memPool, const struct cudaMemAccessDesc *__descList,
                                 size_t __count);
/** Tells what access a device has to the pool's memory. @return cudaErrorInvalidValue,
 * cudaErrorInvalidDevice. */
cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *__flags, cudaMemPool_t __memPool,
                                 struct cudaMemLocation *__location);
/** @} */

/** @cond internal */
#ifdef __cplusplus
}
#endif
/** @endcond */

#endif
