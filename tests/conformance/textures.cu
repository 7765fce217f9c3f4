/**
 * @file textures.cu
 * @brief See textures.h.
 */
#include "tests/conformance/textures.h"

__global__ void conf_fetch_kernel(cudaTextureObject_t texture, int first, float *out)
{
    out[threadIdx.x] = tex1Dfetch<float>(texture, first + (int)threadIdx.x);
}

__global__ void conf_sample_kernel(cudaTextureObject_t texture, float first, float step, float *out)
{
    out[threadIdx.x] = tex1D<float>(texture, first + threadIdx.x * step);
}

__global__ void conf_float4_kernel(cudaTextureObject_t texture, float x, float y, float *out)
{
    const float4 texel = tex2D<float4>(texture, x, y);
    out[0] = texel.x;
    out[1] = texel.y;
    out[2] = texel.z;
    out[3] = texel.w;
}

__global__ void conf_uint4_kernel(cudaTextureObject_t texture, float x, float y, unsigned *out)
{
    const uint4 texel = tex2D<uint4>(texture, x, y);
    out[0] = texel.x;
    out[1] = texel.y;
    out[2] = texel.z;
    out[3] = texel.w;
}

__global__ void conf_surface_kernel(cudaSurfaceObject_t surface, int x, int y, int value,
                                    cudaSurfaceBoundaryMode mode)
{
    if (mode == cudaBoundaryModeZero) /* the mode is a constant to the compiler */
        surf2Dwrite(value, surface, x, y, cudaBoundaryModeZero);
    else if (mode == cudaBoundaryModeClamp)
        surf2Dwrite(value, surface, x, y, cudaBoundaryModeClamp);
    else
        surf2Dwrite(value, surface, x, y, cudaBoundaryModeTrap);
}

template <class T>
__global__ void conf_surface_read_kernel(cudaSurfaceObject_t surface, int first, int y,
                                         cudaSurfaceBoundaryMode mode, float *out)
{
    const int x = first + (int)(threadIdx.x * sizeof(T));
    T value;
    if (mode == cudaBoundaryModeZero)
        surf2Dread(&value, surface, x, y, cudaBoundaryModeZero);
    else
        surf2Dread(&value, surface, x, y, cudaBoundaryModeClamp);
    out[threadIdx.x] = *(const float *)&value;
}

static cudaError_t after_launch()
{
    const cudaError_t error = cudaGetLastError();
    return error ? error : cudaDeviceSynchronize();
}

extern "C" cudaError_t conf_fetch(cudaTextureObject_t texture, int first, float *out)
{
    conf_fetch_kernel<<<1, 4>>>(texture, first, out);
    return after_launch();
}

extern "C" cudaError_t conf_sample(cudaTextureObject_t texture, float first, float step, int n, float *out)
{
    conf_sample_kernel<<<1, n>>>(texture, first, step, out);
    return after_launch();
}

extern "C" cudaError_t conf_read_float4(cudaTextureObject_t texture, float x, float y, float *out)
{
    conf_float4_kernel<<<1, 1>>>(texture, x, y, out);
    return after_launch();
}

extern "C" cudaError_t conf_read_uint4(cudaTextureObject_t texture, float x, float y, unsigned *out)
{
    conf_uint4_kernel<<<1, 1>>>(texture, x, y, out);
    return after_launch();
}

extern "C" cudaError_t conf_surface_write(cudaSurfaceObject_t surface, int x, int y, int value,
                                          enum cudaSurfaceBoundaryMode mode)
{
    conf_surface_kernel<<<1, 1>>>(surface, x, y, value, mode);
    return after_launch();
}

extern "C" cudaError_t conf_surface_read4(cudaSurfaceObject_t surface, int first, int y, int n,
                                          enum cudaSurfaceBoundaryMode mode, float *out)
{
    conf_surface_read_kernel<float4><<<1, n>>>(surface, first, y, mode, out);
    return after_launch();
}

extern "C" cudaError_t conf_surface_read(cudaSurfaceObject_t surface, int first, int y, int n,
                                         enum cudaSurfaceBoundaryMode mode, float *out)
{
    conf_surface_read_kernel<float><<<1, n>>>(surface, first, y, mode, out);
    return after_launch();
}
