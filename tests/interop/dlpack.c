/**
 * @file dlpack.c
 * @brief Tests of interop/um_dlpack.h: what a consumer is shown, and when the memory goes.
 */
#include "interop/um_dlpack.h"
#include "um_test.h"

#include "made.h"

#include <stdbool.h>
#include <string.h>

static const struct um_dl_type float32 = {2, 32, 1};

static void a_tensor_shows_the_buffer_itself(void)
{
    static const int32_t types[] = {UM_DL_CUDA, UM_DL_CUDA_HOST, UM_DL_CUDA_HOST, UM_DL_CUDA_MANAGED};
    const int64_t shape[] = {3, 4};
    for (int memory = 0; memory < 4; memory++) {
        um_buffer b = made(memory, 100);
        struct um_dl_layout layout = {.at = {b, 8}, .shape = shape, .ndim = 2, .dtype = float32};
        struct um_buffer_info info;
        struct um_dl_versioned *it = NULL;
        UM_EQUAL(um_dlpack_export(&layout, 1, (void **)&it), cudaSuccess);
        UM_EQUAL(um_buffer_describe(b, &info), cudaSuccess);
        UM_EQUAL((uintptr_t)it->tensor.data, info.address + 8);
        UM_EQUAL(it->tensor.device.type, types[memory]);
        UM_EQUAL(it->major, 1);
        UM_EQUAL(it->flags, 0);
        UM_EQUAL(it->tensor.ndim, 2);
        UM_EQUAL(it->tensor.shape[1], 4);
        UM_EQUAL(it->tensor.strides[0], 4);
        UM_EQUAL(it->tensor.strides[1], 1);
        UM_EQUAL(info.references, 2);
        UM_EQUAL(um_buffer_release(b), cudaSuccess); /* the owner dies first */
        UM_EQUAL(um_buffer_describe(b, &info), cudaSuccess);
        it->deleter(it);
        UM_EQUAL(um_buffer_describe(b, &info), cudaErrorInvalidResourceHandle);
    }
}

static void the_older_form_has_the_same_lifetime(void)
{
    um_buffer b = made(UM_MEMORY_PINNED, 64);
    const int64_t shape[] = {16};
    struct um_dl_layout layout = {.at = {b, 0}, .shape = shape, .ndim = 1, .dtype = float32};
    struct um_buffer_info info;
    struct um_dl_managed *it = NULL;
    UM_EQUAL(um_dlpack_export(&layout, 0, (void **)&it), cudaSuccess);
    UM_EQUAL(um_buffer_free(b), cudaErrorNotPermitted);
    um_dlpack_drop(it, 0);
    UM_EQUAL(um_buffer_describe(b, &info), cudaSuccess);
    UM_EQUAL(info.references, 1);
    layout.read_only = 1;
    UM_EQUAL(um_dlpack_export(&layout, 0, (void **)&it), cudaErrorNotSupported);
    UM_EQUAL(um_buffer_free(b), cudaSuccess);
    um_dlpack_drop(NULL, 0);
    um_dlpack_drop(NULL, 1);
}

/* Exports `count` floats with one stride from `offset` on. */
static cudaError_t exported(um_buffer b, uint64_t offset, int64_t count, int64_t stride)
{
    struct um_dl_layout layout = {
        .at = {b, offset}, .shape = &count, .strides = &stride, .ndim = 1, .dtype = float32};
    void *it = NULL;
    cudaError_t error = um_dlpack_export(&layout, 1, &it);
    um_dlpack_drop(it, 1);
    return error;
}

