/**
 * @file texture.h
 * @brief Texture objects and surface objects as kernels find them: a table in memory that both processes
 * share.
 *
 * The host writes a line of the table before it gives out the handle, and clears it when the object is
 * destroyed (api/texture.c). Kernels look lines up by handle (texture.c, surface.c). They read and write the
 * memory that a line names like any other memory, so that its pages are opened, counted and refused as usual.
 */
#ifndef UMSIM_GPU_TEXTURE_H
#define UMSIM_GPU_TEXTURE_H

#include "../include/umsim/texture_abi.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Objects that can be alive at a time. A handle is a line's index, and above it how often the line was used
 * before. */
#define UMSIM_TEXTURES_MAX 65536u

enum umsim_texel_kind { UMSIM_TEXEL_SIGNED, UMSIM_TEXEL_UNSIGNED, UMSIM_TEXEL_FLOAT };

/** Values are those of cudaTextureAddressMode. */
enum umsim_address { UMSIM_WRAP, UMSIM_CLAMP, UMSIM_MIRROR, UMSIM_BORDER };

/** One texel, or what comes of several: four channels of 32 bits, as the registers of a fetch. */
union umsim_texel {
    uint32_t bits[4];
    int32_t integer[4];
    float real[4];
};

struct umsim_texture {
    _Atomic uint64_t handle; /* 0: none */
    char *base;
    size_t pitch, slice; /* bytes from a row, a slice or layer, to the next */
    int32_t size[3];     /* elements, rows, slices; 1 where there is no such dimension */
    int32_t layers;      /* 0: not layered; else size[2] is 1 */
    uint8_t kind;        /* enum umsim_texel_kind */
    uint8_t channels;    /* 1, 2 or 4 */
    uint8_t channel;     /* bytes of one: 1, 2 or 4 */
    bool normalized;     /* integers are read as 0 to 1, or -1 to 1 */
    bool srgb, filters;  /* linear filtering */
    bool unit;           /* coordinates are normalised */
    bool is_surface;
    uint8_t address[3]; /* enum umsim_address */
    union umsim_texel border;
};

/** Host process, before the first fork: makes the table. */
void umsim_textures_start(void);

/** Line `index` of the table. The host writes all but `handle`, then that. */
struct umsim_texture *umsim_texture_line(uint32_t index);

/** The line that a handle names. @return NULL when it names none (any more), or an object of the other kind
 */
const struct umsim_texture *umsim_texture_find(uint64_t handle, bool is_surface);

/** @name Reading, without looking at who reads (for these, and for tests)
 * `pc` is where the kernel's call returns to: under --check each access is looked at. @{ */
union umsim_texel umsim_texture_fetch(const struct umsim_texture *texture, int32_t x, const void *pc);
union umsim_texel umsim_texture_sample(const struct umsim_texture *texture, int dimensions, const float at[3],
                                       int32_t layer, const void *pc);
union umsim_texel umsim_texture_gather(const struct umsim_texture *texture, const float at[2], int component,
                                       const void *pc);
/** @} */

#endif
