/**
 * @file texture.c
 * @brief Texture objects and surface objects: what is refused, and what reads and writes give.
 */
#include <string.h>

#include "behaviour.h"
#include "textures.h"
#include "um_test.h"

static float host[CONF_HEIGHT][CONF_WIDTH];
#define ROW sizeof(host[0])

static void after(void)
{
    (void)cudaGetLastError();
}

static void fill(void)
{
    for (int i = 0; i < CONF_WIDTH * CONF_HEIGHT; i++)
        host[i / CONF_WIDTH][i % CONF_WIDTH] = (float)i;
}

/* ---- texture objects ---- */

static struct cudaResourceDesc of_array(cudaArray_t array)
{
    struct cudaResourceDesc resource;

    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    return resource;
}

static struct cudaResourceDesc of_memory(void *p, struct cudaChannelFormatDesc channels, size_t size)
{
    struct cudaResourceDesc resource;

    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = p;
    resource.res.linear.desc = channels;
    resource.res.linear.sizeInBytes = size;
    return resource;
}

static struct cudaResourceDesc of_rows(void *p, size_t width, size_t height, size_t pitch)
{
    struct cudaResourceDesc resource;

    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = p;
    resource.res.pitch2D.desc = conf_floats;
    resource.res.pitch2D.width = width;
    resource.res.pitch2D.height = height;
    resource.res.pitch2D.pitchInBytes = pitch;
    return resource;
}

static struct cudaTextureDesc how_to_read(enum cudaTextureFilterMode filter, enum cudaTextureReadMode read)
{
    struct cudaTextureDesc how;

    memset(&how, 0, sizeof how);
    how.addressMode[0] = how.addressMode[1] = how.addressMode[2] = cudaAddressModeClamp;
    how.filterMode = filter;
    how.readMode = read;
    return how;
}

static cudaError_t texture_of(struct cudaResourceDesc resource, struct cudaTextureDesc how)
{
    cudaTextureObject_t texture = 0;
    const cudaError_t error = cudaCreateTextureObject(&texture, &resource, &how, NULL);

    if (error == cudaSuccess)
        cudaDestroyTextureObject(texture);
    after();
    return error;
}

static void textures_take_the_resources_that_there_are(void)
{
    const struct cudaTextureDesc plain = how_to_read(cudaFilterModePoint, cudaReadModeElementType);
    struct cudaResourceDesc unknown;
    cudaTextureObject_t texture = 0;
    char *memory = NULL;

    CU_ASSERT_EQUAL_FATAL(cudaMalloc((void **)&memory, 65536), cudaSuccess);
    unknown = of_memory(memory, conf_floats, 4096);
    UM_RETURNS("cudaCreateTextureObject: memory", texture_of(unknown, plain));
    UM_RETURNS("cudaCreateTextureObject: no resource", cudaCreateTextureObject(&texture, NULL, &plain, NULL));
    UM_RETURNS("cudaCreateTextureObject: no description",
               cudaCreateTextureObject(&texture, &unknown, NULL, NULL));
    UM_RETURNS("cudaCreateTextureObject: no object", cudaCreateTextureObject(NULL, &unknown, &plain, NULL));
    unknown.resType = (enum cudaResourceType)9;
    UM_RETURNS("cudaCreateTextureObject: resource type 9", texture_of(unknown, plain));
    UM_RETURNS("cudaCreateTextureObject: NULL memory", texture_of(of_memory(NULL, conf_floats, 4096), plain));
    UM_RETURNS("cudaCreateTextureObject: memory off by 4 bytes",
               texture_of(of_memory(memory + 4, conf_floats, 4096), plain));
    UM_RETURNS("cudaCreateTextureObject: memory of 0 bytes",
               texture_of(of_memory(memory, conf_floats, 0), plain));
    UM_RETURNS("cudaCreateTextureObject: half an element",
               texture_of(of_memory(memory, conf_floats, 2), plain));
    UM_RETURNS("cudaCreateTextureObject: past the allocation's end",
               texture_of(of_memory(memory, conf_floats, (size_t)64 << 20), plain));
    UM_RETURNS(
        "cudaCreateTextureObject: three channels of memory",
        texture_of(of_memory(memory, channels_of(32, 32, 32, 0, cudaChannelFormatKindFloat), 4096), plain));
    UM_RETURNS("cudaCreateTextureObject: rows", texture_of(of_rows(memory, 32, 32, 512), plain));
    UM_RETURNS("cudaCreateTextureObject: rows at a pitch of 100",
               texture_of(of_rows(memory, 16, 32, 100), plain));
    UM_RETURNS("cudaCreateTextureObject: rows at a pitch of 96",
               texture_of(of_rows(memory, 16, 32, 96), plain));
    UM_RETURNS("cudaCreateTextureObject: a pitch below the width",
               texture_of(of_rows(memory, 256, 32, 512), plain));
    UM_RETURNS("cudaCreateTextureObject: rows of width 0", texture_of(of_rows(memory, 0, 32, 512), plain));
    UM_RETURNS("cudaDestroyTextureObject: 0", cudaDestroyTextureObject(0));
    CU_ASSERT_EQUAL(cudaFree(memory), cudaSuccess);
    after();
}

