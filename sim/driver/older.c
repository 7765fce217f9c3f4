/**
 * @file older.c
 * @brief Forms of calls from before a change that the simulator does not know: the arguments are the same, or
 * further ones are not given.
 *
 * The names mean the newer symbols in cuda.h: here they are the older symbols themselves.
 */
#include "driver.h"

CUresult cuStreamGetCaptureInfo_v3_ptsz(CUstream, CUstreamCaptureStatus *, cuuint64_t *, CUgraph *,
                                        const CUgraphNode **, const CUgraphEdgeData **, size_t *);
CUresult cuStreamUpdateCaptureDependencies_v2_ptsz(CUstream, CUgraphNode *, const CUgraphEdgeData *, size_t,
                                                   unsigned);

#define OLDER(name, newer, parameters, arguments)                                                            \
    CUresult name parameters;                                                                                \
    CUresult name parameters                                                                                 \
    {                                                                                                        \
        return newer arguments;                                                                              \
    }

#undef cuCtxDestroy
#undef cuCtxPopCurrent
#undef cuCtxPushCurrent
#undef cuDeviceGetUuid
#undef cuDevicePrimaryCtxRelease
#undef cuDevicePrimaryCtxReset
#undef cuDevicePrimaryCtxSetFlags
#undef cuEventDestroy
#undef cuEventElapsedTime
#undef cuGraphAddDependencies
#undef cuGraphGetEdges
#undef cuGraphNodeGetDependencies
#undef cuGraphNodeGetDependentNodes
#undef cuGraphRemoveDependencies
#undef cuMemHostRegister
#undef cuStreamDestroy
#undef cuStreamGetCaptureInfo
#undef cuStreamUpdateCaptureDependencies

OLDER(cuCtxDestroy, cuCtxDestroy_v2, (CUcontext ctx), (ctx))
OLDER(cuCtxPopCurrent, cuCtxPopCurrent_v2, (CUcontext * pctx), (pctx))
OLDER(cuCtxPushCurrent, cuCtxPushCurrent_v2, (CUcontext ctx), (ctx))
OLDER(cuDeviceGetUuid, cuDeviceGetUuid_v2, (CUuuid * uuid, CUdevice dev), (uuid, dev))
OLDER(cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2, (CUdevice dev), (dev))
OLDER(cuDevicePrimaryCtxReset, cuDevicePrimaryCtxReset_v2, (CUdevice dev), (dev))
OLDER(cuDevicePrimaryCtxSetFlags, cuDevicePrimaryCtxSetFlags_v2, (CUdevice dev, unsigned flags), (dev, flags))
OLDER(cuEventDestroy, cuEventDestroy_v2, (CUevent event), (event))
OLDER(cuEventElapsedTime, cuEventElapsedTime_v2, (float *ms, CUevent start, CUevent end), (ms, start, end))
OLDER(cuMemHostRegister, cuMemHostRegister_v2, (void *p, size_t bytes, unsigned flags), (p, bytes, flags))
OLDER(cuStreamDestroy, cuStreamDestroy_v2, (CUstream stream), (stream))

/* ---- before edges had data ---- */

OLDER(cuGraphAddDependencies, cuGraphAddDependencies_v2,
      (CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count),
      (graph, from, to, NULL, count))
OLDER(cuGraphRemoveDependencies, cuGraphRemoveDependencies_v2,
      (CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count),
      (graph, from, to, NULL, count))
OLDER(cuGraphGetEdges, cuGraphGetEdges_v2, (CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *count),
      (graph, from, to, NULL, count))
OLDER(cuGraphNodeGetDependencies, cuGraphNodeGetDependencies_v2,
      (CUgraphNode node, CUgraphNode *nodes, size_t *count), (node, nodes, NULL, count))
OLDER(cuGraphNodeGetDependentNodes, cuGraphNodeGetDependentNodes_v2,
      (CUgraphNode node, CUgraphNode *nodes, size_t *count), (node, nodes, NULL, count))
OLDER(cuStreamGetCaptureInfo, cuStreamGetCaptureInfo_v3,
      (CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id),
      (stream, status, id, NULL, NULL, NULL, NULL))
OLDER(cuStreamGetCaptureInfo_v2, cuStreamGetCaptureInfo_v3,
      (CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph,
       const CUgraphNode **nodes, size_t *count),
      (stream, status, id, graph, nodes, NULL, count))
OLDER(cuStreamUpdateCaptureDependencies, cuStreamUpdateCaptureDependencies_v2,
      (CUstream stream, CUgraphNode *nodes, size_t count, unsigned flags),
      (stream, nodes, NULL, count, flags))
OLDER(cuStreamGetCaptureInfo_ptsz, cuStreamGetCaptureInfo_v3_ptsz,
      (CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id),
      (stream, status, id, NULL, NULL, NULL, NULL))
OLDER(cuStreamGetCaptureInfo_v2_ptsz, cuStreamGetCaptureInfo_v3_ptsz,
      (CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph,
       const CUgraphNode **nodes, size_t *count),
      (stream, status, id, graph, nodes, NULL, count))
OLDER(cuStreamUpdateCaptureDependencies_ptsz, cuStreamUpdateCaptureDependencies_v2_ptsz,
      (CUstream stream, CUgraphNode *nodes, size_t count, unsigned flags),
      (stream, nodes, NULL, count, flags))
