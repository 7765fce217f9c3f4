/**
 * @file umsim/texture.h
 * @brief Texture functions and surface functions of device code. Included by umsim/device.h.
 *
 * Each comes in two forms, as in CUDA: `tex2D<float>(texture, x, y)` returns the value, `tex2D(&value,
 * texture, x, y)` stores it. T is a signed or unsigned char, short or int, or float, or a vector of 1, 2 or
 * 4 of these: the type of the texture's elements, or float where they are read as such. Textures have one
 * level, so functions with a level or gradients read that one. Functions that ask whether memory is
 * resident always answer yes. Coordinates of surfaces count elements, except x, which counts bytes. Those of
 * cubemaps are a direction.
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
template <class _Cp> inline _Cp channel(unsigned __bits)
{
    return (_Cp)__bits;
}
template <> inline float channel<float>(unsigned __bits)
{
    return __builtin_bit_cast(float, __bits);
}

/* The types that textures can be read as: these have `of`, which makes the value from registers. Other types
 * have no `nothing`, which is void. */
template <class _Tp> struct texel {
};
template <class _Cp> struct texel_of_one {
    typedef void nothing;
    static _Cp of(const unsigned *__bits)
    {
        return channel<_Cp>(__bits[0]);
    }
};
template <class _Vp, class _Cp> struct texel_of_1 {
    typedef void nothing;
    static _Vp of(const unsigned *__bits)
    {
        return _Vp{channel<_Cp>(__bits[0])};
    }
};
template <class _Vp, class _Cp> struct texel_of_2 {
    typedef void nothing;
    static _Vp of(const unsigned *__bits)
    {
        return _Vp{channel<_Cp>(__bits[0]), channel<_Cp>(__bits[1])};
    }
};
template <class _Vp, class _Cp> struct texel_of_4 {
    typedef void nothing;
    static _Vp of(const unsigned *__bits)
    {
        return _Vp{channel<_Cp>(__bits[0]), channel<_Cp>(__bits[1]), channel<_Cp>(__bits[2]),
                   channel<_Cp>(__bits[3])};
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

/* The types that surfaces hold: the same, and 64-bit ones. */
template <class _Tp> struct surfel : texel<_Tp> {
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

template <class _Tp> using is_texel = typename texel<_Tp>::nothing;
template <class _Tp> using is_surfel = typename surfel<_Tp>::nothing;

template <class _Tp> inline _Tp fetched(cudaTextureObject_t __texture, int __x)
{
    unsigned __bits[4];
    umsim_tex_fetch(__texture, __x, __bits);
    return texel<_Tp>::of(__bits);
}
template <class _Tp>
inline _Tp sampled(cudaTextureObject_t __texture, int __dimensions, float __x, float __y = 0, float __z = 0,
                   int __layer = 0)
{
    unsigned __bits[4];
    umsim_tex_sample(__texture, __dimensions, __x, __y, __z, __layer, __bits);
    return texel<_Tp>::of(__bits);
}
template <class _Tp>
inline _Tp on_cube(cudaTextureObject_t __texture, float __x, float __y, float __z, int __layer = 0)
{
    unsigned __bits[4];
    umsim_tex_cube(__texture, __x, __y, __z, __layer, __bits);
    return texel<_Tp>::of(__bits);
}
template <class _Tp> inline _Tp gathered(cudaTextureObject_t __texture, float __x, float __y, int __component)
{
    unsigned __bits[4];
    umsim_tex_gather(__texture, __x, __y, __component, __bits);
    return texel<_Tp>::of(__bits);
}

} // namespace umsim

/* Both forms of a function: its parameters with their types, the same without, and what it reads. */
#define UMSIM_TEXTURE_FUNCTION(name, parameters, read)                                                       \
    template <class _Tp>                                                                                     \
    inline umsim::is_texel<_Tp> name(_Tp *__ptr, cudaTextureObject_t __obj, UMSIM_LIST parameters)           \
    {                                                                                                        \
        *__ptr = umsim::read;                                                                                \
    }                                                                                                        \
    template <class _Tp> inline _Tp name(cudaTextureObject_t __obj, UMSIM_LIST parameters)                   \
    {                                                                                                        \
        return umsim::read;                                                                                  \
    }
#define UMSIM_LIST(...) __VA_ARGS__
/* The same for functions that ask whether the memory is resident. */
#define UMSIM_SPARSE_FUNCTION(name, parameters, read)                                                        \
    UMSIM_TEXTURE_FUNCTION(name, parameters, read)                                                           \
    template <class _Tp>                                                                                     \
    inline umsim::is_texel<_Tp> name(_Tp *__ptr, cudaTextureObject_t __obj, UMSIM_LIST parameters,           \
                                     bool *__isResident)                                                     \
    {                                                                                                        \
        *__isResident = true;                                                                                \
        *__ptr = umsim::read;                                                                                \
    }                                                                                                        \
    template <class _Tp>                                                                                     \
    inline _Tp name(cudaTextureObject_t __obj, UMSIM_LIST parameters, bool *__isResident)                    \
    {                                                                                                        \
        *__isResident = true;                                                                                \
        return umsim::read;                                                                                  \
    }
/** @endcond */

/** @name Textures
 * @{ */
UMSIM_TEXTURE_FUNCTION(tex1Dfetch, (int __x), fetched<_Tp>(__obj, __x))
UMSIM_TEXTURE_FUNCTION(tex1D, (float __x), sampled<_Tp>(__obj, 1, __x))
UMSIM_SPARSE_FUNCTION(tex2D, (float __x, float __y), sampled<_Tp>(__obj, 2, __x, __y))
UMSIM_SPARSE_FUNCTION(tex3D, (float __x, float __y, float __z), sampled<_Tp>(__obj, 3, __x, __y, __z))
UMSIM_TEXTURE_FUNCTION(tex1DLayered, (float __x, int __layer), sampled<_Tp>(__obj, 1, __x, 0, 0, __layer))
UMSIM_SPARSE_FUNCTION(tex2DLayered, (float __x, float __y, int __layer),
                      sampled<_Tp>(__obj, 2, __x, __y, 0, __layer))
UMSIM_TEXTURE_FUNCTION(tex1DLod, (float __x, float), sampled<_Tp>(__obj, 1, __x))
UMSIM_SPARSE_FUNCTION(tex2DLod, (float __x, float __y, float), sampled<_Tp>(__obj, 2, __x, __y))
UMSIM_SPARSE_FUNCTION(tex3DLod, (float __x, float __y, float __z, float),
                      sampled<_Tp>(__obj, 3, __x, __y, __z))
UMSIM_TEXTURE_FUNCTION(tex1DLayeredLod, (float __x, int __layer, float),
                       sampled<_Tp>(__obj, 1, __x, 0, 0, __layer))
UMSIM_SPARSE_FUNCTION(tex2DLayeredLod, (float __x, float __y, int __layer, float),
                      sampled<_Tp>(__obj, 2, __x, __y, 0, __layer))
UMSIM_TEXTURE_FUNCTION(tex1DGrad, (float __x, float, float), sampled<_Tp>(__obj, 1, __x))
UMSIM_SPARSE_FUNCTION(tex2DGrad, (float __x, float __y, float2, float2), sampled<_Tp>(__obj, 2, __x, __y))
UMSIM_SPARSE_FUNCTION(tex3DGrad, (float __x, float __y, float __z, float4, float4),
                      sampled<_Tp>(__obj, 3, __x, __y, __z))
UMSIM_TEXTURE_FUNCTION(tex1DLayeredGrad, (float __x, int __layer, float, float),
                       sampled<_Tp>(__obj, 1, __x, 0, 0, __layer))
UMSIM_SPARSE_FUNCTION(tex2DLayeredGrad, (float __x, float __y, int __layer, float2, float2),
                      sampled<_Tp>(__obj, 2, __x, __y, 0, __layer))
UMSIM_TEXTURE_FUNCTION(texCubemap, (float __x, float __y, float __z), on_cube<_Tp>(__obj, __x, __y, __z))
UMSIM_TEXTURE_FUNCTION(texCubemapLod, (float __x, float __y, float __z, float),
                       on_cube<_Tp>(__obj, __x, __y, __z))
UMSIM_TEXTURE_FUNCTION(texCubemapGrad, (float __x, float __y, float __z, float4, float4),
                       on_cube<_Tp>(__obj, __x, __y, __z))
UMSIM_TEXTURE_FUNCTION(texCubemapLayered, (float __x, float __y, float __z, int __layer),
                       on_cube<_Tp>(__obj, __x, __y, __z, __layer))
UMSIM_TEXTURE_FUNCTION(texCubemapLayeredLod, (float __x, float __y, float __z, int __layer, float),
                       on_cube<_Tp>(__obj, __x, __y, __z, __layer))
UMSIM_TEXTURE_FUNCTION(texCubemapLayeredGrad, (float __x, float __y, float __z, int __layer, float4, float4),
                       on_cube<_Tp>(__obj, __x, __y, __z, __layer))

/** Channel `__comp` of the four elements around a position: those at (0,1), (1,1), (1,0), (0,0) of the square
 * that they form. The array needs cudaArrayTextureGather. */
template <class _Tp>
inline umsim::is_texel<_Tp> tex2Dgather(_Tp *__ptr, cudaTextureObject_t __obj, float __x, float __y,
                                        int __comp = 0)
{
    *__ptr = umsim::gathered<_Tp>(__obj, __x, __y, __comp);
}
/** The same, returned. */
template <class _Tp> inline _Tp tex2Dgather(cudaTextureObject_t __obj, float __x, float __y, int __comp = 0)
{
    return umsim::gathered<_Tp>(__obj, __x, __y, __comp);
}
/** The same; all memory is resident. */
template <class _Tp>
inline umsim::is_texel<_Tp> tex2Dgather(_Tp *__ptr, cudaTextureObject_t __obj, float __x, float __y,
                                        bool *__isResident, int __comp = 0)
{
    *__isResident = true;
    *__ptr = umsim::gathered<_Tp>(__obj, __x, __y, __comp);
}
/** The same, returned. */
template <class _Tp>
inline _Tp tex2Dgather(cudaTextureObject_t __obj, float __x, float __y, bool *__isResident, int __comp = 0)
{
    *__isResident = true;
    return umsim::gathered<_Tp>(__obj, __x, __y, __comp);
}
/** @} */

/** @cond internal */
/* The three forms of a surface function: its parameters, and the position that they give. */
#define UMSIM_SURFACE_FUNCTIONS(kind, parameters, x, y, z)                                                   \
    template <class _Tp>                                                                                     \
    inline umsim::is_surfel<_Tp> kind##read(_Tp *__ptr, cudaSurfaceObject_t __obj, UMSIM_LIST parameters,    \
                                            cudaSurfaceBoundaryMode __mode = cudaBoundaryModeTrap)           \
    {                                                                                                        \
        umsim_surf_read(__obj, x, y, z, __mode, __ptr, sizeof *__ptr);                                       \
    }                                                                                                        \
    template <class _Tp>                                                                                     \
    inline _Tp kind##read(cudaSurfaceObject_t __obj, UMSIM_LIST parameters,                                  \
                          cudaSurfaceBoundaryMode __mode = cudaBoundaryModeTrap)                             \
    {                                                                                                        \
        static_assert(sizeof(umsim::is_surfel<_Tp> *) != 0, "");                                             \
        _Tp __value;                                                                                         \
        umsim_surf_read(__obj, x, y, z, __mode, &__value, sizeof __value);                                   \
        return __value;                                                                                      \
    }                                                                                                        \
    template <class _Tp>                                                                                     \
    inline umsim::is_surfel<_Tp> kind##write(_Tp __val, cudaSurfaceObject_t __obj, UMSIM_LIST parameters,    \
                                             cudaSurfaceBoundaryMode __mode = cudaBoundaryModeTrap)          \
    {                                                                                                        \
        umsim_surf_write(__obj, x, y, z, __mode, &__val, sizeof __val);                                      \
    }
/** @endcond */

/** @name Surfaces
 * Reads and writes of bytes, by threads in no order: x counts bytes. @{ */
UMSIM_SURFACE_FUNCTIONS(surf1D, (int __x), __x, 0, 0)
UMSIM_SURFACE_FUNCTIONS(surf2D, (int __x, int __y), __x, __y, 0)
UMSIM_SURFACE_FUNCTIONS(surf3D, (int __x, int __y, int __z), __x, __y, __z)
UMSIM_SURFACE_FUNCTIONS(surf1DLayered, (int __x, int __layer), __x, 0, __layer)
UMSIM_SURFACE_FUNCTIONS(surf2DLayered, (int __x, int __y, int __layer), __x, __y, __layer)
UMSIM_SURFACE_FUNCTIONS(surfCubemap, (int __x, int __y, int __face), __x, __y, __face)
UMSIM_SURFACE_FUNCTIONS(surfCubemapLayered, (int __x, int __y, int __layerFace), __x, __y, __layerFace)
/** @} */

#undef UMSIM_TEXTURE_FUNCTION
#undef UMSIM_SPARSE_FUNCTION
#undef UMSIM_SURFACE_FUNCTIONS
#undef UMSIM_LIST

#endif