static void each_way_of_reading_is_allowed_or_refused(void)
{
    const enum cudaTextureFilterMode point = cudaFilterModePoint, linear = cudaFilterModeLinear;
    const enum cudaTextureReadMode plain = cudaReadModeElementType, normalized = cudaReadModeNormalizedFloat;
    struct cudaTextureDesc how;
    cudaArray_t of_bytes, of_ints, of_floats;
    int *memory = NULL;

    of_bytes = array_of(&conf_bytes, CONF_WIDTH, CONF_HEIGHT, 0);
    of_ints = array_of(&conf_ints, CONF_WIDTH, CONF_HEIGHT, 0);
    of_floats = array_of(&conf_floats, CONF_WIDTH, CONF_HEIGHT, 0);
    CU_ASSERT_EQUAL_FATAL(cudaMalloc((void **)&memory, 4096), cudaSuccess);
    UM_RETURNS("cudaCreateTextureObject: linear filtering of bytes",
               texture_of(of_array(of_bytes), how_to_read(linear, plain)));
    UM_RETURNS("cudaCreateTextureObject: linear filtering of normalized bytes",
               texture_of(of_array(of_bytes), how_to_read(linear, normalized)));
    UM_RETURNS("cudaCreateTextureObject: normalized ints",
               texture_of(of_array(of_ints), how_to_read(point, normalized)));
    UM_RETURNS("cudaCreateTextureObject: linear filtering of normalized ints",
               texture_of(of_array(of_ints), how_to_read(linear, normalized)));
    UM_RETURNS("cudaCreateTextureObject: normalized floats",
               texture_of(of_array(of_floats), how_to_read(linear, normalized)));
    UM_RETURNS("cudaCreateTextureObject: linear filtering of ints in memory",
               texture_of(of_memory(memory, conf_ints, 4096), how_to_read(linear, plain)));
    how = how_to_read(point, plain);
    how.addressMode[0] = (enum cudaTextureAddressMode)9;
    UM_RETURNS("cudaCreateTextureObject: address mode 9", texture_of(of_array(of_floats), how));
    how = how_to_read((enum cudaTextureFilterMode)9, plain);
    UM_RETURNS("cudaCreateTextureObject: filter mode 9", texture_of(of_array(of_floats), how));
    how = how_to_read(point, (enum cudaTextureReadMode)9);
    UM_RETURNS("cudaCreateTextureObject: read mode 9", texture_of(of_array(of_floats), how));
    how = how_to_read(point, plain);
    how.addressMode[0] = cudaAddressModeWrap;
    UM_RETURNS("cudaCreateTextureObject: wrap without normalized coordinates",
               texture_of(of_array(of_floats), how));
    how.sRGB = 1;
    UM_RETURNS("cudaCreateTextureObject: sRGB of floats", texture_of(of_array(of_floats), how));
    CU_ASSERT_EQUAL(cudaFreeArray(of_bytes), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFreeArray(of_ints), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFreeArray(of_floats), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFree(memory), cudaSuccess);
}

