/**
 * @file course.cu
 * @brief A program as courses have it: a tile, the host's own answer, a timer, the C++ library.
 */
// library.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        const cudaError_t error = call;                                                                      \
        if (error != cudaSuccess) {                                                                          \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));                   \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

const int TILE = 16;

__global__ void multiply(const float *a, const float *b, float *c, int n)
{
    __shared__ float as[TILE][TILE], bs[TILE][TILE];
    const int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int t = 0; t < n; t += TILE) {
        as[threadIdx.y][threadIdx.x] = a[row * n + t + threadIdx.x];
        bs[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + column];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

static std::vector<float> on_the_host(const std::vector<float> &a, const std::vector<float> &b, int n)
{
    std::vector<float> c(n * n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
    return c;
}

int main()
{
    const int n = 256;
    const size_t bytes = n * n * sizeof(float);
    std::vector<float> a(n * n), b(n * n), c(n * n);
    for (int i = 0; i < n * n; i++) {
        a[i] = i % 7;
        b[i] = i % 5;
    }
    float *device_a, *device_b, *device_c;
    CHECK(cudaMalloc(&device_a, bytes));
    CHECK(cudaMalloc(&device_b, bytes));
    CHECK(cudaMalloc(&device_c, bytes));
    CHECK(cudaMemcpy(device_a, a.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(device_b, b.data(), bytes, cudaMemcpyHostToDevice));
    const auto start = std::chrono::steady_clock::now();
    multiply<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(device_a, device_b, device_c, n);
    CHECK(cudaDeviceSynchronize());
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    CHECK(cudaMemcpy(c.data(), device_c, bytes, cudaMemcpyDeviceToHost));
    const std::vector<float> wanted = on_the_host(a, b, n);
    for (int i = 0; i < n * n; i++)
        if (std::fabs(c[i] - wanted[i]) > 1e-3f) {
            printf("wrong at %d\n", i);
            return 1;
        }
    printf("right, after %.3f ms\n", took.count());
    return 0;
}
