/* Texture and surface functions in all their forms, types and places: in device functions, templates, kernels
 * with barriers; names of the program's own; copies and graphs with arrays; the description of objects and of
 * their memory. */
#include "check.h"
#include <channel_descriptor.h>
#include <cstring>
#include <surface_types.h>
#include <texture_types.h>

/* A program's own texture, as graphics programs have them. */
template <class T> struct texture {
    T value;
};
static texture<int> own = {3};

template <class T> __device__ T at(cudaTextureObject_t image, float x, float y)
{
    return tex2D<T>(image, x, y);
}

__global__ void forms(cudaTextureObject_t image, float *out)
{
    float value;
    bool there = false;
    tex2D(&value, image, 1.5f, 1.5f);
    out[0] = value;
    out[1] = at<float>(image, 2.5f, 1.5f);
    out[2] = tex2DLod<float>(image, 3.5f, 1.5f, 0);
    out[3] = tex2DGrad<float>(image, 4.5f, 1.5f, make_float2(0, 0), make_float2(0, 0));
    out[4] = tex2D<float>(image, 5.5f, 1.5f, &there) + there;
    out[5] = tex2D<float1>(image, 6.5f, 1.5f).x;
    tex2D(&value, image, 7.5f, 1.5f, &there);
    out[6] = value;
}

/* Reads a row into shared memory, and writes it the other way round. */
__global__ void turn(cudaTextureObject_t from, cudaSurfaceObject_t to, int width)
{
    __shared__ float row[32];
    const int x = threadIdx.x, y = blockIdx.x;
    if (x < width)
        row[x] = tex2D<float>(from, x + 0.5f, y + 0.5f);
    __syncthreads();
    if (x < width)
        surf2Dwrite(row[width - 1 - x], to, x * (int)sizeof(float), y);
}

__global__ void layer(cudaTextureObject_t lines, cudaSurfaceObject_t surface, float *out)
{
    const int i = threadIdx.x;
    out[i] = tex1DLayered<float>(lines, i % 4 + 0.5f, i / 4);
    surf1DLayeredwrite(out[i] + 1, surface, i % 4 * 4, i / 4);
}

static cudaArray_t array_of(const float *data, int width, int height)
{
    cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &channels, width, height, cudaArraySurfaceLoadStore) == cudaSuccess);
    CHECK(cudaMemcpy2DToArray(array, 0, 0, data, width * 4, width * 4, height, cudaMemcpyHostToDevice) ==
          cudaSuccess);
    return array;
}

static cudaResourceDesc resource_of(cudaArray_t array)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    return resource;
}

static cudaTextureObject_t texture_of(cudaArray_t array)
{
    const cudaResourceDesc resource = resource_of(array);
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t object = 0;
    CHECK(cudaCreateTextureObject(&object, &resource, &how, nullptr) == cudaSuccess);
    return object;
}

static cudaSurfaceObject_t surface_of(cudaArray_t array)
{
    const cudaResourceDesc resource = resource_of(array);
    cudaSurfaceObject_t object = 0;
    CHECK(cudaCreateSurfaceObject(&object, &resource) == cudaSuccess);
    return object;
}

static void all_forms(const float *data)
{
    float *out;
    cudaArray_t array = array_of(data, 8, 4), other = array_of(data, 8, 4);
    cudaTextureObject_t object = texture_of(array);
    cudaMallocManaged(&out, 32 * sizeof *out);
    forms<<<1, 1>>>(object, out);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    for (int i = 0; i < 7; i++)
        CHECK(out[i] == 8 + i + 1 + (i == 4));
    cudaSurfaceObject_t surface = surface_of(other);
    turn<<<4, 32>>>(object, surface, 8);
    float back[4][8];
    CHECK(cudaMemcpy2DFromArray(back, 32, other, 0, 0, 32, 4, cudaMemcpyDeviceToHost) == cudaSuccess);
    for (int i = 0; i < 32; i++)
        CHECK(back[i / 8][i % 8] == i / 8 * 8 + 7 - i % 8);

    cudaTextureDesc how;
    cudaResourceDesc resource;
    CHECK(cudaGetTextureObjectTextureDesc(&how, object) == cudaSuccess &&
          how.addressMode[1] == cudaAddressModeClamp);
    CHECK(cudaGetTextureObjectResourceDesc(&resource, object) == cudaSuccess &&
          resource.res.array.array == array);
    CHECK(cudaGetSurfaceObjectResourceDesc(&resource, object) == cudaErrorInvalidValue); /* a texture */
    CHECK(cudaDestroySurfaceObject(surface) == cudaSuccess &&
          cudaDestroySurfaceObject(surface) == cudaErrorInvalidValue);
    CHECK(cudaDestroyTextureObject(object) == cudaSuccess &&
          cudaDestroyTextureObject(object) == cudaErrorInvalidValue);
    const cudaTextureObject_t again = texture_of(array); /* another handle, in the same place */
    CHECK(again != object && cudaGetTextureObjectTextureDesc(&how, object) == cudaErrorInvalidValue);
    CHECK(cudaDestroyTextureObject(again) == cudaSuccess);
    CHECK(cudaFreeArray(array) == cudaSuccess && cudaFreeArray(array) == cudaErrorInvalidValue);
    CHECK(cudaFreeArray(other) == cudaSuccess);
    cudaFree(out);
    cudaGetLastError();
}

