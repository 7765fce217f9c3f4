/**
 * @file cufft.h
 * @brief cuFFT (libcufft.so): Fourier transforms of one to three dimensions, in batches, on the simulated
 * GPU.
 *
 * The library is there where KissFFT was when the simulator was built (setup.sh installs it). Transforms are
 * not normalised. Not provided: several GPUs, callbacks and half precision (cufftXt.h), each refused with a
 * line.
 */
#ifndef _CUFFT_H_
#define _CUFFT_H_

#include "cuComplex.h"
#include "cuda_runtime_api.h"
#include "library_types.h"

#ifndef CUFFTAPI
#define CUFFTAPI
#endif
/** @name The version of cuFFT whose interface this is
 * @{ */
#define CUFFT_VER_MAJOR 12
#define CUFFT_VER_MINOR 0
#define CUFFT_VER_PATCH 0
#define CUFFT_VERSION 12000
/** @} */
#define MAX_CUFFT_ERROR 0x15
#define CUFFT_FORWARD -1 /**< exp(-2 pi i jk / n) */
#define CUFFT_INVERSE 1  /**< exp(+2 pi i jk / n) */
#define CUFFT_PLAN_NULL -1

#ifdef __cplusplus
extern "C" {
#endif

/** What cuFFT's functions return. */
typedef enum cufftResult_t {
    CUFFT_SUCCESS = 0,
    CUFFT_INVALID_PLAN = 1,   /**< there is no such plan, or it is not made yet */
    CUFFT_ALLOC_FAILED = 2,   /**< not enough memory */
    CUFFT_INVALID_TYPE = 3,   /**< no such type, or not this plan's */
    CUFFT_INVALID_VALUE = 4,  /**< a pointer or a direction that cannot be */
    CUFFT_INTERNAL_ERROR = 5, /**< the library failed inside */
    CUFFT_EXEC_FAILED = 6,    /**< a kernel failed */
    CUFFT_SETUP_FAILED = 7,   /**< there is no device */
    CUFFT_INVALID_SIZE = 8,   /**< a size that cannot be */
    CUFFT_UNALIGNED_DATA = 9, /**< never here */
    CUFFT_INVALID_DEVICE = 11,
    CUFFT_NO_WORKSPACE = 13, /**< no work area was given */
    CUFFT_NOT_IMPLEMENTED = 14,
    CUFFT_NOT_SUPPORTED = 16, /**< not provided */
    CUFFT_MISSING_DEPENDENCY = 17,
    CUFFT_NVRTC_FAILURE = 18,
    CUFFT_NVJITLINK_FAILURE = 19,
    CUFFT_NVSHMEM_FAILURE = 20
} cufftResult;

/** From what to what: R and D are real, C and Z complex, of float and of double. */
typedef enum cufftType_t {
    CUFFT_R2C = 0x2a,
    CUFFT_C2R = 0x2c,
    CUFFT_C2C = 0x29,
    CUFFT_D2Z = 0x6a,
    CUFFT_Z2D = 0x6c,
    CUFFT_Z2Z = 0x69
} cufftType;

/** FFTW's padding of transforms in place, which is always so. */
typedef enum cufftCompatibility_t { CUFFT_COMPATIBILITY_FFTW_PADDING = 1 } cufftCompatibility;
#define CUFFT_COMPATIBILITY_DEFAULT CUFFT_COMPATIBILITY_FFTW_PADDING

typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;
typedef int cufftHandle;

/**
 * @name Plans: a handle that is made at once
 *
 * INVALID_SIZE: a size or a batch below 1, or more bytes than there are; INVALID_TYPE: no such type;
 * INVALID_VALUE: a null pointer, or a rank that is not 1 to 3.
 * @{
 */
cufftResult cufftPlan1d(cufftHandle *__plan, int __nx, cufftType __type, int __batch);
cufftResult cufftPlan2d(cufftHandle *__plan, int __nx, int __ny, cufftType __type);
cufftResult cufftPlan3d(cufftHandle *__plan, int __nx, int __ny, int __nz, cufftType __type);
/**
 * Element (x, y, z) of transform b lies at b * __idist + ((x * __inembed[1] + y) * __inembed[2] + z) *
 * __istride; without __inembed and __onembed they lie one after another, whatever the strides say.
 */
cufftResult cufftPlanMany(cufftHandle *__plan, int __rank, int *__n, int *__inembed, int __istride,
                          int __idist, int *__onembed, int __ostride, int __odist, cufftType __type,
                          int __batch);
/** @} */

/** @name Plans: a handle first (cufftCreate()), then its sizes; `__workSize` gets the work area's bytes
 * @{ */
cufftResult cufftCreate(cufftHandle *__handle);
cufftResult cufftMakePlan1d(cufftHandle __plan, int __nx, cufftType __type, int __batch, size_t *__workSize);
cufftResult cufftMakePlan2d(cufftHandle __plan, int __nx, int __ny, cufftType __type, size_t *__workSize);
cufftResult cufftMakePlan3d(cufftHandle __plan, int __nx, int __ny, int __nz, cufftType __type,
                            size_t *__workSize);
cufftResult cufftMakePlanMany(cufftHandle __plan, int __rank, int *__n, int *__inembed, int __istride,
                              int __idist, int *__onembed, int __ostride, int __odist, cufftType __type,
                              int __batch, size_t *__workSize);
cufftResult cufftMakePlanMany64(cufftHandle __plan, int __rank, long long int *__n, long long int *__inembed,
                                long long int __istride, long long int __idist, long long int *__onembed,
                                long long int __ostride, long long int __odist, cufftType __type,
                                long long int __batch, size_t *__workSize);
/** @} */

/** @name The work area's bytes, without making a plan; the simulator's own, not those of a GPU
 * @{ */
cufftResult cufftEstimate1d(int __nx, cufftType __type, int __batch, size_t *__workSize);
cufftResult cufftEstimate2d(int __nx, int __ny, cufftType __type, size_t *__workSize);
cufftResult cufftEstimate3d(int __nx, int __ny, int __nz, cufftType __type, size_t *__workSize);
cufftResult cufftEstimateMany(int __rank, int *__n, int *__inembed, int __istride, int __idist,
                              int *__onembed, int __ostride, int __odist, cufftType __type, int __batch,
                              size_t *__workSize);
cufftResult cufftGetSize1d(cufftHandle __handle, int __nx, cufftType __type, int __batch, size_t *__workSize);
cufftResult cufftGetSize2d(cufftHandle __handle, int __nx, int __ny, cufftType __type, size_t *__workSize);
cufftResult cufftGetSize3d(cufftHandle __handle, int __nx, int __ny, int __nz, cufftType __type,
                           size_t *__workSize);
cufftResult cufftGetSizeMany(cufftHandle __handle, int __rank, int *__n, int *__inembed, int __istride,
                             int __idist, int *__onembed, int __ostride, int __odist, cufftType __type,
                             int __batch, size_t *__workSize);
cufftResult cufftGetSizeMany64(cufftHandle __plan, int __rank, long long int *__n, long long int *__inembed,
                               long long int __istride, long long int __idist, long long int *__onembed,
                               long long int __ostride, long long int __odist, cufftType __type,
                               long long int __batch, size_t *__workSize);
/** Those of a plan. */
cufftResult cufftGetSize(cufftHandle __handle, size_t *__workSize);
/** @} */

/** Whether making the plan allocates its work area; else cufftSetWorkArea() gives it. Before the plan is
 * made. */
cufftResult cufftSetAutoAllocation(cufftHandle __plan, int __autoAllocate);
/** Device memory of cufftGetSize() bytes, for all transforms from now on. */
cufftResult cufftSetWorkArea(cufftHandle __plan, void *__workArea);
/** The stream of a plan's kernels. What the last stream still does for it has to be awaited before. */
cufftResult cufftSetStream(cufftHandle __plan, cudaStream_t __stream);
/** Waits for the plan's transforms, and frees what it has. */
cufftResult cufftDestroy(cufftHandle __plan);

/**
 * @name Transforms of device memory, in place where `__idata` is `__odata`
 *
 * INVALID_VALUE: no such direction, or kernels cannot reach an array; INVALID_TYPE: the plan is of another
 * type.
 * @{
 */
cufftResult cufftExecC2C(cufftHandle __plan, cufftComplex *__idata, cufftComplex *__odata, int __direction);
cufftResult cufftExecR2C(cufftHandle __plan, cufftReal *__idata, cufftComplex *__odata);
cufftResult cufftExecC2R(cufftHandle __plan, cufftComplex *__idata, cufftReal *__odata);
cufftResult cufftExecZ2Z(cufftHandle __plan, cufftDoubleComplex *__idata, cufftDoubleComplex *__odata,
                         int __direction);
cufftResult cufftExecD2Z(cufftHandle __plan, cufftDoubleReal *__idata, cufftDoubleComplex *__odata);
cufftResult cufftExecZ2D(cufftHandle __plan, cufftDoubleComplex *__idata, cufftDoubleReal *__odata);
/** @} */

/** 1000 times the major plus 100 times the minor version. */
cufftResult cufftGetVersion(int *__version);
/** One part of the version. */
cufftResult cufftGetProperty(libraryPropertyType __type, int *__value);

#ifdef __cplusplus
}
#endif
#endif
