/**
 * @file cublasLt.h
 * @brief cublasLt's product of matrices with an epilogue: D = f(alpha op(A) op(B) + beta C + bias), f the
 * identity, ReLU or GELU. Matrices lie by columns or by rows; a batch has a stride. Link with -lcublasLt.
 *
 * One algorithm is there, which every heuristic answers. Types are those of cublasGemmEx (cublas_api.h). What
 * is refused, by a line on stderr and CUBLAS_STATUS_NOT_SUPPORTED: 8-bit floats and scales, auxiliary outputs
 * and gradients, other orders, vectors of alpha, triangles of D, batches by addresses, and
 * cublasLtMatrixTransform(). Not declared: descriptors of emulation, lists of algorithms, tiles and stages.
 */
#ifndef CUBLASLT_H_
#define CUBLASLT_H_

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cublas_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Made by cublasLtCreate(). A cublasHandle_t may stand for it. */
struct cublasLtContext;
typedef struct cublasLtContext *cublasLtHandle_t;

/** @name Descriptors: what is in them is read and set by their calls only @{ */
typedef struct {
    uint64_t data[8];
} cublasLtMatrixLayoutOpaque_t;
typedef cublasLtMatrixLayoutOpaque_t *cublasLtMatrixLayout_t;
typedef struct {
    uint64_t data[8];
} cublasLtMatmulAlgo_t;
typedef struct {
    uint64_t data[32];
} cublasLtMatmulDescOpaque_t;
typedef cublasLtMatmulDescOpaque_t *cublasLtMatmulDesc_t;
typedef struct {
    uint64_t data[8];
} cublasLtMatrixTransformDescOpaque_t;
typedef cublasLtMatrixTransformDescOpaque_t *cublasLtMatrixTransformDesc_t;
typedef struct {
    uint64_t data[8];
} cublasLtMatmulPreferenceOpaque_t;
typedef cublasLtMatmulPreferenceOpaque_t *cublasLtMatmulPreference_t;
/** @} */

/** Accepted for scales that are not set. */
typedef enum {
    CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F = 0,
    CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3 = 1,
    CUBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0 = 2,
    CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F = 3,
    CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F = 4,
    CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F = 5,
    CUBLASLT_MATMUL_MATRIX_SCALE_END
} cublasLtMatmulMatrixScale_t;
/** Where alpha and beta are; vectors of them are refused. */
typedef enum {
    CUBLASLT_POINTER_MODE_HOST = CUBLAS_POINTER_MODE_HOST,
    CUBLASLT_POINTER_MODE_DEVICE = CUBLAS_POINTER_MODE_DEVICE,
    CUBLASLT_POINTER_MODE_DEVICE_VECTOR = 2,
    CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO = 3,
    CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST = 4
} cublasLtPointerMode_t;
/** The same as bits. */
typedef enum {
    CUBLASLT_POINTER_MODE_MASK_HOST = 1,
    CUBLASLT_POINTER_MODE_MASK_DEVICE = 2,
    CUBLASLT_POINTER_MODE_MASK_DEVICE_VECTOR = 4,
    CUBLASLT_POINTER_MODE_MASK_ALPHA_DEVICE_VECTOR_BETA_ZERO = 8,
    CUBLASLT_POINTER_MODE_MASK_ALPHA_DEVICE_VECTOR_BETA_HOST = 16
} cublasLtPointerModeMask_t;
/** How a matrix lies in memory; by columns and by rows. */
typedef enum {
    CUBLASLT_ORDER_COL = 0,
    CUBLASLT_ORDER_ROW = 1,
    CUBLASLT_ORDER_COL32 = 2,
    CUBLASLT_ORDER_COL4_4R2_8C = 3,
    CUBLASLT_ORDER_COL32_2R_4R4 = 4
} cublasLtOrder_t;
/** Batches are strided; arrays of addresses are refused. */
typedef enum { CUBLASLT_BATCH_MODE_STRIDED = 0, CUBLASLT_BATCH_MODE_POINTER_ARRAY = 1 } cublasLtBatchMode_t;
/** What a layout knows. */
typedef enum {
    CUBLASLT_MATRIX_LAYOUT_TYPE = 0,
    CUBLASLT_MATRIX_LAYOUT_ORDER = 1,
    CUBLASLT_MATRIX_LAYOUT_ROWS = 2,
    CUBLASLT_MATRIX_LAYOUT_COLS = 3,
    CUBLASLT_MATRIX_LAYOUT_LD = 4,
    CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT = 5,
    CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 6,
    CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET = 7,
    CUBLASLT_MATRIX_LAYOUT_BATCH_MODE = 8
} cublasLtMatrixLayoutAttribute_t;
/** What a product knows. Scales, auxiliary outputs and the like can be set, and are refused by the product.
 */
