// A box filter and a convolution through textures of pitched memory: pixels of 8 bits, edges clamped by the
// texture; then the same sums with a quarter of the reads, because a read between four pixels gives their
// mean.
#include "common.h"
#include <cstring>

#define RADIUS 3

__constant__ float weights[2 * RADIUS + 1];

static cudaTextureObject_t textureOf(void *memory, size_t pitch, int width, int height,
                                     cudaTextureFilterMode filter, cudaTextureReadMode mode)
{
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = memory;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<unsigned char>();
    resource.res.pitch2D.width = width;
    resource.res.pitch2D.height = height;
    resource.res.pitch2D.pitchInBytes = pitch;
    cudaTextureDesc how;
    memset(&how, 0, sizeof how);
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    how.filterMode = filter;
    how.readMode = mode;
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &how, NULL));
    return texture;
}

__global__ void box(cudaTextureObject_t image, int width, int height, int *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int sum = 0;
    for (int dy = -RADIUS; dy <= RADIUS; dy++)
        for (int dx = -RADIUS; dx <= RADIUS; dx++)
            sum += tex2D<unsigned char>(image, x + dx, y + dy);
    out[y * width + x] = sum;
}

__global__ void convolveRows(cudaTextureObject_t image, int width, int height, float *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float sum = 0;
    for (int d = -RADIUS; d <= RADIUS; d++)
        sum += weights[d + RADIUS] * tex2D<float>(image, x + d + 0.5f, y + 0.5f);
    out[y * width + x] = sum;
}

/* Each pixel of half the size: the mean of four, by one read where they meet. */
__global__ void shrink(cudaTextureObject_t image, int width, int height, float *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        out[y * width + x] = tex2D<float>(image, 2 * x + 1.0f, 2 * y + 1.0f);
}

int main()
{
    const int width = 150, height = 94;
    Random random(11);
    std::vector<unsigned char> image(width * height);
    for (unsigned char &p : image)
        p = random.next() % 256;
    auto at = [&](int x, int y) {
        x = x < 0 ? 0 : x < width ? x : width - 1;
        y = y < 0 ? 0 : y < height ? y : height - 1;
        return (int)image[y * width + x];
    };
    float host_weights[2 * RADIUS + 1];
    for (int i = 0; i <= 2 * RADIUS; i++)
        host_weights[i] = 1.0f / (1 + abs(i - RADIUS));
    CHECK(cudaMemcpyToSymbol(weights, host_weights, sizeof host_weights));

    unsigned char *d_image;
    size_t pitch;
    int *sums;
    float *rows, *small;
    CHECK(cudaMallocPitch(&d_image, &pitch, width, height));
    CHECK(cudaMemcpy2D(d_image, pitch, image.data(), width, width, height, cudaMemcpyHostToDevice));
    CHECK(cudaMallocManaged(&sums, width * height * sizeof(int)));
    CHECK(cudaMallocManaged(&rows, width * height * sizeof(float)));
    CHECK(cudaMallocManaged(&small, width / 2 * (height / 2) * sizeof(float)));
    cudaTextureObject_t plain =
        textureOf(d_image, pitch, width, height, cudaFilterModePoint, cudaReadModeElementType);
    cudaTextureObject_t between =
        textureOf(d_image, pitch, width, height, cudaFilterModeLinear, cudaReadModeNormalizedFloat);
    dim3 block(16, 8), grid((width + 15) / 16, (height + 7) / 8);
    box<<<grid, block>>>(plain, width, height, sums);
    convolveRows<<<grid, block>>>(between, width, height, rows);
    shrink<<<grid, block>>>(between, width / 2, height / 2, small);
    CHECK_KERNEL();

    bool good = true;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int sum = 0;
            double row = 0;
            for (int d = -RADIUS; d <= RADIUS; d++) {
                row += host_weights[d + RADIUS] * at(x + d, y) / 255.0;
                for (int e = -RADIUS; e <= RADIUS; e++)
                    sum += at(x + e, y + d);
            }
            /* in the middle of a pixel a read is exact, but for float's own rounding */
            good &= sums[y * width + x] == sum && fabs(rows[y * width + x] - row) <= 1e-5;
        }
    for (int y = 0; y < height / 2; y++)
        for (int x = 0; x < width / 2; x++) {
            int sum =
                at(2 * x, 2 * y) + at(2 * x + 1, 2 * y) + at(2 * x, 2 * y + 1) + at(2 * x + 1, 2 * y + 1);
            /* The weights are halves, which 8 bits hold. What a GPU makes of four products of 8-bit numbers
             * has 16 bits. */
            good &= fabs(small[y * (width / 2) + x] - sum / 4.0 / 255) <= 1 / 65536.0;
        }

    CHECK(cudaDestroyTextureObject(plain));
    CHECK(cudaDestroyTextureObject(between));
    CHECK(cudaFree(d_image));
    CHECK(cudaFree(sums));
    CHECK(cudaFree(rows));
    CHECK(cudaFree(small));
    return report(good);
}
