/**
 * @file texture.c
 * @brief Texture objects and surface objects (CUDA Runtime API, Texture Object Management, Surface Object
 * Management).
 *
 * devlib/texture.h has what kernels see of them.
 */
#include "array.h"
#include "attributes.h"
#include "../space/classify.h"
#include "../base/activity.h"

#include <stdlib.h>
#include <string.h>

/* What an object was made of; its line in the kernels' table has the rest. */
struct object {
    bool alive; /* the host may use it */
    unsigned device;
    bool dying;    /* destroyed, but kernels that were queued then may still read it */
    uint64_t used; /* how often the line was given out */
    struct cudaResourceDesc resource;
    struct cudaTextureDesc how;
    struct cudaResourceViewDesc view; /* all zero when there is no view */
};

static struct object *objects; /* object i has line i; 0 stands for no object */
static uint32_t count, capacity;

static uint64_t handle_of(uint32_t index)
{
    return objects[index].used * UMSIM_TEXTURES_MAX + index;
}

/* Clears the lines of destroyed objects once no kernel that could read them is under way. */
static void reclaim(void)
{
    if (umsim_kernels_busy(NULL))
        return;
    for (uint32_t i = 1; i < count; i++)
        if (objects[i].dying) {
            atomic_store(&umsim_texture_line(i)->handle, 0);
            objects[i].dying = false;
            objects[i].used++;
        }
}

/* @return 0 when there are too many objects */
static uint32_t take_line(void)
{
    reclaim();
    for (uint32_t i = 1; i < count; i++)
        if (!objects[i].alive && !objects[i].dying)
            return i;
    if (count == capacity) {
        const uint32_t more = capacity ? 2 * capacity : 16;
        struct object *grown = more <= UMSIM_TEXTURES_MAX ? realloc(objects, more * sizeof *grown) : NULL;
        if (!grown)
            return 0;
        memset(grown + capacity, 0, (more - capacity) * sizeof *grown);
        objects = grown;
        capacity = more;
        count = count ? count : 1;
    }
    return count++;
}

static struct object *find(uint64_t handle, bool is_surface)
{
    const uint32_t index = handle % UMSIM_TEXTURES_MAX;
    if (index == 0 || index >= count || !objects[index].alive || handle_of(index) != handle ||
        umsim_texture_line(index)->is_surface != is_surface)
        return NULL;
    return &objects[index];
}

void umsim_textures_forget(void)
{
    for (uint32_t i = 1; i < count; i++)
        if (objects[i].device == umsim_device()) {
            objects[i].dying |= objects[i].alive;
            objects[i].alive = false;
        }
    reclaim();
}

/* ---- how kernels see a resource ---- */

static cudaError_t describe_elements(const struct cudaChannelFormatDesc *desc, struct umsim_texture *line)
{
    struct umsim_element element;
    const cudaError_t error = umsim_element_of(desc, &element);
    if (error)
        return error;
    line->kind = (uint8_t)element.kind;
    line->channels = (uint8_t)element.channels;
    line->channel = (uint8_t)element.channel;
    line->normalized = element.normalized;
    return cudaSuccess;
}

static cudaError_t describe_array(cudaArray_t handle, struct umsim_texture *line)
{
    const struct umsim_array *array = umsim_array_of(handle);
    if (!array)
        return cudaErrorInvalidValue;
    line->base = umsim_array_at(array, 0, 0, 0);
    line->pitch = array->pitch;
    line->slice = array->slice;
    line->size[0] = (int32_t)array->extent.width;
    line->size[1] = (int32_t)array->rows;
    line->size[2] = (int32_t)array->slices;
    if (array->flags & (cudaArrayLayered | cudaArrayCubemap)) {
        line->layers = (int32_t)array->slices;
        line->size[2] = 1;
        line->cube = array->flags & cudaArrayCubemap;
    }
    return describe_elements(&array->channels, line);
}

/* Whether kernels reach this memory. An H200 does not check how far: what is beyond the allocation fails when
 * it is read. */
static bool is_reachable(const void *p)
{
    struct umsim_classified place;
    return (uintptr_t)p % (size_t)umsim_attribute_value(cudaDevAttrTextureAlignment) == 0 &&
           umsim_classify(p, 1, &place) && umsim_is_on_device_side(&place);
}

