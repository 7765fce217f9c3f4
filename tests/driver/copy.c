/**
 * @file copy.c
 * @brief Copies and fills: rows, rectangles, boxes, arrays.
 */
#include "behaviour.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned word(CUdeviceptr p, size_t index)
{
    unsigned value = 0;
    NEED(cuMemcpyDtoH(&value, p + 4 * index, 4));
    return value;
}

static void rows_are_copied(void)
{
    char own[64], back[64];
    void *pinned;
    CUdeviceptr a, b;
    in_a_context();
    memset(own, 7, sizeof own);
    a = zeros(64);
    b = zeros(64);
    NEED(cuMemAllocHost(&pinned, 64));
    RETURNS("cuMemcpyHtoD", cuMemcpyHtoD(a, own, 64));
    RETURNS("cuMemcpyDtoD", cuMemcpyDtoD(b, a, 64));
    RETURNS("cuMemcpyDtoH", cuMemcpyDtoH(back, b, 64));
    answer("cuMemcpyDtoH: bytes", "%d %d", back[0], back[63]);
    RETURNS("cuMemcpyHtoD: 0 bytes", cuMemcpyHtoD(a, own, 0));
    RETURNS("cuMemcpyHtoD: 0 bytes to 0", cuMemcpyHtoD(0, own, 0));
    RETURNS("cuMemcpyHtoD: to 0", cuMemcpyHtoD(0, own, 16));
    RETURNS("cuMemcpyHtoD: from NULL", cuMemcpyHtoD(a, NULL, 16));
    RETURNS("cuMemcpyDtoH: to NULL", cuMemcpyDtoH(NULL, a, 16));
    RETURNS("cuMemcpyHtoD: too many bytes", cuMemcpyHtoD(a, malloc(1 << 23), 1 << 23));
    RETURNS("cuMemcpyHtoD: from device memory", cuMemcpyHtoD(a, (void *)(size_t)b, 64));
    RETURNS("cuMemcpyHtoD: to a stack", cuMemcpyHtoD((CUdeviceptr)(size_t)back, own, 64));
    RETURNS("cuMemcpyDtoH: from a stack", cuMemcpyDtoH(back, (CUdeviceptr)(size_t)own, 64));
    RETURNS("cuMemcpyDtoD: to a stack", cuMemcpyDtoD((CUdeviceptr)(size_t)back, a, 64));
    RETURNS("cuMemcpyDtoD: to pinned memory", cuMemcpyDtoD((CUdeviceptr)(size_t)pinned, a, 64));
    answer("cuMemcpyDtoD: to pinned memory: bytes", "%d", ((char *)pinned)[5]);
    RETURNS("cuMemcpyHtoD: to pinned memory", cuMemcpyHtoD((CUdeviceptr)(size_t)pinned, own, 64));
    RETURNS("cuMemcpyDtoH: to device memory", cuMemcpyDtoH((void *)(size_t)b, a, 64));
    RETURNS("cuMemcpy: host to device", cuMemcpy(a, (CUdeviceptr)(size_t)own, 64));
    RETURNS("cuMemcpy: device to host", cuMemcpy((CUdeviceptr)(size_t)back, a, 64));
    RETURNS("cuMemcpy: host to host", cuMemcpy((CUdeviceptr)(size_t)back, (CUdeviceptr)(size_t)own, 64));
    RETURNS("cuMemcpy: from 0", cuMemcpy(a, 0, 64));
    RETURNS("cuMemcpyHtoDAsync", cuMemcpyHtoDAsync(a, own, 64, 0));
    RETURNS("cuMemcpyDtoHAsync", cuMemcpyDtoHAsync(pinned, a, 64, 0));
    RETURNS("cuMemcpyDtoDAsync", cuMemcpyDtoDAsync(b, a, 64, 0));
    RETURNS("cuMemcpyAsync", cuMemcpyAsync(b, a, 64, 0));
    RETURNS("cuMemcpyDtoDAsync: too many bytes", cuMemcpyDtoDAsync(b, a, 1 << 23, 0));
    RETURNS("copies: cuCtxSynchronize", cuCtxSynchronize());
}