typedef enum {
    CUBLASLT_MATMUL_DESC_COMPUTE_TYPE = 0,
    CUBLASLT_MATMUL_DESC_SCALE_TYPE = 1,
    CUBLASLT_MATMUL_DESC_POINTER_MODE = 2,
    CUBLASLT_MATMUL_DESC_TRANSA = 3,
    CUBLASLT_MATMUL_DESC_TRANSB = 4,
    CUBLASLT_MATMUL_DESC_TRANSC = 5,
    CUBLASLT_MATMUL_DESC_FILL_MODE = 6,
    CUBLASLT_MATMUL_DESC_EPILOGUE = 7,
    CUBLASLT_MATMUL_DESC_BIAS_POINTER = 8,
    CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE = 10,
    CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER = 11,
    CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD = 12,
    CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE = 13,
    CUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE = 14,
    CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET = 15,
    CUBLASLT_MATMUL_DESC_A_SCALE_POINTER = 17,
    CUBLASLT_MATMUL_DESC_B_SCALE_POINTER = 18,
    CUBLASLT_MATMUL_DESC_C_SCALE_POINTER = 19,
    CUBLASLT_MATMUL_DESC_D_SCALE_POINTER = 20,
    CUBLASLT_MATMUL_DESC_AMAX_D_POINTER = 21,
    CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE = 22,
    CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER = 23,
    CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER = 24,
    CUBLASLT_MATMUL_DESC_FAST_ACCUM = 25,
    CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE = 26,
    CUBLASLT_MATMUL_DESC_A_SCALE_MODE = 31,
    CUBLASLT_MATMUL_DESC_B_SCALE_MODE = 32,
    CUBLASLT_MATMUL_DESC_C_SCALE_MODE = 33,
    CUBLASLT_MATMUL_DESC_D_SCALE_MODE = 34,
    CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_MODE = 35,
    CUBLASLT_MATMUL_DESC_D_OUT_SCALE_POINTER = 36,
    CUBLASLT_MATMUL_DESC_D_OUT_SCALE_MODE = 37,
    CUBLASLT_MATMUL_DESC_EMULATION_DESCRIPTOR = 38
} cublasLtMatmulDescAttributes_t;
/** What a transform would know. */
typedef enum {
    CUBLASLT_MATRIX_TRANSFORM_DESC_SCALE_TYPE,
    CUBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE,
    CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA,
    CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSB
} cublasLtMatrixTransformDescAttributes_t;
/** Accepted; it changes nothing. */
typedef enum {
    CUBLASLT_REDUCTION_SCHEME_NONE = 0,
    CUBLASLT_REDUCTION_SCHEME_INPLACE = 1,
    CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE = 2,
    CUBLASLT_REDUCTION_SCHEME_OUTPUT_TYPE = 4,
    CUBLASLT_REDUCTION_SCHEME_MASK = 0x7
} cublasLtReductionScheme_t;
/** What is done to the product; of auxiliary outputs and gradients none is provided. */
typedef enum {
    CUBLASLT_EPILOGUE_DEFAULT = 1,
    CUBLASLT_EPILOGUE_RELU = 2,
    CUBLASLT_EPILOGUE_RELU_AUX = (CUBLASLT_EPILOGUE_RELU | 128),
    CUBLASLT_EPILOGUE_BIAS = 4,
    CUBLASLT_EPILOGUE_RELU_BIAS = (CUBLASLT_EPILOGUE_RELU | CUBLASLT_EPILOGUE_BIAS),
    CUBLASLT_EPILOGUE_RELU_AUX_BIAS = (CUBLASLT_EPILOGUE_RELU_AUX | CUBLASLT_EPILOGUE_BIAS),
    CUBLASLT_EPILOGUE_DRELU = 8 | 128,
    CUBLASLT_EPILOGUE_DRELU_BGRAD = CUBLASLT_EPILOGUE_DRELU | 16,
    CUBLASLT_EPILOGUE_GELU = 32,
    CUBLASLT_EPILOGUE_GELU_AUX = (CUBLASLT_EPILOGUE_GELU | 128),
    CUBLASLT_EPILOGUE_GELU_BIAS = (CUBLASLT_EPILOGUE_GELU | CUBLASLT_EPILOGUE_BIAS),
    CUBLASLT_EPILOGUE_GELU_AUX_BIAS = (CUBLASLT_EPILOGUE_GELU_AUX | CUBLASLT_EPILOGUE_BIAS),
    CUBLASLT_EPILOGUE_DGELU = 64 | 128,
    CUBLASLT_EPILOGUE_DGELU_BGRAD = CUBLASLT_EPILOGUE_DGELU | 16,
    CUBLASLT_EPILOGUE_BGRADA = 256,
    CUBLASLT_EPILOGUE_BGRADB = 512
} cublasLtEpilogue_t;
/** Accepted. */
typedef enum {
    CUBLASLT_SEARCH_BEST_FIT = 0,
    CUBLASLT_SEARCH_LIMITED_BY_ALGO_ID = 1,
    CUBLASLT_SEARCH_RESERVED_02 = 2,
    CUBLASLT_SEARCH_RESERVED_03 = 3,
    CUBLASLT_SEARCH_RESERVED_04 = 4,
    CUBLASLT_SEARCH_RESERVED_05 = 5,
    CUBLASLT_SEARCH_RESERVED_06 = 6,
    CUBLASLT_SEARCH_RESERVED_07 = 7,
    CUBLASLT_SEARCH_RESERVED_08 = 8,
    CUBLASLT_SEARCH_RESERVED_09 = 9
} cublasLtMatmulSearch_t;
/** What a heuristic is asked to keep to; accepted. */
typedef enum {
    CUBLASLT_MATMUL_PREF_SEARCH_MODE = 0,
    CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1,
    CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK = 3,
    CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES = 5,
    CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES = 6,
    CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES = 7,
    CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES = 8,
    CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT = 9,
    CUBLASLT_MATMUL_PREF_IMPL_MASK = 12
} cublasLtMatmulPreferenceAttributes_t;
/** What an algorithm is told; kept, and changes nothing. */
typedef enum {
    CUBLASLT_ALGO_CONFIG_ID = 0,
    CUBLASLT_ALGO_CONFIG_TILE_ID = 1,
    CUBLASLT_ALGO_CONFIG_SPLITK_NUM = 2,
    CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME = 3,
    CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING = 4,
    CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION = 5,
    CUBLASLT_ALGO_CONFIG_STAGES_ID = 6,
    CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID = 7,
    CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID = 8
} cublasLtMatmulAlgoConfigAttributes_t;

