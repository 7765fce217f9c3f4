// A volume as a 3D texture: rays through it that sample between its elements, a part of it copied to another
// array, and pictures in layers.
#include "common.h"
#include <cstring>

#define STEPS 64

/* The sum along a ray through the volume, sampled at equal distances. Coordinates run from 0 to 1. */
__global__ void rays(cudaTextureObject_t volume, int n, float *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n)
        return;
    float sum = 0;
    for (int s = 0; s < STEPS; s++)
        sum += tex3D<float>(volume, (x + 0.5f) / n, (y + 0.5f) / n, (s + 0.5f) / STEPS);
    out[y * n + x] = sum / STEPS;
}

__global__ void sample(cudaTextureObject_t volume, const float3 *at, int n, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        tex3D(&out[i], volume, at[i].x, at[i].y, at[i].z);
}

__global__ void layers(cudaTextureObject_t texture, int width, int height, int count, int *out)
{
    int x = threadIdx.x, y = threadIdx.y, layer = blockIdx.x;
    if (x < width && y < height && layer < count)
        out[(layer * height + y) * width + x] = tex2DLayered<int>(texture, x + 0.5f, y + 0.5f, layer);
}

static cudaTextureObject_t textureOf(cudaArray_t array, cudaTextureFilterMode filter, int normalized)
{
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how;
    memset(&how, 0, sizeof how);
    for (int i = 0; i < 3; i++)
        how.addressMode[i] = cudaAddressModeClamp;
    how.filterMode = filter;
    how.normalizedCoords = normalized;
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &how, NULL));
    return texture;
}

static cudaArray_t arrayOf(const std::vector<float> &data, cudaExtent extent)
{
    cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    CHECK(cudaMalloc3DArray(&array, &channels, extent));
    cudaMemcpy3DParms copy;
    memset(&copy, 0, sizeof copy);
    copy.srcPtr =
        make_cudaPitchedPtr((void *)data.data(), extent.width * sizeof(float), extent.width, extent.height);
    copy.dstArray = array;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    return array;
}

static bool volumes()
{
    const int w = 24, h = 20, d = 16, n = 40, m = 1000;
    std::vector<float> data(w * h * d);
    for (int z = 0; z < d; z++)
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++)
                data[(z * h + y) * w + x] = 0.5f * x - 0.25f * y + 2.0f * z;
    cudaArray_t array = arrayOf(data, make_cudaExtent(w, h, d));
    cudaTextureObject_t unit = textureOf(array, cudaFilterModeLinear, 1);
    cudaTextureObject_t elements = textureOf(array, cudaFilterModeLinear, 0);
    float *sums, *samples;
    float3 *at;
    CHECK(cudaMallocManaged(&sums, n * n * sizeof(float)));
    CHECK(cudaMallocManaged(&samples, m * sizeof(float)));
    CHECK(cudaMallocManaged(&at, m * sizeof(float3)));
    Random random(5);
    for (int i = 0; i < m; i++)
        at[i] = make_float3(0.5f + random.uniform() * (w - 1), 0.5f + random.uniform() * (h - 1),
                            0.5f + random.uniform() * (d - 1));
    dim3 block(8, 8), grid((n + 7) / 8, (n + 7) / 8);
    rays<<<grid, block>>>(unit, n, sums);
    sample<<<blocks_for(m, 128), 128>>>(elements, at, m, samples);
    CHECK_KERNEL();

    /* What is linear stays so between elements. A weight is off by up to 1/256, a step by 0.5, 0.25 and 2. */
    const double tolerance = (0.5 + 0.25 + 2) / 256 + 1e-4;
    bool good = true;
    for (int i = 0; i < m; i++) {
        const double wanted = 0.5 * (at[i].x - 0.5) - 0.25 * (at[i].y - 0.5) + 2.0 * (at[i].z - 0.5);
        good &= fabs(samples[i] - wanted) <= tolerance;
    }
    auto clamped = [](double v, int size) { return v < 0 ? 0 : v > size - 1 ? size - 1 : v; };
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            double wanted = 0;
            for (int s = 0; s < STEPS; s++)
                wanted +=
                    (0.5 * clamped((x + 0.5) / n * w - 0.5, w) - 0.25 * clamped((y + 0.5) / n * h - 0.5, h) +
                     2.0 * clamped((s + 0.5) / STEPS * d - 0.5, d)) /
                    STEPS;
            good &= fabs(sums[y * n + x] - wanted) <= tolerance;
        }

    /* A block from the middle, from array to array, and then to the host. */
    cudaArray_t part = arrayOf(std::vector<float>(4 * 4 * 4), make_cudaExtent(4, 4, 4));
    cudaMemcpy3DParms copy;
    memset(&copy, 0, sizeof copy);
    copy.srcArray = array;
    copy.srcPos = make_cudaPos(10, 9, 8);
    copy.dstArray = part;
    copy.dstPos = make_cudaPos(1, 1, 1);
    copy.extent = make_cudaExtent(3, 2, 3);
    copy.kind = cudaMemcpyDeviceToDevice;
    CHECK(cudaMemcpy3D(&copy));
    std::vector<float> back(4 * 4 * 4, -1);
    memset(&copy, 0, sizeof copy);
    copy.srcArray = part;
    copy.dstPtr = make_cudaPitchedPtr(back.data(), 4 * sizeof(float), 4, 4);
    copy.extent = make_cudaExtent(4, 4, 4);
    copy.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3DAsync(&copy, 0));
    CHECK(cudaDeviceSynchronize());
    for (int z = 0; z < 4; z++)
        for (int y = 0; y < 4; y++)
            for (int x = 0; x < 4; x++) {
                const bool inside = x >= 1 && y >= 1 && y < 3 && z >= 1;
                const float wanted = inside ? data[((z + 7) * h + y + 8) * w + x + 9] : 0;
                good &= back[(z * 4 + y) * 4 + x] == wanted;
            }
    CHECK(cudaDestroyTextureObject(unit));
    CHECK(cudaDestroyTextureObject(elements));
    CHECK(cudaFreeArray(array));
    CHECK(cudaFreeArray(part));
    CHECK(cudaFree(sums));
    CHECK(cudaFree(samples));
    CHECK(cudaFree(at));
    return good;
}

static bool pictures()
{
    const int width = 12, height = 7, count = 5;
    cudaChannelFormatDesc channels = cudaCreateChannelDesc<int>();
    cudaArray_t array;
    CHECK(cudaMalloc3DArray(&array, &channels, make_cudaExtent(width, height, count), cudaArrayLayered));
    std::vector<int> data(width * height * count);
    for (size_t i = 0; i < data.size(); i++)
        data[i] = (int)i * 7 - 100;
    cudaMemcpy3DParms copy;
    memset(&copy, 0, sizeof copy);
    copy.srcPtr = make_cudaPitchedPtr(data.data(), width * sizeof(int), width, height);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(width, height, count);
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    cudaTextureObject_t texture = textureOf(array, cudaFilterModePoint, 0);
    int *out;
    CHECK(cudaMallocManaged(&out, data.size() * sizeof(int)));
    layers<<<count, dim3(16, 8)>>>(texture, width, height, count, out);
    CHECK_KERNEL();
    bool good = true;
    for (size_t i = 0; i < data.size(); i++)
        good &= out[i] == data[i];
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFreeArray(array));
    CHECK(cudaFree(out));
    return good;
}

int main()
{
    const bool deep = volumes(), flat = pictures();
    return report(deep && flat);
}