static void contexts_share_copies(void)
{
    CUcontext context = in_a_context();
    CUdeviceptr a = zeros(64), b = zeros(64);
    RETURNS("cuMemcpyPeer", cuMemcpyPeer(a, context, b, context, 64));
    RETURNS("cuMemcpyPeerAsync", cuMemcpyPeerAsync(a, context, b, context, 64, 0));
    RETURNS("cuMemcpyPeer: NULL context", cuMemcpyPeer(a, NULL, b, context, 64));
}

static void words_are_filled(void)
{
    CUdeviceptr p;
    void *pinned;
    int own = 0;
    in_a_context();
    p = zeros(64);
    NEED(cuMemAllocHost(&pinned, 64));
    RETURNS("cuMemsetD8", cuMemsetD8(p, 0x12, 5));
    answer("cuMemsetD8: words", "%x %x", word(p, 0), word(p, 1));
    RETURNS("cuMemsetD16", cuMemsetD16(p, 0x3456, 3));
    answer("cuMemsetD16: words", "%x %x", word(p, 0), word(p, 1));
    RETURNS("cuMemsetD32", cuMemsetD32(p, 0x789abcde, 2));
    answer("cuMemsetD32: words", "%x %x %x", word(p, 0), word(p, 1), word(p, 2));
    RETURNS("cuMemsetD16: odd address", cuMemsetD16(p + 1, 1, 2));
    RETURNS("cuMemsetD32: address of 2", cuMemsetD32(p + 2, 1, 2));
    RETURNS("cuMemsetD8: 0 bytes", cuMemsetD8(p, 1, 0));
    RETURNS("cuMemsetD8: 0 bytes at 0", cuMemsetD8(0, 1, 0));
    RETURNS("cuMemsetD8: at 0", cuMemsetD8(0, 1, 4));
    RETURNS("cuMemsetD8: a stack", cuMemsetD8((CUdeviceptr)(size_t)&own, 1, 4));
    RETURNS("cuMemsetD8: pinned memory", cuMemsetD8((CUdeviceptr)(size_t)pinned, 1, 4));
    RETURNS("cuMemsetD8: too many bytes", cuMemsetD8(p, 1, 1 << 23));
    RETURNS("cuMemsetD8Async", cuMemsetD8Async(p, 1, 64, 0));
    RETURNS("cuMemsetD16Async", cuMemsetD16Async(p, 1, 32, 0));
    RETURNS("cuMemsetD32Async", cuMemsetD32Async(p, 0x01020304, 16, 0));
    NEED(cuCtxSynchronize());
    answer("cuMemsetD32Async: words", "%x %x", word(p, 0), word(p, 15));
}

static void rectangles_are_filled(void)
{
    CUdeviceptr p;
    in_a_context();
    p = zeros(1024);
    RETURNS("cuMemsetD2D8", cuMemsetD2D8(p, 64, 0x11, 6, 2));
    answer("cuMemsetD2D8: words", "%x %x %x", word(p, 0), word(p, 1), word(p, 16));
    RETURNS("cuMemsetD2D16", cuMemsetD2D16(p, 64, 0x2222, 3, 2));
    answer("cuMemsetD2D16: words", "%x %x %x", word(p, 0), word(p, 1), word(p, 16));
    RETURNS("cuMemsetD2D32", cuMemsetD2D32(p, 64, 0x33333333, 2, 2));
    answer("cuMemsetD2D32: words", "%x %x %x", word(p, 1), word(p, 2), word(p, 17));
    RETURNS("cuMemsetD2D8: pitch below width", cuMemsetD2D8(p, 4, 1, 6, 2));
    RETURNS("cuMemsetD2D8: pitch below width, one row", cuMemsetD2D8(p, 4, 1, 6, 1));
    RETURNS("cuMemsetD2D8: pitch 0, one row", cuMemsetD2D8(p, 0, 1, 6, 1));
    RETURNS("cuMemsetD2D16: odd pitch", cuMemsetD2D16(p, 65, 1, 6, 2));
    RETURNS("cuMemsetD2D32: pitch of 66", cuMemsetD2D32(p, 66, 1, 6, 2));
    RETURNS("cuMemsetD2D8: width 0", cuMemsetD2D8(p, 64, 1, 0, 2));
    RETURNS("cuMemsetD2D8: height 0", cuMemsetD2D8(p, 64, 1, 6, 0));
    RETURNS("cuMemsetD2D8Async", cuMemsetD2D8Async(p, 64, 1, 6, 2, 0));
    RETURNS("cuMemsetD2D16Async", cuMemsetD2D16Async(p, 64, 1, 6, 2, 0));
    RETURNS("cuMemsetD2D32Async", cuMemsetD2D32Async(p, 64, 1, 6, 2, 0));
    NEED(cuCtxSynchronize());
}

