/**
 * @file umsim/texture.h
 * @brief Texture functions and surface functions of device code. Included by umsim/device.h.
 *
 * Each comes in two forms, as in CUDA: `tex2D<float>(texture, x, y)` returns what it reads, `tex2D(&value,
 * texture, x, y)` writes it. T is a signed or unsigned char, short or int, or float, or a vector of 1, 2 or 4
 * of these: what the texture's elements are, or float where they are read as such. Textures have one level,
 * so those with a level or gradients read that; those that ask whether memory is there are told so.
 * Coordinates of surfaces are elements, but for x: bytes.
 *
 * Cubemaps are not provided.
 */
#ifndef UMSIM_TEXTURE_H
#define UMSIM_TEXTURE_H

#include "surface_types.h"
#include "texture_types.h"
#include "umsim/texture_abi.h"

/** @cond internal */
namespace umsim
{

/* A register of a fetch as one channel. */
template <class C> inline C channel(unsigned bits)
{
    return (C)bits;
}
template <> inline float channel<float>(unsigned bits)
{
    return __builtin_bit_cast(float, bits);
}

/* What textures can be read as: has `of`, which makes it of registers. Others have no `nothing`, which is
 * void. */
template <class T> struct texel {
};
template <class C> struct texel_of_one {
    typedef void nothing;
    static C of(const unsigned *bits)
    {
        return channel<C>(bits[0]);
    }
};
template <class V, class C> struct texel_of_1 {
    typedef void nothing;
    static V of(const unsigned *bits)
    {
        return V{channel<C>(bits[0])};
    }
};
template <class V, class C> struct texel_of_2 {
    typedef void nothing;
    static V of(const unsigned *bits)
    {
        return V{channel<C>(bits[0]), channel<C>(bits[1])};
    }
};
template <class V, class C> struct texel_of_4 {
    typedef void nothing;
    static V of(const unsigned *bits)
    {
        return V{channel<C>(bits[0]), channel<C>(bits[1]), channel<C>(bits[2]), channel<C>(bits[3])};
    }
};
#define UMSIM_TEXEL(C, name)                                                                                 \
    template <> struct texel<C> : texel_of_one<C> {                                                          \
    };                                                                                                       \
    template <> struct texel<name##1> : texel_of_1<name##1, C> {                                             \
    };                                                                                                       \
    template <> struct texel<name##2> : texel_of_2<name##2, C> {                                             \
    };                                                                                                       \
    template <> struct texel<name##4> : texel_of_4<name##4, C> {                                             \
    };
template <> struct texel<char> : texel_of_one<char> {
};
UMSIM_TEXEL(signed char, char)
UMSIM_TEXEL(unsigned char, uchar)
UMSIM_TEXEL(short, short)
UMSIM_TEXEL(unsigned short, ushort)
UMSIM_TEXEL(int, int)
UMSIM_TEXEL(unsigned int, uint)
UMSIM_TEXEL(float, float)
#undef UMSIM_TEXEL

/* What surfaces hold: that, and 64 bits. */
template <class T> struct surfel : texel<T> {
};
#define UMSIM_SURFEL(T)                                                                                      \
    template <> struct surfel<T> {                                                                           \
        typedef void nothing;                                                                                \
    };
UMSIM_SURFEL(long long)
UMSIM_SURFEL(unsigned long long)
UMSIM_SURFEL(longlong1)
UMSIM_SURFEL(ulonglong1)
UMSIM_SURFEL(longlong2)
UMSIM_SURFEL(ulonglong2)
#undef UMSIM_SURFEL

template <class T> using is_texel = typename texel<T>::nothing;
template <class T> using is_surfel = typename surfel<T>::nothing;

