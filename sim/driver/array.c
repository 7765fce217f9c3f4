/**
 * @file array.c
 * @brief Arrays (CUDA Driver API: Memory Management). A handle is the runtime's.
 */
#include "format.h"
#include "../api/array.h"

/* A format's bits, and how the runtime reads them. */
static bool format_of(CUarray_format format, int *bits, enum cudaChannelFormatKind *kind)
{
    static const struct {
        CUarray_format format;
        int bits;
        enum cudaChannelFormatKind kind;
    } formats[] = {
        {CU_AD_FORMAT_UNSIGNED_INT8, 8, cudaChannelFormatKindUnsigned},
        {CU_AD_FORMAT_UNSIGNED_INT16, 16, cudaChannelFormatKindUnsigned},
        {CU_AD_FORMAT_UNSIGNED_INT32, 32, cudaChannelFormatKindUnsigned},
        {CU_AD_FORMAT_SIGNED_INT8, 8, cudaChannelFormatKindSigned},
        {CU_AD_FORMAT_SIGNED_INT16, 16, cudaChannelFormatKindSigned},
        {CU_AD_FORMAT_SIGNED_INT32, 32, cudaChannelFormatKindSigned},
        {CU_AD_FORMAT_HALF, 16, cudaChannelFormatKindFloat},
        {CU_AD_FORMAT_FLOAT, 32, cudaChannelFormatKindFloat},
    };
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (formats[i].format == format) {
            *bits = formats[i].bits;
            *kind = formats[i].kind;
            return true;
        }
    return false;
}

bool umsim_format_of(struct cudaChannelFormatDesc *out, CUarray_format format, unsigned channels)
{
    *out = (struct cudaChannelFormatDesc){0};
    if (!format_of(format, &out->x, &out->f) || (channels != 1 && channels != 2 && channels != 4))
        return false;
    out->y = channels >= 2 ? out->x : 0;
    out->z = out->w = channels == 4 ? out->x : 0;
    return true;
}

CUarray_format umsim_format_told(const struct cudaChannelFormatDesc *desc, unsigned *channels)
{
    *channels = desc->z ? 4 : desc->y ? 2 : 1;
    for (unsigned format = CU_AD_FORMAT_UNSIGNED_INT8; format <= CU_AD_FORMAT_FLOAT; format++) {
        int bits;
        enum cudaChannelFormatKind kind;
        if (format_of((CUarray_format)format, &bits, &kind) && bits == desc->x && kind == desc->f)
            return (CUarray_format)format;
    }
    return CU_AD_FORMAT_MAX;
}

static CUresult create(CUarray *handle, const CUDA_ARRAY3D_DESCRIPTOR *wanted)
{
    struct cudaChannelFormatDesc desc;
    if (!handle || !umsim_format_of(&desc, wanted->Format, wanted->NumChannels) || !wanted->Width)
        return CUDA_ERROR_INVALID_VALUE;
    const struct cudaExtent extent = {wanted->Width, wanted->Height, wanted->Depth};
    return umsim_result(cudaMalloc3DArray((cudaArray_t *)handle, &desc, extent, wanted->Flags));
}

CUresult cuArrayCreate(CUarray *pHandle, const CUDA_ARRAY_DESCRIPTOR *pAllocateArray)
{
    UMSIM_DRIVER(cuArrayCreate, UMSIM_NEEDS_CONTEXT);
    const CUDA_ARRAY_DESCRIPTOR *it = pAllocateArray;
    if (!it)
        return CUDA_ERROR_INVALID_VALUE;
    return create(pHandle,
                  &(CUDA_ARRAY3D_DESCRIPTOR){it->Width, it->Height, 0, it->Format, it->NumChannels, 0});
}

CUresult cuArray3DCreate(CUarray *pHandle, const CUDA_ARRAY3D_DESCRIPTOR *pAllocateArray)
{
    UMSIM_DRIVER(cuArray3DCreate, UMSIM_NEEDS_CONTEXT);
    return pAllocateArray ? create(pHandle, pAllocateArray) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuArrayDestroy(CUarray hArray)
{
    UMSIM_DRIVER(cuArrayDestroy, UMSIM_NEEDS_CONTEXT);
    if (!hArray || !umsim_array_of((cudaArray_t)hArray))
        return CUDA_ERROR_INVALID_HANDLE;
    return umsim_result(cudaFreeArray((cudaArray_t)hArray));
}

static CUresult describe(CUDA_ARRAY3D_DESCRIPTOR *out, CUarray handle)
{
    struct cudaChannelFormatDesc desc;
    struct cudaExtent extent;
    unsigned flags;
    if (!handle || !umsim_array_of((cudaArray_t)handle))
        return CUDA_ERROR_INVALID_HANDLE;
    const CUresult error = umsim_result(cudaArrayGetInfo(&desc, &extent, &flags, (cudaArray_t)handle));
    if (!error)
        *out = (CUDA_ARRAY3D_DESCRIPTOR){
            .Width = extent.width, .Height = extent.height, .Depth = extent.depth, .Flags = flags};
    if (!error)
        out->Format = umsim_format_told(&desc, &out->NumChannels);
    return error;
}

CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *pArrayDescriptor, CUarray hArray)
{
    UMSIM_DRIVER(cuArray3DGetDescriptor, UMSIM_NEEDS_CONTEXT);
    return pArrayDescriptor ? describe(pArrayDescriptor, hArray) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *pArrayDescriptor, CUarray hArray)
{
    UMSIM_DRIVER(cuArrayGetDescriptor, UMSIM_NEEDS_CONTEXT);
    CUDA_ARRAY3D_DESCRIPTOR all;
    if (!pArrayDescriptor)
        return CUDA_ERROR_INVALID_VALUE;
    const CUresult error = describe(&all, hArray);
    if (!error)
        *pArrayDescriptor = (CUDA_ARRAY_DESCRIPTOR){all.Width, all.Height, all.Format, all.NumChannels};
    return error;
}