static char source[4096], target[4096];

static CUDA_MEMCPY2D rectangle(CUdeviceptr p)
{
    CUDA_MEMCPY2D copy;
    memset(&copy, 0, sizeof copy);
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = source;
    copy.srcPitch = 64;
    copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.dstDevice = p;
    copy.dstPitch = 128;
    copy.WidthInBytes = 16;
    copy.Height = 3;
    return copy;
}

static void rectangles_are_copied(void)
{
    CUdeviceptr p;
    CUDA_MEMCPY2D copy;
    in_a_context();
    p = zeros(4096);
    for (size_t i = 0; i < sizeof source; i++)
        source[i] = (char)(i / 64 + 1);
    copy = rectangle(p);
    RETURNS("cuMemcpy2D: host to device", cuMemcpy2D(&copy));
    answer("cuMemcpy2D: host to device: words", "%x %x %x %x", word(p, 0), word(p, 4), word(p, 32),
           word(p, 64));
    copy = rectangle(p);
    copy.srcY = 3;
    copy.srcXInBytes = 4;
    copy.dstY = 1;
    copy.dstXInBytes = 8;
    RETURNS("cuMemcpy2D: from and to a place", cuMemcpy2D(&copy));
    answer("cuMemcpy2D: from and to a place: words", "%x %x", word(p, 32), word(p, 34));
    memset(&copy, 0, sizeof copy);
    copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = p;
    copy.srcPitch = 128;
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = target;
    copy.dstPitch = 16;
    copy.WidthInBytes = 16;
    copy.Height = 2;
    RETURNS("cuMemcpy2D: device to host", cuMemcpy2D(&copy));
    answer("cuMemcpy2D: device to host: bytes", "%d %d", target[0], target[16 + 8]);
    RETURNS("cuMemcpy2DAsync", cuMemcpy2DAsync(&copy, 0));
    RETURNS("cuMemcpy2DUnaligned", cuMemcpy2DUnaligned(&copy));
    copy = rectangle(p);
    copy.srcMemoryType = CU_MEMORYTYPE_UNIFIED;
    copy.srcDevice = (CUdeviceptr)(size_t)source;
    RETURNS("cuMemcpy2D: unified", cuMemcpy2D(&copy));
    NEED(cuCtxSynchronize());
}

static void wrong_rectangles_are_refused(void)
{
    CUdeviceptr p;
    CUDA_MEMCPY2D copy;
    in_a_context();
    p = zeros(4096);
    copy = rectangle(p);
    copy.srcPitch = 8;
    RETURNS("cuMemcpy2D: pitch below width", cuMemcpy2D(&copy));
    copy = rectangle(p);
    copy.srcPitch = 0;
    RETURNS("cuMemcpy2D: pitch 0", cuMemcpy2D(&copy));
    copy = rectangle(p);
    copy.srcPitch = copy.dstPitch = 0;
    copy.Height = 1;
    RETURNS("cuMemcpy2D: pitch 0, one row", cuMemcpy2D(&copy));
    copy = rectangle(p);
    copy.WidthInBytes = 0;
    RETURNS("cuMemcpy2D: width 0", cuMemcpy2D(&copy));
    copy = rectangle(p);
    copy.Height = 0;
    RETURNS("cuMemcpy2D: height 0", cuMemcpy2D(&copy));
    copy = rectangle(p);
    copy.srcMemoryType = (CUmemorytype)0;
    RETURNS("cuMemcpy2D: memory type 0", cuMemcpy2D(&copy));
    copy = rectangle(p);
    copy.srcHost = NULL;
    RETURNS("cuMemcpy2D: from NULL", cuMemcpy2D(&copy));
    copy = rectangle(p);
    copy.dstDevice = 0;
    RETURNS("cuMemcpy2D: to 0", cuMemcpy2D(&copy));
    copy = rectangle(p);
    copy.Height = 1 << 20;
    RETURNS("cuMemcpy2D: too many rows", cuMemcpy2D(&copy));
    RETURNS("cuMemcpy2D(NULL)", cuMemcpy2D(NULL));
}

