/**
 * @file kernels.cu
 * @brief See kernels.h.
 */
#include "tests/claims/kernels.h"

static void begin(void)
{
    (void)cudaGetLastError();
}

__global__ void tell_kernel(uintptr_t *seen, const void *p)
{
    *seen = (uintptr_t)p;
}

extern "C" cudaError_t claims_tell_address(uintptr_t *seen, const void *p, cudaStream_t stream)
{
    begin();
    tell_kernel<<<1, 1, 0, stream>>>(seen, p);
    return cudaGetLastError();
}

__global__ void add_one_kernel(float *x)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    x[i] += 1.0f;
}

extern "C" cudaError_t claims_add_one(float *x, unsigned blocks, unsigned threads)
{
    begin();
    add_one_kernel<<<blocks, threads>>>(x);
    return cudaGetLastError();
}

__global__ void add_kernel(float *z, const float *x, const float *y, int n)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);

    if (i < n)
        z[i] = x[i] + y[i];
}

extern "C" cudaError_t claims_add(float *z, const float *x, const float *y, int n, unsigned blocks,
                                  unsigned threads)
{
    begin();
    add_kernel<<<blocks, threads>>>(z, x, y, n);
    return cudaGetLastError();
}

__global__ void copy_kernel(float *out, const float *in, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        out[i] = in[i];
}

extern "C" cudaError_t claims_copy(float *out, const float *in, size_t n, unsigned threads)
{
    begin();
    copy_kernel<<<(unsigned)((n + threads - 1) / threads), threads>>>(out, in, n);
    return cudaGetLastError();
}

__global__ void records_kernel(float *out, const struct claims_xyz *records, int n)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);

    if (i < n)
        out[i] = records[i].x + records[i].y + records[i].z;
}

extern "C" cudaError_t claims_sum_records(float *out, const struct claims_xyz *records, int n)
{
    begin();
    records_kernel<<<(unsigned)(n + 255) / 256, 256>>>(out, records, n);
    return cudaGetLastError();
}

__global__ void read_kernel(float *out, const float *p)
{
    *out = *p;
}

extern "C" cudaError_t claims_read(float *out, const float *p)
{
    begin();
    read_kernel<<<1, 1>>>(out, p);
    return cudaGetLastError();
}

__global__ void increment_kernel(int *p)
{
    *p += 1;
}

extern "C" cudaError_t claims_increment(int *p)
{
    begin();
    increment_kernel<<<1, 1>>>(p);
    return cudaGetLastError();
}
