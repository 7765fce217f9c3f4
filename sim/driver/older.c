/**
 * @file older.c
 * @brief Forms of calls from before a change that the simulator does not know: the arguments are the same.
 *
 * The names mean the newer symbols in cuda.h: here they are the older symbols themselves.
 */
#include "driver.h"

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
#undef cuMemHostRegister
#undef cuStreamDestroy

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
