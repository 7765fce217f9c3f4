/**
 * @file descriptors.cu
 * @brief cublasLt's handles and descriptors: their attributes, kept at fixed places, and what is told of the
 * library.
 */
#include "descriptors.h"

#include <cstdio>
#include <cstring>

struct cublasLtContext {
    int unused;
};

namespace
{
using namespace lt;

/* An attribute's place in its descriptor. */
struct attribute {
    int number;
    size_t at, size;
};
#define AT(type, number, member)                                                                             \
    {                                                                                                        \
        number, offsetof(type, member), sizeof(type::member)                                                 \
    }

const attribute of_layout[] = {
    AT(layout, CUBLASLT_MATRIX_LAYOUT_TYPE, type),
    AT(layout, CUBLASLT_MATRIX_LAYOUT_ORDER, order),
    AT(layout, CUBLASLT_MATRIX_LAYOUT_ROWS, rows),
    AT(layout, CUBLASLT_MATRIX_LAYOUT_COLS, columns),
    AT(layout, CUBLASLT_MATRIX_LAYOUT_LD, leading),
    AT(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, batches),
    AT(layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, stride),
    AT(layout, CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET, plane),
    AT(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_MODE, batch_mode),
};

const attribute of_matmul[] = {
    AT(matmul, CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, compute),
    AT(matmul, CUBLASLT_MATMUL_DESC_SCALE_TYPE, scale),
    AT(matmul, CUBLASLT_MATMUL_DESC_POINTER_MODE, pointer_mode),
    AT(matmul, CUBLASLT_MATMUL_DESC_TRANSA, op_a),
    AT(matmul, CUBLASLT_MATMUL_DESC_TRANSB, op_b),
    AT(matmul, CUBLASLT_MATMUL_DESC_TRANSC, op_c),
    AT(matmul, CUBLASLT_MATMUL_DESC_FILL_MODE, fill),
    AT(matmul, CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue),
    AT(matmul, CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias),
    AT(matmul, CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, bias_stride),
    AT(matmul, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, refused[0]),
    AT(matmul, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, aux_leading),
    AT(matmul, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, aux_stride),
    AT(matmul, CUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE, alpha_stride),
    AT(matmul, CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET, sm_count),
    AT(matmul, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, refused[1]),
    AT(matmul, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, refused[2]),
    AT(matmul, CUBLASLT_MATMUL_DESC_C_SCALE_POINTER, refused[3]),
    AT(matmul, CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, refused[4]),
    AT(matmul, CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, refused[5]),
    AT(matmul, CUBLASLT_MATMUL_DESC_FAST_ACCUM, fast),
    AT(matmul, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, bias_type),
};

const attribute of_preference[] = {
    AT(preference, CUBLASLT_MATMUL_PREF_SEARCH_MODE, search),
    AT(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, workspace),
    AT(preference, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, reduction),
    AT(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, alignment[0]),
    AT(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, alignment[1]),
    AT(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, alignment[2]),
    AT(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, alignment[3]),
    AT(preference, CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT, waves),
    AT(preference, CUBLASLT_MATMUL_PREF_IMPL_MASK, implementations),
};

const attribute of_transform[] = {
    AT(transform, CUBLASLT_MATRIX_TRANSFORM_DESC_SCALE_TYPE, scale),
    AT(transform, CUBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE, pointer_mode),
    AT(transform, CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, op_a),
    AT(transform, CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSB, op_b),
};

const attribute of_config[] = {
    AT(config, CUBLASLT_ALGO_CONFIG_ID, id),
    AT(config, CUBLASLT_ALGO_CONFIG_TILE_ID, tile),
    AT(config, CUBLASLT_ALGO_CONFIG_SPLITK_NUM, split),
    AT(config, CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME, reduction),
    AT(config, CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING, swizzling),
    AT(config, CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION, option),
    AT(config, CUBLASLT_ALGO_CONFIG_STAGES_ID, stages),
    AT(config, CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID, inner),
    AT(config, CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID, cluster),
};

template <size_t COUNT> const attribute *find(const attribute (&of)[COUNT], int number)
{
    for (const attribute &one : of)
        if (one.number == number)
            return &one;
    return nullptr;
}

cublasStatus_t set(void *descriptor, const attribute *one, const void *from, size_t size)
{
    if (!descriptor || !one || !from || size != one->size)
        return CUBLAS_STATUS_INVALID_VALUE;
    memcpy((char *)descriptor + one->at, from, size);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t get(const void *descriptor, const attribute *one, void *to, size_t size, size_t *written)
{
    if (!descriptor || !one || (size == 0 && !written) || (size && (!to || size < one->size)))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (written)
        *written = one->size;
    if (size)
        memcpy(to, (const char *)descriptor + one->at, one->size);
    return CUBLAS_STATUS_SUCCESS;
}

template <class Opaque, class T> cublasStatus_t made(Opaque **place, const T &value)
{
    static_assert(sizeof(T) <= sizeof(Opaque), "it has to fit into what NVIDIA's header allows");
    if (!place)
        return CUBLAS_STATUS_INVALID_VALUE;
    *place = new Opaque();
    memcpy((void *)*place, &value, sizeof value);
    return CUBLAS_STATUS_SUCCESS;
}
} // namespace

extern "C" cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle)
{
    if (!handle)
        return CUBLAS_STATUS_INVALID_VALUE;
    *handle = new cublasLtContext();
    return CUBLAS_STATUS_SUCCESS;
}

extern "C" cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    delete handle;
    return CUBLAS_STATUS_SUCCESS;
}

extern "C" cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *place, cudaDataType type,
                                                     uint64_t rows, uint64_t columns, int64_t leading)
{
    return made(place, layout{type, CUBLASLT_ORDER_COL, rows, columns, leading, 1,
                              CUBLASLT_BATCH_MODE_STRIDED, 0, 0});
}

