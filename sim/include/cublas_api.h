/**
 * @file cublas_api.h
 * @brief cuBLAS: vectors and dense matrices, stored by columns, of float, double, complex numbers, half,
 * bfloat16 and 8-bit numbers. Programs include cublas_v2.h, or the older cublas.h, and link with -lcublas.
 *
 * The simulator has its own kernels for it (sim/cublas). Names, arguments and results are cuBLAS's. Sums are
 * formed in another order, so the last digits differ. Before a kernel starts, each array is checked. If one
 * is NULL, in host memory or too short, it is named on stderr, and the call returns
 * CUBLAS_STATUS_EXECUTION_FAILED; a GPU would fail later, when the kernel reaches it. Of a batch by
 * addresses, only the arrays of addresses are checked.
 *
 * Not provided: least squares (geqrfBatched, gelsBatched), grouped batches, level 1 with types told at run
 * time (cublasAxpyEx), rotmg, 8-bit floats, cublasXt. A modelled time is that of NVIDIA's library, as far as
 * the operations and the bytes of a call tell it.
 *
 * Unless stated otherwise, a call is queued on the handle's stream and returns at once. Scalars (`alpha`,
 * `beta`) and results are in host memory, or with CUBLAS_POINTER_MODE_DEVICE in device memory. A call whose
 * result is in host memory waits for it.
 */
#ifndef CUBLAS_API_H_
#define CUBLAS_API_H_

#ifndef CUBLASAPI
#define CUBLASAPI /**< NVIDIA's word before each call; nothing on Linux */
#endif

#include <stdint.h>

#include "cuda_runtime_api.h"
#include "driver_types.h"
#include "cuComplex.h"
#include "cuda_fp16.h"
#include "cuda_bf16.h"
#include "library_types.h"

#ifndef CUBLASWINAPI
#define CUBLASWINAPI /**< NVIDIA's word before each call; nothing on Linux */
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define CUBLAS_VER_MAJOR 13 /**< the version that this header replaces */
#define CUBLAS_VER_MINOR 1
#define CUBLAS_VER_PATCH 0
#define CUBLAS_VER_BUILD 3
#define CUBLAS_VERSION (CUBLAS_VER_MAJOR * 10000 + CUBLAS_VER_MINOR * 100 + CUBLAS_VER_PATCH)

