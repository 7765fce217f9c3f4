/**
 * @file arithmetic.cu
 * @brief Arithmetic of each class: 4 independent chains a thread, enough threads to fill the device.
 */
#include "cells.h"

#include <cuda_fp16.h>

#define CHAINS 4

struct fma_float {
    typedef float type;
    static __device__ float step(float v, float w)
    {
        return v * w + 0.5f;
    }
};
struct add_float {
    typedef float type;
    static __device__ float step(float v, float w)
    {
        return v + w;
    }
};
struct divide_float {
    typedef float type;
    static __device__ float step(float v, float w)
    {
        return w / (v + 1.5f);
    }
};
struct root_float {
    typedef float type;
    static __device__ float step(float v, float w)
    {
        return sqrtf(v) + w;
    }
};
struct reciprocal_root_float {
    typedef float type;
    static __device__ float step(float v, float w)
    {
        return rsqrtf(v + w);
    }
};
struct sine_float {
    typedef float type;
    static __device__ float step(float v, float w)
    {
        return sinf(v) + w;
    }
};
struct fast_sine_float {
    typedef float type;
    static __device__ float step(float v, float w)
    {
        return __sinf(v) + w;
    }
};
struct exponential_float {
    typedef float type;
    static __device__ float step(float v, float w)
    {
        return expf(-v) + w;
    }
};
struct fma_double {
    typedef double type;
    static __device__ double step(double v, double w)
    {
        return v * w + 0.5;
    }
};
struct divide_double {
    typedef double type;
    static __device__ double step(double v, double w)
    {
        return w / (v + 1.5);
    }
};
struct add_int {
    typedef int type;
    static __device__ int step(int v, int w)
    {
        return (v + w) ^ 0x55;
    }
};
struct multiply_int {
    typedef int type;
    static __device__ int step(int v, int w)
    {
        return v * w + 7;
    }
};
struct divide_int {
    typedef int type;
    static __device__ int step(int v, int w)
    {
        return (v | 0x40000001) / (w | 3) + v;
    }
};
struct remainder_int {
    typedef unsigned type;
    static __device__ unsigned step(unsigned v, unsigned w)
    {
        return (v | 0x80000001u) % (w | 3u) + v;
    }
};
struct multiply_long {
    typedef long long type;
    static __device__ long long step(long long v, long long w)
    {
        return v * w + 7;
    }
};
struct divide_long {
    typedef long long type;
    static __device__ long long step(long long v, long long w)
    {
        return (v | 0x4000000000000001) / (w | 3) + v;
    }
};
struct count_bits {
    typedef int type;
    static __device__ int step(int v, int w)
    {
        return __popc(v) + w;
    }
};
struct convert {
    typedef float type;
    static __device__ float step(float v, float w)
    {
        return (float)(int)v + w;
    }
};
struct fma_half2 {
    typedef __half2 type;
    static __device__ __half2 step(__half2 v, __half2 w)
    {
        return __hfma2(v, w, w);
    }
};

template <class T> __device__ bool is_rare(T v)
{
    return v == (T)-12345;
}
template <> __device__ bool is_rare(__half2 v)
{
    return __low2float(v) == -12345.0f;
}
template <class T> __device__ T start(int i)
{
    return (T)(i + 1);
}
template <> __device__ __half2 start(int i)
{
    return __floats2half2_rn((float)i, 1.0f);
}

template <class Class> __global__ void chains(int *out, int rounds, int seed)
{
    typename Class::type v[CHAINS], w = start<typename Class::type>(seed);
    for (int k = 0; k < CHAINS; k++)
        v[k] = start<typename Class::type>((int)threadIdx.x + k);
    for (int i = 0; i < rounds; i++)
        for (int k = 0; k < CHAINS; k++)
            v[k] = Class::step(v[k], w);
    for (int k = 0; k < CHAINS; k++)
        if (is_rare(v[k]))
            out[k] = 1;
}

template <class Class> static void one_class(const char *name, int *out, int rounds)
{
    cell(name, [&] { chains<Class><<<132 * 8, 256>>>(out, (int)(rounds / divide) + 1, 2); });
}

void cells_of_arithmetic()
{
    device_array<int> out(1024);
    one_class<fma_float>("arithmetic/fma-float", out, 4096);
    one_class<add_float>("arithmetic/add-float", out, 4096);
    one_class<divide_float>("arithmetic/divide-float", out, 1024);
    one_class<root_float>("arithmetic/root-float", out, 1024);
    one_class<reciprocal_root_float>("arithmetic/reciprocal-root-float", out, 1024);
    one_class<sine_float>("arithmetic/sine-float", out, 1024);
    one_class<fast_sine_float>("arithmetic/fast-sine-float", out, 1024);
    one_class<exponential_float>("arithmetic/exponential-float", out, 1024);
    one_class<fma_double>("arithmetic/fma-double", out, 4096);
    one_class<divide_double>("arithmetic/divide-double", out, 512);
    one_class<add_int>("arithmetic/add-int", out, 4096);
    one_class<multiply_int>("arithmetic/multiply-int", out, 4096);
    one_class<divide_int>("arithmetic/divide-int", out, 512);
    one_class<remainder_int>("arithmetic/remainder-int", out, 512);
    one_class<multiply_long>("arithmetic/multiply-long", out, 2048);
    one_class<divide_long>("arithmetic/divide-long", out, 128);
    one_class<count_bits>("arithmetic/count-bits", out, 2048);
    one_class<convert>("arithmetic/convert", out, 2048);
    one_class<fma_half2>("arithmetic/fma-half2", out, 4096);
}