static cudaError_t describe_linear(const struct cudaResourceDesc *resource, struct umsim_texture *line)
{
    const cudaError_t error = describe_elements(&resource->res.linear.desc, line);
    if (error)
        return error;
    const size_t element = (size_t)line->channels * line->channel;
    const size_t bytes = resource->res.linear.sizeInBytes, elements = bytes / element;
    if (elements > (size_t)umsim_attribute_value(cudaDevAttrMaxTexture1DLinearWidth) ||
        !is_reachable(resource->res.linear.devPtr))
        return cudaErrorInvalidValue;
    line->base = resource->res.linear.devPtr;
    line->pitch = line->slice = bytes;
    line->size[0] = (int32_t)elements;
    line->size[1] = line->size[2] = 1;
    return cudaSuccess;
}

static cudaError_t describe_pitched(const struct cudaResourceDesc *resource, struct umsim_texture *line)
{
    const cudaError_t error = describe_elements(&resource->res.pitch2D.desc, line);
    if (error)
        return error;
    const size_t width = resource->res.pitch2D.width, height = resource->res.pitch2D.height;
    const size_t pitch = resource->res.pitch2D.pitchInBytes;
    /* an H200 accepts a width of 0, and rows that overlap */
    if (width > (size_t)umsim_attribute_value(cudaDevAttrMaxTexture2DLinearWidth) || !height ||
        height > (size_t)umsim_attribute_value(cudaDevAttrMaxTexture2DLinearHeight) || !pitch ||
        pitch > (size_t)umsim_attribute_value(cudaDevAttrMaxTexture2DLinearPitch) ||
        pitch % (size_t)umsim_attribute_value(cudaDevAttrTexturePitchAlignment) ||
        !is_reachable(resource->res.pitch2D.devPtr))
        return cudaErrorInvalidValue;
    line->base = resource->res.pitch2D.devPtr;
    line->pitch = pitch;
    line->slice = pitch * height;
    line->size[0] = (int32_t)width;
    line->size[1] = (int32_t)height;
    line->size[2] = 1;
    return cudaSuccess;
}

static cudaError_t describe(const struct cudaResourceDesc *resource, struct umsim_texture *line)
{
    switch (resource->resType) {
    case cudaResourceTypeArray:
        return describe_array(resource->res.array.array, line);
    case cudaResourceTypeLinear:
        return describe_linear(resource, line);
    case cudaResourceTypePitch2D:
        return describe_pitched(resource, line);
    case cudaResourceTypeMipmappedArray:
        return cudaErrorNotSupported;
    default:
        return cudaErrorInvalidValue;
    }
}

/* ---- a view of an array ---- */

/* Handles cudaResViewFormatUnsignedChar1 and the values that follow it: unsigned, signed, of 8 bits to 32;
 * then half and float; each with 1, 2 and 4 channels. */
static void describe_view_elements(enum cudaResourceViewFormat format, struct umsim_texture *line)
{
    const unsigned number = (unsigned)(format - cudaResViewFormatUnsignedChar1), group = number / 3;
    line->channels = (uint8_t)(1u << number % 3);
    line->channel = (uint8_t)(group < 6 ? 1u << group / 2 : group == 6 ? 2 : 4);
    line->kind = group >= 6 ? UMSIM_TEXEL_FLOAT : group % 2 ? UMSIM_TEXEL_SIGNED : UMSIM_TEXEL_UNSIGNED;
    line->normalized = false;
}

static cudaError_t apply_view(const struct cudaResourceViewDesc *view, const struct umsim_array *array,
                              struct umsim_texture *line)
{
    if (!array || (unsigned)view->format > cudaResViewFormatUnsignedBlockCompressed7)
        return cudaErrorInvalidValue;
    if (view->format >= cudaResViewFormatUnsignedBlockCompressed1)
        return cudaErrorNotSupported;
    if (view->format != cudaResViewFormatNone)
        describe_view_elements(view->format, line);
    const uint32_t last = line->layers ? view->lastLayer : 0;
    if ((size_t)line->channels * line->channel != array->element || view->width != array->extent.width ||
        view->height != array->extent.height || view->depth != array->extent.depth ||
        view->firstMipmapLevel || view->lastMipmapLevel || view->lastLayer != last ||
        view->firstLayer > last || (line->layers && last >= (uint32_t)line->layers) ||
        (line->cube && (view->firstLayer % 6 || (last + 1) % 6)))
        return cudaErrorInvalidValue;
    line->base += view->firstLayer * line->slice;
    if (line->layers)
        line->layers = (int32_t)(last - view->firstLayer + 1);
    return cudaSuccess;
}

