/**
 * @file texture.c
 * @brief Implementation of texture.h: how a kernel reads a texture.
 *
 * The rules are those of the CUDA C++ Programming Guide, "Texture Fetching".
 */
#include "texture.h"
#include "../check/access.h"
#include "../check/check.h"
#include "../include/umsim/library.h"
#include "../space/arena.h"
#include "../base/mode.h"
#include "../base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct umsim_texture *table;

void umsim_textures_start(void)
{
    if (!table)
        table = umsim_shared_memory(UMSIM_TEXTURES_MAX * sizeof *table);
}

static bool used;

bool umsim_textures_used(void)
{
    return used;
}

struct umsim_texture *umsim_texture_line(uint32_t index)
{
    used = true;
    return &table[index];
}

const struct umsim_texture *umsim_texture_find(uint64_t handle, bool is_surface)
{
    const struct umsim_texture *texture = &table[handle % UMSIM_TEXTURES_MAX];
    if (!handle || atomic_load_explicit(&texture->handle, memory_order_acquire) != handle ||
        texture->is_surface != is_surface)
        return NULL;
    return texture;
}

/* ---- one element ---- */

/* The curve of IEC 61966-2-1. */
static float linear_of_srgb(float c)
{
    return c <= 0.04045f ? c / 12.92f : powf((c + 0.055f) / 1.055f, 2.4f);
}

static float float_of_half(uint16_t bits)
{
    _Float16 half;
    memcpy(&half, &bits, sizeof half);
    return (float)half;
}

/* The most negative number also becomes -1. */
static float normalized(int32_t value, const struct umsim_texture *texture)
{
    if (texture->kind == UMSIM_TEXEL_UNSIGNED)
        return (float)value / (texture->channel == 1 ? 255.0f : 65535.0f);
    const float result = (float)value / (texture->channel == 1 ? 127.0f : 32767.0f);
    return result < -1 ? -1 : result;
}

/* The 32 bits of a channel. */
static uint32_t channel_at(const struct umsim_texture *texture, const char *p)
{
    uint8_t byte;
    uint16_t half;
    uint32_t word;
    switch (texture->channel) {
    case 1:
        memcpy(&byte, p, sizeof byte);
        return texture->kind == UMSIM_TEXEL_SIGNED ? (uint32_t)(int8_t)byte : byte;
    case 2:
        memcpy(&half, p, sizeof half);
        if (texture->kind == UMSIM_TEXEL_FLOAT) {
            const float value = float_of_half(half);
            memcpy(&word, &value, sizeof word);
            return word;
        }
        return texture->kind == UMSIM_TEXEL_SIGNED ? (uint32_t)(int16_t)half : half;
    default:
        memcpy(&word, p, sizeof word);
        return word;
    }
}

static union umsim_texel texel_at(const struct umsim_texture *texture, const char *p, const void *pc)
{
    union umsim_texel texel = {.bits = {0}};
    if (umsim_checks)
        umsim_access_check((uintptr_t)p, (size_t)texture->channel * texture->channels, 0, pc);
    for (unsigned i = 0; i < texture->channels; i++) {
        texel.bits[i] = channel_at(texture, p + (size_t)i * texture->channel);
        if (texture->normalized) {
            const float value = normalized(texel.integer[i], texture);
            texel.real[i] = texture->srgb && i < 3 ? linear_of_srgb(value) : value;
        }
    }
    return texel;
}

/* ---- the place of an element ---- */

/** Positions beyond this count as outside; no position that far can be that of an element. */
#define FAR 1073741824.0

/* The elements that linear filtering weighs along one axis. Without filtering only the first is used. -1 is
 * the border's colour. */
struct axis {
    int32_t at[2];
    float weight[2];
};

static double whole_below(double x)
{
    const int64_t whole = (int64_t)x;
    return (double)(whole - ((double)whole > x));
}

/* The element that stands for one beyond the edges, by the address mode. A texture without elements is all
 * border. */
static int32_t settle(int64_t i, int32_t size, enum umsim_address mode)
{
    if (i >= 0 && i < size)
        return (int32_t)i;
    if (size == 0)
        return -1;
    switch (mode) {
    case UMSIM_WRAP:
        i %= size;
        return (int32_t)(i < 0 ? i + size : i);
    case UMSIM_MIRROR:
        i %= 2 * (int64_t)size;
        i = i < 0 ? i + 2 * (int64_t)size : i;
        return (int32_t)(i < size ? i : 2 * (int64_t)size - 1 - i);
    case UMSIM_BORDER:
        return -1;
    default:
        return i < 0 ? 0 : size - 1;
    }
}

