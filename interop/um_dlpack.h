/**
 * @file um_dlpack.h
 * @brief A buffer as a DLPack tensor: another library shares the memory, and nothing is copied.
 *
 * The structures are those of the DLPack standard (dmlc/dlpack, versions before 1.0 and 1.x). They have our
 * own names here, so that DLPack's header is not needed. They and their deleters are in C and not in Python,
 * because a consumer may drop its tensor from any thread, without the interpreter's lock, and after the
 * interpreter has ended.
 */
#ifndef UM_DLPACK_H
#define UM_DLPACK_H

#include "um_interop.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The version of DLPack that is exported: 1.0. */
enum { UM_DL_MAJOR = 1, UM_DL_MINOR = 0 };

/** DLDeviceType: the values used here. */
enum um_dl_device_type { UM_DL_CPU = 1, UM_DL_CUDA = 2, UM_DL_CUDA_HOST = 3, UM_DL_CUDA_MANAGED = 13 };

/** DLDevice */
struct um_dl_device {
    int32_t type, id;
};

/** DLDataType. code: 0 signed, 1 unsigned, 2 float, 5 complex, 6 bool */
struct um_dl_type {
    uint8_t code, bits;
    uint16_t lanes;
};

/** DLTensor. Strides count elements. */
struct um_dl_tensor {
    void *data;
    struct um_dl_device device;
    int32_t ndim;
    struct um_dl_type dtype;
    int64_t *shape, *strides;
    uint64_t byte_offset;
};

/** DLManagedTensor: what a capsule named "dltensor" holds. */
struct um_dl_managed {
    struct um_dl_tensor tensor;
    void *context;
    void (*deleter)(struct um_dl_managed *self);
};

/** DLManagedTensorVersioned: "dltensor_versioned". */
struct um_dl_versioned {
    uint32_t major, minor;
    void *context;
    void (*deleter)(struct um_dl_versioned *self);
    uint64_t flags; /**< bit 0: read only; bit 1: this is a copy */
    struct um_dl_tensor tensor;
};

/** How an array lies in a buffer. */
struct um_dl_layout {
    struct um_place at;
    const int64_t *shape;   /**< `ndim` of them */
    const int64_t *strides; /**< in elements; NULL: dense, the last index fastest */
    int32_t ndim;           /**< 0 to UM_DL_DIMENSIONS */
    struct um_dl_type dtype;
    int32_t read_only; /**< stated in the flags; a tensor before 1.0 cannot state it, so that is refused */
    int32_t shown_as; /**< 0: the memory's own type. UM_DL_CPU, UM_DL_CUDA: that type, for consumers that know
                         no other */
};
#define UM_DL_DIMENSIONS 32

/** The device that DLPack's consumers are given. Pinned and mapped memory is kDLCUDAHost. */
cudaError_t um_dlpack_device(um_buffer buffer, struct um_dl_device *out);

/**
 * Exports a tensor that holds a reference to the buffer until its deleter is called. Any thread may call the
 * deleter, at any time. cudaErrorInvalidValue when an element would lie outside the buffer, or when device
 * memory is requested as the CPU's.
 * @param versioned whether `*out` becomes a struct um_dl_versioned, or a struct um_dl_managed
 */
cudaError_t um_dlpack_export(const struct um_dl_layout *layout, int versioned, void **out);

/** Calls the deleter of a tensor that was exported and that no consumer took. NULL does nothing. */
void um_dlpack_drop(void *tensor, int versioned);

#ifdef __cplusplus
}
#endif
#endif
