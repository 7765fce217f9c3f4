/**
 * @file texture_sample.c
 * @brief How a texture is read (sim/devlib/texture.h), beside a second account of the CUDA C++ Programming
 * Guide's chapter "Texture Fetching": there a texture goes on for ever, element by element, and what lies
 * between two is weighed in doubles.
 */
#include "um_test.h"
#include "sim/devlib/texture.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define WIDTH 7
#define HEIGHT 5
#define DEPTH 4

static float volume[DEPTH][HEIGHT][WIDTH];

static void fill(void)
{
    uint32_t state = 12345;
    for (int z = 0; z < DEPTH; z++)
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) {
                state = state * 1664525u + 1013904223u;
                volume[z][y][x] = (float)(state >> 8) / (1 << 24) - 0.25f;
            }
}

static struct umsim_texture of_volume(enum umsim_address mode, bool unit, bool filters)
{
    fill();
    return (struct umsim_texture){.base = (char *)volume,
                                  .pitch = sizeof volume[0][0],
                                  .slice = sizeof volume[0],
                                  .size = {WIDTH, HEIGHT, DEPTH},
                                  .kind = UMSIM_TEXEL_FLOAT,
                                  .channels = 1,
                                  .channel = 4,
                                  .unit = unit,
                                  .filters = filters,
                                  .address = {mode, mode, mode},
                                  .border = {.real = {-9}}};
}

static float read_at(const struct umsim_texture *texture, int dimensions, float x, float y, float z)
{
    return umsim_texture_sample(texture, dimensions, (const float[3]){x, y, z}, 0, NULL).real[0];
}

/* ---- the other account ---- */

/* Element `i` of a row of `n` that goes on for ever; -1: the border's colour. */
static int endless(int i, int n, enum umsim_address mode)
{
    while (i < 0 || i >= n)
        switch (mode) {
        case UMSIM_WRAP:
            i += i < 0 ? n : -n;
            break;
        case UMSIM_MIRROR:
            i = i < 0 ? -1 - i : 2 * n - 1 - i;
            break;
        case UMSIM_BORDER:
            return -1;
        default:
            i = i < 0 ? 0 : n - 1;
        }
    return i;
}

static double endless_volume(const struct umsim_texture *texture, int x, int y, int z)
{
    x = endless(x, WIDTH, texture->address[0]);
    y = endless(y, HEIGHT, texture->address[1]);
    z = endless(z, DEPTH, texture->address[2]);
    return x < 0 || y < 0 || z < 0 ? -9.0 : (double)volume[z][y][x];
}

/* The guide's alpha: 9 bits, 8 of them behind the point, so that 1 is one of its values. */
static double alpha(double x)
{
    return rint((x - floor(x)) * 256) / 256;
}

static double expected(const struct umsim_texture *texture, int dimensions, const double at[3])
{
    int i[3] = {0, 0, 0};
    double a[3] = {0, 0, 0}, sum = 0;
    for (int d = 0; d < dimensions; d++) {
        const double x = at[d] * (texture->unit ? texture->size[d] : 1) - (texture->filters ? 0.5 : 0);
        i[d] = (int)floor(x);
        a[d] = texture->filters ? alpha(x) : 0;
    }
    for (int z = 0; z < 2; z++)
        for (int y = 0; y < 2; y++)
            for (int x = 0; x < 2; x++)
                sum += (x ? a[0] : 1 - a[0]) * (y ? a[1] : 1 - a[1]) * (z ? a[2] : 1 - a[2]) *
                       endless_volume(texture, i[0] + x, i[1] + y, dimensions > 2 ? i[2] + z : 0);
    /* one dimension is two at y = 0: half of it is the border's (as an H200 has it; the guide says nothing)
     */
    if (dimensions == 1 && texture->filters && texture->address[1] == UMSIM_BORDER)
        sum = (sum - 9) / 2;
    return sum;
}

/* Coordinates that stay exact when they are multiplied by 7, 5 or 4, far from where two neighbours of alpha
 * meet. */