/** The result of a call. */
typedef enum {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1, /**< the handle is invalid */
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7, /**< an invalid size, stride or mode */
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,    /**< a copy between host and device failed */
    CUBLAS_STATUS_EXECUTION_FAILED = 13, /**< a kernel could not be started, or could not access an array */
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;

/** Which triangle of a matrix is stored. */
typedef enum {
    CUBLAS_FILL_MODE_LOWER = 0,
    CUBLAS_FILL_MODE_UPPER = 1,
    CUBLAS_FILL_MODE_FULL = 2
} cublasFillMode_t;
/** Whether a triangle's diagonal is 1, whatever is stored. */
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
/** On which side of the product a matrix stands. */
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
/** Whether a matrix is used as it is, transposed, or conjugated and transposed. CONJG is not supported. */
typedef enum {
    CUBLAS_OP_N = 0,
    CUBLAS_OP_T = 1,
    CUBLAS_OP_C = 2,
    CUBLAS_OP_HERMITAN = 2,
    CUBLAS_OP_CONJG = 3
} cublasOperation_t;
/** Where scalars and results are. */
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
/** Accepted; results are the same in every run. */
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;
/** Accepted; there is one algorithm. */
typedef enum {
    CUBLAS_GEMM_DFALT = -1,
    CUBLAS_GEMM_DEFAULT = -1,
    CUBLAS_GEMM_ALGO0 = 0,
    CUBLAS_GEMM_ALGO1 = 1,
    CUBLAS_GEMM_ALGO2 = 2,
    CUBLAS_GEMM_ALGO3 = 3,
    CUBLAS_GEMM_ALGO4 = 4,
    CUBLAS_GEMM_ALGO5 = 5,
    CUBLAS_GEMM_ALGO6 = 6,
    CUBLAS_GEMM_ALGO7 = 7,
    CUBLAS_GEMM_ALGO8 = 8,
    CUBLAS_GEMM_ALGO9 = 9,
    CUBLAS_GEMM_ALGO10 = 10,
    CUBLAS_GEMM_ALGO11 = 11,
    CUBLAS_GEMM_ALGO12 = 12,
    CUBLAS_GEMM_ALGO13 = 13,
    CUBLAS_GEMM_ALGO14 = 14,
    CUBLAS_GEMM_ALGO15 = 15,
    CUBLAS_GEMM_ALGO16 = 16,
    CUBLAS_GEMM_ALGO17 = 17,
    CUBLAS_GEMM_ALGO18 = 18,
    CUBLAS_GEMM_ALGO19 = 19,
    CUBLAS_GEMM_ALGO20 = 20,
    CUBLAS_GEMM_ALGO21 = 21,
    CUBLAS_GEMM_ALGO22 = 22,
    CUBLAS_GEMM_ALGO23 = 23,
    CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
    CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
    CUBLAS_GEMM_ALGO0_TENSOR_OP = 100,
    CUBLAS_GEMM_ALGO1_TENSOR_OP = 101,
    CUBLAS_GEMM_ALGO2_TENSOR_OP = 102,
    CUBLAS_GEMM_ALGO3_TENSOR_OP = 103,
    CUBLAS_GEMM_ALGO4_TENSOR_OP = 104,
    CUBLAS_GEMM_ALGO5_TENSOR_OP = 105,
    CUBLAS_GEMM_ALGO6_TENSOR_OP = 106,
    CUBLAS_GEMM_ALGO7_TENSOR_OP = 107,
    CUBLAS_GEMM_ALGO8_TENSOR_OP = 108,
    CUBLAS_GEMM_ALGO9_TENSOR_OP = 109,
    CUBLAS_GEMM_ALGO10_TENSOR_OP = 110,
    CUBLAS_GEMM_ALGO11_TENSOR_OP = 111,
    CUBLAS_GEMM_ALGO12_TENSOR_OP = 112,
    CUBLAS_GEMM_ALGO13_TENSOR_OP = 113,
    CUBLAS_GEMM_ALGO14_TENSOR_OP = 114,
    CUBLAS_GEMM_ALGO15_TENSOR_OP = 115,
    CUBLAS_GEMM_AUTOTUNE = 999
} cublasGemmAlgo_t;
/** Which units may be used; it decides modelled times only: arithmetic is always that of the arrays' type. */
typedef enum {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
    CUBLAS_FP32_EMULATED_BF16X9_MATH = 4,
    CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH = 8,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef cudaDataType cublasDataType_t;
/** In which numbers a product is computed. FAST and EMULATED ones are computed as the plain one. */
typedef enum {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_16F_PEDANTIC = 65,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
    CUBLAS_COMPUTE_32F_EMULATED_16BFX9 = 78,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT = 79,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32I_PEDANTIC = 73
} cublasComputeType_t;

/** Made by cublasCreate(). */
struct cublasContext;
typedef struct cublasContext *cublasHandle_t;
/** Never called: nothing is logged. */
typedef void (*cublasLogCallback)(const char *__msg);

/** @name Handles @{ */
cublasStatus_t cublasCreate_v2(cublasHandle_t *__handle);
/** Waits for the device. */
cublasStatus_t cublasDestroy_v2(cublasHandle_t __handle);
cublasStatus_t cublasGetVersion_v2(cublasHandle_t __handle, int *__version);
cublasStatus_t cublasGetProperty(libraryPropertyType __type, int *__value);
size_t cublasGetCudartVersion(void);
/** Checked and not used: kernels here need no workspace. */
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t __handle, void *__workspace, size_t __size);
cublasStatus_t cublasSetStream_v2(cublasHandle_t __handle, cudaStream_t __streamId);
cublasStatus_t cublasGetStream_v2(cublasHandle_t __handle, cudaStream_t *__streamId);
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t __handle, cublasPointerMode_t *__mode);
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t __handle, cublasPointerMode_t __mode);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t __handle, cublasAtomicsMode_t *__mode);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t __handle, cublasAtomicsMode_t __mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t __handle, cublasMath_t *__mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t __handle, cublasMath_t __mode);
/** Accepted; it changes no time. */
cublasStatus_t cublasGetSmCountTarget(cublasHandle_t __handle, int *__smCountTarget);
cublasStatus_t cublasSetSmCountTarget(cublasHandle_t __handle, int __smCountTarget);
const char *cublasGetStatusName(cublasStatus_t __status);
const char *cublasGetStatusString(cublasStatus_t __status);
/** Accepted; nothing is logged. */
cublasStatus_t cublasLoggerConfigure(int __logIsOn, int __logToStdOut, int __logToStdErr,
                                     const char *__logFileName);
cublasStatus_t cublasSetLoggerCallback(cublasLogCallback __userCallback);
cublasStatus_t cublasGetLoggerCallback(cublasLogCallback *__userCallback);
/** Tells on stderr that a parameter of a call had an illegal value. */
void cublasXerbla(const char *__srName, int __info);
/** @} */

/**
 * @name Copies between host and device: of every `__incx`-th element, and of matrices by columns
 * The Async ones return at once.
 * @{
 */
#define UMSIM_CUBLAS_COPIES(set, N, X)                                                                       \
    cublasStatus_t set##Vector##X(N __n, N __elemSize, const void *__x, N __incx, void *__y, N __incy);      \
    cublasStatus_t set##Matrix##X(N __rows, N __cols, N __elemSize, const void *__A, N __lda, void *__B,     \
                                  N __ldb);                                                                  \
    cublasStatus_t set##VectorAsync##X(N __n, N __elemSize, const void *__x, N __incx, void *__y, N __incy,  \
                                       cudaStream_t __stream);                                               \
    cublasStatus_t set##MatrixAsync##X(N __rows, N __cols, N __elemSize, const void *__A, N __lda,           \
                                       void *__B, N __ldb, cudaStream_t __stream);
UMSIM_CUBLAS_COPIES(cublasSet, int, )
UMSIM_CUBLAS_COPIES(cublasGet, int, )
UMSIM_CUBLAS_COPIES(cublasSet, int64_t, _64)
UMSIM_CUBLAS_COPIES(cublasGet, int64_t, _64)
#undef UMSIM_CUBLAS_COPIES
/** @} */

#include "umsim/cublas_calls.h"

#ifdef __cplusplus
}
#include "umsim/cublas_overloads.h"
#endif
#endif
