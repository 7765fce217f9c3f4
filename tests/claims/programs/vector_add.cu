/**
 * @file vector_add.cu
 * @brief A vector addition as a library: once as a main() that keeps its arrays to itself, once as a function
 * that is given them. tests/claims/frameworks.py loads it by ctypes.
 */
#include <stdio.h>
#include <stdlib.h>

#include <cuda_runtime.h>

static const int N = 1024;

__global__ void vector_add_kernel(float *c, const float *a, const float *b, int n)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);

    if (i < n)
        c[i] = a[i] + b[i];
}

/** c = a + b, all three in the host's memory: copies in, launch, copy out. Returns CUDA's error, 0 for
 * success. */
extern "C" int vector_add(float *c, const float *a, const float *b, int n)
{
    const size_t bytes = (size_t)n * sizeof *c;
    float *d_a = NULL, *d_b = NULL, *d_c = NULL;
    cudaError_t error = cudaMalloc((void **)&d_a, bytes);

    if (error == cudaSuccess)
        error = cudaMalloc((void **)&d_b, bytes);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&d_c, bytes);
    if (error == cudaSuccess)
        error = cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice);
    if (error == cudaSuccess)
        error = cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice);
    if (error == cudaSuccess) {
        vector_add_kernel<<<(unsigned)(n + 255) / 256, 256>>>(d_c, d_a, d_b, n);
        error = cudaGetLastError();
    }
    if (error == cudaSuccess)
        error = cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
    return (int)error;
}

/** x[i] += 1 where the device finds it: no copies. Waits. Returns CUDA's error. */
__global__ void add_one_kernel(float *x, int n)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);

    if (i < n)
        x[i] += 1.0f;
}

extern "C" int add_one_in_place(float *x, int n)
{
    add_one_kernel<<<(unsigned)(n + 255) / 256, 256>>>(x, n);
    return (int)cudaDeviceSynchronize();
}

int main()
{
    float *a = (float *)malloc(sizeof(float) * N), *b = (float *)malloc(sizeof(float) * N);
    float *c = (float *)malloc(sizeof(float) * N);
    int wrong = 0;

    for (int i = 0; i < N; i++) {
        a[i] = (float)i;
        b[i] = (float)(2 * i);
    }
    if (vector_add(c, a, b, N) != 0)
        return 1;
    for (int i = 0; i < N; i++)
        wrong += c[i] != (float)(3 * i);
    free(a);
    free(b);
    free(c);
    return wrong != 0;
}