template <class T> inline T fetched(cudaTextureObject_t texture, int x)
{
    unsigned bits[4];
    umsim_tex_fetch(texture, x, bits);
    return texel<T>::of(bits);
}
template <class T>
inline T sampled(cudaTextureObject_t texture, int dimensions, float x, float y = 0, float z = 0,
                 int layer = 0)
{
    unsigned bits[4];
    umsim_tex_sample(texture, dimensions, x, y, z, layer, bits);
    return texel<T>::of(bits);
}
template <class T> inline T gathered(cudaTextureObject_t texture, float x, float y, int component)
{
    unsigned bits[4];
    umsim_tex_gather(texture, x, y, component, bits);
    return texel<T>::of(bits);
}

} // namespace umsim

/* Both forms of a function: its parameters with their types, the same without, and what it reads. */
#define UMSIM_TEXTURE_FUNCTION(name, parameters, read)                                                       \
    template <class T>                                                                                       \
    inline umsim::is_texel<T> name(T *ptr, cudaTextureObject_t obj, UMSIM_LIST parameters)                   \
    {                                                                                                        \
        *ptr = umsim::read;                                                                                  \
    }                                                                                                        \
    template <class T> inline T name(cudaTextureObject_t obj, UMSIM_LIST parameters)                         \
    {                                                                                                        \
        return umsim::read;                                                                                  \
    }
#define UMSIM_LIST(...) __VA_ARGS__
/* ... and those that ask whether the memory is there. */
#define UMSIM_SPARSE_FUNCTION(name, parameters, read)                                                        \
    UMSIM_TEXTURE_FUNCTION(name, parameters, read)                                                           \
    template <class T>                                                                                       \
    inline umsim::is_texel<T> name(T *ptr, cudaTextureObject_t obj, UMSIM_LIST parameters, bool *isResident) \
    {                                                                                                        \
        *isResident = true;                                                                                  \
        *ptr = umsim::read;                                                                                  \
    }                                                                                                        \
    template <class T> inline T name(cudaTextureObject_t obj, UMSIM_LIST parameters, bool *isResident)       \
    {                                                                                                        \
        *isResident = true;                                                                                  \
        return umsim::read;                                                                                  \
    }
/** @endcond */

/** @name Textures
 * @{ */
UMSIM_TEXTURE_FUNCTION(tex1Dfetch, (int x), fetched<T>(obj, x))
UMSIM_TEXTURE_FUNCTION(tex1D, (float x), sampled<T>(obj, 1, x))
UMSIM_SPARSE_FUNCTION(tex2D, (float x, float y), sampled<T>(obj, 2, x, y))
UMSIM_SPARSE_FUNCTION(tex3D, (float x, float y, float z), sampled<T>(obj, 3, x, y, z))
UMSIM_TEXTURE_FUNCTION(tex1DLayered, (float x, int layer), sampled<T>(obj, 1, x, 0, 0, layer))
UMSIM_SPARSE_FUNCTION(tex2DLayered, (float x, float y, int layer), sampled<T>(obj, 2, x, y, 0, layer))
UMSIM_TEXTURE_FUNCTION(tex1DLod, (float x, float), sampled<T>(obj, 1, x))
UMSIM_SPARSE_FUNCTION(tex2DLod, (float x, float y, float), sampled<T>(obj, 2, x, y))
UMSIM_SPARSE_FUNCTION(tex3DLod, (float x, float y, float z, float), sampled<T>(obj, 3, x, y, z))
UMSIM_TEXTURE_FUNCTION(tex1DLayeredLod, (float x, int layer, float), sampled<T>(obj, 1, x, 0, 0, layer))
UMSIM_SPARSE_FUNCTION(tex2DLayeredLod, (float x, float y, int layer, float),
                      sampled<T>(obj, 2, x, y, 0, layer))
UMSIM_TEXTURE_FUNCTION(tex1DGrad, (float x, float, float), sampled<T>(obj, 1, x))
UMSIM_SPARSE_FUNCTION(tex2DGrad, (float x, float y, float2, float2), sampled<T>(obj, 2, x, y))
UMSIM_SPARSE_FUNCTION(tex3DGrad, (float x, float y, float z, float4, float4), sampled<T>(obj, 3, x, y, z))
UMSIM_TEXTURE_FUNCTION(tex1DLayeredGrad, (float x, int layer, float, float),
                       sampled<T>(obj, 1, x, 0, 0, layer))
