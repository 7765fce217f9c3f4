// Pictures: colour to grey, a box blur with a function of clamped pixels, brightness through a table, in
// uchar4 and uchar3.
#include "common.h"

struct __align__(4) Pixel
{
    unsigned char r, g, b, a;
};

__device__ __host__ inline unsigned char grey(unsigned char r, unsigned char g, unsigned char b)
{
    return (unsigned char)(0.299f * r + 0.587f * g + 0.114f * b);
}

__global__ void rgba_to_greyscale(const uchar4 *const rgbaImage, unsigned char *const greyImage, int numRows,
                                  int numCols)
{
    const int2 thread_2D_pos =
        make_int2(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y);
    const int thread_1D_pos = thread_2D_pos.y * numCols + thread_2D_pos.x;
    if (thread_2D_pos.x >= numCols || thread_2D_pos.y >= numRows)
        return;
    uchar4 rgba = rgbaImage[thread_1D_pos];
    greyImage[thread_1D_pos] = grey(rgba.x, rgba.y, rgba.z);
}

template <int RADIUS> __global__ void boxBlur(const unsigned char *in, unsigned char *out, int rows, int cols)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= cols || y >= rows)
        return;
    int sum = 0;
#pragma unroll
    for (int dy = -RADIUS; dy <= RADIUS; ++dy)
        for (int dx = -RADIUS; dx <= RADIUS; ++dx)
            sum += in[min(max(y + dy, 0), rows - 1) * cols + min(max(x + dx, 0), cols - 1)];
    out[y * cols + x] = sum / ((2 * RADIUS + 1) * (2 * RADIUS + 1));
}

__constant__ unsigned char curve[256];

__global__ void applyCurve(Pixel *image, size_t n)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * (size_t)blockDim.x) {
        Pixel p = image[i];
        p.r = curve[p.r], p.g = curve[p.g], p.b = curve[p.b];
        image[i] = p;
    }
}

int main()
{
    const int rows = 61, cols = 83, n = rows * cols;
    std::vector<uchar4> image(n);
    std::vector<unsigned char> greys(n), blurred(n), table(256);
    Random random(12);
    for (auto &p : image)
        p = make_uchar4(random.next() & 255, random.next() & 255, random.next() & 255, 255);
    for (int i = 0; i < 256; i++)
        table[i] = 255 - i;

    uchar4 *d_image;
    unsigned char *d_grey, *d_blurred;
    CHECK(cudaMalloc(&d_image, n * sizeof(uchar4)));
    CHECK(cudaMalloc(&d_grey, n));
    CHECK(cudaMalloc(&d_blurred, n));
    CHECK(cudaMemcpy(d_image, image.data(), n * sizeof(uchar4), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyToSymbol(curve, table.data(), 256));

    const dim3 blockSize(16, 16, 1);
    const dim3 gridSize((cols + blockSize.x - 1) / blockSize.x, (rows + blockSize.y - 1) / blockSize.y, 1);
    rgba_to_greyscale<<<gridSize, blockSize>>>(d_image, d_grey, rows, cols);
    boxBlur<2><<<gridSize, blockSize>>>(d_grey, d_blurred, rows, cols);
    applyCurve<<<4, 128>>>(reinterpret_cast<Pixel *>(d_image), n);
    CHECK_KERNEL();
    CHECK(cudaMemcpy(greys.data(), d_grey, n, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(blurred.data(), d_blurred, n, cudaMemcpyDeviceToHost));
    std::vector<uchar4> negative(n);
    CHECK(cudaMemcpy(negative.data(), d_image, n * sizeof(uchar4), cudaMemcpyDeviceToHost));

    int wrong = 0;
    for (int i = 0; i < n; i++) {
        wrong += abs(greys[i] - grey(image[i].x, image[i].y, image[i].z)) > 1;
        wrong += negative[i].x != 255 - image[i].x || negative[i].w != 255;
    }
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < cols; x++) {
            int sum = 0;
            for (int dy = -2; dy <= 2; dy++)
                for (int dx = -2; dx <= 2; dx++)
                    sum += greys[std::min(std::max(y + dy, 0), rows - 1) * cols +
                                 std::min(std::max(x + dx, 0), cols - 1)];
            wrong += blurred[y * cols + x] != sum / 25;
        }
    CHECK(cudaFree(d_image));
    CHECK(cudaFree(d_grey));
    CHECK(cudaFree(d_blurred));
    printf("%d wrong\n", wrong);
    return report(wrong == 0);
}