/* ---- how a texture is read ---- */

/* Sets what elements are read as. An H200 does not report an unknown read mode. */
static cudaError_t apply_modes(const struct cudaTextureDesc *how, bool is_linear, struct umsim_texture *line)
{
    const bool integer = line->kind != UMSIM_TEXEL_FLOAT, small = integer && line->channel < 4;
    const bool normalizes = how->readMode == cudaReadModeNormalizedFloat;
    const bool filters = how->filterMode == cudaFilterModeLinear;
    line->normalized |= normalizes && small;
    line->filters = filters && !is_linear;
    if (filters && integer && !line->normalized)
        return cudaErrorInvalidFilterSetting;
    return normalizes && !small ? cudaErrorInvalidNormSetting : cudaSuccess;
}

static cudaError_t apply_how(const struct cudaTextureDesc *how, bool is_linear, struct umsim_texture *line)
{
    if ((unsigned)how->filterMode > cudaFilterModeLinear)
        return cudaErrorInvalidValue;
    /* a direction's place on a face is a share of it, and never beyond its edges */
    line->unit = how->normalizedCoords || line->cube;
    for (int i = 0; i < 3; i++) {
        if ((unsigned)how->addressMode[i] > cudaAddressModeBorder)
            return cudaErrorInvalidValue;
        line->address[i] = (uint8_t)how->addressMode[i];
        if (line->cube || (!line->unit && line->address[i] != UMSIM_BORDER))
            line->address[i] = UMSIM_CLAMP;
    }
    const cudaError_t error = apply_modes(how, is_linear, line);
    if (error)
        return error;
    if (line->cube && line->filters && how->seamlessCubemap)
        return cudaErrorNotSupported;
    line->srgb = how->sRGB && line->normalized && line->channel == 1 && line->kind == UMSIM_TEXEL_UNSIGNED;
    memcpy(line->border.real, how->borderColor, sizeof line->border.real);
    for (unsigned i = line->channels; i < 4; i++)
        line->border.bits[i] = 0;
    return cudaSuccess;
}

/* ---- the calls ---- */

/* Gives out a line. Its handle is stored last. */
static cudaError_t make(const struct umsim_texture *line, const struct object *object, uint64_t *handle)
{
    const uint32_t index = take_line();
    if (!index)
        return cudaErrorMemoryAllocation;
    const uint64_t used = objects[index].used;
    objects[index] = *object;
    objects[index].used = used;
    *umsim_texture_line(index) = *line;
    *handle = handle_of(index);
    atomic_store_explicit(&umsim_texture_line(index)->handle, *handle, memory_order_release);
    return cudaSuccess;
}

/* Copies only the members of the resource's type, because CUDA 12's structure is shorter. */
static void copy_resource(struct cudaResourceDesc *to, const struct cudaResourceDesc *from)
{
    to->resType = from->resType;
    if (from->resType == cudaResourceTypeArray)
        to->res.array = from->res.array;
    else if (from->resType == cudaResourceTypeLinear)
        to->res.linear = from->res.linear;
    else
        to->res.pitch2D = from->res.pitch2D;
}

static void copy_view(struct cudaResourceViewDesc *to, const struct cudaResourceViewDesc *from)
{
    memcpy(to, from, offsetof(struct cudaResourceViewDesc, reserved));
}

static cudaError_t create_texture(cudaTextureObject_t *out, const struct cudaResourceDesc *resource,
                                  const struct cudaTextureDesc *how, const struct cudaResourceViewDesc *view)
{
    struct umsim_texture line = {.handle = 0};
    struct object object = {.alive = true, .device = umsim_device()};
    if (!out || !resource)
        return cudaErrorInvalidValue;
    if (!how)
        return cudaErrorInvalidResourceHandle;
    cudaError_t error = describe(resource, &line);
    if (!error && view)
        error = apply_view(
            view,
            resource->resType == cudaResourceTypeArray ? umsim_array_of(resource->res.array.array) : NULL,
            &line);
    if (!error)
        error = apply_how(how, resource->resType == cudaResourceTypeLinear, &line);
    if (error)
        return error;
    copy_resource(&object.resource, resource);
    object.how = *how;
    if (view)
        copy_view(&object.view, view);
    uint64_t handle = 0;
    error = make(&line, &object, &handle);
    if (!error)
        *out = handle;
    return error;
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *pTexObject, const struct cudaResourceDesc *pResDesc,
                                    const struct cudaTextureDesc *pTexDesc,
                                    const struct cudaResourceViewDesc *pResViewDesc)
{
    UMSIM_ENTER(cudaCreateTextureObject, pTexObject, pResDesc, pTexDesc);
    umsim_spend(UMSIM_CALL_LOOKUP);
    return umsim_leave(create_texture(pTexObject, pResDesc, pTexDesc, pResViewDesc));
}

