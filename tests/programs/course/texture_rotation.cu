// An image turned by a texture: cudaMallocArray, cudaMemcpy2DToArray, a texture object with normalised
// coordinates, wrapping edges and linear filtering; beside the same on the host.
#include "common.h"
#include <cstring>

__global__ void rotate(float *out, int width, int height, float theta, cudaTextureObject_t texture)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float u = (x + 0.5f) / width - 0.5f, v = (y + 0.5f) / height - 0.5f;
    float tu = u * cosf(theta) - v * sinf(theta) + 0.5f;
    float tv = v * cosf(theta) + u * sinf(theta) + 0.5f;
    out[y * width + x] = tex2D<float>(texture, tu, tv);
}

/* Column or row `i` of a picture that repeats itself. */
static int wrapped(int i, int n)
{
    return (i % n + n) % n;
}

/* Linear filtering without its rounding. */
static double between(const std::vector<float> &image, int width, int height, double tu, double tv)
{
    double x = tu * width - 0.5, y = tv * height - 0.5;
    int i = (int)floor(x), j = (int)floor(y);
    double a = x - i, b = y - j;
    auto at = [&](int c, int r) { return image[wrapped(r, height) * width + wrapped(c, width)]; };
    return (1 - a) * (1 - b) * at(i, j) + a * (1 - b) * at(i + 1, j) + (1 - a) * b * at(i, j + 1) +
           a * b * at(i + 1, j + 1);
}

int main()
{
    const int width = 193, height = 127;
    const float theta = 0.5f;
    std::vector<float> image(width * height), out(width * height), wanted(width * height);
    Random random(7);
    for (float &pixel : image)
        pixel = random.uniform();

    cudaChannelFormatDesc channels = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &channels, width, height));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, image.data(), width * sizeof(float), width * sizeof(float), height,
                              cudaMemcpyHostToDevice));
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how;
    memset(&how, 0, sizeof how);
    how.addressMode[0] = cudaAddressModeWrap;
    how.addressMode[1] = cudaAddressModeWrap;
    how.filterMode = cudaFilterModeLinear;
    how.readMode = cudaReadModeElementType;
    how.normalizedCoords = 1;
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &how, NULL));

    float *d_out;
    CHECK(cudaMalloc(&d_out, out.size() * sizeof(float)));
    dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
    rotate<<<grid, block>>>(d_out, width, height, theta, texture);
    CHECK_KERNEL();
    CHECK(cudaMemcpy(out.data(), d_out, out.size() * sizeof(float), cudaMemcpyDeviceToHost));

    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            double u = (x + 0.5) / width - 0.5, v = (y + 0.5) / height - 0.5;
            double tu = u * cos(theta) - v * sin(theta) + 0.5, tv = v * cos(theta) + u * sin(theta) + 0.5;
            wanted[y * width + x] = (float)between(image, width, height, tu, tv);
        }
    /* A weight has 8 bits behind the point, so it is off by up to 1/256 on each axis, whichever way it is
     * rounded; the coordinates' own rounding comes to another 193 * 2^-23 elements or so. Pixels differ by 1
     * at most. */
    bool good = true;
    for (size_t i = 0; i < out.size(); i++)
        good &= fabs(out[i] - wanted[i]) <= 2 * (1 / 256.0 + 1e-4);

    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFreeArray(array));
    CHECK(cudaFree(d_out));
    return report(good);
}
