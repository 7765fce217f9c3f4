/**
 * @file vector_add.cu
 * @brief What a textbook begins with: the installed umcc has to compile it, and its sums have to be right.
 */
#include <cstdio>
#include <vector>

__global__ void add(const float *a, const float *b, float *sum, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        sum[i] = a[i] + b[i];
}

int main()
{
    const int n = 1 << 20;
    std::vector<float> a(n, 1.5f), b(n, 2.25f), sum(n);
    float *device_a, *device_b, *device_sum;
    cudaMalloc(&device_a, n * sizeof(float));
    cudaMalloc(&device_b, n * sizeof(float));
    cudaMalloc(&device_sum, n * sizeof(float));
    cudaMemcpy(device_a, a.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(device_b, b.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    add<<<(n + 255) / 256, 256>>>(device_a, device_b, device_sum, n);
    const cudaError_t error = cudaMemcpy(sum.data(), device_sum, n * sizeof(float), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (float each : sum)
        wrong += each != 3.75f;
    std::printf("%s, %d of %d sums are wrong\n", cudaGetErrorString(error), wrong, n);
    cudaFree(device_a);
    cudaFree(device_b);
    cudaFree(device_sum);
    return error || wrong;
}