static void compare(const struct umsim_texture *texture, int dimensions)
{
    const double step = texture->unit ? 1.0 / 64 : 0.1875, far = texture->unit ? 2.75 : 16;
    int wrong = 0;
    for (double x = -far; x < far; x += step)
        for (double k = -2; k <= 2; k++) {
            const double at[3] = {x + 1.0 / 4096, dimensions > 1 ? k * x / 4 + 3.0 / 4096 : 0,
                                  dimensions > 2 ? x / 2 - k / 8 + 5.0 / 4096 : 0};
            const float got = read_at(texture, dimensions, (float)at[0], (float)at[1], (float)at[2]);
            const double want = expected(texture, dimensions, at);
            if (!(fabs(got - want) <= 2e-6) && wrong++ < 3)
                UM_FAIL("at %g, %g, %g: %.7g, not %.7g", at[0], at[1], at[2], (double)got, want);
        }
    UM_EQUAL(wrong, 0);
}

static void compare_modes(bool unit, bool filters)
{
    const enum umsim_address modes[] = {UMSIM_WRAP, UMSIM_CLAMP, UMSIM_MIRROR, UMSIM_BORDER};
    for (int mode = unit ? 0 : 1; mode < 4; mode++) {
        if (!unit && modes[mode] == UMSIM_MIRROR)
            continue;
        const struct umsim_texture texture = of_volume(modes[mode], unit, filters);
        for (int dimensions = 1; dimensions <= 3; dimensions++)
            compare(&texture, dimensions);
    }
}

static void a_point_is_the_element_that_it_is_in_in_each_address_mode(void)
{
    compare_modes(false, false);
    compare_modes(true, false);
}

static void what_lies_between_elements_is_weighed_in_each_address_mode(void)
{
    compare_modes(false, true);
    compare_modes(true, true);
}

static void each_axis_has_its_own_address_mode(void)
{
    struct umsim_texture texture = of_volume(UMSIM_WRAP, true, true);
    texture.address[1] = UMSIM_MIRROR;
    texture.address[2] = UMSIM_BORDER;
    compare(&texture, 3);
}

/* ---- the fraction ---- */

static void the_fraction_has_eight_bits(void)
{
    const float two[2] = {0, 1};
    struct umsim_texture texture = of_volume(UMSIM_CLAMP, false, true);
    texture.base = (char *)two;
    texture.size[0] = 2;
    float last = 0;
    for (int i = 0; i <= 4096; i++) {
        const float got = read_at(&texture, 1, 0.5f + (float)i / 4096, 0, 0);
        CU_ASSERT_EQUAL(got * 256, floorf(got * 256));
        CU_ASSERT_TRUE(got >= last && fabs(got - i / 4096.0) <= 1 / 512.0);
        last = got;
    }
    CU_ASSERT_EQUAL(last, 1);
    CU_ASSERT_EQUAL(read_at(&texture, 1, 0.5f, 0, 0), 0);
}

/* ---- elements ---- */

static union umsim_texel element(const void *memory, enum umsim_texel_kind kind, unsigned channel,
                                 unsigned channels, bool normalized)
{
    const struct umsim_texture texture = {.base = (char *)memory,
                                          .size = {1, 1, 1},
                                          .kind = (uint8_t)kind,
                                          .channel = (uint8_t)channel,
                                          .channels = (uint8_t)channels,
                                          .normalized = normalized};
    return umsim_texture_fetch(&texture, 0, NULL);
}

static void integers_are_widened_to_32_bits(void)
{
    const int8_t small[4] = {-128, 127, -1, 5};
    const uint8_t bytes[2] = {255, 7};
    const int16_t half[2] = {-32768, 12};
    const uint16_t words[4] = {65535, 1, 2, 3};
    const int32_t whole[1] = {INT32_MIN};
    union umsim_texel texel = element(small, UMSIM_TEXEL_SIGNED, 1, 4, false);
    UM_EQUAL(texel.integer[0], -128);
    UM_EQUAL(texel.integer[1], 127);
    UM_EQUAL(texel.integer[2], -1);
    UM_EQUAL(texel.integer[3], 5);
    texel = element(bytes, UMSIM_TEXEL_UNSIGNED, 1, 2, false);
    UM_EQUAL(texel.bits[0], 255);
    UM_EQUAL(texel.bits[1], 7);
    UM_EQUAL(texel.bits[2], 0);
    UM_EQUAL(texel.bits[3], 0);
    texel = element(half, UMSIM_TEXEL_SIGNED, 2, 2, false);
    UM_EQUAL(texel.integer[0], -32768);
    UM_EQUAL(texel.integer[1], 12);
    texel = element(words, UMSIM_TEXEL_UNSIGNED, 2, 4, false);
    UM_EQUAL(texel.bits[0], 65535);
    UM_EQUAL(texel.bits[3], 3);
    UM_EQUAL(element(whole, UMSIM_TEXEL_SIGNED, 4, 1, false).integer[0], INT32_MIN);
}