static void elements_outside_the_buffer_are_refused(void)
{
    um_buffer b = made(UM_MEMORY_DEVICE, 64);
    UM_EQUAL(exported(b, 0, 16, 1), cudaSuccess);
    UM_EQUAL(exported(b, 0, 17, 1), cudaErrorInvalidValue);
    UM_EQUAL(exported(b, 0, 8, 2), cudaSuccess);
    UM_EQUAL(exported(b, 4, 8, 2), cudaSuccess);
    UM_EQUAL(exported(b, 8, 8, 2), cudaErrorInvalidValue);
    UM_EQUAL(exported(b, 60, 16, -1), cudaSuccess);
    UM_EQUAL(exported(b, 56, 16, -1), cudaErrorInvalidValue);
    UM_EQUAL(exported(b, 0, 1000000, 0), cudaSuccess); /* one element, seen often */
    UM_EQUAL(exported(b, 0, 0, 1), cudaSuccess);
    UM_EQUAL(exported(b, 64, 0, 1), cudaSuccess);
    UM_EQUAL(exported(b, 65, 0, 1), cudaErrorInvalidValue);
    UM_EQUAL(exported(b, UINT64_MAX, 1, 1), cudaErrorInvalidValue);
    UM_EQUAL(exported(b, 0, INT64_MAX, INT64_MAX), cudaErrorInvalidValue);
    UM_EQUAL(exported(b, 0, -1, 1), cudaErrorInvalidValue);
    UM_EQUAL(um_buffer_free(b), cudaSuccess);
}

static void only_what_the_host_reaches_is_shown_as_the_CPUs(void)
{
    const int64_t shape[] = {16};
    for (int memory = 0; memory < 4; memory++) {
        um_buffer b = made(memory, 64);
        struct um_dl_layout layout = {
            .at = {b, 0}, .shape = shape, .ndim = 1, .dtype = float32, .shown_as = UM_DL_CPU};
        struct um_dl_versioned *it = NULL;
        const bool may = memory != UM_MEMORY_DEVICE;
        UM_EQUAL(um_dlpack_export(&layout, 1, (void **)&it), may ? cudaSuccess : cudaErrorInvalidValue);
        if (may)
            UM_EQUAL(it->tensor.device.type, UM_DL_CPU);
        um_dlpack_drop(it, 1);
        UM_EQUAL(um_buffer_free(b), cudaSuccess);
    }
}

static void what_the_device_reaches_in_place_is_shown_as_its_own(void)
{
    const int64_t shape[] = {16};
    for (int memory = 0; memory < 4; memory++) {
        um_buffer b = made(memory, 64);
        struct um_dl_layout layout = {.at = {b, 0}, .shape = shape, .ndim = 1, .dtype = float32};
        struct um_dl_versioned *it = NULL;
        struct um_buffer_info info;
        layout.shown_as = UM_DL_CUDA;
        UM_EQUAL(um_buffer_describe(b, &info), cudaSuccess);
        UM_EQUAL(um_dlpack_export(&layout, 1, (void **)&it),
                 info.device_address == info.address ? cudaSuccess : cudaErrorInvalidValue);
        if (it)
            UM_EQUAL(it->tensor.device.type, UM_DL_CUDA);
        um_dlpack_drop(it, 1);
        layout.shown_as = UM_DL_CUDA_HOST;
        UM_EQUAL(um_dlpack_export(&layout, 1, (void **)&it), cudaErrorInvalidValue);
        UM_EQUAL(um_buffer_free(b), cudaSuccess);
    }
}

static void the_structures_are_laid_out_as_the_standard_says(void)
{
    /* offsets on a 64-bit machine, from the standard's C structures */
    UM_EQUAL(sizeof(struct um_dl_tensor), 48);
    UM_EQUAL(offsetof(struct um_dl_tensor, dtype), 20);
    UM_EQUAL(offsetof(struct um_dl_tensor, byte_offset), 40);
    UM_EQUAL(offsetof(struct um_dl_managed, deleter), 56);
    UM_EQUAL(offsetof(struct um_dl_versioned, context), 8);
    UM_EQUAL(offsetof(struct um_dl_versioned, flags), 24);
    UM_EQUAL(offsetof(struct um_dl_versioned, tensor), 32);
}

UM_TESTS("interop: dlpack", {"a tensor shows the buffer itself", a_tensor_shows_the_buffer_itself},
         {"the older form has the same lifetime", the_older_form_has_the_same_lifetime},
         {"elements outside the buffer are refused", elements_outside_the_buffer_are_refused},
         {"only what the host reaches is shown as the CPU's",
          only_what_the_host_reaches_is_shown_as_the_CPUs},
         {"what the device reaches in place is shown as its own",
          what_the_device_reaches_in_place_is_shown_as_its_own},
         {"the structures are laid out as the standard says",
          the_structures_are_laid_out_as_the_standard_says});
