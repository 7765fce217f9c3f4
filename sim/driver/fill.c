/**
 * @file fill.c
 * @brief Fills with words of 1, 2 or 4 bytes (CUDA Driver API: Memory Management).
 */
#include "context.h"
#include "../api/copy.h"

/* `width` in words. */
static CUresult fill(CUdeviceptr to, size_t pitch, unsigned value, unsigned element, size_t width,
                     size_t rows, bool async, cudaStream_t stream)
{
    size_t bytes;
    if (__builtin_mul_overflow(width, element, &bytes) || to % element || (rows > 1 && pitch % element))
        return CUDA_ERROR_INVALID_VALUE;
    struct umsim_set what =
        umsim_set_of(umsim_pointer(to), rows > 1 ? pitch : bytes, bytes, rows, (int)value, async);
    what.element = element;
    return umsim_result(umsim_set_on(what, stream, async ? "cudaMemsetAsync" : "cudaMemset"));
}

/* The six forms of one word: a row and rows, at once and in a stream. */
#define FILLS(bits, word, value)                                                                             \
    CUresult cuMemsetD##bits(CUdeviceptr dstDevice, word value, size_t N)                                    \
    {                                                                                                        \
        UMSIM_DRIVER(cuMemsetD##bits, UMSIM_NEEDS_CONTEXT);                                                  \
        return fill(dstDevice, 0, value, bits / 8, N, 1, false, UMSIM_STREAM_0);                             \
    }                                                                                                        \
    CUresult cuMemsetD##bits##Async(CUdeviceptr dstDevice, word value, size_t N, CUstream hStream)           \
    {                                                                                                        \
        UMSIM_DRIVER(cuMemsetD##bits##Async, UMSIM_NEEDS_CONTEXT);                                           \
        return fill(dstDevice, 0, value, bits / 8, N, 1, true, UMSIM_STREAM(hStream));                       \
    }                                                                                                        \
    CUresult cuMemsetD2D##bits(CUdeviceptr dstDevice, size_t dstPitch, word value, size_t Width,             \
                               size_t Height)                                                                \
    {                                                                                                        \
        UMSIM_DRIVER(cuMemsetD2D##bits, UMSIM_NEEDS_CONTEXT);                                                \
        return fill(dstDevice, dstPitch, value, bits / 8, Width, Height, false, UMSIM_STREAM_0);             \
    }                                                                                                        \
    CUresult cuMemsetD2D##bits##Async(CUdeviceptr dstDevice, size_t dstPitch, word value, size_t Width,      \
                                      size_t Height, CUstream hStream)                                       \
    {                                                                                                        \
        UMSIM_DRIVER(cuMemsetD2D##bits##Async, UMSIM_NEEDS_CONTEXT);                                         \
        return fill(dstDevice, dstPitch, value, bits / 8, Width, Height, true, UMSIM_STREAM(hStream));       \
    }

FILLS(8, unsigned char, uc)
FILLS(16, unsigned short, us)
FILLS(32, unsigned int, ui)