UMSIM_SPARSE_FUNCTION(tex2DLayeredGrad, (float x, float y, int layer, float2, float2),
                      sampled<T>(obj, 2, x, y, 0, layer))

/** Channel `comp` of the four elements around a place: those at (0,1), (1,1), (1,0), (0,0) of the square they
 * make. The array has cudaArrayTextureGather. */
template <class T>
inline umsim::is_texel<T> tex2Dgather(T *ptr, cudaTextureObject_t obj, float x, float y, int comp = 0)
{
    *ptr = umsim::gathered<T>(obj, x, y, comp);
}
/** The same, returned. */
template <class T> inline T tex2Dgather(cudaTextureObject_t obj, float x, float y, int comp = 0)
{
    return umsim::gathered<T>(obj, x, y, comp);
}
/** The same; all memory is there. */
template <class T>
inline umsim::is_texel<T> tex2Dgather(T *ptr, cudaTextureObject_t obj, float x, float y, bool *isResident,
                                      int comp = 0)
{
    *isResident = true;
    *ptr = umsim::gathered<T>(obj, x, y, comp);
}
/** The same, returned. */
template <class T>
inline T tex2Dgather(cudaTextureObject_t obj, float x, float y, bool *isResident, int comp = 0)
{
    *isResident = true;
    return umsim::gathered<T>(obj, x, y, comp);
}
/** @} */

/** @cond internal */
/* The three forms of a surface's function: its parameters, and the place that they name. */
#define UMSIM_SURFACE_FUNCTIONS(kind, parameters, x, y, z)                                                   \
    template <class T>                                                                                       \
    inline umsim::is_surfel<T> kind##read(T *ptr, cudaSurfaceObject_t obj, UMSIM_LIST parameters,            \
                                          cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)               \
    {                                                                                                        \
        umsim_surf_read(obj, x, y, z, mode, ptr, sizeof *ptr);                                               \
    }                                                                                                        \
    template <class T>                                                                                       \
    inline T kind##read(cudaSurfaceObject_t obj, UMSIM_LIST parameters,                                      \
                        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                                 \
    {                                                                                                        \
        static_assert(sizeof(umsim::is_surfel<T> *) != 0, "");                                               \
        T value;                                                                                             \
        umsim_surf_read(obj, x, y, z, mode, &value, sizeof value);                                           \
        return value;                                                                                        \
    }                                                                                                        \
    template <class T>                                                                                       \
    inline umsim::is_surfel<T> kind##write(T val, cudaSurfaceObject_t obj, UMSIM_LIST parameters,            \
                                           cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)              \
    {                                                                                                        \
        umsim_surf_write(obj, x, y, z, mode, &val, sizeof val);                                              \
    }
/** @endcond */

/** @name Surfaces
 * Reads and writes of bytes, by threads in no order: x counts bytes. @{ */
UMSIM_SURFACE_FUNCTIONS(surf1D, (int x), x, 0, 0)
UMSIM_SURFACE_FUNCTIONS(surf2D, (int x, int y), x, y, 0)
UMSIM_SURFACE_FUNCTIONS(surf3D, (int x, int y, int z), x, y, z)
UMSIM_SURFACE_FUNCTIONS(surf1DLayered, (int x, int layer), x, 0, layer)
UMSIM_SURFACE_FUNCTIONS(surf2DLayered, (int x, int y, int layer), x, y, layer)
/** @} */

#undef UMSIM_TEXTURE_FUNCTION
#undef UMSIM_SPARSE_FUNCTION
#undef UMSIM_SURFACE_FUNCTIONS
#undef UMSIM_LIST

#endif