static void boxes_are_copied(void)
{
    CUdeviceptr p;
    CUDA_MEMCPY3D copy;
    in_a_context();
    p = zeros(4096);
    for (size_t i = 0; i < sizeof source; i++)
        source[i] = (char)(i / 64 + 1);
    memset(&copy, 0, sizeof copy);
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = source;
    copy.srcPitch = 64;
    copy.srcHeight = 4;
    copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.dstDevice = p;
    copy.dstPitch = 128;
    copy.dstHeight = 2;
    copy.WidthInBytes = 16;
    copy.Height = 2;
    copy.Depth = 2;
    RETURNS("cuMemcpy3D", cuMemcpy3D(&copy));
    answer("cuMemcpy3D: words", "%x %x %x", word(p, 0), word(p, 32), word(p, 64));
    copy.srcZ = 1;
    copy.Depth = 1;
    RETURNS("cuMemcpy3D: from a slice", cuMemcpy3D(&copy));
    answer("cuMemcpy3D: from a slice: words", "%x %x", word(p, 0), word(p, 32));
    RETURNS("cuMemcpy3DAsync", cuMemcpy3DAsync(&copy, 0));
    copy.Depth = 0;
    RETURNS("cuMemcpy3D: depth 0", cuMemcpy3D(&copy));
    copy.Depth = 2;
    copy.srcHeight = 1;
    RETURNS("cuMemcpy3D: height below rows", cuMemcpy3D(&copy));
    copy.srcHeight = 4;
    copy.srcLOD = 1;
    RETURNS("cuMemcpy3D: level 1", cuMemcpy3D(&copy));
    RETURNS("cuMemcpy3D(NULL)", cuMemcpy3D(NULL));
    NEED(cuCtxSynchronize());
}

static void arrays_are_described(void)
{
    CUDA_ARRAY_DESCRIPTOR desc = {16, 4, CU_AD_FORMAT_FLOAT, 1}, out;
    CUDA_ARRAY3D_DESCRIPTOR box = {8, 4, 2, CU_AD_FORMAT_UNSIGNED_INT8, 4, 0}, box_out;
    CUarray array = NULL;
    in_a_context();
    RETURNS("cuArrayCreate", cuArrayCreate(&array, &desc));
    memset(&out, 0, sizeof out);
    RETURNS("cuArrayGetDescriptor", cuArrayGetDescriptor(&out, array));
    answer("cuArrayGetDescriptor: which", "%zu %zu 0x%x %u", out.Width, out.Height, (unsigned)out.Format,
           out.NumChannels);
    RETURNS("cuArrayGetDescriptor(NULL)", cuArrayGetDescriptor(NULL, array));
    RETURNS("cuArrayDestroy", cuArrayDestroy(array));
    RETURNS("cuArrayCreate(NULL)", cuArrayCreate(NULL, &desc));
    RETURNS("cuArrayCreate: no description", cuArrayCreate(&array, NULL));
    desc.NumChannels = 3;
    RETURNS("cuArrayCreate: 3 channels", cuArrayCreate(&array, &desc));
    desc.NumChannels = 1;
    desc.Format = (CUarray_format)0;
    RETURNS("cuArrayCreate: format 0", cuArrayCreate(&array, &desc));
    desc.Format = CU_AD_FORMAT_HALF;
    desc.Width = 0;
    RETURNS("cuArrayCreate: width 0", cuArrayCreate(&array, &desc));
    desc.Width = 10;
    desc.Height = 0;
    RETURNS("cuArrayCreate: one row", cuArrayCreate(&array, &desc));
    RETURNS("cuArray3DCreate", cuArray3DCreate(&array, &box));
    memset(&box_out, 0, sizeof box_out);
    RETURNS("cuArray3DGetDescriptor", cuArray3DGetDescriptor(&box_out, array));
    answer("cuArray3DGetDescriptor: which", "%zu %zu %zu 0x%x %u %u", box_out.Width, box_out.Height,
           box_out.Depth, (unsigned)box_out.Format, box_out.NumChannels, box_out.Flags);
    box.Flags = 0x80000000u;
    RETURNS("cuArray3DCreate: flags 0x80000000", cuArray3DCreate(&array, &box));
}