/** An algorithm that a heuristic answers. */
typedef struct {
    cublasLtMatmulAlgo_t algo;
    size_t workspaceSize; /**< always 0 */
    cublasStatus_t state;
    float wavesCount; /**< tiles by multiprocessors */
    int reserved[4];
} cublasLtMatmulHeuristicResult_t;

/** Never called: nothing is logged. */
typedef void (*cublasLtLoggerCallback_t)(int __level, const char *__function, const char *__message);

/** @name Calls @{ */
/** Accepted; nothing is kept. */
cublasStatus_t cublasLtHeuristicsCacheGetCapacity(size_t *__capacity);
cublasStatus_t cublasLtHeuristicsCacheSetCapacity(size_t __capacity);
cublasStatus_t cublasLtCreate(cublasLtHandle_t *__lightHandle);
cublasStatus_t cublasLtDestroy(cublasLtHandle_t __lightHandle);
const char *cublasLtGetStatusName(cublasStatus_t __status);
const char *cublasLtGetStatusString(cublasStatus_t __status);
size_t cublasLtGetVersion(void);
size_t cublasLtGetCudartVersion(void);
cublasStatus_t cublasLtGetProperty(libraryPropertyType __type, int *__value);
unsigned cublasLtDisableCpuInstructionsSetMask(unsigned __mask);
cublasStatus_t cublasLtMatmul(cublasLtHandle_t __lightHandle, cublasLtMatmulDesc_t __computeDesc,
                              const void *__alpha, const void *__A, cublasLtMatrixLayout_t __Adesc,
                              const void *__B, cublasLtMatrixLayout_t __Bdesc, const void *__beta,
                              const void *__C, cublasLtMatrixLayout_t __Cdesc, void *__D,
                              cublasLtMatrixLayout_t __Ddesc, const cublasLtMatmulAlgo_t *__algo,
                              void *__workspace, size_t __workspaceSizeInBytes, cudaStream_t __stream);
cublasStatus_t cublasLtMatrixTransform(cublasLtHandle_t __lightHandle,
                                       cublasLtMatrixTransformDesc_t __transformDesc, const void *__alpha,
                                       const void *__A, cublasLtMatrixLayout_t __Adesc, const void *__beta,
                                       const void *__B, cublasLtMatrixLayout_t __Bdesc, void *__C,
                                       cublasLtMatrixLayout_t __Cdesc, cudaStream_t __stream);
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *__matLayout, cudaDataType __type,
                                          uint64_t __rows, uint64_t __cols, int64_t __ld);
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t __matLayout);
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t __matLayout,
                                                cublasLtMatrixLayoutAttribute_t __attr, const void *__buf,
                                                size_t __sizeInBytes);
