/**
 * @file launchers.cu
 * @brief See launchers.h.
 */
#include "tests/conformance/launchers.h"

/** A kernel that waits gives up after so many clocks: some ten seconds. A test that is wrong must not hang a
 * card. */
#define UM_WAIT_CLOCKS 20000000000ll

__device__ int conf_device[CONF_COUNT];
__constant__ int conf_constant[CONF_COUNT];
__managed__ int conf_managed[CONF_COUNT];

extern "C" const void *conf_device_symbol(void)
{
    return (const void *)&conf_device;
}

extern "C" const void *conf_constant_symbol(void)
{
    return (const void *)&conf_constant;
}

extern "C" int *conf_managed_variable(void)
{
    return conf_managed;
}

__global__ void conf_empty(void)
{
}

extern "C" cudaError_t conf_launch(dim3 grid, dim3 block, size_t dynamic_shared, cudaStream_t stream)
{
    (void)cudaGetLastError(); /* of an earlier call */
    conf_empty<<<grid, block, dynamic_shared, stream>>>();
    return cudaGetLastError();
}

extern "C" const void *conf_empty_kernel(void)
{
    return (const void *)conf_empty;
}

extern "C" __global__ void conf_add_one(int *x, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        x[i] += 1;
}

__global__ void conf_sum_kernel(int *out)
{
    out[threadIdx.x] = conf_device[threadIdx.x] + conf_constant[threadIdx.x] + conf_managed[threadIdx.x];
}

extern "C" cudaError_t conf_sum_variables(int *out, cudaStream_t stream)
{
    (void)cudaGetLastError(); /* of an earlier call */
    conf_sum_kernel<<<1, CONF_COUNT, 0, stream>>>(out);
    return cudaGetLastError();
}

__global__ void conf_add_kernel(int value)
{
    conf_device[threadIdx.x] += value;
    conf_managed[threadIdx.x] += value;
}

extern "C" cudaError_t conf_add_to_variables(int value, cudaStream_t stream)
{
    (void)cudaGetLastError(); /* of an earlier call */
    conf_add_kernel<<<1, CONF_COUNT, 0, stream>>>(value);
    return cudaGetLastError();
}

__global__ void conf_write_kernel(int *p, int value)
{
    *p = value;
}

extern "C" cudaError_t conf_write(int *p, int value, cudaStream_t stream)
{
    (void)cudaGetLastError(); /* of an earlier call */
    conf_write_kernel<<<1, 1, 0, stream>>>(p, value);
    return cudaGetLastError();
}

__global__ void conf_read_kernel(int *out, const int *p)
{
    *out = *p;
}

extern "C" cudaError_t conf_read(int *out, const int *p, cudaStream_t stream)
{
    (void)cudaGetLastError(); /* of an earlier call */
    conf_read_kernel<<<1, 1, 0, stream>>>(out, p);
    return cudaGetLastError();
}

__global__ void conf_wait_kernel(const volatile int *flag, int *out, int value)
{
#ifdef UMLAB_CUDA /* the simulator stops a kernel by itself (UMSIM_KERNEL_TIMEOUT) */
    const long long start = clock64();
    while (*flag == 0 && clock64() - start < UM_WAIT_CLOCKS) {
    }
#else
    while (*flag == 0) {
    }
#endif
    *out = *flag != 0 ? value : -1;
}

extern "C" cudaError_t conf_wait_for_flag(const volatile int *flag, int *out, int value, cudaStream_t stream)
{
    (void)cudaGetLastError(); /* of an earlier call */
    conf_wait_kernel<<<1, 1, 0, stream>>>(flag, out, value);
    return cudaGetLastError();
}