static void arrays_are_copied(void)
{
    CUDA_ARRAY_DESCRIPTOR row = {64, 0, CU_AD_FORMAT_UNSIGNED_INT32, 1},
                          plane = {16, 4, CU_AD_FORMAT_UNSIGNED_INT32, 1};
    CUarray line, other, flat;
    CUDA_MEMCPY2D copy;
    CUdeviceptr p;
    unsigned own[64], back[64];
    in_a_context();
    p = zeros(256);
    for (unsigned i = 0; i < 64; i++)
        own[i] = i;
    NEED(cuArrayCreate(&line, &row));
    NEED(cuArrayCreate(&other, &row));
    NEED(cuArrayCreate(&flat, &plane));
    RETURNS("cuMemcpyHtoA", cuMemcpyHtoA(line, 0, own, 256));
    RETURNS("cuMemcpyAtoH", cuMemcpyAtoH(back, line, 16, 64));
    answer("cuMemcpyAtoH: words", "%u %u", back[0], back[15]);
    RETURNS("cuMemcpyAtoD", cuMemcpyAtoD(p, line, 0, 256));
    answer("cuMemcpyAtoD: words", "%u %u", word(p, 1), word(p, 63));
    RETURNS("cuMemcpyDtoA", cuMemcpyDtoA(other, 0, p, 128));
    RETURNS("cuMemcpyAtoA", cuMemcpyAtoA(other, 128, line, 0, 64));
    RETURNS("cuMemcpyHtoA: too many bytes", cuMemcpyHtoA(line, 0, own, 512));
    RETURNS("cuMemcpyHtoA: behind its end", cuMemcpyHtoA(line, 252, own, 8));
    RETURNS("cuMemcpyHtoA: 2 bytes", cuMemcpyHtoA(line, 0, own, 2));
    RETURNS("cuMemcpyHtoAAsync", cuMemcpyHtoAAsync(line, 0, own, 256, 0));
    RETURNS("cuMemcpyAtoHAsync", cuMemcpyAtoHAsync(back, line, 0, 256, 0));
    memset(&copy, 0, sizeof copy);
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = own;
    copy.srcPitch = 64;
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.dstArray = flat;
    copy.WidthInBytes = 64;
    copy.Height = 4;
    RETURNS("cuMemcpy2D: to an array", cuMemcpy2D(&copy));
    memset(&copy, 0, sizeof copy);
    copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.srcArray = flat;
    copy.srcXInBytes = 8;
    copy.srcY = 1;
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = back;
    copy.dstPitch = 32;
    copy.WidthInBytes = 32;
    copy.Height = 2;
    RETURNS("cuMemcpy2D: from an array", cuMemcpy2D(&copy));
    answer("cuMemcpy2D: from an array: words", "%u %u", back[0], back[8]);
    copy.Height = 8;
    RETURNS("cuMemcpy2D: behind an array's end", cuMemcpy2D(&copy));
    NEED(cuCtxSynchronize());
}

#define RUN(name)                                                                                            \
    {                                                                                                        \
#name, name                                                                                          \
    }
const struct behaviour copy_behaviours[] = {RUN(rows_are_copied),       RUN(contexts_share_copies),
                                            RUN(words_are_filled),      RUN(rectangles_are_filled),
                                            RUN(rectangles_are_copied), RUN(wrong_rectangles_are_refused),
                                            RUN(boxes_are_copied),      RUN(arrays_are_described),
                                            RUN(arrays_are_copied),     {NULL, NULL}};
