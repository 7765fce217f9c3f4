/**
 * @file array.c
 * @brief CUDA arrays, and copies to and from them.
 */
#include <string.h>

#include "behaviour.h"
#include "textures.h"
#include "um_test.h"

static float host[CONF_HEIGHT][CONF_WIDTH], back[CONF_HEIGHT][CONF_WIDTH];

static void after(void)
{
    (void)cudaGetLastError();
}

static void fill(void)
{
    for (int i = 0; i < CONF_WIDTH * CONF_HEIGHT; i++)
        host[i / CONF_WIDTH][i % CONF_WIDTH] = (float)i;
    memset(back, 0, sizeof back);
}

/* What making an array comes to; it is freed again. */
static cudaError_t making(struct cudaChannelFormatDesc channels, size_t width, size_t height, unsigned flags)
{
    cudaArray_t array = NULL;
    const cudaError_t error = cudaMallocArray(&array, &channels, width, height, flags);

    if (error == cudaSuccess)
        cudaFreeArray(array);
    after();
    return error;
}

static cudaError_t making_3d(size_t width, size_t height, size_t depth, unsigned flags)
{
    cudaArray_t array = NULL;
    const struct cudaExtent extent = {width, height, depth};
    const cudaError_t error = cudaMalloc3DArray(&array, &conf_floats, extent, flags);

    if (error == cudaSuccess)
        cudaFreeArray(array);
    after();
    return error;
}

static void some_arrays_can_be_made_and_some_cannot(void)
{
    cudaArray_t array = NULL;

    UM_RETURNS("cudaMallocArray: 16 x 8 floats", making(conf_floats, CONF_WIDTH, CONF_HEIGHT, 0));
    UM_RETURNS("cudaMallocArray: no array", cudaMallocArray(NULL, &conf_floats, 16, 8, 0));
    UM_RETURNS("cudaMallocArray: no descriptor", cudaMallocArray(&array, NULL, 16, 8, 0));
    UM_RETURNS("cudaMallocArray: width 0", making(conf_floats, 0, 8, 0));
    UM_RETURNS("cudaMallocArray: wider than maxTexture1D", making(conf_floats, 131073, 0, 0));
    UM_RETURNS("cudaMallocArray: wider than maxSurface1D",
               making(conf_floats, 32769, 0, cudaArraySurfaceLoadStore));
    UM_RETURNS("cudaMallocArray: higher than maxTexture2D", making(conf_bytes, 16, 65537, 0));
    UM_RETURNS("cudaMallocArray: layered", making(conf_floats, 16, 8, cudaArrayLayered));
    UM_RETURNS("cudaMallocArray: unknown flag", making(conf_floats, 16, 8, 0x4000));
    UM_RETURNS("cudaMallocArray: gather in one dimension",
               making(conf_floats, 16, 0, cudaArrayTextureGather));
    UM_RETURNS("cudaMalloc3DArray: 4 x 4 x 4", making_3d(4, 4, 4, 0));
    UM_RETURNS("cudaMalloc3DArray: height 0, depth 4", making_3d(4, 0, 4, 0));
    UM_RETURNS("cudaMalloc3DArray: layered, height 0, depth 4", making_3d(4, 0, 4, cudaArrayLayered));
    UM_RETURNS("cudaMalloc3DArray: layered, depth 0", making_3d(4, 4, 0, cudaArrayLayered));
    UM_RETURNS("cudaMalloc3DArray: 16385 deep", making_3d(4, 4, 16385, 0));
    UM_RETURNS("cudaFreeArray: NULL", cudaFreeArray(NULL));
    after();
}