extern "C" cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *place, cublasComputeType_t compute,
                                                   cudaDataType_t scale)
{
    matmul value = {};
    value.compute = compute;
    value.scale = scale;
    value.fill = CUBLAS_FILL_MODE_FULL;
    value.epilogue = CUBLASLT_EPILOGUE_DEFAULT;
    value.bias_type = -1;
    return made(place, value);
}

extern "C" cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *place)
{
    preference value = {};
    value.reduction = CUBLASLT_REDUCTION_SCHEME_MASK;
    for (uint32_t &bytes : value.alignment)
        bytes = 256;
    value.implementations = ~(uint64_t)0;
    return made(place, value);
}

extern "C" cublasStatus_t cublasLtMatrixTransformDescCreate(cublasLtMatrixTransformDesc_t *place,
                                                            cudaDataType scale)
{
    return made(place, transform{scale, 0, 0, 0});
}

#define DESCRIPTOR(name, Type, Attribute, table)                                                             \
    extern "C" cublasStatus_t cublasLt##name##Destroy(Type it)                                               \
    {                                                                                                        \
        delete it;                                                                                           \
        return CUBLAS_STATUS_SUCCESS;                                                                        \
    }                                                                                                        \
    ATTRIBUTES(name, Type, Type, Attribute, table)
#define ATTRIBUTES(name, Type, ConstType, Attribute, table)                                                  \
    extern "C" cublasStatus_t cublasLt##name##SetAttribute(Type it, Attribute number, const void *from,      \
                                                           size_t size)                                      \
    {                                                                                                        \
        return set(it, find(table, number), from, size);                                                     \
    }                                                                                                        \
    extern "C" cublasStatus_t cublasLt##name##GetAttribute(ConstType it, Attribute number, void *to,         \
                                                           size_t size, size_t *written)                     \
    {                                                                                                        \
        return get(it, find(table, number), to, size, written);                                              \
    }
DESCRIPTOR(MatrixLayout, cublasLtMatrixLayout_t, cublasLtMatrixLayoutAttribute_t, of_layout)
DESCRIPTOR(MatmulDesc, cublasLtMatmulDesc_t, cublasLtMatmulDescAttributes_t, of_matmul)
DESCRIPTOR(MatmulPreference, cublasLtMatmulPreference_t, cublasLtMatmulPreferenceAttributes_t, of_preference)
DESCRIPTOR(MatrixTransformDesc, cublasLtMatrixTransformDesc_t, cublasLtMatrixTransformDescAttributes_t,
           of_transform)
ATTRIBUTES(MatmulAlgoConfig, cublasLtMatmulAlgo_t *, const cublasLtMatmulAlgo_t *,
           cublasLtMatmulAlgoConfigAttributes_t, of_config)

extern "C" size_t cublasLtGetVersion(void)
{
    return CUBLAS_VERSION;
}

extern "C" size_t cublasLtGetCudartVersion(void)
{
    return CUDART_VERSION;
}

extern "C" cublasStatus_t cublasLtGetProperty(libraryPropertyType type, int *value)
{
    const int part = umsim_version_part(CUBLAS_VERSION, type);
    if (!value || part < 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    *value = part;
    return CUBLAS_STATUS_SUCCESS;
}

#define STATUS(name)                                                                                         \
    case name:                                                                                               \
        return #name
extern "C" const char *cublasLtGetStatusName(cublasStatus_t status)
{
    switch (status) {
        STATUS(CUBLAS_STATUS_SUCCESS);
        STATUS(CUBLAS_STATUS_NOT_INITIALIZED);
        STATUS(CUBLAS_STATUS_ALLOC_FAILED);
        STATUS(CUBLAS_STATUS_INVALID_VALUE);
        STATUS(CUBLAS_STATUS_ARCH_MISMATCH);
        STATUS(CUBLAS_STATUS_MAPPING_ERROR);
        STATUS(CUBLAS_STATUS_EXECUTION_FAILED);
        STATUS(CUBLAS_STATUS_INTERNAL_ERROR);
        STATUS(CUBLAS_STATUS_NOT_SUPPORTED);
        STATUS(CUBLAS_STATUS_LICENSE_ERROR);
    }
    return "unknown status";
}

extern "C" const char *cublasLtGetStatusString(cublasStatus_t status)
{
    return cublasLtGetStatusName(status);
}

static size_t cache_capacity;

extern "C" cublasStatus_t cublasLtHeuristicsCacheGetCapacity(size_t *capacity)
{
    if (!capacity)
        return CUBLAS_STATUS_INVALID_VALUE;
    *capacity = cache_capacity;
    return CUBLAS_STATUS_SUCCESS;
}

extern "C" cublasStatus_t cublasLtHeuristicsCacheSetCapacity(size_t capacity)
{
    cache_capacity = capacity;
    return CUBLAS_STATUS_SUCCESS;
}

extern "C" unsigned cublasLtDisableCpuInstructionsSetMask(unsigned)
{
    return 0;
}

/* Nothing is logged. */
#define ACCEPTED(name, ...)                                                                                  \
    extern "C" cublasStatus_t name(__VA_ARGS__)                                                              \
    {                                                                                                        \
        return CUBLAS_STATUS_SUCCESS;                                                                        \
    }
ACCEPTED(cublasLtLoggerSetCallback, cublasLtLoggerCallback_t)
ACCEPTED(cublasLtLoggerSetFile, FILE *)
ACCEPTED(cublasLtLoggerOpenFile, const char *)
ACCEPTED(cublasLtLoggerSetLevel, int)
ACCEPTED(cublasLtLoggerSetMask, int)
ACCEPTED(cublasLtLoggerForceDisable, void)
