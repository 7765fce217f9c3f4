/**
 * @file um_dlpack.c
 * @brief Implementation of um_dlpack.h: creates and deletes DLPack tensors without the Python interpreter.
 */
#include "um_dlpack.h"

#include "um_hold.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* One allocation holds everything that a consumer gets. */
struct exported {
    union {
        struct um_dl_managed managed;
        struct um_dl_versioned versioned;
    };
    um_buffer buffer;
    int64_t shape[UM_DL_DIMENSIONS], strides[UM_DL_DIMENSIONS];
};

static void drop(struct exported *it)
{
    if (it) {
        (void)um_buffer_release(it->buffer);
        free(it);
    }
}

static void drop_managed(struct um_dl_managed *self)
{
    drop(self ? self->context : NULL);
}

static void drop_versioned(struct um_dl_versioned *self)
{
    drop(self ? self->context : NULL);
}

static int32_t type_of(const struct um_buffer_info *info)
{
    return info->memory == UM_MEMORY_DEVICE    ? UM_DL_CUDA
           : info->memory == UM_MEMORY_MANAGED ? UM_DL_CUDA_MANAGED
                                               : UM_DL_CUDA_HOST;
}

cudaError_t um_dlpack_device(um_buffer buffer, struct um_dl_device *out)
{
    struct um_buffer_info info;
    cudaError_t error = um_buffer_describe(buffer, &info);
    if (error == cudaSuccess)
        *out = (struct um_dl_device){type_of(&info), info.device};
    return error;
}

/* Where the elements lie, from the first byte of the first to the last byte of the last: [lowest, highest)
 * relative to layout->at. False when that does not fit in 64 bits. */
static bool spread(const struct um_dl_layout *layout, const int64_t *strides, int64_t *lowest,
                   int64_t *highest)
{
    const int64_t element = ((int64_t)layout->dtype.bits * layout->dtype.lanes + 7) / 8;
    *lowest = 0;
    *highest = element;
    for (int i = 0; i < layout->ndim; i++) {
        int64_t step;
        if (layout->shape[i] == 0) {
            *lowest = *highest = 0;
            return true;
        }
        if (__builtin_mul_overflow(layout->shape[i] - 1, strides[i], &step) ||
            __builtin_mul_overflow(step, element, &step) ||
            __builtin_add_overflow(step < 0 ? *lowest : *highest, step, step < 0 ? lowest : highest))
            return false;
    }
    return true;
}

/* The layout's strides, or dense ones. False when there are too many elements to count. */
static bool strides_of(const struct um_dl_layout *layout, int64_t *strides)
{
    int64_t dense = 1;
    for (int i = layout->ndim; i-- > 0;) {
        strides[i] = layout->strides ? layout->strides[i] : dense;
        if (layout->shape[i] > 0 && __builtin_mul_overflow(dense, layout->shape[i], &dense))
            return false;
    }
    return true;
}

static cudaError_t check(const struct um_dl_layout *layout, const struct um_buffer_info *info,
                         const int64_t *strides)
{
    int64_t lowest, highest;
    if (layout->shown_as == UM_DL_CPU && !info->host_visible)
        return um_fail(cudaErrorInvalidValue,
                       "device memory at %#" PRIx64
                       " cannot be shown as the CPU's: only the device reaches it",
                       info->address);
    if (layout->shown_as == UM_DL_CUDA && info->device_address != info->address)
        return um_fail(cudaErrorInvalidValue,
                       "memory at %#" PRIx64
                       " cannot be shown as the device's: it reaches it at another address, or not at all",
                       info->address);
    if (layout->shown_as != 0 && layout->shown_as != UM_DL_CPU && layout->shown_as != UM_DL_CUDA)
        return um_fail(cudaErrorInvalidValue, "memory is shown as DLPack device 1 or 2, not as %d",
                       layout->shown_as);
    if (!spread(layout, strides, &lowest, &highest) || layout->at.offset > info->bytes ||
        lowest < -(int64_t)layout->at.offset || highest > (int64_t)(info->bytes - layout->at.offset))
        return um_fail(cudaErrorInvalidValue, "an element would lie outside the buffer of %" PRIu64 " bytes",
                       info->bytes);
    return cudaSuccess;
}

