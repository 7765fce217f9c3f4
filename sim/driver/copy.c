/**
 * @file copy.c
 * @brief Copies (CUDA Driver API: Memory Management).
 *
 * The runtime makes them all: a copy of the driver's becomes the runtime's structure, with bytes turned into
 * an array's elements where there is one.
 */
#include "context.h"
#include "graph_params.h"
#include "../api/array.h"
#include "../api/copy.h"

/* ---- bytes in a row ---- */

static CUresult copy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return umsim_result(umsim_memcpy_on(to, from, bytes, kind, stream, "cudaMemcpy"));
}

static CUresult copy_async(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                           cudaStream_t stream)
{
    return umsim_result(cudaMemcpyAsync(to, from, bytes, kind, stream));
}

CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount)
{
    UMSIM_DRIVER(cuMemcpy, UMSIM_NEEDS_CONTEXT);
    return copy(umsim_pointer(dst), umsim_pointer(src), ByteCount, cudaMemcpyDefault, UMSIM_STREAM_0);
}

CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount, CUstream hStream)
{
    UMSIM_DRIVER(cuMemcpyAsync, UMSIM_NEEDS_CONTEXT);
    return copy_async(umsim_pointer(dst), umsim_pointer(src), ByteCount, cudaMemcpyDefault,
                      UMSIM_STREAM(hStream));
}

CUresult cuMemcpyHtoD(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount)
{
    UMSIM_DRIVER(cuMemcpyHtoD, UMSIM_NEEDS_CONTEXT);
    return copy(umsim_pointer(dstDevice), srcHost, ByteCount, cudaMemcpyHostToDevice, UMSIM_STREAM_0);
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount, CUstream hStream)
{
    UMSIM_DRIVER(cuMemcpyHtoDAsync, UMSIM_NEEDS_CONTEXT);
    return copy_async(umsim_pointer(dstDevice), srcHost, ByteCount, cudaMemcpyHostToDevice,
                      UMSIM_STREAM(hStream));
}

CUresult cuMemcpyDtoH(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount)
{
    UMSIM_DRIVER(cuMemcpyDtoH, UMSIM_NEEDS_CONTEXT);
    return copy(dstHost, umsim_pointer(srcDevice), ByteCount, cudaMemcpyDeviceToHost, UMSIM_STREAM_0);
}

CUresult cuMemcpyDtoHAsync(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream)
{
    UMSIM_DRIVER(cuMemcpyDtoHAsync, UMSIM_NEEDS_CONTEXT);
    return copy_async(dstHost, umsim_pointer(srcDevice), ByteCount, cudaMemcpyDeviceToHost,
                      UMSIM_STREAM(hStream));
}

CUresult cuMemcpyDtoD(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount)
{
    UMSIM_DRIVER(cuMemcpyDtoD, UMSIM_NEEDS_CONTEXT);
    return copy(umsim_pointer(dstDevice), umsim_pointer(srcDevice), ByteCount, cudaMemcpyDeviceToDevice,
                UMSIM_STREAM_0);
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream)
{
    UMSIM_DRIVER(cuMemcpyDtoDAsync, UMSIM_NEEDS_CONTEXT);
    return copy_async(umsim_pointer(dstDevice), umsim_pointer(srcDevice), ByteCount, cudaMemcpyDeviceToDevice,
                      UMSIM_STREAM(hStream));
}

/* The addresses tell whose memory it is; a context only has to be one, or NULL, as on two H200s. */
static bool is_context(CUcontext context)
{
    return !context || umsim_context_lives(context);
}

CUresult cuMemcpyPeer(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice,
                      CUcontext srcContext, size_t ByteCount)
{
    UMSIM_DRIVER(cuMemcpyPeer, UMSIM_NEEDS_INIT);
    if (!is_context(dstContext) || !is_context(srcContext))
        return CUDA_ERROR_INVALID_CONTEXT;
    return umsim_result(umsim_memcpy_peer_on(umsim_pointer(dstDevice), (int)umsim_context_device(dstContext),
                                             umsim_pointer(srcDevice), (int)umsim_context_device(srcContext),
                                             ByteCount, UMSIM_STREAM_0, "cudaMemcpyPeer"));
}

