/**
 * @file ipc.c
 * @brief Memory and events of other processes (CUDA Driver API: Memory Management). Handles are the
 * runtime's.
 */
#include "context.h"

#include <string.h>

_Static_assert(sizeof(CUipcMemHandle) == sizeof(cudaIpcMemHandle_t), "one layout");
_Static_assert(sizeof(CUipcEventHandle) == sizeof(cudaIpcEventHandle_t), "one layout");

CUresult cuIpcGetMemHandle(CUipcMemHandle *pHandle, CUdeviceptr dptr)
{
    UMSIM_DRIVER(cuIpcGetMemHandle, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaIpcGetMemHandle((cudaIpcMemHandle_t *)pHandle, umsim_pointer(dptr)));
}

CUresult cuIpcOpenMemHandle(CUdeviceptr *pdptr, CUipcMemHandle handle, unsigned int Flags)
{
    UMSIM_DRIVER(cuIpcOpenMemHandle, UMSIM_NEEDS_CONTEXT);
    cudaIpcMemHandle_t same;
    memcpy(&same, &handle, sizeof same);
    return umsim_result(cudaIpcOpenMemHandle((void **)pdptr, same, Flags));
}

CUresult cuIpcCloseMemHandle(CUdeviceptr dptr)
{
    UMSIM_DRIVER(cuIpcCloseMemHandle, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaIpcCloseMemHandle(umsim_pointer(dptr)));
}

CUresult cuIpcGetEventHandle(CUipcEventHandle *pHandle, CUevent event)
{
    UMSIM_DRIVER(cuIpcGetEventHandle, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaIpcGetEventHandle((cudaIpcEventHandle_t *)pHandle, (cudaEvent_t)event));
}

CUresult cuIpcOpenEventHandle(CUevent *phEvent, CUipcEventHandle handle)
{
    UMSIM_DRIVER(cuIpcOpenEventHandle, UMSIM_NEEDS_CONTEXT);
    cudaIpcEventHandle_t same;
    memcpy(&same, &handle, sizeof same);
    return umsim_result(cudaIpcOpenEventHandle((cudaEvent_t *)phEvent, same));
}

/* The form before CUDA 11.0. */
#undef cuIpcOpenMemHandle
CUresult cuIpcOpenMemHandle(CUdeviceptr *pdptr, CUipcMemHandle handle, unsigned int Flags);
CUresult cuIpcOpenMemHandle(CUdeviceptr *pdptr, CUipcMemHandle handle, unsigned int Flags)
{
    return cuIpcOpenMemHandle_v2(pdptr, handle, Flags);
}
