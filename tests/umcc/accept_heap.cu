/*
 * malloc, free, new and delete in kernels: pointers live from kernel to kernel, blocks allocate side by side,
 * what is freed comes back, what is too much is NULL, and CUDA's host functions refuse such pointers.
 */
#include "check.h"
#include <cstdlib>
#include <cstring>
#include <vector>

__global__ void allocate(int **p, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    p[i] = (int *)malloc(count * sizeof(int));
    for (int k = 0; p[i] && k < count; k++)
        p[i][k] = i + k;
}
__global__ void sum_up(int **p, int count, int *sum)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < count; k++)
        atomicAdd(sum, p[i][k] - i);
}
__global__ void release(int **p)
{
    free(p[blockIdx.x * blockDim.x + threadIdx.x]);
}

struct shape {
    __device__ virtual float area() const = 0;
    __device__ virtual ~shape()
    {
    }
};
__device__ int destroyed;
struct square : shape {
    float side;
    __device__ explicit square(float s) : side(s)
    {
    }
    __device__ float area() const override
    {
        return side * side;
    }
    __device__ ~square() override
    {
        destroyed++;
    }
};
struct __align__(64) wide
{
    int value = 7;
};
__global__ void make_shapes(shape **p)
{
    p[threadIdx.x] = new square(threadIdx.x);
}
__global__ void use_shapes(shape **p, float *areas)
{
    areas[threadIdx.x] = p[threadIdx.x]->area();
    delete p[threadIdx.x];
}
__global__ void arrays(int *result)
{
    wide *aligned = new wide;
    int *zeros = new int[100]();
    square *two = new square[2]{square(1), square(2)};
    result[0] = (size_t)aligned % 64 == 0 && aligned->value == 7;
    result[1] = zeros[99] == 0 && two[1].area() == 4;
    result[2] = (size_t)zeros % 16 == 0;
    delete aligned;
    delete[] zeros;
    delete[] two;
}
__global__ void until_it_is_full(int *count, size_t bytes)
{
    int n = 0;
    for (char *list = nullptr, *next; (next = new char[bytes]) != nullptr; list = next, n++)
        *(char **)next = list;
    count[0] = n;
    count[1] = malloc(0) == nullptr;
}
__global__ void frees_what_is_not_its_own(int *p)
{
    free(p);
}
struct arena {
    int freed;
    __device__ void free(int)
    {
        freed++;
    }
    __device__ int twice(void *p)
    {
        free(1);
        ::free(p);
        free(2);
        return freed;
    }
};
__global__ void own_names(int *p)
{
    int *q = (int *)malloc(4);
    void *other = malloc(4);
    arena a{0};
    float time(2);
    p[0] = a.twice(other) + (int)time;
    free(q);
}
__host__ __device__ size_t length_of_copy(const char *text)
{
    char *copy = (char *)malloc(strlen(text) + 1);
    memcpy(copy, text, strlen(text) + 1);
    const size_t length = strlen(copy);
    free(copy);
    return length;
}
__global__ void measure(int *p)
{
    *p = (int)length_of_copy("five!");
}

static void host_functions_refuse(int *p)
{
    int value = 0;
    CHECK(cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
    CHECK(cudaFree(p) == cudaErrorInvalidValue);
    CHECK(cudaMemset(p, 0, 4) == cudaErrorInvalidValue);
    (void)cudaGetLastError();
}

int main()
{
    const int blocks = 64, threads = 128, count = 8;
    int **p = make_managed<int *>(blocks * threads), *result = make_managed<int>(8);
    size_t bytes = 0;
    CHECK(cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize) == cudaSuccess && bytes == 8 << 20);
    CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20) == cudaSuccess);
    for (int repeat = 0; repeat < 40;
         repeat++) { /* 40 * 256 KiB: more than there is, if it did not come back */
        allocate<<<blocks, threads>>>(p, count);
        sum_up<<<blocks, threads>>>(p, count, result);
        if (repeat == 0) {
            SYNC();
            CHECK(result[0] == blocks * threads * count * (count - 1) / 2);
            host_functions_refuse(p[5]);
        }
        release<<<blocks, threads>>>(p);
    }
    allocate<<<blocks, threads>>>(p, 1 << 10); /* 32 MiB of 16 */
    SYNC();
    int there = 0;
    for (int i = 0; i < blocks * threads; i++)
        there += p[i] != nullptr;
    CHECK(there == 4096);
    release<<<blocks, threads>>>(p);
    CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 << 20) == cudaErrorInvalidValue);

    float *areas = make_managed<float>(32);
    make_shapes<<<1, 32>>>((shape **)p);
    use_shapes<<<1, 32>>>((shape **)p, areas);
    SYNC();
    int gone = 0;
    CHECK(cudaMemcpyFromSymbol(&gone, destroyed, sizeof gone) == cudaSuccess);
    CHECK(areas[31] == 31 * 31 && gone == 32);
    arrays<<<1, 1>>>(result);
    SYNC();
    CHECK(result[0] && result[1] && result[2]);
    until_it_is_full<<<1, 1>>>(result, 1 << 20);
    SYNC();
    CHECK(result[0] == 16 && result[1]);
    CHECK(cudaDeviceReset() == cudaSuccess); /* all of it is gone */
    result = make_managed<int>(8);
    until_it_is_full<<<1, 1>>>(result, 1 << 20);
    SYNC();
    CHECK(result[0] == 8);
    CHECK(cudaDeviceReset() == cudaSuccess);
    result = make_managed<int>(8);
    measure<<<1, 1>>>(result);
    SYNC();
    CHECK(*result == 5 && length_of_copy("three") == 5);
    own_names<<<1, 1>>>(result);
    SYNC();
    CHECK(*result == 4);
    std::vector<int> on_host(1000, 3);
    CHECK(on_host[999] == 3);
    frees_what_is_not_its_own<<<1, 1>>>(result);
    CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
    return finish();
}
