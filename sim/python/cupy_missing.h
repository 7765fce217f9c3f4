/**
 * @file cupy_missing.h
 * @brief What CuPy's source wants of CUDA's headers and the simulator has not; each of its files includes
 * this one.
 *
 * Types of transforms on several GPUs, whose calls refuse (build_cupy.py).
 */
#ifndef UMSIM_CUPY_MISSING_H
#define UMSIM_CUPY_MISSING_H

#include <stddef.h>

/** @name Transforms on several GPUs: types only
 * @{ */
/** What each GPU has of an array. */
typedef struct cudaXtDesc_t {
    int version;
    int nGPUs;
    int GPUs[64];
    void *data[64];
    size_t size[64];
    void *cudaXtState;
} cudaXtDesc;
/** How an array's parts lie. */
typedef enum {
    CUFFT_XT_FORMAT_INPUT = 0,
    CUFFT_XT_FORMAT_OUTPUT = 1,
    CUFFT_XT_FORMAT_INPLACE = 2,
    CUFFT_XT_FORMAT_INPLACE_SHUFFLED = 3,
    CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED = 4
} cufftXtSubFormat;
/** Where a copy goes. */
typedef enum {
    CUFFT_COPY_HOST_TO_DEVICE = 0,
    CUFFT_COPY_DEVICE_TO_HOST = 1,
    CUFFT_COPY_DEVICE_TO_DEVICE = 2
} cufftXtCopyType;
/** An array on several GPUs. */
typedef struct cudaLibXtDesc_t {
    int version;
    cudaXtDesc *descriptor;
    int library;
    int subFormat;
    void *libDescriptor;
} cudaLibXtDesc;
/** @} */

#endif