/* Brings a normalised coordinate into the texture's first repetition, and converts it to elements. */
static float unfold(float x, int32_t size, enum umsim_address mode)
{
    if ((mode == UMSIM_WRAP || mode == UMSIM_MIRROR) && fabsf(x) < (float)FAR) {
        const double below = whole_below(x);
        const bool turned = mode == UMSIM_MIRROR && ((int64_t)below & 1);
        x -= (float)below;
        x = turned ? 1 - x : x;
    }
    return x * (float)size;
}

static double bounded(double x)
{
    return !(x > -FAR) ? -FAR : x > FAR ? FAR : x;
}

static struct axis point_on(const struct umsim_texture *texture, int dimension, float x)
{
    const enum umsim_address mode = texture->address[dimension];
    const int32_t size = texture->size[dimension];
    const double p = bounded(texture->unit ? unfold(x, size, mode) : x);
    const int64_t i = (int64_t)whole_below(p);
    /* a coordinate that unfold() has rounded up to the end still belongs to the last element */
    const bool rounded = texture->unit && i == size && (mode == UMSIM_WRAP || mode == UMSIM_MIRROR);
    return (struct axis){{rounded ? size - 1 : settle(i, size, mode), 0}, {1, 0}};
}

/* The place between the centres of two elements. The fraction has 8 bits, and may be 1. */
static struct axis between_on(const struct umsim_texture *texture, int dimension, float x)
{
    const enum umsim_address mode = texture->address[dimension];
    const int32_t size = texture->size[dimension];
    const double p = bounded((texture->unit ? unfold(x, size, mode) : x) - 0.5);
    const int64_t steps = (int64_t)whole_below(p * 256 + 0.5);
    const int64_t i = steps >> 8;
    const float fraction = (float)(steps & 255) / 256;
    return (struct axis){{settle(i, size, mode), settle(i + 1, size, mode)}, {1 - fraction, fraction}};
}

static const char *address_of(const struct umsim_texture *texture, const int32_t at[3])
{
    return texture->base + (size_t)at[2] * texture->slice + (size_t)at[1] * texture->pitch +
           (size_t)at[0] * texture->channel * texture->channels;
}

static union umsim_texel element(const struct umsim_texture *texture, const int32_t at[3], const void *pc)
{
    if (at[0] < 0 || at[1] < 0 || at[2] < 0)
        return texture->border;
    return texel_at(texture, address_of(texture, at), pc);
}

static int32_t layer_within(const struct umsim_texture *texture, int32_t layer)
{
    return layer < 0 || !texture->layers ? 0 : layer < texture->layers ? layer : texture->layers - 1;
}

/* ---- reading ---- */

union umsim_texel umsim_texture_fetch(const struct umsim_texture *texture, int32_t x, const void *pc)
{
    if (x < 0 || x >= texture->size[0])
        return (union umsim_texel){.bits = {0}};
    return texel_at(texture, address_of(texture, (const int32_t[3]){x, 0, 0}), pc);
}

/* The sum of the elements at the corners, each multiplied by the product of its weights. */
static union umsim_texel blend(const struct umsim_texture *texture, const struct axis axes[3],
                               unsigned corners, const void *pc)
{
    union umsim_texel sum = {.bits = {0}};
    for (unsigned corner = 0; corner < corners; corner++) {
        int32_t at[3];
        float weight = 1;
        for (unsigned d = 0; d < 3; d++) {
            at[d] = axes[d].at[corner >> d & 1];
            weight *= axes[d].weight[corner >> d & 1];
        }
        if (weight == 0)
            continue;
        const union umsim_texel texel = element(texture, at, pc);
        for (unsigned i = 0; i < texture->channels; i++)
            sum.real[i] += weight * texel.real[i];
    }
    return sum;
}

union umsim_texel umsim_texture_sample(const struct umsim_texture *texture, int dimensions, const float at[3],
                                       int32_t layer, const void *pc)
{
    struct axis axes[3];
    /* One dimension is treated as the first of two, at y = 0, which is half an element from the first row's
     * middle, so a border in y counts for half. An H200 (driver 580, CUDA 13.0) does this, too: of
     * texture_modes' reads, the rule changes the same 126 on both. */
    if (dimensions == 1 && texture->filters && texture->address[1] == UMSIM_BORDER)
        dimensions = 2;
    for (int d = 0; d < 3; d++) {
        if (d >= dimensions)
            axes[d] = (struct axis){{0, 0}, {1, 0}};
        else
            axes[d] = texture->filters ? between_on(texture, d, at[d]) : point_on(texture, d, at[d]);
    }
    if (texture->layers)
        axes[2].at[0] = axes[2].at[1] = layer_within(texture, layer);
    if (texture->filters)
        return blend(texture, axes, 1u << dimensions, pc);
    return element(texture, (const int32_t[3]){axes[0].at[0], axes[1].at[0], axes[2].at[0]}, pc);
}

