/**
 * @file patterns.cu
 * @brief How warps access device memory: strides, offsets, widths, fields of structures, random places.
 */
#include "cells.h"

#define BLOCK 256

__global__ void read_strided(const float *a, float *out, size_t n, size_t stride)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = a[i * stride];
        if (v == -1.0f)
            out[0] = v;
    }
}

__global__ void write_strided(float *a, size_t n, size_t stride)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i * stride] = (float)i;
}

__global__ void copy_offset(const float *a, float *b, size_t n, size_t offset)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        b[i] = a[i + offset];
}

template <class T> __device__ bool is_marked(T v)
{
    return v == (T)77;
}
template <> __device__ bool is_marked(float4 v)
{
    return v.x == 77 && v.w == 78;
}

template <class T> __global__ void read_wide(const T *a, int *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && is_marked(a[i]))
        out[0] = 1;
}

template <class T> __global__ void write_wide(T *a, size_t n, T v)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = v;
}

/* A permutation's place in an array of 2^k: multiplication by an odd number and shifts are invertible. */
__device__ inline unsigned scatter(unsigned i, unsigned mask)
{
    i *= 2654435761u;
    i ^= (i & mask) >> 9;
    i *= 2246822519u;
    i ^= (i & mask) >> 11;
    return i & mask;
}

__global__ void gather_random(const float *a, float *out, unsigned n, unsigned mask)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = a[scatter(i, mask)];
        if (v == -1.0f)
            out[0] = v;
    }
}

__global__ void scatter_random(float *a, unsigned n, unsigned mask)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[scatter(i, mask)] = (float)i;
}

__global__ void update_random(float *a, unsigned n, unsigned mask)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[scatter(i, mask)] += 1.0f;
}

template <int FIELDS> struct record {
    float field[FIELDS];
};

template <int FIELDS> __global__ void one_field_of_structures(const record<FIELDS> *a, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = a[i].field[0];
}

template <int FIELDS> __global__ void all_fields_of_structures(const record<FIELDS> *a, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int f = 0; i < n && f < FIELDS; f++)
        sum += a[i].field[f];
    if (i < n)
        out[i] = sum;
}

template <int FIELDS> __global__ void all_fields_of_arrays(const float *a, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int f = 0; i < n && f < FIELDS; f++)
        sum += a[f * n + i];
    if (i < n)
        out[i] = sum;
}

template <class T> static void widths(const char *read, const char *write, void *memory, size_t bytes, T v)
{
    const size_t n = bytes / sizeof(T);
    device_array<int> out(1);
    cell(read, (long)sizeof(T),
         [&] { read_wide<T><<<blocks_for(n, BLOCK), BLOCK>>>((const T *)memory, out.p, n); });
    cell(write, (long)sizeof(T), [&] { write_wide<T><<<blocks_for(n, BLOCK), BLOCK>>>((T *)memory, n, v); });
}

template <int FIELDS> static void structures(float *memory, float *out, size_t n)
{
    const unsigned blocks = blocks_for(n, BLOCK);
    cell("aos/one-field", FIELDS,
         [&] { one_field_of_structures<FIELDS><<<blocks, BLOCK>>>((const record<FIELDS> *)memory, out, n); });
    cell("aos/all-fields", FIELDS, [&] {
        all_fields_of_structures<FIELDS><<<blocks, BLOCK>>>((const record<FIELDS> *)memory, out, n);
    });
    cell("soa/all-fields", FIELDS, [&] { all_fields_of_arrays<FIELDS><<<blocks, BLOCK>>>(memory, out, n); });
}

void cells_of_patterns()
{
    const size_t all = ((size_t)1 << 28) / divide, most = ((size_t)1 << 22) / divide;
    device_array<float> a(all), b(all / 4);
    static const size_t strides[] = {1,  2,   3,   4,   8,   16,  17,  32,   33,   64,
                                     65, 128, 129, 256, 257, 512, 513, 1024, 1025, 4096};
    for (size_t s : strides) {
        const size_t n = std::min(most, all / s);
        cell("stride/read", (long)s, [&] { read_strided<<<blocks_for(n, BLOCK), BLOCK>>>(a.p, b.p, n, s); });
        cell("stride/write", (long)s, [&] { write_strided<<<blocks_for(n, BLOCK), BLOCK>>>(a.p, n, s); });
    }
    static const size_t offsets[] = {0, 1, 2, 4, 8, 16, 31};
    for (size_t o : offsets)
        cell("offset/copy", (long)o,
             [&] { copy_offset<<<blocks_for(all / 4, BLOCK), BLOCK>>>(a.p, b.p, all / 4, o); });
    widths<char>("width/read", "width/write", a, all, 1);
    widths<short>("width/read", "width/write", a, all, 1);
    widths<float>("width/read", "width/write", a, all, 1);
    widths<double>("width/read", "width/write", a, all, 1);
    widths<float4>("width/read", "width/write", a, all, make_float4(1, 2, 3, 4));
    static const long mib[] = {1, 16, 32, 64, 256, 1024};
    for (long m : mib) {
        const unsigned mask = (unsigned)(((size_t)m << 18) / divide) - 1, n = (unsigned)most;
        cell("random/read", m, [&] { gather_random<<<blocks_for(n, BLOCK), BLOCK>>>(a.p, b.p, n, mask); });
        cell("random/write", m, [&] { scatter_random<<<blocks_for(n, BLOCK), BLOCK>>>(a.p, n, mask); });
        cell("random/update", m, [&] { update_random<<<blocks_for(n, BLOCK), BLOCK>>>(a.p, n, mask); });
    }
    structures<2>(a, b, most);
    structures<4>(a, b, most);
    structures<8>(a, b, most);
    structures<16>(a, b, most);
}