static void views_and_surfaces_are_allowed_or_refused(void)
{
    const struct cudaTextureDesc plain = how_to_read(cudaFilterModePoint, cudaReadModeElementType);
    struct cudaResourceViewDesc view;
    struct cudaResourceDesc resource;
    cudaTextureObject_t texture = 0;
    cudaSurfaceObject_t surface = 0;
    cudaArray_t array;

    array = array_of(&conf_floats, CONF_WIDTH, CONF_HEIGHT, 0);
    resource = of_array(array);
    memset(&view, 0, sizeof view);
    view.format = cudaResViewFormatUnsignedInt1;
    view.width = CONF_WIDTH;
    view.height = CONF_HEIGHT;
    UM_RETURNS("cudaCreateTextureObject: a view as unsigned",
               cudaCreateTextureObject(&texture, &resource, &plain, &view));
    UM_RETURNS("cudaGetTextureObjectResourceViewDesc: a view",
               cudaGetTextureObjectResourceViewDesc(&view, texture));
    UM_BEHAVIOUR("cudaGetTextureObjectResourceViewDesc: its format", "%d", (int)view.format);
    CU_ASSERT_EQUAL(cudaDestroyTextureObject(texture), cudaSuccess);
    view.width = CONF_WIDTH / 2;
    UM_RETURNS("cudaCreateTextureObject: a view of another width",
               cudaCreateTextureObject(&texture, &resource, &plain, &view));
    view.width = CONF_WIDTH;
    view.format = cudaResViewFormatUnsignedShort1;
    UM_RETURNS("cudaCreateTextureObject: a view of smaller elements",
               cudaCreateTextureObject(&texture, &resource, &plain, &view));
    CU_ASSERT_EQUAL(cudaCreateTextureObject(&texture, &resource, &plain, NULL), cudaSuccess);
    UM_RETURNS("cudaGetTextureObjectResourceViewDesc: no view",
               cudaGetTextureObjectResourceViewDesc(&view, texture));
    CU_ASSERT_EQUAL(cudaDestroyTextureObject(texture), cudaSuccess);
    UM_RETURNS("cudaCreateSurfaceObject: array without the flag",
               cudaCreateSurfaceObject(&surface, &resource));
    UM_RETURNS("cudaDestroySurfaceObject: 0", cudaDestroySurfaceObject(0));
    CU_ASSERT_EQUAL(cudaFreeArray(array), cudaSuccess);
    after();
}

/* ---- what kernels get ---- */

static cudaTextureObject_t make_texture(struct cudaResourceDesc resource, struct cudaTextureDesc how)
{
    cudaTextureObject_t texture = 0;

    CHILD_NEED(cudaCreateTextureObject(&texture, &resource, &how, NULL));
    return texture;
}

static void reads_outside_of_memory_go_by_the_address_mode(void)
{
    float *memory = NULL, *out = NULL, got[4];
    cudaTextureObject_t texture;

    fill();
    CU_ASSERT_EQUAL_FATAL(cudaMalloc((void **)&memory, sizeof host), cudaSuccess);
    CU_ASSERT_EQUAL_FATAL(cudaMallocManaged((void **)&out, sizeof got, cudaMemAttachGlobal), cudaSuccess);
    CU_ASSERT_EQUAL(cudaMemcpy(memory, host, sizeof host, cudaMemcpyHostToDevice), cudaSuccess);
    texture = make_texture(of_memory(memory, conf_floats, 64 * sizeof(float)),
                           how_to_read(cudaFilterModePoint, cudaReadModeElementType));
    UM_RETURNS("tex1Dfetch: at the end", conf_fetch(texture, 62, out));
    UM_BEHAVIOUR("tex1Dfetch: two elements and two behind the end", "%g %g %g %g", out[0], out[1], out[2],
                 out[3]);
    UM_RETURNS("tex1Dfetch: at the start", conf_fetch(texture, -2, out));
    UM_BEHAVIOUR("tex1Dfetch: two before the start and two elements", "%g %g %g %g", out[0], out[1], out[2],
                 out[3]);
    CU_ASSERT_EQUAL(cudaDestroyTextureObject(texture), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFree(memory), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFree(out), cudaSuccess);
}

