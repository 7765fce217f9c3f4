/**
 * @file peer.c
 * @brief Access to another device's memory (CUDA Runtime API, Peer Device Memory Access), and copies between
 * devices.
 *
 * Which mistake is told of two follows two H200s (driver 580).
 */
#include "copy.h"
#include "graph.h"
#include "runtime.h"
#include "../base/machine.h"
#include "../space/registry.h"
#include "../space/views.h"

static bool can_access(unsigned device, unsigned peer)
{
    return device != peer && umsim_machine.peers.access;
}

static void spend(double us)
{
    umsim_clock_advance((uint64_t)(us * 1e3 + 0.5));
}

cudaError_t cudaDeviceCanAccessPeer(int *canAccessPeer, int device, int peerDevice)
{
    UMSIM_ENTER_AS(cudaDeviceCanAccessPeer, UMSIM_ANSWERS_ALWAYS, canAccessPeer, device, peerDevice);
    if (!umsim_is_device(device) || !umsim_is_device(peerDevice))
        return umsim_leave(cudaErrorInvalidDevice);
    if (!canAccessPeer)
        return umsim_leave(cudaErrorInvalidValue);
    umsim_spend(UMSIM_CALL_LOOKUP);
    *canAccessPeer = can_access((unsigned)device, (unsigned)peerDevice);
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaDeviceEnablePeerAccess(int peerDevice, unsigned int flags)
{
    UMSIM_ENTER(cudaDeviceEnablePeerAccess, peerDevice, flags);
    const unsigned device = umsim_device(), peer = (unsigned)peerDevice;
    if (!umsim_is_device(peerDevice) || umsim_devices == 1)
        return umsim_leave(cudaErrorInvalidDevice);
    if (flags)
        return umsim_leave(cudaErrorInvalidValue);
    if (!can_access(device, peer))
        return umsim_leave(cudaErrorPeerAccessUnsupported);
    if (umsim_peer_is_enabled(device, peer))
        return umsim_leave(cudaErrorPeerAccessAlreadyEnabled);
    spend(umsim_machine.peers.enable_us);
    umsim_peer_enable(device, peer, true);
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaDeviceDisablePeerAccess(int peerDevice)
{
    UMSIM_ENTER(cudaDeviceDisablePeerAccess, peerDevice);
    const unsigned device = umsim_device(), peer = (unsigned)peerDevice;
    if (!umsim_is_device(peerDevice) || umsim_devices == 1)
        return umsim_leave(cudaErrorInvalidDevice);
    if (!umsim_peer_is_enabled(device, peer))
        return umsim_leave(cudaErrorPeerAccessNotEnabled);
    umsim_queue_finish_all(); /* its kernels may be at the memory. Two H200s make nobody wait for them */
    spend(umsim_machine.peers.disable_us);
    umsim_peer_enable(device, peer, false);
    umsim_stale_device();
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attr, int srcDevice, int dstDevice)
{
    UMSIM_ENTER_AS(cudaDeviceGetP2PAttribute, UMSIM_ANSWERS_ALWAYS, value, attr, srcDevice, dstDevice);
    const struct umsim_peers *has = &umsim_machine.peers;
    if (!value)
        return umsim_leave(cudaErrorInvalidValue);
    if (!umsim_is_device(srcDevice) || !umsim_is_device(dstDevice) || srcDevice == dstDevice)
        return umsim_leave(cudaErrorInvalidDevice);
    umsim_spend(UMSIM_CALL_LOOKUP);
    switch (attr) {
    case cudaDevP2PAttrPerformanceRank:
        *value = (int)has->rank;
        break;
    case cudaDevP2PAttrAccessSupported:
        *value = (int)has->access;
        break;
    case cudaDevP2PAttrNativeAtomicSupported:
        *value = (int)has->native_atomics;
        break;
    case cudaDevP2PAttrCudaArrayAccessSupported:
        *value = (int)has->arrays;
        break;
    default:
        return umsim_leave(cudaErrorInvalidValue);
    }
    return umsim_leave(cudaSuccess);
}

/* The pointers tell whose memory it is; the numbers only have to be those of devices, as on two H200s. */
static cudaError_t copy_peer(void *dst, int dstDevice, const void *src, int srcDevice, size_t count,
                             bool async, cudaStream_t handle, const char *call)
{
    struct umsim_copy what = umsim_copy_of(dst, src, count, count, count, 1, cudaMemcpyDeviceToDevice, async);
    what.names_devices = true;
    ENTER_CALL(call, dstDevice, srcDevice, what, handle);
    struct umsim_stream *stream = umsim_stream_of(handle);
    if (!count)
        return umsim_leave(cudaSuccess);
    if (!umsim_is_device(dstDevice) || !umsim_is_device(srcDevice))
        return umsim_leave(cudaErrorInvalidDevice);
    return umsim_leave(stream ? umsim_issue_copy(&what, stream) : cudaErrorInvalidResourceHandle);
}

cudaError_t umsim_memcpy_peer_on(void *dst, int dstDevice, const void *src, int srcDevice, size_t count,
                                 cudaStream_t stream, const char *call)
{
    return copy_peer(dst, dstDevice, src, srcDevice, count, false, stream, call);
}

/* Does not make the host wait. */
cudaError_t cudaMemcpyPeer(void *dst, int dstDevice, const void *src, int srcDevice, size_t count)
{
    return copy_peer(dst, dstDevice, src, srcDevice, count, false, cudaStreamLegacy, "cudaMemcpyPeer");
}

cudaError_t cudaMemcpyPeerAsync(void *dst, int dstDevice, const void *src, int srcDevice, size_t count,
                                cudaStream_t stream)
{
    return copy_peer(dst, dstDevice, src, srcDevice, count, true, stream, "cudaMemcpyPeerAsync");
}

static cudaError_t copy_volume(const struct cudaMemcpy3DPeerParms *params, bool async, cudaStream_t handle,
                               const char *call)
{
    ENTER_CALL(call, params, handle);
    struct umsim_stream *stream = umsim_stream_of(handle);
    struct umsim_copy what;
    if (!params)
        return umsim_leave(cudaErrorInvalidValue);
    if (!umsim_is_device(params->dstDevice) || !umsim_is_device(params->srcDevice))
        return umsim_leave(cudaErrorInvalidDevice);
    if (!stream)
        return umsim_leave(cudaErrorInvalidResourceHandle);
    const struct cudaMemcpy3DParms volume = {.srcArray = params->srcArray,
                                             .srcPos = params->srcPos,
                                             .srcPtr = params->srcPtr,
                                             .dstArray = params->dstArray,
                                             .dstPos = params->dstPos,
                                             .dstPtr = params->dstPtr,
                                             .extent = params->extent,
                                             .kind = cudaMemcpyDeviceToDevice};
    const cudaError_t error = umsim_copy_of_3d(&volume, &what);
    what.async = async;
    what.names_devices = true;
    return umsim_leave(error ? error : umsim_issue_copy(&what, stream));
}

cudaError_t umsim_memcpy3d_peer_on(const struct cudaMemcpy3DPeerParms *params, cudaStream_t stream,
                                   const char *call)
{
    return copy_volume(params, false, stream, call);
}

cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *p)
{
    return copy_volume(p, false, cudaStreamLegacy, "cudaMemcpy3DPeer");
}

cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *p, cudaStream_t stream)
{
    return copy_volume(p, true, stream, "cudaMemcpy3DPeerAsync");
}
