// Convolution of an image: the filter in constant memory, tiles with a halo in shared memory; then the same
// by rows and columns, as a separable filter allows.
#include "common.h"

#define KERNEL_RADIUS 2
#define KERNEL_LENGTH (2 * KERNEL_RADIUS + 1)
#define TILE 16

__constant__ float c_Filter[KERNEL_LENGTH][KERNEL_LENGTH];
__constant__ float c_Row[KERNEL_LENGTH];

__global__ void convolution2D(float *d_Dst, const float *d_Src, int width, int height)
{
    __shared__ float s_Data[TILE + 2 * KERNEL_RADIUS][TILE + 2 * KERNEL_RADIUS];
    const int x0 = blockIdx.x * TILE - KERNEL_RADIUS, y0 = blockIdx.y * TILE - KERNEL_RADIUS;
    for (int y = threadIdx.y; y < TILE + 2 * KERNEL_RADIUS; y += TILE)
        for (int x = threadIdx.x; x < TILE + 2 * KERNEL_RADIUS; x += TILE) {
            bool inside = x0 + x >= 0 && x0 + x < width && y0 + y >= 0 && y0 + y < height;
            s_Data[y][x] = inside ? d_Src[(y0 + y) * width + x0 + x] : 0.f;
        }
    __syncthreads();

    const int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x < width && y < height) {
        float sum = 0;
#pragma unroll
        for (int j = 0; j < KERNEL_LENGTH; j++)
#pragma unroll
            for (int i = 0; i < KERNEL_LENGTH; i++)
                sum += c_Filter[j][i] * s_Data[threadIdx.y + j][threadIdx.x + i];
        d_Dst[y * width + x] = sum;
    }
}

template <bool ROWS> __global__ void convolution1D(float *d_Dst, const float *d_Src, int width, int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float sum = 0;
    for (int k = -KERNEL_RADIUS; k <= KERNEL_RADIUS; k++) {
        int at = (ROWS ? x : y) + k;
        if (at >= 0 && at < (ROWS ? width : height))
            sum += c_Row[KERNEL_RADIUS + k] * d_Src[ROWS ? y * width + at : at * width + x];
    }
    d_Dst[y * width + x] = sum;
}

int main()
{
    const int width = 70, height = 45;
    const size_t bytes = width * height * sizeof(float);
    float row[KERNEL_LENGTH] = {1.f / 16, 4.f / 16, 6.f / 16, 4.f / 16, 1.f / 16};
    float filter[KERNEL_LENGTH][KERNEL_LENGTH];
    for (int j = 0; j < KERNEL_LENGTH; j++)
        for (int i = 0; i < KERNEL_LENGTH; i++)
            filter[j][i] = row[i] * row[j];

    std::vector<float> image(width * height), result(width * height), expected(width * height);
    Random random(7);
    for (auto &p : image)
        p = random.uniform() * 255;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            for (int j = -KERNEL_RADIUS; j <= KERNEL_RADIUS; j++)
                for (int i = -KERNEL_RADIUS; i <= KERNEL_RADIUS; i++)
                    if (x + i >= 0 && x + i < width && y + j >= 0 && y + j < height)
                        expected[y * width + x] +=
                            filter[j + KERNEL_RADIUS][i + KERNEL_RADIUS] * image[(y + j) * width + x + i];

    float *d_Input, *d_Buffer, *d_Output;
    CHECK(cudaMalloc((void **)&d_Input, bytes));
    CHECK(cudaMalloc((void **)&d_Buffer, bytes));
    CHECK(cudaMalloc((void **)&d_Output, bytes));
    CHECK(cudaMemcpyToSymbol(c_Filter, filter, sizeof(filter)));
    CHECK(cudaMemcpyToSymbol(c_Row, row, KERNEL_LENGTH * sizeof(float), 0, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_Input, image.data(), bytes, cudaMemcpyHostToDevice));

    dim3 threads(TILE, TILE), grid((width + TILE - 1) / TILE, (height + TILE - 1) / TILE);
    convolution2D<<<grid, threads>>>(d_Output, d_Input, width, height);
    CHECK_KERNEL();
    CHECK(cudaMemcpy(result.data(), d_Output, bytes, cudaMemcpyDeviceToHost));
    bool good = close(result, expected, 1e-4);

    convolution1D<true><<<grid, threads>>>(d_Buffer, d_Input, width, height);
    convolution1D<false><<<grid, threads>>>(d_Output, d_Buffer, width, height);
    CHECK_KERNEL();
    CHECK(cudaMemcpy(result.data(), d_Output, bytes, cudaMemcpyDeviceToHost));
    good &= close(result, expected, 1e-4);

    CHECK(cudaFree(d_Input));
    CHECK(cudaFree(d_Buffer));
    CHECK(cudaFree(d_Output));
    return report(good);
}