static void fill(struct exported *it, const struct um_dl_layout *layout, const struct um_buffer_info *info,
                 struct um_dl_tensor *tensor)
{
    memcpy(it->shape, layout->shape, (size_t)layout->ndim * sizeof *it->shape);
    tensor->data =
        (void *)(uintptr_t)(info->address + layout->at.offset); // NOLINT(performance-no-int-to-ptr)
    tensor->device = (struct um_dl_device){type_of(info), info->device};
    if (layout->shown_as)
        tensor->device =
            (struct um_dl_device){layout->shown_as, layout->shown_as == UM_DL_CPU ? 0 : info->device};
    tensor->ndim = layout->ndim;
    tensor->dtype = layout->dtype;
    tensor->shape = it->shape;
    tensor->strides = it->strides;
    tensor->byte_offset = 0;
}

static cudaError_t check_form(const struct um_dl_layout *layout, int versioned)
{
    if (layout->ndim < 0 || layout->ndim > UM_DL_DIMENSIONS)
        return um_fail(cudaErrorInvalidValue, "%d dimensions: 0 to %d can be exported", layout->ndim,
                       UM_DL_DIMENSIONS);
    if (layout->dtype.bits == 0 || layout->dtype.lanes == 0)
        return um_fail(cudaErrorInvalidValue, "an element of %d bits and %d lanes is none",
                       layout->dtype.bits, layout->dtype.lanes);
    for (int i = 0; i < layout->ndim; i++) {
        if (layout->shape[i] < 0)
            return um_fail(cudaErrorInvalidValue, "dimension %d has %" PRId64 " elements", i,
                           layout->shape[i]);
    }
    if (layout->read_only && !versioned)
        return um_fail(
            cudaErrorNotSupported,
            "a read-only array cannot be passed on by DLPack before 1.0, which has no way to say so: the "
            "consumer has to ask for max_version (1, 0)");
    return cudaSuccess;
}

cudaError_t um_dlpack_export(const struct um_dl_layout *layout, int versioned, void **out)
{
    struct um_buffer_info info;
    struct exported *it;
    cudaError_t error = check_form(layout, versioned);
    *out = NULL;
    if (error == cudaSuccess)
        error = um_hold(layout->at.buffer, 0, 0, &info);
    if (error != cudaSuccess)
        return error;
    it = calloc(1, sizeof *it);
    if (!it)
        error = um_fail(cudaErrorMemoryAllocation, "no host memory is left to describe one more tensor");
    else if (!strides_of(layout, it->strides))
        error = um_fail(cudaErrorInvalidValue, "more elements than can be counted");
    else
        error = check(layout, &info, it->strides);
    if (error != cudaSuccess || !it) {
        free(it);
        (void)um_buffer_release(layout->at.buffer);
        return error;
    }
    it->buffer = layout->at.buffer; /* the reference goes with it */
    fill(it, layout, &info, versioned ? &it->versioned.tensor : &it->managed.tensor);
    if (versioned) {
        it->versioned.major = UM_DL_MAJOR;
        it->versioned.minor = UM_DL_MINOR;
        it->versioned.flags = layout->read_only ? 1 : 0;
        it->versioned.context = it;
        it->versioned.deleter = drop_versioned;
        *out = &it->versioned;
    } else {
        it->managed.context = it;
        it->managed.deleter = drop_managed;
        *out = &it->managed;
    }
    return cudaSuccess;
}

void um_dlpack_drop(void *tensor, int versioned)
{
    struct um_dl_managed *managed = tensor;
    struct um_dl_versioned *with_version = tensor;
    if (tensor && versioned && with_version->deleter)
        with_version->deleter(with_version);
    else if (tensor && !versioned && managed->deleter)
        managed->deleter(managed);
}
