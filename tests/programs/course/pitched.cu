// Rows at a pitch: cudaMallocPitch, copies of rectangles in both directions, a kernel that walks the rows, a
// part copied out, a memset of a rectangle.
#include "common.h"

__global__ void scaleRows(float *devPtr, size_t pitch, int width, int height)
{
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < height && c < width) {
        float *row = (float *)((char *)devPtr + r * pitch);
        row[c] = row[c] * 10 + r;
    }
}

int main()
{
    const int width = 61, height = 47;
    float host[height][width], back[height][width];
    for (int r = 0; r < height; r++)
        for (int c = 0; c < width; c++)
            host[r][c] = c;
    float *d;
    size_t pitch;
    CHECK(cudaMallocPitch(&d, &pitch, width * sizeof(float), height));
    bool good = pitch >= width * sizeof(float) && pitch % 32 == 0;
    CHECK(
        cudaMemcpy2D(d, pitch, host, sizeof host[0], width * sizeof(float), height, cudaMemcpyHostToDevice));
    dim3 block(32, 8);
    dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    scaleRows<<<grid, block>>>(d, pitch, width, height);
    CHECK_KERNEL();
    CHECK(
        cudaMemcpy2D(back, sizeof(back[0]), d, pitch, width * sizeof(float), height, cudaMemcpyDeviceToHost));
    for (int r = 0; r < height; r++)
        for (int c = 0; c < width; c++)
            good &= back[r][c] == c * 10 + r;

    float part[5][7];
    CHECK(cudaMemset2D(d, pitch, 0, 3 * sizeof(float), 20));
    const char *corner = (const char *)d + 18 * pitch + 1 * sizeof(float); // row 18, column 1
    CHECK(cudaMemcpy2DAsync(part, sizeof part[0], corner, pitch, 7 * sizeof(float), 5, cudaMemcpyDeviceToHost,
                            0));
    CHECK(cudaStreamSynchronize(0));
    for (int r = 0; r < 5; r++)
        for (int c = 0; c < 7; c++)
            good &= part[r][c] == (r + 18 < 20 && c + 1 < 3 ? 0 : (c + 1) * 10 + r + 18);
    CHECK(cudaFree(d));
    return report(good);
}