/* A handle is no memory: nothing plain takes it. */
static void handles(const float *data)
{
    float back[32];
    cudaArray_t array = array_of(data, 8, 4);
    CHECK(cudaMemcpy(back, array, 4, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
    CHECK(cudaMemset(array, 0, 4) == cudaErrorInvalidValue);
    CHECK(cudaFree(array) == cudaErrorInvalidValue);
    CHECK(cudaFreeArray((cudaArray_t)((char *)array + 8)) == cudaErrorInvalidValue);
    /* bytes row after row, from the middle of one to the middle of another; and between arrays */
    CHECK(cudaMemcpyFromArray(back, array, 12, 1, 18 * 4, cudaMemcpyDeviceToHost) == cudaSuccess);
    for (int i = 0; i < 18; i++)
        CHECK(back[i] == 11 + i);
    CHECK(cudaMemcpyFromArray(back, array, 12, 1, 22 * 4, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
    cudaArray_t other = array_of(data, 8, 4);
    CHECK(cudaMemcpyToArrayAsync(other, 20, 0, data + 1, 6 * 4, cudaMemcpyHostToDevice, 0) == cudaSuccess);
    CHECK(cudaMemcpy2DArrayToArray(array, 0, 0, other, 16, 0, 16, 2) == cudaSuccess);
    CHECK(cudaMemcpy2DFromArray(back, 16, array, 0, 0, 16, 2, cudaMemcpyDefault) == cudaSuccess);
    const float wanted[8] = {4, 1, 2, 3, 12, 13, 14, 15};
    for (int i = 0; i < 8; i++)
        CHECK(back[i] == wanted[i]);
    cudaFreeArray(array);
    cudaFreeArray(other);
    cudaGetLastError();
}

static void layers()
{
    const cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
    cudaArray_t lines;
    CHECK(cudaMalloc3DArray(&lines, &channels, make_cudaExtent(4, 0, 3),
                            cudaArrayLayered | cudaArraySurfaceLoadStore) == cudaSuccess);
    float data[3][4], *out;
    for (int i = 0; i < 12; i++)
        data[i / 4][i % 4] = i;
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(data, 16, 4, 1);
    copy.dstArray = lines;
    copy.extent = make_cudaExtent(4, 1, 3);
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy) == cudaSuccess);
    cudaMallocManaged(&out, 12 * sizeof *out);
    const cudaTextureObject_t object = texture_of(lines);
    const cudaSurfaceObject_t surface = surface_of(lines);
    layer<<<1, 12>>>(object, surface, out);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    memset(&copy, 0, sizeof copy);
    copy.srcArray = lines;
    copy.dstPtr = make_cudaPitchedPtr(data, 16, 4, 1);
    copy.extent = make_cudaExtent(4, 1, 3);
    copy.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&copy) == cudaSuccess);
    for (int i = 0; i < 12; i++)
        CHECK(out[i] == i && data[i / 4][i % 4] == i + 1);
    CHECK(cudaDestroyTextureObject(object) == cudaSuccess &&
          cudaDestroySurfaceObject(surface) == cudaSuccess);
    cudaFreeArray(lines);
    cudaFree(out);
}

/* A captured copy to an array and a kernel that reads it, launched twice. */
static void in_a_graph(const float *data)
{
    cudaArray_t array = array_of(data, 8, 4);
    cudaTextureObject_t object = texture_of(array);
    float *pinned, *out;
    cudaMallocHost(&pinned, 128);
    cudaMallocManaged(&out, 32 * sizeof *out);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
    CHECK(cudaMemcpy2DToArrayAsync(array, 0, 0, pinned, 32, 32, 4, cudaMemcpyHostToDevice, stream) ==
          cudaSuccess);
    forms<<<1, 1, 0, stream>>>(object, out);
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    CHECK(cudaStreamEndCapture(stream, &graph) == cudaSuccess &&
          cudaGraphInstantiate(&ready, graph, 0) == cudaSuccess);
    for (int turn = 1; turn <= 2; turn++) {
        for (int i = 0; i < 32; i++)
            pinned[i] = turn * 100 + i;
        CHECK(cudaGraphLaunch(ready, stream) == cudaSuccess && cudaStreamSynchronize(stream) == cudaSuccess);
        CHECK(out[0] == turn * 100 + 9);
    }
    cudaGraphExecDestroy(ready);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
    /* gone while a kernel that reads it is queued: the kernel still has it */
    forms<<<1, 1>>>(object, out);
    CHECK(cudaDestroyTextureObject(object) == cudaSuccess);
    CHECK(cudaDeviceSynchronize() == cudaSuccess && out[0] == 209);
    cudaFreeArray(array);
    cudaFreeHost(pinned);
    cudaFree(out);
}

int main()
{
    float data[32];
    for (int i = 0; i < 32; i++)
        data[i] = i;
    CHECK(own.value == 3);
    all_forms(data);
    handles(data);
    layers();
    in_a_graph(data);
    CHECK(cudaDeviceReset() == cudaSuccess);
    return finish();
}