static void arrays_take_some_elements_and_refuse_others(void)
{
    const enum cudaChannelFormatKind is_float = cudaChannelFormatKindFloat,
                                     is_unsigned = cudaChannelFormatKindUnsigned;

    UM_RETURNS("cudaMallocArray: three channels", making(channels_of(32, 32, 32, 0, is_float), 16, 8, 0));
    UM_RETURNS("cudaMallocArray: no channel", making(channels_of(0, 0, 0, 0, is_float), 16, 8, 0));
    UM_RETURNS("cudaMallocArray: channels of 64 bits",
               making(channels_of(64, 0, 0, 0, is_unsigned), 16, 8, 0));
    UM_RETURNS("cudaMallocArray: float of 8 bits", making(channels_of(8, 0, 0, 0, is_float), 16, 8, 0));
    UM_RETURNS("cudaMallocArray: float of 16 bits", making(channels_of(16, 0, 0, 0, is_float), 16, 8, 0));
    UM_RETURNS("cudaMallocArray: 8 and 16 bits", making(channels_of(8, 16, 0, 0, is_unsigned), 16, 8, 0));
    UM_RETURNS("cudaMallocArray: second channel only",
               making(channels_of(0, 8, 0, 0, is_unsigned), 16, 8, 0));
    UM_RETURNS("cudaMallocArray: kind None",
               making(channels_of(32, 0, 0, 0, cudaChannelFormatKindNone), 16, 8, 0));
    UM_RETURNS("cudaMallocArray: kind 99",
               making(channels_of(32, 0, 0, 0, (enum cudaChannelFormatKind)99), 16, 8, 0));
    UM_RETURNS("cudaMallocArray: normalized 8 bits",
               making(channels_of(8, 8, 8, 8, cudaChannelFormatKindUnsignedNormalized8X4), 16, 8, 0));
    UM_RETURNS("cudaMallocArray: normalized, of another size than its name",
               making(channels_of(16, 0, 0, 0, cudaChannelFormatKindUnsignedNormalized8X4), 16, 8, 0));
}

static void an_array_tells_what_it_was_made_as(void)
{
    struct cudaChannelFormatDesc channels = {0, 0, 0, 0, cudaChannelFormatKindNone};
    struct cudaExtent extent = {9, 9, 9};
    unsigned flags = 9;
    cudaArray_t array;

    array = array_of(&conf_ints, CONF_WIDTH, 0, cudaArraySurfaceLoadStore);
    UM_RETURNS("cudaArrayGetInfo: an array", cudaArrayGetInfo(&channels, &extent, &flags, array));
    UM_BEHAVIOUR("cudaArrayGetInfo: 16 in one dimension, for surfaces",
                 "%zu %zu %zu flags %u bits %d %d kind %d", extent.width, extent.height, extent.depth, flags,
                 channels.x, channels.y, (int)channels.f);
    UM_RETURNS("cudaArrayGetInfo: nothing asked", cudaArrayGetInfo(NULL, NULL, NULL, array));
    UM_RETURNS("cudaGetChannelDesc: NULL", cudaGetChannelDesc(NULL, array));
    UM_RETURNS("cudaGetChannelDesc: an array", cudaGetChannelDesc(&channels, array));
    CU_ASSERT_EQUAL(cudaFreeArray(array), cudaSuccess);
    after();
}

#define ROW sizeof(host[0])

static void rectangles_are_copied_to_and_from_arrays(void)
{
    const enum cudaMemcpyKind in = cudaMemcpyHostToDevice, out = cudaMemcpyDeviceToHost;
    cudaArray_t array;

    fill();
    array = array_of(&conf_floats, CONF_WIDTH, CONF_HEIGHT, 0);
    UM_RETURNS("cudaMemcpy2DToArray: all", cudaMemcpy2DToArray(array, 0, 0, host, ROW, ROW, CONF_HEIGHT, in));
    UM_RETURNS("cudaMemcpy2DFromArray: all",
               cudaMemcpy2DFromArray(back, ROW, array, 0, 0, ROW, CONF_HEIGHT, out));
    UM_BEHAVIOUR("cudaMemcpy2DFromArray: what came back", "%s",
                 memcmp(host, back, sizeof host) ? "other" : "the same");
    UM_RETURNS("cudaMemcpy2DToArray: past the right edge",
               cudaMemcpy2DToArray(array, 4, 0, host, ROW, ROW, 1, in));
    UM_RETURNS("cudaMemcpy2DToArray: past the bottom",
               cudaMemcpy2DToArray(array, 0, 1, host, ROW, ROW, CONF_HEIGHT, in));
    UM_RETURNS("cudaMemcpy2DToArray: half an element", cudaMemcpy2DToArray(array, 2, 0, host, ROW, 2, 1, in));
    UM_RETURNS("cudaMemcpy2DToArray: pitch below the width",
               cudaMemcpy2DToArray(array, 0, 0, host, ROW - 4, ROW, 2, in));
    UM_RETURNS("cudaMemcpy2DToArray: width 0", cudaMemcpy2DToArray(array, 0, 0, host, ROW, 0, 1, in));
    UM_RETURNS("cudaMemcpy2DToArray: kind 7",
               cudaMemcpy2DToArray(array, 0, 0, host, ROW, ROW, 1, (enum cudaMemcpyKind)7));
    UM_RETURNS("cudaMemcpy2DToArray: HostToHost",
               cudaMemcpy2DToArray(array, 0, 0, host, ROW, ROW, 1, cudaMemcpyHostToHost));
    UM_RETURNS("cudaMemcpy2DToArray: DeviceToHost", cudaMemcpy2DToArray(array, 0, 0, host, ROW, ROW, 1, out));
    UM_RETURNS("cudaMemcpy2DToArray: Default",
               cudaMemcpy2DToArray(array, 0, 0, host, ROW, ROW, 1, cudaMemcpyDefault));
    UM_RETURNS("cudaMemcpy2DFromArray: HostToDevice",
               cudaMemcpy2DFromArray(back, ROW, array, 0, 0, ROW, 1, in));
    UM_RETURNS("cudaMemcpy2DToArray: no array", cudaMemcpy2DToArray(NULL, 0, 0, host, ROW, ROW, 1, in));
    UM_RETURNS("cudaMemcpy2DToArray: no source", cudaMemcpy2DToArray(array, 0, 0, NULL, ROW, ROW, 1, in));
    CU_ASSERT_EQUAL(cudaFreeArray(array), cudaSuccess);
    after();
}

