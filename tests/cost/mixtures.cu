/**
 * @file mixtures.cu
 * @brief Kernels as courses have them: sums, stencils, histograms, gathers through an index.
 */
#include "cells.h"

#define BLOCK 256

__global__ void saxpy(float *y, const float *x, float a, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

__global__ void sum_in_blocks(const float *a, float *out, size_t n)
{
    __shared__ float part[BLOCK];
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < n ? a[i] : 0.0f;
    for (unsigned half = BLOCK / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = part[0];
}

/* The same as beginners write it: lanes far apart, with conflicts. */
__global__ void sum_interleaved(const float *a, float *out, size_t n)
{
    __shared__ float part[BLOCK];
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < n ? a[i] : 0.0f;
    for (unsigned step = 1; step < BLOCK; step *= 2) {
        __syncthreads();
        unsigned at = 2 * step * threadIdx.x;
        if (at < BLOCK)
            part[at] += part[at + step];
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = part[0];
}

__global__ void sum_by_atomics(const float *a, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(out, a[i]);
}

__global__ void stencil(const float *a, float *b, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && y > 0 && x < n - 1 && y < n - 1) {
        size_t i = (size_t)y * n + x;
        b[i] = 0.2f * (a[i] + a[i - 1] + a[i + 1] + a[i - n] + a[i + n]);
    }
}

__global__ void convolve(const float *a, const float *weights, float *b, size_t n, int radius)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < (size_t)radius || i + radius >= n)
        return;
    float sum = 0;
    for (int k = -radius; k <= radius; k++)
        sum += weights[k + radius] * a[i + k];
    b[i] = sum;
}

__global__ void histogram(const unsigned char *a, unsigned *bins, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[a[i]], 1u);
}

__global__ void histogram_shared(const unsigned char *a, unsigned *bins, size_t n)
{
    __shared__ unsigned own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        atomicAdd(&own[a[i]], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

__global__ void fill_bytes(unsigned char *a, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned v = (unsigned)i * 2654435761u;
    if (i < n)
        a[i] = (unsigned char)(v >> 24);
}

__global__ void fill_index(int *index, size_t n, unsigned mask, int shuffled)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned v = (unsigned)i * 2654435761u;
    if (i < n)
        index[i] = (int)((shuffled ? v ^ (v >> 11) : (unsigned)i) & mask);
}

__global__ void gather(const float *a, const int *index, float *b, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        b[i] = a[index[i]];
}

__global__ void escape_time(int *out, int n, int most)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, k = 0;
    float cr = -2.0f + 3.0f * x / n, ci = -1.5f + 3.0f * y / n, r = 0, i = 0;
    while (k < most && r * r + i * i < 4.0f) {
        float next = r * r - i * i + cr;
        i = 2.0f * r * i + ci;
        r = next;
        k++;
    }
    out[(size_t)y * n + x] = k;
}

__global__ void bodies(const float4 *a, float4 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = a[i], sum = make_float4(0, 0, 0, 0);
    for (int k = 0; k < n; k++) {
        float4 it = a[k];
        float x = it.x - me.x, y = it.y - me.y, z = it.z - me.z;
        float near = rsqrtf(x * x + y * y + z * z + 0.01f), weight = it.w * near * near * near;
        sum.x += x * weight;
        sum.y += y * weight;
        sum.z += z * weight;
    }
    out[i] = sum;
}

static void histograms(float *a, float *b, size_t n)
{
    unsigned char *bytes = (unsigned char *)a;
    cell("mixture/histogram-one-value",
         [&] { histogram<<<blocks_for(n, BLOCK), BLOCK>>>((unsigned char *)b + 4096, (unsigned *)b, n); });
    fill_bytes<<<blocks_for(n, BLOCK), BLOCK>>>(bytes, n);
    cell("mixture/histogram", [&] { histogram<<<blocks_for(n, BLOCK), BLOCK>>>(bytes, (unsigned *)b, n); });
    cell("mixture/histogram-shared", [&] { histogram_shared<<<132 * 8, BLOCK>>>(bytes, (unsigned *)b, n); });
}

void cells_of_mixtures()
{
    const size_t n = ((size_t)1 << 25) / divide;
    const unsigned blocks = blocks_for(n, BLOCK);
    device_array<float> a(n), b(n), c(n);
    cell("mixture/saxpy", [&] { saxpy<<<blocks, BLOCK>>>(a.p, b.p, 2.0f, n); });
    cell("mixture/saxpy-small", [&] { saxpy<<<blocks / 64, BLOCK>>>(a.p, b.p, 2.0f, n / 64); });
    cell("mixture/sum-in-blocks", [&] { sum_in_blocks<<<blocks, BLOCK>>>(a.p, b.p, n); });
    cell("mixture/sum-interleaved", [&] { sum_interleaved<<<blocks, BLOCK>>>(a.p, b.p, n); });
    cell("mixture/sum-by-atomics", [&] { sum_by_atomics<<<blocks / 8, BLOCK>>>(a.p, b.p, n / 8); });
    const int side = divide == 1 ? 4096 : 512;
    cell("mixture/stencil", [&] { stencil<<<dim3(side / 32, side / 8), dim3(32, 8)>>>(a.p, b.p, side); });
    static const int radii[] = {1, 4, 16};
    for (int r : radii)
        cell("mixture/convolve", r, [&] { convolve<<<blocks, BLOCK>>>(a.p, c.p, b.p, n, r); });
    histograms(a, b, n);
    for (int shuffled = 0; shuffled < 2; shuffled++) {
        fill_index<<<blocks, BLOCK>>>((int *)c.p, n, (unsigned)n - 1, shuffled);
        cell(shuffled ? "mixture/gather-shuffled" : "mixture/gather-in-order",
             [&] { gather<<<blocks, BLOCK>>>(a.p, (int *)c.p, b.p, n); });
    }
    cell("mixture/escape-time", [&] {
        escape_time<<<dim3(side / 32, side / 8), dim3(32, 8)>>>((int *)a.p, side, divide == 1 ? 256 : 4);
    });
    static const int counts[] = {1024, 8192, 32768};
    for (int k : counts)
        cell("mixture/bodies", (long)(k / divide), [&] {
            bodies<<<blocks_for(k / divide, 128), 128>>>((float4 *)a.p, (float4 *)b.p, (int)(k / divide));
        });
}