CUresult cuMemcpyPeerAsync(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice,
                           CUcontext srcContext, size_t ByteCount, CUstream hStream)
{
    UMSIM_DRIVER(cuMemcpyPeerAsync, UMSIM_NEEDS_INIT);
    if (!is_context(dstContext) || !is_context(srcContext))
        return CUDA_ERROR_INVALID_CONTEXT;
    return umsim_result(cudaMemcpyPeerAsync(umsim_pointer(dstDevice), (int)umsim_context_device(dstContext),
                                            umsim_pointer(srcDevice), (int)umsim_context_device(srcContext),
                                            ByteCount, UMSIM_STREAM(hStream)));
}

/* ---- boxes ---- */

/* One side of a copy, as CUDA_MEMCPY3D has it twice; all that a rectangle lacks is 0. */
struct side {
    size_t x, y, z, pitch, height; /* x in bytes; height: rows of a slice, 0: as many as are copied */
    CUmemorytype type;
    const void *host;
    CUdeviceptr device;
    CUarray array;
};

#define SIDE_2D(copy, at)                                                                                    \
    {                                                                                                        \
        (copy)->at##XInBytes, (copy)->at##Y, 0, (copy)->at##Pitch, 0, (copy)->at##MemoryType,                \
            (copy)->at##Host, (copy)->at##Device, (copy)->at##Array                                          \
    }
#define SIDE_3D(copy, at)                                                                                    \
    {                                                                                                        \
        (copy)->at##XInBytes, (copy)->at##Y, (copy)->at##Z, (copy)->at##Pitch, (copy)->at##Height,           \
            (copy)->at##MemoryType, (copy)->at##Host, (copy)->at##Device, (copy)->at##Array                  \
    }

/* Where a side begins; NULL for an array and for what is none of the four. */
static void *start_of(const struct side *side)
{
    switch (side->type) {
    case CU_MEMORYTYPE_HOST:
        return (void *)(uintptr_t)side->host;
    case CU_MEMORYTYPE_DEVICE:
    case CU_MEMORYTYPE_UNIFIED:
        return umsim_pointer(side->device);
    default:
        return NULL;
    }
}

static bool is_array(const struct side *side)
{
    return side->type == CU_MEMORYTYPE_ARRAY;
}

static enum cudaMemcpyKind kind_of(const struct side *to, const struct side *from)
{
    if (to->type == CU_MEMORYTYPE_UNIFIED || from->type == CU_MEMORYTYPE_UNIFIED)
        return cudaMemcpyDefault;
    const bool to_host = to->type == CU_MEMORYTYPE_HOST, from_host = from->type == CU_MEMORYTYPE_HOST;
    return from_host ? to_host ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice
           : to_host ? cudaMemcpyDeviceToHost
                     : cudaMemcpyDeviceToDevice;
}

/* Fills in one side of the runtime's structure; `unit` is the bytes of an array's element. */
static bool fill_side(const struct side *side, size_t width, size_t rows, size_t unit, cudaArray_t *array,
                      struct cudaPos *at, struct cudaPitchedPtr *memory)
{
    *at = (struct cudaPos){side->x, side->y, side->z};
    if (is_array(side)) {
        *array = (cudaArray_t)side->array;
        at->x = side->x / unit;
        return side->x % unit == 0;
    }
    const size_t pitch = side->pitch ? side->pitch : side->x + width;
    *memory = (struct cudaPitchedPtr){start_of(side), pitch, pitch, side->height ? side->height : rows};
    return memory->ptr && pitch >= side->x + width;
}

static size_t unit_of(const struct side *side)
{
    const struct umsim_array *array = is_array(side) ? umsim_array_of((cudaArray_t)side->array) : NULL;
    return array ? array->element : 0;
}

