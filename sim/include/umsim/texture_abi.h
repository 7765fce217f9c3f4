/**
 * @file umsim/texture_abi.h
 * @brief The functions of libumsim that the texture functions of compiled kernels (umsim/texture.h) call.
 *
 * Students never include this file. Handles are those of texture objects and surface objects. A texel has
 * the form of a GPU's registers: four channels of 32 bits, integers widened, floating point as its bits,
 * and 0 for channels that the texture does not have. An invalid handle ends the kernel with
 * cudaErrorIllegalAddress.
 */
#ifndef UMSIM_TEXTURE_ABI_H
#define UMSIM_TEXTURE_ABI_H

#ifdef __cplusplus
extern "C" {
#endif

/** tex1Dfetch(): element `__x` of linear memory; 0 outside of it. */
void umsim_tex_fetch(unsigned long long __texture, int __x, unsigned int __texel[4]);

/** tex1D(), tex2D(), tex3D() and their layered forms. @param __dimensions 1 to 3; `__layer` counts in layered
 * arrays only */
void umsim_tex_sample(unsigned long long __texture, int __dimensions, float __x, float __y, float __z,
                      int __layer, unsigned int __texel[4]);

/** texCubemap() and its layered form: the element of a cubemap in the direction (x, y, z) from its centre.
 * @param
 * __layer which cubemap; of an array of one cubemap it does not count */
void umsim_tex_cube(unsigned long long __texture, float __x, float __y, float __z, int __layer,
                    unsigned int __texel[4]);

/** tex2Dgather(): one channel of the four elements that linear filtering would weigh. */
void umsim_tex_gather(unsigned long long __texture, float __x, float __y, int __component,
                      unsigned int __texel[4]);

/** surf1Dread() and related functions. @param __x bytes @param __z slice or layer @param __mode a
 * cudaSurfaceBoundaryMode
 *  @param __bytes 1, 2, 4, 8 or 16 */
void umsim_surf_read(unsigned long long __surface, int __x, int __y, int __z, int __mode, void *__to,
                     unsigned int __bytes);

/** surf1Dwrite() and related functions. */
void umsim_surf_write(unsigned long long __surface, int __x, int __y, int __z, int __mode, const void *__from,
                      unsigned int __bytes);

#ifdef __cplusplus
}
#endif
#endif