/** The axis that a face of a cubemap stands on, and those that its rows and columns run along. */
struct face {
    uint8_t across, s, t;
    bool s_turned, t_turned;
};

/* "Cubemap Textures" in the Programming Guide: +x, -x, +y, -y, +z, -z. */
static const struct face faces[] = {{0, 2, 1, true, true},  {0, 2, 1, false, true}, {1, 0, 2, false, false},
                                    {1, 0, 2, false, true}, {2, 0, 1, false, true}, {2, 0, 1, true, true}};

/* The guide leaves open which face has a direction to an edge: the later axis, as in graphics. */
static unsigned face_of(const float direction[3])
{
    unsigned longest = 0;
    for (unsigned d = 1; d < 3; d++)
        if (fabsf(direction[d]) >= fabsf(direction[longest]))
            longest = d;
    return 2 * longest + (direction[longest] < 0);
}

static float on_face(float along, bool turned, float across)
{
    return ((turned ? -along : along) / across + 1) / 2;
}

union umsim_texel umsim_texture_cube(const struct umsim_texture *texture, const float direction[3],
                                     int32_t layer, const void *pc)
{
    const unsigned number = face_of(direction);
    const struct face *face = &faces[number];
    const float across = fabsf(direction[face->across]);
    const float at[3] = {on_face(direction[face->s], face->s_turned, across),
                         on_face(direction[face->t], face->t_turned, across), 0};
    const int32_t cubes = texture->layers / 6;
    const int32_t cube = layer < 0 ? 0 : layer < cubes ? layer : cubes - 1;
    return umsim_texture_sample(texture, 2, at, 6 * cube + (int32_t)number, pc);
}

/* In counterclockwise order from the lower left, as in graphics. */
union umsim_texel umsim_texture_gather(const struct umsim_texture *texture, const float at[2], int component,
                                       const void *pc)
{
    static const uint8_t corner[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    const struct axis x = between_on(texture, 0, at[0]), y = between_on(texture, 1, at[1]);
    union umsim_texel gathered;
    for (unsigned i = 0; i < 4; i++) {
        const int32_t place[3] = {x.at[corner[i][0]], y.at[corner[i][1]], 0};
        gathered.bits[i] = element(texture, place, pc).bits[component & 3];
    }
    return gathered;
}

/* ---- what kernels call ---- */

static const struct umsim_texture nothing;

/* The line of a handle that a kernel reads by. A handle that names no line is no error on an H200, which
 * reads what is left in its own table. Here such a read gives zeros, and a checked kernel is told. */
static const struct umsim_texture *line_of(uint64_t handle, const void *pc)
{
    const struct umsim_texture *texture = umsim_texture_find(handle, false);
    if (texture)
        return texture;
    if (!umsim_in_kernel())
        abort();
    if (umsim_checks)
        umsim_access_no_texture(handle, pc);
    return &nothing;
}

void umsim_tex_fetch(unsigned long long texture, int x, unsigned int texel[4])
{
    const void *pc = __builtin_return_address(0);
    const union umsim_texel result = umsim_texture_fetch(line_of(texture, pc), x, pc);
    memcpy(texel, result.bits, sizeof result.bits);
}

void umsim_tex_sample(unsigned long long texture, int dimensions, float x, float y, float z, int layer,
                      unsigned int texel[4])
{
    const void *pc = __builtin_return_address(0);
    const float at[3] = {x, y, z};
    const union umsim_texel result = umsim_texture_sample(line_of(texture, pc), dimensions, at, layer, pc);
    memcpy(texel, result.bits, sizeof result.bits);
}

/* A texture of another kind gives zeros, and a checked kernel is told as above. */
void umsim_tex_cube(unsigned long long texture, float x, float y, float z, int layer, unsigned int texel[4])
{
    const void *pc = __builtin_return_address(0);
    const float direction[3] = {x, y, z};
    const struct umsim_texture *line = line_of(texture, pc);
    if (!line->cube && line != &nothing && umsim_checks)
        umsim_access_no_texture(texture, pc);
    const union umsim_texel result = umsim_texture_cube(line->cube ? line : &nothing, direction, layer, pc);
    memcpy(texel, result.bits, sizeof result.bits);
}

void umsim_tex_gather(unsigned long long texture, float x, float y, int component, unsigned int texel[4])
{
    const void *pc = __builtin_return_address(0);
    const float at[2] = {x, y};
    const union umsim_texel result = umsim_texture_gather(line_of(texture, pc), at, component, pc);
    memcpy(texel, result.bits, sizeof result.bits);
}
