/**
 * @file vector_add.cu
 * @brief The library that the article on ctypes should have had: it is given arrays, and says what became of
 * them.
 */
#include <cuda_runtime.h>

__global__ void add(const float *a, const float *b, float *c, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

/** Adds on the device what the device may reach: device, mapped or managed memory. @return CUDA's error */
extern "C" int vector_add(const float *a, const float *b, float *c, int n)
{
    add<<<(n + 255) / 256, 256>>>(a, b, c, n);
    const cudaError_t refused = cudaGetLastError();
    return refused ? refused : cudaDeviceSynchronize();
}

/** The same of arrays of the host's, by copies. @return CUDA's error */
extern "C" int vector_add_of_host(const float *a, const float *b, float *c, int n)
{
    const size_t bytes = (size_t)n * sizeof *a;
    float *device = NULL;
    cudaError_t error = cudaMalloc(&device, 3 * bytes);
    if (!error)
        error = cudaMemcpy(device, a, bytes, cudaMemcpyHostToDevice);
    if (!error)
        error = cudaMemcpy(device + n, b, bytes, cudaMemcpyHostToDevice);
    if (!error)
        error = (cudaError_t)vector_add(device, device + n, device + 2 * n, n);
    if (!error)
        error = cudaMemcpy(c, device + 2 * n, bytes, cudaMemcpyDeviceToHost);
    cudaFree(device);
    return error;
}

extern "C" int allocate(void **p, size_t bytes, int managed)
{
    return managed ? cudaMallocManaged(p, bytes) : cudaMalloc(p, bytes);
}

extern "C" int give_back(void *p)
{
    return cudaFree(p);
}

extern "C" int copy(void *to, const void *from, size_t bytes)
{
    return cudaMemcpy(to, from, bytes, cudaMemcpyDefault);
}

extern "C" const char *name_of(int error)
{
    return cudaGetErrorName((cudaError_t)error);
}
