/* Cubemaps: which element a direction finds on each face, in all forms; filtering on a face; several
 * cubemaps; surfaces of faces; what is refused. */
#include "check.h"

#define W 8
#define FACES 6
#define CUBES 3

static float value_of(int cube, int face, int x, int y)
{
    return (float)(10000 * cube + 1000 * face + 10 * y + x);
}

/* The direction to a place on a face, whose columns and rows run from -1 to 1. */
__host__ __device__ static float3 direction(int face, float s, float t)
{
    switch (face) {
    case 0:
        return make_float3(1, -t, -s);
    case 1:
        return make_float3(-1, -t, s);
    case 2:
        return make_float3(s, 1, t);
    case 3:
        return make_float3(s, -1, -t);
    case 4:
        return make_float3(s, -t, 1);
    default:
        return make_float3(-s, -t, -1);
    }
}

/* A block a face, a thread an element; directions are longer than 1. */
__global__ void one(cudaTextureObject_t cube, float shift, float *out)
{
    const int face = blockIdx.x, x = threadIdx.x, y = threadIdx.y, i = (face * W + y) * W + x;
    const float3 d = direction(face, 2 * (x + 0.5f + shift) / W - 1, 2 * (y + 0.5f) / W - 1);
    const float k = 1 + 0.25f * i;
    float value;
    texCubemap(&value, cube, k * d.x, k * d.y, k * d.z);
    const float zero =
        value - texCubemapLod<float>(cube, k * d.x, k * d.y, k * d.z, 0) +
        texCubemapGrad<float1>(cube, d.x, d.y, d.z, make_float4(0, 0, 0, 0), make_float4(0, 0, 0, 0)).x -
        texCubemap<float>(cube, d.x, d.y, d.z);
    out[i] = value + zero;
}

__global__ void several(cudaTextureObject_t cubes, cudaSurfaceObject_t surface, float *out)
{
    const int face = blockIdx.x, cube = blockIdx.y, x = threadIdx.x, y = threadIdx.y;
    const float3 d = direction(face, 2 * (x + 0.5f) / W - 1, 2 * (y + 0.5f) / W - 1);
    const float value = texCubemapLayered<float>(cubes, d.x, d.y, d.z, cube);
    out[((cube * FACES + face) * W + y) * W + x] = value;
    surfCubemapLayeredwrite(value + 1, surface, x * (int)sizeof(float), y, FACES * cube + face);
}

__global__ void faces(cudaSurfaceObject_t surface)
{
    const int face = blockIdx.x, x = threadIdx.x * (int)sizeof(float), y = threadIdx.y;
    surfCubemapwrite(2 * surfCubemapread<float>(surface, x, y, face), surface, x, y, face);
}

static float texels[CUBES * FACES * W * W], back[CUBES * FACES * W * W];

static cudaExtent extent(int cubes)
{
    return make_cudaExtent(W, W, FACES * cubes);
}

static void copy(cudaArray_t array, int cubes, float *host, cudaMemcpyKind kind)
{
    cudaMemcpy3DParms all = {};
    all.kind = kind;
    all.extent = extent(cubes);
    const cudaPitchedPtr rows = make_cudaPitchedPtr(host, W * sizeof(float), W, W);
    if (kind == cudaMemcpyHostToDevice) {
        all.srcPtr = rows;
        all.dstArray = array;
    } else {
        all.srcArray = array;
        all.dstPtr = rows;
    }
    CHECK(cudaMemcpy3D(&all) == cudaSuccess);
}

static cudaArray_t array_of(int cubes, unsigned flags)
{
    const cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
    cudaArray_t array = NULL;
    CHECK(cudaMalloc3DArray(&array, &channels, extent(cubes),
                            cudaArrayCubemap | cudaArraySurfaceLoadStore | flags) == cudaSuccess);
    copy(array, cubes, texels, cudaMemcpyHostToDevice);
    return array;
}

static cudaResourceDesc resource_of(cudaArray_t array)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    return resource;
}

static cudaTextureObject_t texture_of(cudaArray_t array, cudaTextureFilterMode filter)
{
    const cudaResourceDesc resource = resource_of(array);
    cudaTextureDesc how = {};
    how.filterMode = filter;
    how.normalizedCoords = 1;
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &how, NULL) == cudaSuccess);
    if (filter == cudaFilterModeLinear) {
        cudaTextureObject_t seamless = 0;
        how.seamlessCubemap = 1;
        CHECK(cudaCreateTextureObject(&seamless, &resource, &how, NULL) == cudaErrorNotSupported);
    }
    return texture;
}

static cudaSurfaceObject_t surface_of(cudaArray_t array)
{
    const cudaResourceDesc resource = resource_of(array);
    cudaSurfaceObject_t surface = 0;
    CHECK(cudaCreateSurfaceObject(&surface, &resource) == cudaSuccess);
    return surface;
}

static int differing(const float *got, int cubes, float factor, float more)
{
    int wrong = 0;
    for (int i = 0; i < cubes * FACES * W * W; i++)
        wrong += got[i] != factor * texels[i] + more;
    return wrong;
}

static void check_one(float *out)
{
    cudaArray_t array = array_of(1, 0);
    one<<<FACES, dim3(W, W)>>>(texture_of(array, cudaFilterModePoint), 0, out);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(differing(out, 1, 1, 0) == 0);
    /* between two columns; at the last one the face's edge counts twice */
    one<<<FACES, dim3(W, W)>>>(texture_of(array, cudaFilterModeLinear), 0.25f, out);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    int wrong = 0;
    for (int i = 0; i < FACES * W * W; i++)
        wrong += out[i] != texels[i] + (i % W < W - 1 ? 0.25f : 0);
    CHECK(wrong == 0);
    faces<<<FACES, dim3(W, W)>>>(surface_of(array));
    copy(array, 1, back, cudaMemcpyDeviceToHost);
    CHECK(differing(back, 1, 2, 0) == 0);
    CHECK(cudaFreeArray(array) == cudaSuccess);
}

static void check_several(float *out)
{
    cudaArray_t array = array_of(CUBES, cudaArrayLayered), written = array_of(CUBES, cudaArrayLayered);
    several<<<dim3(FACES, CUBES), dim3(W, W)>>>(texture_of(array, cudaFilterModePoint), surface_of(written),
                                                out);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(differing(out, CUBES, 1, 0) == 0);
    copy(written, CUBES, back, cudaMemcpyDeviceToHost);
    CHECK(differing(back, CUBES, 1, 1) == 0);
}

static cudaError_t allocate(int width, int height, int depth, unsigned flags)
{
    const cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    return cudaMalloc3DArray(&array, &channels, make_cudaExtent(width, height, depth),
                             cudaArrayCubemap | flags);
}

int main()
{
    for (int cube = 0; cube < CUBES; cube++)
        for (int face = 0; face < FACES; face++)
            for (int y = 0; y < W; y++)
                for (int x = 0; x < W; x++)
                    texels[((cube * FACES + face) * W + y) * W + x] = value_of(cube, face, x, y);
    float *out;
    CHECK(cudaMallocManaged(&out, sizeof texels) == cudaSuccess);
    check_one(out);
    check_several(out);
    CHECK(allocate(W, W - 1, FACES, 0) == cudaErrorInvalidValue);
    CHECK(allocate(W, W, 2 * FACES, 0) == cudaErrorInvalidValue);
    CHECK(allocate(W, W, FACES + 1, cudaArrayLayered) == cudaErrorInvalidValue);
    CHECK(allocate(W, W, 0, 0) == cudaErrorInvalidValue);
    return finish();
}
