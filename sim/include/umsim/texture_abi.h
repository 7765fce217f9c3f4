/**
 * @file umsim/texture_abi.h
 * @brief What the texture functions of compiled kernels (umsim/texture.h) call in libumsim.
 *
 * Students never include this file. Handles are those of texture objects and surface objects. A texel comes
 * as a GPU's registers do: four channels of 32 bits, integers widened, floating point as its bits, 0 for
 * channels that are not there. A handle that is none ends the kernel with cudaErrorIllegalAddress.
 */
#ifndef UMSIM_TEXTURE_ABI_H
#define UMSIM_TEXTURE_ABI_H

#ifdef __cplusplus
extern "C" {
#endif

/** tex1Dfetch(): element `x` of linear memory; 0 outside of it. */
void umsim_tex_fetch(unsigned long long texture, int x, unsigned int texel[4]);

/** tex1D(), tex2D(), tex3D() and their layered forms. @param dimensions 1 to 3; `layer` counts in layered
 * arrays only */
void umsim_tex_sample(unsigned long long texture, int dimensions, float x, float y, float z, int layer,
                      unsigned int texel[4]);

/** tex2Dgather(): one channel of the four elements that linear filtering would weigh. */
void umsim_tex_gather(unsigned long long texture, float x, float y, int component, unsigned int texel[4]);

/** surf1Dread() and its kin. @param x bytes @param z slice or layer @param mode a cudaSurfaceBoundaryMode
 *  @param bytes 1, 2, 4, 8 or 16 */
void umsim_surf_read(unsigned long long surface, int x, int y, int z, int mode, void *to, unsigned int bytes);

/** surf1Dwrite() and its kin. */
void umsim_surf_write(unsigned long long surface, int x, int y, int z, int mode, const void *from,
                      unsigned int bytes);

#ifdef __cplusplus
}
#endif
#endif