static void boxes_are_copied_to_and_from_arrays(void)
{
    cudaArray_t array, other;
    struct cudaMemcpy3DParms copy;

    fill();
    array = array_of(&conf_floats, CONF_WIDTH, CONF_HEIGHT, 0);
    other = array_of(&conf_bytes, CONF_WIDTH, CONF_HEIGHT, 0);
    memset(&copy, 0, sizeof copy);
    copy.srcPtr = (struct cudaPitchedPtr){host, ROW, CONF_WIDTH, CONF_HEIGHT};
    copy.dstArray = array;
    copy.extent = (struct cudaExtent){CONF_WIDTH, CONF_HEIGHT, 1};
    copy.kind = cudaMemcpyHostToDevice;
    UM_RETURNS("cudaMemcpy3D: to an array", cudaMemcpy3D(&copy));
    copy.extent.width = CONF_WIDTH + 1;
    UM_RETURNS("cudaMemcpy3D: past an array's edge", cudaMemcpy3D(&copy));
    copy.extent = (struct cudaExtent){CONF_WIDTH, CONF_HEIGHT, 2};
    UM_RETURNS("cudaMemcpy3D: deeper than an array", cudaMemcpy3D(&copy));
    copy.extent.depth = 1;
    copy.dstPtr = copy.srcPtr;
    UM_RETURNS("cudaMemcpy3D: an array and a pointer", cudaMemcpy3D(&copy));
    memset(&copy.dstPtr, 0, sizeof copy.dstPtr);
    memset(&copy.srcPtr, 0, sizeof copy.srcPtr);
    UM_RETURNS("cudaMemcpy3D: no source", cudaMemcpy3D(&copy));
    copy.srcArray = other;
    copy.kind = cudaMemcpyDeviceToDevice;
    UM_RETURNS("cudaMemcpy3D: arrays of other elements", cudaMemcpy3D(&copy));
    UM_RETURNS("cudaMemcpy2DArrayToArray: arrays of other elements",
               cudaMemcpy2DArrayToArray(array, 0, 0, other, 0, 0, CONF_WIDTH, 1, cudaMemcpyDeviceToDevice));
    CU_ASSERT_EQUAL(cudaFreeArray(array), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFreeArray(other), cudaSuccess);
    after();
}

UM_TESTS("conformance: arrays",
         {"some arrays can be made, and some cannot", some_arrays_can_be_made_and_some_cannot},
         {"arrays take some elements, and refuse others", arrays_take_some_elements_and_refuse_others},
         {"an array tells what it was made as", an_array_tells_what_it_was_made_as},
         {"rectangles are copied to and from arrays", rectangles_are_copied_to_and_from_arrays},
         {"boxes are copied to and from arrays", boxes_are_copied_to_and_from_arrays});
