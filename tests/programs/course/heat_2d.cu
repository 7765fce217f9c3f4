// Heat in a plate: Jacobi's iteration on a grid until nothing changes any more. Two buffers take turns; the
// largest change is found with an atomic.
#include "common.h"
#include <cstring>
#include <utility>

__device__ int largest; // bits of a non-negative float: they compare as integers do

__global__ void step(const float *from, float *to, int nx, int ny)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
    const int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (x >= nx - 1 || y >= ny - 1)
        return;
    const int i = y * nx + x;
    const float next = 0.25f * (from[i - 1] + from[i + 1] + from[i - nx] + from[i + nx]);
    const float change = fabsf(next - from[i]);
    to[i] = next;
    atomicMax(&largest, __float_as_int(change));
}

__global__ void boundary(float *grid, int nx, int ny)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < nx) {
        grid[i] = 100.0f;
        grid[(ny - 1) * nx + i] = 0.0f;
    }
    if (i < ny) {
        grid[i * nx] = 100.0f - 100.0f * i / (ny - 1);
        grid[i * nx + nx - 1] = 100.0f - 100.0f * i / (ny - 1);
    }
}

int main()
{
    const int nx = 34, ny = 26, threads = 16;
    float *now, *next;
    CHECK(cudaMallocManaged(&now, nx * ny * sizeof(float)));
    CHECK(cudaMallocManaged(&next, nx * ny * sizeof(float)));
    boundary<<<1, 64>>>(now, nx, ny);
    boundary<<<1, 64>>>(next, nx, ny);

    dim3 block(threads, threads / 2);
    dim3 grid((nx - 2 + block.x - 1) / block.x, (ny - 2 + block.y - 1) / block.y);
    int iterations = 0;
    float change = 1;
    while (change > 1e-3f && iterations < 5000) {
        for (int i = 0; i < 50; i++, iterations++) {
            int zero = 0;
            CHECK(cudaMemcpyToSymbol(largest, &zero, sizeof zero));
            step<<<grid, block>>>(now, next, nx, ny);
            std::swap(now, next);
        }
        int bits;
        CHECK(cudaMemcpyFromSymbol(&bits, largest, sizeof bits));
        memcpy(&change, &bits, sizeof change);
    }
    CHECK(cudaDeviceSynchronize());
    // With these boundaries the answer is a slope from the hot edge to the cold one.
    float worst = 0;
    for (int y = 0; y < ny; y++)
        for (int x = 0; x < nx; x++)
            worst = fmaxf(worst, fabsf(now[y * nx + x] - (100.0f - 100.0f * y / (ny - 1))));
    printf("steady after %d iterations: %s\n", iterations, worst < 1.0f ? "a slope" : "NO SLOPE");
    CHECK(cudaFree(now));
    CHECK(cudaFree(next));
    return report(worst < 1.0f && iterations < 5000);
}