/* The runtime's form of a copy. */
static CUresult params_of(struct cudaMemcpy3DParms *out, struct side to, struct side from,
                          struct cudaExtent bytes)
{
    const size_t to_unit = unit_of(&to), from_unit = unit_of(&from),
                 unit = to_unit     ? to_unit
                        : from_unit ? from_unit
                                    : 1;
    if ((is_array(&to) && !to_unit) || (is_array(&from) && !from_unit))
        return CUDA_ERROR_INVALID_HANDLE;
    *out = (struct cudaMemcpy3DParms){.kind = kind_of(&to, &from),
                                      .extent = {bytes.width / unit, bytes.height, bytes.depth}};
    const bool fits =
        bytes.width % unit == 0 &&
        fill_side(&to, bytes.width, bytes.height, unit, &out->dstArray, &out->dstPos, &out->dstPtr) &&
        fill_side(&from, bytes.width, bytes.height, unit, &out->srcArray, &out->srcPos, &out->srcPtr);
    return fits ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult copy_box(struct side to, struct side from, struct cudaExtent bytes, bool async,
                         cudaStream_t stream)
{
    struct cudaMemcpy3DParms params;
    const CUresult error = params_of(&params, to, from, bytes);
    if (error)
        return error;
    return umsim_result(async ? cudaMemcpy3DAsync(&params, stream)
                              : umsim_memcpy3d_on(&params, stream, "cudaMemcpy3D"));
}

static CUresult copy_2d(const CUDA_MEMCPY2D *p, bool async, cudaStream_t stream)
{
    if (!p)
        return CUDA_ERROR_INVALID_VALUE;
    const struct side to = SIDE_2D(p, dst), from = SIDE_2D(p, src);
    return copy_box(to, from, (struct cudaExtent){p->WidthInBytes, p->Height, 1}, async, stream);
}

CUresult cuMemcpy2D(const CUDA_MEMCPY2D *pCopy)
{
    UMSIM_DRIVER(cuMemcpy2D, UMSIM_NEEDS_CONTEXT);
    return copy_2d(pCopy, false, UMSIM_STREAM_0);
}

CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *pCopy)
{
    UMSIM_DRIVER(cuMemcpy2DUnaligned, UMSIM_NEEDS_CONTEXT);
    return copy_2d(pCopy, false, UMSIM_STREAM_0);
}

CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *pCopy, CUstream hStream)
{
    UMSIM_DRIVER(cuMemcpy2DAsync, UMSIM_NEEDS_CONTEXT);
    return copy_2d(pCopy, true, UMSIM_STREAM(hStream));
}

static CUresult copy_3d(const CUDA_MEMCPY3D *p, bool async, cudaStream_t stream)
{
    if (!p) /* levels are not looked at */
        return CUDA_ERROR_INVALID_VALUE;
    const struct side to = SIDE_3D(p, dst), from = SIDE_3D(p, src);
    return copy_box(to, from, (struct cudaExtent){p->WidthInBytes, p->Height, p->Depth}, async, stream);
}

CUresult cuMemcpy3D(const CUDA_MEMCPY3D *pCopy)
{
    UMSIM_DRIVER(cuMemcpy3D, UMSIM_NEEDS_CONTEXT);
    return copy_3d(pCopy, false, UMSIM_STREAM_0);
}

CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D *pCopy, CUstream hStream)
{
    UMSIM_DRIVER(cuMemcpy3DAsync, UMSIM_NEEDS_CONTEXT);
    return copy_3d(pCopy, true, UMSIM_STREAM(hStream));
}

static CUresult copy_3d_peer(const CUDA_MEMCPY3D_PEER *p, bool async, cudaStream_t stream)
{
    if (!p) /* levels are not looked at */
        return CUDA_ERROR_INVALID_VALUE;
    if (!is_context(p->dstContext) || !is_context(p->srcContext))
        return CUDA_ERROR_INVALID_CONTEXT;
    const struct side to = SIDE_3D(p, dst), from = SIDE_3D(p, src);
    struct cudaMemcpy3DParms box;
    const CUresult error =
        params_of(&box, to, from, (struct cudaExtent){p->WidthInBytes, p->Height, p->Depth});
    if (error)
        return error;
    const struct cudaMemcpy3DPeerParms params = {.srcArray = box.srcArray,
                                                 .srcPos = box.srcPos,
                                                 .srcPtr = box.srcPtr,
                                                 .srcDevice = (int)umsim_context_device(p->srcContext),
                                                 .dstArray = box.dstArray,
                                                 .dstPos = box.dstPos,
                                                 .dstPtr = box.dstPtr,
                                                 .dstDevice = (int)umsim_context_device(p->dstContext),
                                                 .extent = box.extent};
    return umsim_result(async ? cudaMemcpy3DPeerAsync(&params, stream)
                              : umsim_memcpy3d_peer_on(&params, stream, "cudaMemcpy3DPeer"));
}

CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER *pCopy)
{
    UMSIM_DRIVER(cuMemcpy3DPeer, UMSIM_NEEDS_CONTEXT);
    return copy_3d_peer(pCopy, false, UMSIM_STREAM_0);
}

CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER *pCopy, CUstream hStream)
{
    UMSIM_DRIVER(cuMemcpy3DPeerAsync, UMSIM_NEEDS_CONTEXT);
    return copy_3d_peer(pCopy, true, UMSIM_STREAM(hStream));
}

/* ---- nodes of graphs ---- */

CUresult umsim_copy_params_of(struct cudaMemcpy3DParms *out, const CUDA_MEMCPY3D *p)
{
    if (!p)
        return CUDA_ERROR_INVALID_VALUE;
    const struct side to = SIDE_3D(p, dst), from = SIDE_3D(p, src);
    return params_of(out, to, from, (struct cudaExtent){p->WidthInBytes, p->Height, p->Depth});
}

/* One side as the driver has it. `unit`: bytes of an element of the copy. */
static struct side side_told(cudaArray_t array, struct cudaPos at, struct cudaPitchedPtr memory, size_t unit,
                             CUmemorytype type)
{
    struct side side = {at.x, at.y, at.z, 0, 0, type, NULL, 0, NULL};
    if (array) {
        side.x = at.x * unit;
        side.type = CU_MEMORYTYPE_ARRAY;
        side.array = (CUarray)array;
        return side;
    }
    side.pitch = memory.pitch;
    side.height = memory.ysize;
    side.host = type == CU_MEMORYTYPE_HOST ? memory.ptr : NULL;
    side.device = type == CU_MEMORYTYPE_HOST ? 0 : umsim_address(memory.ptr);
    return side;
}

#define TELL_SIDE(copy, at, side)                                                                            \
    (copy)->at##XInBytes = (side).x, (copy)->at##Y = (side).y, (copy)->at##Z = (side).z,                     \
    (copy)->at##Pitch = (side).pitch, (copy)->at##Height = (side).height,                                    \
    (copy)->at##MemoryType = (side).type, (copy)->at##Device = (side).device,                                \
    (copy)->at##Array = (side).array

void umsim_copy_params_told(CUDA_MEMCPY3D *out, const struct cudaMemcpy3DParms *p)
{
    const struct side arrays[] = {{.type = CU_MEMORYTYPE_ARRAY, .array = (CUarray)p->dstArray},
                                  {.type = CU_MEMORYTYPE_ARRAY, .array = (CUarray)p->srcArray}};
    const size_t of_to = p->dstArray ? unit_of(&arrays[0]) : 0,
                 of_from = p->srcArray ? unit_of(&arrays[1]) : 0;
    const size_t unit = of_to ? of_to : of_from ? of_from : 1;
    const bool any = p->kind == cudaMemcpyDefault;
    const bool from_host = p->kind == cudaMemcpyHostToDevice || p->kind == cudaMemcpyHostToHost;
    const bool to_host = p->kind == cudaMemcpyDeviceToHost || p->kind == cudaMemcpyHostToHost;
    const CUmemorytype to_type = any       ? CU_MEMORYTYPE_UNIFIED
                                 : to_host ? CU_MEMORYTYPE_HOST
                                           : CU_MEMORYTYPE_DEVICE;
    const CUmemorytype from_type = any         ? CU_MEMORYTYPE_UNIFIED
                                   : from_host ? CU_MEMORYTYPE_HOST
                                               : CU_MEMORYTYPE_DEVICE;
    const struct side to = side_told(p->dstArray, p->dstPos, p->dstPtr, unit, to_type);
    const struct side from = side_told(p->srcArray, p->srcPos, p->srcPtr, unit, from_type);
    *out = (CUDA_MEMCPY3D){.WidthInBytes = p->extent.width * unit,
                           .Height = p->extent.height,
                           .Depth = p->extent.depth,
                           .srcHost = from.host,
                           .dstHost = (void *)(uintptr_t)to.host};
    TELL_SIDE(out, dst, to);
    TELL_SIDE(out, src, from);
}