cublasStatus_t cublasLtMatrixLayoutGetAttribute(cublasLtMatrixLayout_t __matLayout,
                                                cublasLtMatrixLayoutAttribute_t __attr, void *__buf,
                                                size_t __sizeInBytes, size_t *__sizeWritten);
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *__matmulDesc, cublasComputeType_t __computeType,
                                        cudaDataType_t __scaleType);
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t __matmulDesc);
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t __matmulDesc,
                                              cublasLtMatmulDescAttributes_t __attr, const void *__buf,
                                              size_t __sizeInBytes);
cublasStatus_t cublasLtMatmulDescGetAttribute(cublasLtMatmulDesc_t __matmulDesc,
                                              cublasLtMatmulDescAttributes_t __attr, void *__buf,
                                              size_t __sizeInBytes, size_t *__sizeWritten);
cublasStatus_t cublasLtMatrixTransformDescCreate(cublasLtMatrixTransformDesc_t *__transformDesc,
                                                 cudaDataType __scaleType);
cublasStatus_t cublasLtMatrixTransformDescDestroy(cublasLtMatrixTransformDesc_t __transformDesc);
cublasStatus_t cublasLtMatrixTransformDescSetAttribute(cublasLtMatrixTransformDesc_t __transformDesc,
                                                       cublasLtMatrixTransformDescAttributes_t __attr,
                                                       const void *__buf, size_t __sizeInBytes);
cublasStatus_t cublasLtMatrixTransformDescGetAttribute(cublasLtMatrixTransformDesc_t __transformDesc,
                                                       cublasLtMatrixTransformDescAttributes_t __attr,
                                                       void *__buf, size_t __sizeInBytes,
                                                       size_t *__sizeWritten);
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *__pref);
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t __pref);
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t __pref,
                                                    cublasLtMatmulPreferenceAttributes_t __attr,
                                                    const void *__buf, size_t __sizeInBytes);
cublasStatus_t cublasLtMatmulPreferenceGetAttribute(cublasLtMatmulPreference_t __pref,
                                                    cublasLtMatmulPreferenceAttributes_t __attr, void *__buf,
                                                    size_t __sizeInBytes, size_t *__sizeWritten);
cublasStatus_t cublasLtMatmulAlgoGetHeuristic(
    cublasLtHandle_t __lightHandle, cublasLtMatmulDesc_t __operationDesc, cublasLtMatrixLayout_t __Adesc,
    cublasLtMatrixLayout_t __Bdesc, cublasLtMatrixLayout_t __Cdesc, cublasLtMatrixLayout_t __Ddesc,
    cublasLtMatmulPreference_t __preference, int __requestedAlgoCount,
    cublasLtMatmulHeuristicResult_t __heuristicResultsArray[], int *__returnAlgoCount);
cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t __lightHandle, cublasLtMatmulDesc_t __operationDesc,
                                       cublasLtMatrixLayout_t __Adesc, cublasLtMatrixLayout_t __Bdesc,
                                       cublasLtMatrixLayout_t __Cdesc, cublasLtMatrixLayout_t __Ddesc,
                                       const cublasLtMatmulAlgo_t *__algo,
                                       cublasLtMatmulHeuristicResult_t *__result);
cublasStatus_t cublasLtMatmulAlgoConfigSetAttribute(cublasLtMatmulAlgo_t *__algo,
                                                    cublasLtMatmulAlgoConfigAttributes_t __attr,
                                                    const void *__buf, size_t __sizeInBytes);
cublasStatus_t cublasLtMatmulAlgoConfigGetAttribute(const cublasLtMatmulAlgo_t *__algo,
                                                    cublasLtMatmulAlgoConfigAttributes_t __attr, void *__buf,
                                                    size_t __sizeInBytes, size_t *__sizeWritten);
cublasStatus_t cublasLtLoggerSetCallback(cublasLtLoggerCallback_t __callback);
cublasStatus_t cublasLtLoggerSetFile(FILE *__file);
cublasStatus_t cublasLtLoggerOpenFile(const char *__logFile);
cublasStatus_t cublasLtLoggerSetLevel(int __level);
cublasStatus_t cublasLtLoggerSetMask(int __mask);
cublasStatus_t cublasLtLoggerForceDisable(void);
/** @} */

#ifdef __cplusplus
}
#endif
#endif
