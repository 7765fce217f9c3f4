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

/** The number of objects that can be alive at a time. A handle consists of a line's index and, above it, how
 * often the line was used before. */
#define UMSIM_TEXTURES_MAX 65536u

enum umsim_texel_kind { UMSIM_TEXEL_SIGNED, UMSIM_TEXEL_UNSIGNED, UMSIM_TEXEL_FLOAT };

/** The values are those of cudaTextureAddressMode. */
enum umsim_address { UMSIM_WRAP, UMSIM_CLAMP, UMSIM_MIRROR, UMSIM_BORDER };

/** One texel, or the result of filtering several: four channels of 32 bits, as in the registers of a
 * fetch. */
union umsim_texel {
    uint32_t bits[4];
    int32_t integer[4];
    float real[4];
};

struct umsim_texture {
    _Atomic uint64_t handle; /* 0: none */
    char *base;
    size_t pitch, slice; /* bytes from one row to the next, and from one slice or layer to the next */
    int32_t size[3];     /* elements, rows, slices; 1 for a missing dimension */
    int32_t layers;      /* 0: not layered; else size[2] is 1. Each six of a cubemap's are its faces. */
    uint8_t kind;        /* enum umsim_texel_kind */
    uint8_t channels;    /* 1, 2 or 4 */
    uint8_t channel;     /* bytes of one channel: 1, 2 or 4 */
    bool normalized;     /* integers are read as values from 0 to 1, or -1 to 1 */
    bool srgb, filters;  /* linear filtering */
    bool unit;           /* coordinates are normalised */
    bool is_surface;
    bool cube;          /* read by directions, too */
    uint8_t address[3]; /* enum umsim_address */
    union umsim_texel border;
};

/** Host process, before the first fork: makes the table. */
void umsim_textures_start(void);

/** Host process: whether any object was ever made. */
bool umsim_textures_used(void);

/** Line `index` of the table. The host writes all other fields first, and `handle` last. */
struct umsim_texture *umsim_texture_line(uint32_t index);

/** The line that a handle names. @return NULL when the handle names none (any more), or an object of the
 * other kind */
const struct umsim_texture *umsim_texture_find(uint64_t handle, bool is_surface);

/**
 * @name Reading, regardless of the caller (for the functions that kernels call, and for tests)
 *
 * `pc` is the address that the kernel's call returns to: under --check each access is checked.
 * @{
 */
union umsim_texel umsim_texture_fetch(const struct umsim_texture *texture, int32_t x, const void *pc);
union umsim_texel umsim_texture_sample(const struct umsim_texture *texture, int dimensions, const float at[3],
                                       int32_t layer, const void *pc);
union umsim_texel umsim_texture_cube(const struct umsim_texture *texture, const float direction[3],
                                     int32_t layer, const void *pc);
union umsim_texel umsim_texture_gather(const struct umsim_texture *texture, const float at[2], int component,
                                       const void *pc);
/** @} */

#endif