/* ---- arrays of one row: the same, from an offset in bytes ---- */

#define ROW_ARRAY(handle, offset)                                                                            \
    (struct side)                                                                                            \
    {                                                                                                        \
        .x = (offset), .type = CU_MEMORYTYPE_ARRAY, .array = (handle)                                        \
    }
#define ROW_DEVICE(address)                                                                                  \
    (struct side)                                                                                            \
    {                                                                                                        \
        .type = CU_MEMORYTYPE_DEVICE, .device = (address)                                                    \
    }
#define ROW_HOST(p)                                                                                          \
    (struct side)                                                                                            \
    {                                                                                                        \
        .type = CU_MEMORYTYPE_HOST, .host = (p)                                                              \
    }
#define ROW(bytes) ((struct cudaExtent){(bytes), 1, 1})

CUresult cuMemcpyDtoA(CUarray dstArray, size_t dstOffset, CUdeviceptr srcDevice, size_t ByteCount)
{
    UMSIM_DRIVER(cuMemcpyDtoA, UMSIM_NEEDS_CONTEXT);
    return copy_box(ROW_ARRAY(dstArray, dstOffset), ROW_DEVICE(srcDevice), ROW(ByteCount), false,
                    UMSIM_STREAM_0);
}

CUresult cuMemcpyAtoD(CUdeviceptr dstDevice, CUarray srcArray, size_t srcOffset, size_t ByteCount)
{
    UMSIM_DRIVER(cuMemcpyAtoD, UMSIM_NEEDS_CONTEXT);
    return copy_box(ROW_DEVICE(dstDevice), ROW_ARRAY(srcArray, srcOffset), ROW(ByteCount), false,
                    UMSIM_STREAM_0);
}

CUresult cuMemcpyHtoA(CUarray dstArray, size_t dstOffset, const void *srcHost, size_t ByteCount)
{
    UMSIM_DRIVER(cuMemcpyHtoA, UMSIM_NEEDS_CONTEXT);
    return copy_box(ROW_ARRAY(dstArray, dstOffset), ROW_HOST(srcHost), ROW(ByteCount), false, UMSIM_STREAM_0);
}

CUresult cuMemcpyHtoAAsync(CUarray dstArray, size_t dstOffset, const void *srcHost, size_t ByteCount,
                           CUstream hStream)
{
    UMSIM_DRIVER(cuMemcpyHtoAAsync, UMSIM_NEEDS_CONTEXT);
    return copy_box(ROW_ARRAY(dstArray, dstOffset), ROW_HOST(srcHost), ROW(ByteCount), true,
                    UMSIM_STREAM(hStream));
}

CUresult cuMemcpyAtoH(void *dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount)
{
    UMSIM_DRIVER(cuMemcpyAtoH, UMSIM_NEEDS_CONTEXT);
    return copy_box(ROW_HOST(dstHost), ROW_ARRAY(srcArray, srcOffset), ROW(ByteCount), false, UMSIM_STREAM_0);
}

CUresult cuMemcpyAtoHAsync(void *dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount,
                           CUstream hStream)
{
    UMSIM_DRIVER(cuMemcpyAtoHAsync, UMSIM_NEEDS_CONTEXT);
    return copy_box(ROW_HOST(dstHost), ROW_ARRAY(srcArray, srcOffset), ROW(ByteCount), true,
                    UMSIM_STREAM(hStream));
}

CUresult cuMemcpyAtoA(CUarray dstArray, size_t dstOffset, CUarray srcArray, size_t srcOffset,
                      size_t ByteCount)
{
    UMSIM_DRIVER(cuMemcpyAtoA, UMSIM_NEEDS_CONTEXT);
    return copy_box(ROW_ARRAY(dstArray, dstOffset), ROW_ARRAY(srcArray, srcOffset), ROW(ByteCount), false,
                    UMSIM_STREAM_0);
}