static void normalized_integers_end_at_one(void)
{
    for (int i = 0; i < 256; i++) {
        const uint8_t byte = (uint8_t)i;
        CU_ASSERT_EQUAL(element(&byte, UMSIM_TEXEL_UNSIGNED, 1, 1, true).real[0], (float)(i / 255.0));
    }
    const int8_t small[4] = {-128, -127, 0, 127};
    const int16_t half[4] = {-32768, -32767, 16384, 32767};
    const uint16_t words[2] = {0, 65535};
    union umsim_texel texel = element(small, UMSIM_TEXEL_SIGNED, 1, 4, true);
    CU_ASSERT_EQUAL(texel.real[0], -1);
    CU_ASSERT_EQUAL(texel.real[1], -1);
    CU_ASSERT_EQUAL(texel.real[2], 0);
    CU_ASSERT_EQUAL(texel.real[3], 1);
    texel = element(half, UMSIM_TEXEL_SIGNED, 2, 4, true);
    CU_ASSERT_EQUAL(texel.real[0], -1);
    CU_ASSERT_EQUAL(texel.real[1], -1);
    CU_ASSERT_EQUAL(texel.real[2], (float)(16384 / 32767.0));
    CU_ASSERT_EQUAL(texel.real[3], 1);
    texel = element(words, UMSIM_TEXEL_UNSIGNED, 2, 2, true);
    CU_ASSERT_EQUAL(texel.real[0], 0);
    CU_ASSERT_EQUAL(texel.real[1], 1);
}

static void halves_become_floats(void)
{
    const uint16_t halves[4] = {0x3c00, 0xc000, 0x0001, 0x7c00}; /* 1, -2, the smallest there is, infinity */
    const union umsim_texel texel = element(halves, UMSIM_TEXEL_FLOAT, 2, 4, false);
    CU_ASSERT_EQUAL(texel.real[0], 1);
    CU_ASSERT_EQUAL(texel.real[1], -2);
    CU_ASSERT_EQUAL(texel.real[2], (float)ldexp(1, -24));
    CU_ASSERT_TRUE(isinf(texel.real[3]));
}