/* Between 0 and 256, in steps of 1/1024 of an element: how the fraction is rounded. */
static void fractions_are_rounded_as_on_hardware(void)
{
    const float two[2] = {0, 256};
    float *out = NULL;
    char text[256] = "";
    cudaTextureObject_t texture;
    cudaArray_t array;

    array = array_of(&conf_floats, 2, 0, 0);
    CU_ASSERT_EQUAL_FATAL(cudaMallocManaged((void **)&out, 64 * sizeof *out, cudaMemAttachGlobal),
                          cudaSuccess);
    CU_ASSERT_EQUAL(cudaMemcpy2DToArray(array, 0, 0, two, sizeof two, sizeof two, 1, cudaMemcpyHostToDevice),
                    cudaSuccess);
    texture = make_texture(of_array(array), how_to_read(cudaFilterModeLinear, cudaReadModeElementType));
    CU_ASSERT_EQUAL(conf_sample(texture, 0.5f, 1.0f / 1024, 13, out), cudaSuccess);
    for (int i = 0; i < 13; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%g", i ? " " : "", out[i]);
    UM_BEHAVIOUR("linear filtering: 256 times the fractions 0/1024 to 12/1024", "%s", text);
    CU_ASSERT_EQUAL(conf_sample(texture, 1.5f - 4.0f / 1024, 1.0f / 1024, 5, out), cudaSuccess);
    UM_BEHAVIOUR("linear filtering: 256 times the fractions 1020/1024 to 1", "%g %g %g %g %g", out[0], out[1],
                 out[2], out[3], out[4]);
    CU_ASSERT_EQUAL(cudaDestroyTextureObject(texture), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFreeArray(array), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFree(out), cudaSuccess);
}

static void channels_that_are_not_there_read_as_on_hardware(void)
{
    struct cudaTextureDesc how = how_to_read(cudaFilterModePoint, cudaReadModeElementType);
    const unsigned border[4] = {7, 8, 9, 10};
    union {
        float real[4];
        unsigned whole[4];
    } *out = NULL;
    cudaTextureObject_t texture;
    cudaArray_t array, of_ints;

    fill();
    array = array_of(&conf_floats, CONF_WIDTH, CONF_HEIGHT, 0);
    of_ints = array_of(&conf_ints, CONF_WIDTH, CONF_HEIGHT, 0);
    CU_ASSERT_EQUAL_FATAL(cudaMallocManaged((void **)&out, sizeof *out, cudaMemAttachGlobal), cudaSuccess);
    CU_ASSERT_EQUAL(cudaMemcpy2DToArray(array, 0, 0, host, ROW, ROW, CONF_HEIGHT, cudaMemcpyHostToDevice),
                    cudaSuccess);
    texture = make_texture(of_array(array), how);
    CU_ASSERT_EQUAL(conf_read_float4(texture, 3.5f, 1.5f, out->real), cudaSuccess);
    UM_BEHAVIOUR("tex2D<float4> of one channel", "%g %g %g %g", out->real[0], out->real[1], out->real[2],
                 out->real[3]);
    CU_ASSERT_EQUAL(cudaDestroyTextureObject(texture), cudaSuccess);
    memcpy(how.borderColor, border, sizeof border);
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeBorder;
    texture = make_texture(of_array(of_ints), how);
    CU_ASSERT_EQUAL(conf_read_uint4(texture, -3, 1, out->whole), cudaSuccess);
    UM_BEHAVIOUR("tex2D<uint4> of one channel, at the border", "%u %u %u %u", out->whole[0], out->whole[1],
                 out->whole[2], out->whole[3]);
    CU_ASSERT_EQUAL(cudaDestroyTextureObject(texture), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFreeArray(array), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFreeArray(of_ints), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFree(out), cudaSuccess);
}

/* ---- what may spoil the process: in a child ---- */

struct write {
    int x, y;
    enum cudaSurfaceBoundaryMode mode;
    cudaError_t result;
    int corner; /* the array's last element afterwards, which was 0 */
};

static void write_surface(void *area)
{
    struct write *asked = area;
    int data[4][4] = {{0}};
    cudaSurfaceObject_t surface = 0;
    cudaArray_t array = array_of(&conf_ints, 4, 4, cudaArraySurfaceLoadStore);
    const struct cudaResourceDesc resource = of_array(array);

    CHILD_NEED(cudaMemcpy2DToArray(array, 0, 0, data, 16, 16, 4, cudaMemcpyHostToDevice));
    CHILD_NEED(cudaCreateSurfaceObject(&surface, &resource));
    asked->result = conf_surface_write(surface, asked->x, asked->y, 77, asked->mode);
    if (asked->result == cudaSuccess) {
        CHILD_NEED(cudaMemcpy2DFromArray(data, 16, array, 0, 0, 16, 4, cudaMemcpyDeviceToHost));
        asked->corner = data[3][3];
    }
}

static void writes_beyond_a_surface_go_by_the_boundary_mode(void)
{
    struct write trap = {16, 3, cudaBoundaryModeTrap, cudaSuccess, -1};
    struct write zero = {16, 3, cudaBoundaryModeZero, cudaSuccess, -1};
    struct write clamp = {40, 9, cudaBoundaryModeClamp, cudaSuccess, -1};
    struct write skewed = {2, 3, cudaBoundaryModeTrap, cudaSuccess, -1};

    if (child_run(write_surface, &trap, sizeof trap))
        UM_RETURNS("surf2Dwrite: beyond the edge, trap", trap.result);
    if (child_run(write_surface, &zero, sizeof zero)) {
        UM_RETURNS("surf2Dwrite: beyond the edge, zero", zero.result);
        UM_BEHAVIOUR("surf2Dwrite: beyond the edge, zero: the corner", "%d", zero.corner);
    }
    if (child_run(write_surface, &clamp, sizeof clamp)) {
        UM_RETURNS("surf2Dwrite: beyond the edge, clamp", clamp.result);
        UM_BEHAVIOUR("surf2Dwrite: beyond the edge, clamp: the corner", "%d", clamp.corner);
    }
    if (child_run(write_surface, &skewed, sizeof skewed))
        UM_RETURNS("surf2Dwrite: x that is no multiple of the size", skewed.result);
}

/* A row of 1, 2, 3, ... from two elements before its start to two behind its end. */
static void tell_edges(const char *name, size_t width, int channels, enum cudaSurfaceBoundaryMode mode, int y)
{
    const int more = channels == 4 ? 32 : 0, n = (int)width + 4;
    const struct cudaChannelFormatDesc element =
        channels_of(32, more, more, more, cudaChannelFormatKindFloat);
    const size_t size = sizeof(float) * (size_t)channels;
    float data[64] = {0}, *out = NULL;
    char text[256] = "";
    cudaSurfaceObject_t surface = 0;
    cudaArray_t array = array_of(&element, width, 1, cudaArraySurfaceLoadStore);
    const struct cudaResourceDesc resource = of_array(array);

    for (size_t i = 0; i < width * (size_t)channels; i++)
        data[i] = (float)(i + 1);
    CU_ASSERT_EQUAL_FATAL(cudaMallocManaged((void **)&out, sizeof data, cudaMemAttachGlobal), cudaSuccess);
    CU_ASSERT_EQUAL(
        cudaMemcpy2DToArray(array, 0, 0, data, size * width, size * width, 1, cudaMemcpyHostToDevice),
        cudaSuccess);
    CU_ASSERT_EQUAL_FATAL(cudaCreateSurfaceObject(&surface, &resource), cudaSuccess);
    CU_ASSERT_EQUAL(
        (channels == 4 ? conf_surface_read4 : conf_surface_read)(surface, -2 * (int)size, y, n, mode, out),
        cudaSuccess);
    for (int i = 0; i < n; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%g", i ? " " : "", out[i]);
    UM_BEHAVIOUR(name, "%s", text);
    CU_ASSERT_EQUAL(cudaDestroySurfaceObject(surface), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFreeArray(array), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFree(out), cudaSuccess);
}

static void reads_beyond_a_surface_go_by_the_boundary_mode(void)
{
    tell_edges("surf2Dread: floats from -2 to 5 of 4, zero", 4, 1, cudaBoundaryModeZero, 0);
    tell_edges("surf2Dread: floats from -2 to 5 of 4, clamp", 4, 1, cudaBoundaryModeClamp, 0);
    tell_edges("surf2Dread: floats from -2 to 5 of 4, clamp, row -1", 4, 1, cudaBoundaryModeClamp, -1);
    tell_edges("surf2Dread: float4 from -2 to 5 of 4, zero", 4, 4, cudaBoundaryModeZero, 0);
    tell_edges("surf2Dread: float4 from -2 to 5 of 4, zero, row -1", 4, 4, cudaBoundaryModeZero, -1);
    tell_edges("surf2Dread: float4 from -2 to 5 of 4, clamp", 4, 4, cudaBoundaryModeClamp, 0);
    tell_edges("surf2Dread: float4 from -2 to 5 of 4, clamp, row -1", 4, 4, cudaBoundaryModeClamp, -1);
}

/* From the middle of what lies before a row of two to the middle of what lies behind it. */
static void filtering_weighs_what_is_beyond_a_border(void)
{
    const float two[2] = {1, 3};
    struct cudaTextureDesc how = how_to_read(cudaFilterModeLinear, cudaReadModeElementType);
    float *out = NULL;
    char text[256] = "";
    cudaTextureObject_t texture;
    cudaArray_t array;

    array = array_of(&conf_floats, 2, 0, 0);
    CU_ASSERT_EQUAL_FATAL(cudaMallocManaged((void **)&out, 64 * sizeof *out, cudaMemAttachGlobal),
                          cudaSuccess);
    CU_ASSERT_EQUAL(cudaMemcpy2DToArray(array, 0, 0, two, sizeof two, sizeof two, 1, cudaMemcpyHostToDevice),
                    cudaSuccess);
    for (int both = 0; both < 2; both++) {
        how.addressMode[0] = cudaAddressModeBorder;
        how.addressMode[1] = both ? cudaAddressModeBorder : cudaAddressModeClamp;
        texture = make_texture(of_array(array), how);
        CU_ASSERT_EQUAL(conf_sample(texture, -0.5f, 0.25f, 13, out), cudaSuccess);
        text[0] = '\0';
        for (int i = 0; i < 13; i++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%g", i ? " " : "", out[i]);
        UM_BEHAVIOUR(both ? "tex1D: border in x and y, linear, -0.5 to 2.5"
                          : "tex1D: border in x, linear, -0.5 to 2.5",
                     "%s", text);
        CU_ASSERT_EQUAL(cudaDestroyTextureObject(texture), cudaSuccess);
    }
    CU_ASSERT_EQUAL(cudaFreeArray(array), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFree(out), cudaSuccess);
}

struct stale {
    bool free_array, destroy;
    cudaTextureObject_t instead; /* this one is read, if not 0 */
    cudaError_t freed, read;
};

static void read_stale(void *area)
{
    struct stale *asked = area;
    float *out = NULL;
    cudaArray_t array;
    cudaTextureObject_t texture;

    fill();
    array = array_of(&conf_floats, CONF_WIDTH, CONF_HEIGHT, 0);
    CHILD_NEED(cudaMemcpy2DToArray(array, 0, 0, host, ROW, ROW, CONF_HEIGHT, cudaMemcpyHostToDevice));
    texture = make_texture(of_array(array), how_to_read(cudaFilterModePoint, cudaReadModeElementType));
    CHILD_NEED(cudaMalloc((void **)&out, 64));
    if (asked->destroy)
        asked->freed = cudaDestroyTextureObject(texture);
    if (asked->free_array)
        asked->freed = cudaFreeArray(array);
    asked->read = conf_sample(asked->instead ? asked->instead : texture, 2, 1, 4, out);
}

static void textures_that_are_gone_cannot_be_asked(void)
{
    struct stale array = {.free_array = true}, object = {.destroy = true}, never = {.instead = 12345};

    if (child_run(read_stale, &array, sizeof array)) {
        UM_RETURNS("cudaFreeArray: with a texture object", array.freed);
        UM_RETURNS("tex1D: of a freed array", array.read);
    }
    if (child_run(read_stale, &object, sizeof object))
        UM_RETURNS("tex1D: of a destroyed object", object.read);
    if (child_run(read_stale, &never, sizeof never))
        UM_RETURNS("tex1D: of object 12345", never.read);
}

UM_TESTS("conformance: textures",
         {"textures take the resources that there are", textures_take_the_resources_that_there_are},
         {"each way of reading is allowed or refused", each_way_of_reading_is_allowed_or_refused},
         {"views and surfaces are allowed or refused", views_and_surfaces_are_allowed_or_refused},
         {"reads outside of memory go by the address mode", reads_outside_of_memory_go_by_the_address_mode},
         {"fractions are rounded as on hardware", fractions_are_rounded_as_on_hardware},
         {"channels that are not there read as on hardware", channels_that_are_not_there_read_as_on_hardware},
         {"writes beyond a surface go by the boundary mode", writes_beyond_a_surface_go_by_the_boundary_mode},
         {"reads beyond a surface go by the boundary mode", reads_beyond_a_surface_go_by_the_boundary_mode},
         {"filtering weighs what is beyond a border", filtering_weighs_what_is_beyond_a_border},
         {"textures that are gone cannot be asked", textures_that_are_gone_cannot_be_asked});
