/**
 * @file peer.c
 * @brief Access to the memory of another device's context (CUDA Driver API: Peer Context Memory Access).
 *
 * Between two primary contexts it is the runtime's: cudaDeviceEnablePeerAccess() and cuCtxEnablePeerAccess()
 * are one. Any other pair is noted here. What kernels reach is told by device and context: all contexts of a
 * device reach what one of them was given access to.
 */
#include "context.h"
#include "../base/lock.h"
#include "../base/machine.h"
#include "../space/views.h"

#include <stdlib.h>

CUresult cuDeviceCanAccessPeer(int *canAccessPeer, CUdevice dev, CUdevice peerDev)
{
    UMSIM_DRIVER(cuDeviceCanAccessPeer, UMSIM_NEEDS_INIT);
    return umsim_result(cudaDeviceCanAccessPeer(canAccessPeer, dev, peerDev));
}

/* Both APIs number these attributes alike. */
CUresult cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attrib, CUdevice srcDevice,
                                 CUdevice dstDevice)
{
    UMSIM_DRIVER(cuDeviceGetP2PAttribute, UMSIM_NEEDS_INIT);
    return umsim_result(
        cudaDeviceGetP2PAttribute(value, (enum cudaDeviceP2PAttr)attrib, srcDevice, dstDevice));
}

/* `from` may reach the memory of `to`. */
struct pair {
    CUcontext from, to;
    struct pair *next;
};
static struct pair *pairs; /* under the simulator's lock */

static struct pair **find(CUcontext from, CUcontext to)
{
    struct pair **link = &pairs;
    while (*link && ((*link)->from != from || (*link)->to != to))
        link = &(*link)->next;
    return link;
}

static bool are_primary(CUcontext a, CUcontext b)
{
    return umsim_context_is_primary(a) && umsim_context_is_primary(b);
}

/* Tells which devices reach the memory of a context. */
static void tell(CUcontext to)
{
    unsigned devices = 0;
    for (const struct pair *it = pairs; it; it = it->next)
        devices |= it->to == to ? 1U << it->from->device : 0;
    if (umsim_peer_enable_for(&to->peers, devices))
        umsim_stale_device();
}

static void drop(struct pair **link)
{
    struct pair *it = *link;
    *link = it->next;
    tell(it->to);
    free(it);
}

static CUresult enable(CUcontext from, CUcontext to)
{
    CUresult error = CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
    umsim_lock();
    if (!*find(from, to)) {
        struct pair *it = malloc(sizeof *it);
        error = it ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
        if (it) {
            *it = (struct pair){from, to, pairs};
            pairs = it;
            umsim_clock_advance((uint64_t)(umsim_machine.peers.enable_us * 1e3 + 0.5));
            tell(to);
        }
    }
    umsim_unlock();
    return error;
}

CUresult cuCtxEnablePeerAccess(CUcontext peerContext, unsigned int Flags)
{
    UMSIM_DRIVER(cuCtxEnablePeerAccess, UMSIM_NEEDS_CONTEXT);
    const CUcontext from = umsim_context_current();
    if (Flags || !umsim_context_lives(peerContext))
        return Flags ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_CONTEXT;
    if (from->device == peerContext->device || !umsim_machine.peers.access)
        return CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
    return are_primary(from, peerContext)
               ? umsim_result(cudaDeviceEnablePeerAccess((int)peerContext->device, 0))
               : enable(from, peerContext);
}

CUresult cuCtxDisablePeerAccess(CUcontext peerContext)
{
    UMSIM_DRIVER(cuCtxDisablePeerAccess, UMSIM_NEEDS_CONTEXT);
    const CUcontext from = umsim_context_current();
    if (!umsim_context_lives(peerContext))
        return CUDA_ERROR_INVALID_CONTEXT;
    if (from->device == peerContext->device)
        return CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
    if (are_primary(from, peerContext))
        return umsim_result(cudaDeviceDisablePeerAccess((int)peerContext->device));
    umsim_lock();
    struct pair **link = find(from, peerContext);
    const bool enabled = *link != NULL;
    if (enabled) {
        umsim_queue_finish_all(); /* its kernels may be at the memory */
        umsim_clock_advance((uint64_t)(umsim_machine.peers.disable_us * 1e3 + 0.5));
        drop(link);
    }
    umsim_unlock();
    return enabled ? CUDA_SUCCESS : CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
}

void umsim_context_without_peers(CUcontext context)
{
    umsim_lock();
    for (struct pair **link = &pairs; *link;)
        if ((*link)->from == context || (*link)->to == context)
            drop(link);
        else
            link = &(*link)->next;
    umsim_unlock();
}