static void sRGB_becomes_linear_but_for_alpha(void)
{
    const uint8_t colour[4] = {0, 255, 188, 188};
    const struct umsim_texture texture = {.base = (char *)colour,
                                          .size = {1, 1, 1},
                                          .kind = UMSIM_TEXEL_UNSIGNED,
                                          .channel = 1,
                                          .channels = 4,
                                          .normalized = true,
                                          .srgb = true};
    const union umsim_texel texel = umsim_texture_fetch(&texture, 0, NULL);
    CU_ASSERT_EQUAL(texel.real[0], 0);
    CU_ASSERT_DOUBLE_EQUAL(texel.real[1], 1, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(texel.real[2], pow((188 / 255.0 + 0.055) / 1.055, 2.4), 1e-6);
    CU_ASSERT_EQUAL(texel.real[3], (float)(188 / 255.0));
}

/* ---- edges ---- */

static void a_fetch_outside_of_linear_memory_is_zero(void)
{
    const struct umsim_texture texture = of_volume(UMSIM_CLAMP, false, false);
    CU_ASSERT_EQUAL(umsim_texture_fetch(&texture, 3, NULL).real[0], volume[0][0][3]);
    CU_ASSERT_EQUAL(umsim_texture_fetch(&texture, -1, NULL).bits[0], 0);
    CU_ASSERT_EQUAL(umsim_texture_fetch(&texture, WIDTH, NULL).bits[0], 0);
    CU_ASSERT_EQUAL(umsim_texture_fetch(&texture, INT32_MIN, NULL).bits[0], 0);
}

/* Whatever comes in, what is read lies in the texture (address sanitizer's build looks on). */
static void absurd_coordinates_stay_inside(void)
{
    const float absurd[] = {NAN, INFINITY, -INFINITY, 3e38f, -3e38f, 1e9f, -1e9f, 0x1p31f, 0x1p62f, 0, -0.0f};
    for (int mode = 0; mode < 4; mode++)
        for (int unit = 0; unit < 2; unit++)
            for (int filters = 0; filters < 2; filters++) {
                const struct umsim_texture texture =
                    of_volume((enum umsim_address)mode, unit != 0, filters != 0);
                for (size_t i = 0; i < sizeof absurd / sizeof *absurd; i++) {
                    const float got = read_at(&texture, 3, absurd[i], absurd[i], absurd[i]);
                    CU_ASSERT_TRUE((got >= -0.25f && got <= 0.75f) || (mode == UMSIM_BORDER && got >= -9));
                }
            }
}

static void a_texture_without_elements_is_all_border(void)
{
    for (int mode = 0; mode < 4; mode++)
        for (int unit = 0; unit < 2; unit++)
            for (int filters = 0; filters < 2; filters++) {
                struct umsim_texture texture = of_volume((enum umsim_address)mode, unit != 0, filters != 0);
                texture.size[0] = 0;
                CU_ASSERT_EQUAL(read_at(&texture, 2, 0.5f, 1.5f, 0), -9);
                CU_ASSERT_EQUAL(umsim_texture_fetch(&texture, 0, NULL).bits[0], 0);
            }
}

static void layers_are_apart_and_end(void)
{
    struct umsim_texture texture = of_volume(UMSIM_CLAMP, false, true);
    texture.layers = DEPTH;
    texture.size[2] = 1;
    for (int layer = -2; layer < DEPTH + 2; layer++) {
        const int there = layer < 0 ? 0 : layer < DEPTH ? layer : DEPTH - 1;
        const float at[3] = {2.5f, 1.5f, 0};
        CU_ASSERT_EQUAL(umsim_texture_sample(&texture, 2, at, layer, NULL).real[0], volume[there][1][2]);
    }
}

static void a_gather_goes_round_its_square(void)
{
    const struct umsim_texture texture = of_volume(UMSIM_CLAMP, false, false);
    const union umsim_texel four = umsim_texture_gather(&texture, (const float[2]){3, 2}, 0, NULL);
    CU_ASSERT_EQUAL(four.real[0], volume[0][2][2]);
    CU_ASSERT_EQUAL(four.real[1], volume[0][2][3]);
    CU_ASSERT_EQUAL(four.real[2], volume[0][1][3]);
    CU_ASSERT_EQUAL(four.real[3], volume[0][1][2]);
}

UM_TESTS("texture: reading",
         {"a point is the element that it is in, in each address mode",
          a_point_is_the_element_that_it_is_in_in_each_address_mode},
         {"what lies between elements is weighed, in each address mode",
          what_lies_between_elements_is_weighed_in_each_address_mode},
         {"each axis has its own address mode", each_axis_has_its_own_address_mode},
         {"the fraction has eight bits", the_fraction_has_eight_bits},
         {"integers are widened to 32 bits", integers_are_widened_to_32_bits},
         {"normalized integers end at one", normalized_integers_end_at_one},
         {"halves become floats", halves_become_floats},
         {"sRGB becomes linear, but for alpha", sRGB_becomes_linear_but_for_alpha},
         {"a fetch outside of linear memory is zero", a_fetch_outside_of_linear_memory_is_zero},
         {"absurd coordinates stay inside", absurd_coordinates_stay_inside},
         {"a texture without elements is all border", a_texture_without_elements_is_all_border},
         {"layers are apart, and end", layers_are_apart_and_end},
         {"a gather goes round its square", a_gather_goes_round_its_square});