static cudaError_t create_surface(cudaSurfaceObject_t *out, const struct cudaResourceDesc *resource)
{
    struct umsim_texture line = {.is_surface = true};
    struct object object = {.alive = true, .device = umsim_device()};
    if (!out || !resource || resource->resType != cudaResourceTypeArray)
        return cudaErrorInvalidValue;
    const cudaError_t error = describe_array(resource->res.array.array, &line);
    if (error)
        return error;
    /* an H200 does not mind that the array lacks cudaArraySurfaceLoadStore */
    copy_resource(&object.resource, resource);
    uint64_t handle = 0;
    const cudaError_t made = make(&line, &object, &handle);
    if (!made)
        *out = handle;
    return made;
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *pSurfObject, const struct cudaResourceDesc *pResDesc)
{
    UMSIM_ENTER(cudaCreateSurfaceObject, pSurfObject, pResDesc);
    umsim_spend(UMSIM_CALL_LOOKUP);
    return umsim_leave(create_surface(pSurfObject, pResDesc));
}

static cudaError_t destroy(uint64_t handle, bool is_surface)
{
    struct object *object = find(handle, is_surface);
    umsim_spend(UMSIM_CALL_LOOKUP);
    if (!object)
        return handle ? cudaErrorInvalidValue : cudaSuccess;
    object->alive = false;
    object->dying = true;
    reclaim();
    return cudaSuccess;
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texObject)
{
    UMSIM_ENTER(cudaDestroyTextureObject, texObject);
    return umsim_leave(destroy(texObject, false));
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surfObject)
{
    UMSIM_ENTER(cudaDestroySurfaceObject, surfObject);
    return umsim_leave(destroy(surfObject, true));
}

/* Copies the part of an object that was asked for into a structure of the caller's CUDA version. */
static cudaError_t tell(const void *from, void *to, size_t bytes)
{
    umsim_spend(UMSIM_CALL_LOOKUP);
    if (!from || !to)
        return cudaErrorInvalidValue;
    memcpy(to, from, bytes);
    return cudaSuccess;
}

cudaError_t umsim_texture_resource(void *to, size_t bytes, uint64_t handle, bool is_surface)
{
    const struct object *object = find(handle, is_surface);
    return tell(object ? &object->resource : NULL, to, bytes);
}

cudaError_t umsim_texture_view(void *to, size_t bytes, uint64_t handle)
{
    const struct object *object = find(handle, false);
    return tell(object ? &object->view : NULL, to, bytes);
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *pResDesc, cudaTextureObject_t texObject)
{
    UMSIM_ENTER(cudaGetTextureObjectResourceDesc, pResDesc, texObject);
    return umsim_leave(umsim_texture_resource(pResDesc, sizeof *pResDesc, texObject, false));
}

cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *pTexDesc, cudaTextureObject_t texObject)
{
    UMSIM_ENTER(cudaGetTextureObjectTextureDesc, pTexDesc, texObject);
    const struct object *object = find(texObject, false);
    return umsim_leave(tell(object ? &object->how : NULL, pTexDesc, sizeof *pTexDesc));
}

cudaError_t cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc *pResViewDesc,
                                                 cudaTextureObject_t texObject)
{
    UMSIM_ENTER(cudaGetTextureObjectResourceViewDesc, pResViewDesc, texObject);
    return umsim_leave(umsim_texture_view(pResViewDesc, sizeof *pResViewDesc, texObject));
}

cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *pResDesc,
                                             cudaSurfaceObject_t surfObject)
{
    UMSIM_ENTER(cudaGetSurfaceObjectResourceDesc, pResDesc, surfObject);
    return umsim_leave(umsim_texture_resource(pResDesc, sizeof *pResDesc, surfObject, true));
}
