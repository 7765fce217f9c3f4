/**
 * @file descriptors.cu
 * @brief cuSPARSE's handles and descriptors, and the checks that sparse.h declares.
 */
#include "sparse.h"

#include <cstdio>

namespace sparse
{
size_t bytes_of(const char *call, cudaDataType type)
{
    switch (type) {
    case CUDA_R_32F:
        return 4;
    case CUDA_R_64F:
    case CUDA_C_32F:
        return 8;
    case CUDA_C_64F:
        return 16;
    default:
        fprintf(
            stderr,
            "%s: numbers of type %d (cudaDataType) are not provided: float, double and complex ones are\n",
            call, type);
        return 0;
    }
}

bool scalar_reached(cusparseHandle_t handle, const char *call, const char *name, const void *p, size_t bytes)
{
    return handle->pointer_mode == CUSPARSE_POINTER_MODE_HOST || umsim_reaches(call, name, p, 1, bytes);
}

static size_t width(cusparseIndexType_t type)
{
    return type == CUSPARSE_INDEX_64I ? 8 : 4;
}

/* "matA's values" */
static bool part_reached(const char *call, const char *name, const char *part, const void *p, i64 n,
                         size_t bytes)
{
    char text[64];
    snprintf(text, sizeof text, "%s's %s", name, part);
    return umsim_reaches(call, text, p, n < 0 ? UINT64_MAX : (uint64_t)n, bytes);
}

bool reached(const char *call, const char *name, const cusparseSpMatDescr &m, bool with_values)
{
    const bool coo = m.format == CUSPARSE_FORMAT_COO, csc = m.format == CUSPARSE_FORMAT_CSC;
    const size_t bytes = bytes_of(call, m.type);
    return bytes &&
           part_reached(call, name,
                        coo   ? "row indices"
                        : csc ? "column offsets"
                              : "row offsets",
                        m.offsets, coo ? m.nnz : (csc ? m.columns : m.rows) + 1, width(m.offset_type)) &&
           (!with_values || (part_reached(call, name, csc ? "row indices" : "column indices", m.indices,
                                          m.nnz, width(m.index_type)) &&
                             part_reached(call, name, "values", m.values, m.nnz, bytes)));
}

bool reached(const char *call, const char *name, const cusparseDnMatDescr &m)
{
    const bool by_columns = m.order == CUSPARSE_ORDER_COL;
    const uint64_t lines = (uint64_t)(by_columns ? m.columns : m.rows),
                   last = (uint64_t)(by_columns ? m.rows : m.columns);
    const uint64_t n = lines && last ? umsim_plus(umsim_times(lines - 1, (uint64_t)m.leading), last) : 0;
    const size_t bytes = bytes_of(call, m.type);
    char text[64];
    snprintf(text, sizeof text, "%s's values", name);
    return bytes && umsim_reaches(call, text, m.values, n, bytes);
}

bool reached(const char *call, const char *name, const cusparseDnVecDescr &v)
{
    const size_t bytes = bytes_of(call, v.type);
    return bytes && part_reached(call, name, "values", v.values, v.size, bytes);
}

bool reached(const char *call, const char *name, const cusparseSpVecDescr &v)
{
    const size_t bytes = bytes_of(call, v.type);
    return bytes && part_reached(call, name, "indices", v.indices, v.nnz, width(v.index_type)) &&
           part_reached(call, name, "values", v.values, v.nnz, bytes);
}

void stands_for(const void *p, uint64_t entries, uint64_t elements, uint64_t operations, cudaDataType type)
{
    const uint64_t bytes = type == CUDA_R_32F ? 4 : type == CUDA_C_64F ? 16 : 8;
    const umsim_stands_for what = {
        (entries + elements) / 1024 + 1, 256, operations,
        type == CUDA_R_32F || type == CUDA_C_32F ? UMSIM_UNIT_SINGLE : UMSIM_UNIT_DOUBLE, 0};
    umsim_kernel_stands_for(&what);
    umsim_kernel_reads(p, entries * (bytes + 4) + elements * bytes);
}
} // namespace sparse

extern "C" cusparseStatus_t cusparseCreate(cusparseHandle_t *handle)
{
    if (!handle)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *handle = new cusparseContext{0, CUSPARSE_POINTER_MODE_HOST};
    return CUSPARSE_STATUS_SUCCESS;
}

extern "C" cusparseStatus_t cusparseDestroy(cusparseHandle_t handle)
{
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    delete handle;
    return CUSPARSE_STATUS_SUCCESS;
}

extern "C" cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int *version)
{
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!version)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *version = CUSPARSE_VERSION;
    return CUSPARSE_STATUS_SUCCESS;
}

extern "C" cusparseStatus_t cusparseGetProperty(libraryPropertyType type, int *value)
{
    const int part =
        umsim_version_part(CUSPARSE_VER_MAJOR * 10000 + CUSPARSE_VER_MINOR * 100 + CUSPARSE_VER_PATCH, type);
    if (!value || part < 0)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *value = part;
    return CUSPARSE_STATUS_SUCCESS;
}

static const struct {
    cusparseStatus_t status;
    const char *name, *words;
} statuses[] = {
    {CUSPARSE_STATUS_SUCCESS, "CUSPARSE_STATUS_SUCCESS", "success"},
    {CUSPARSE_STATUS_NOT_INITIALIZED, "CUSPARSE_STATUS_NOT_INITIALIZED", "there is no such handle"},
    {CUSPARSE_STATUS_ALLOC_FAILED, "CUSPARSE_STATUS_ALLOC_FAILED", "not enough memory"},
    {CUSPARSE_STATUS_INVALID_VALUE, "CUSPARSE_STATUS_INVALID_VALUE",
     "an argument has a value that cannot be"},
    {CUSPARSE_STATUS_ARCH_MISMATCH, "CUSPARSE_STATUS_ARCH_MISMATCH", "the device cannot do this"},
    {CUSPARSE_STATUS_MAPPING_ERROR, "CUSPARSE_STATUS_MAPPING_ERROR", "a copy failed"},
    {CUSPARSE_STATUS_EXECUTION_FAILED, "CUSPARSE_STATUS_EXECUTION_FAILED", "a kernel failed"},
    {CUSPARSE_STATUS_INTERNAL_ERROR, "CUSPARSE_STATUS_INTERNAL_ERROR", "the library failed inside"},
    {CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED, "CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED",
     "no such matrix is provided"},
    {CUSPARSE_STATUS_ZERO_PIVOT, "CUSPARSE_STATUS_ZERO_PIVOT", "an element of the diagonal is zero"},
    {CUSPARSE_STATUS_NOT_SUPPORTED, "CUSPARSE_STATUS_NOT_SUPPORTED", "not supported"},
    {CUSPARSE_STATUS_INSUFFICIENT_RESOURCES, "CUSPARSE_STATUS_INSUFFICIENT_RESOURCES",
     "not enough resources"},
};

extern "C" const char *cusparseGetErrorName(cusparseStatus_t status)
{
    for (const auto &known : statuses)
        if (known.status == status)
            return known.name;
    return "unknown status";
}

extern "C" const char *cusparseGetErrorString(cusparseStatus_t status)
{
    for (const auto &known : statuses)
        if (known.status == status)
            return known.words;
    return "unknown status";
}

/* A value of a descriptor's (or handle's) that a call sets, or gets. */
#define SET(name, Type, T, member)                                                                           \
    extern "C" cusparseStatus_t cusparse##name(Type it, T value)                                             \
    {                                                                                                        \
        if (!it)                                                                                             \
            return CUSPARSE_STATUS_INVALID_VALUE;                                                            \
        it->member = value;                                                                                  \
        return CUSPARSE_STATUS_SUCCESS;                                                                      \
    }
#define GET(name, Type, T, member)                                                                           \
    extern "C" cusparseStatus_t cusparse##name(Type it, T *value)                                            \
    {                                                                                                        \
        if (!it || !value)                                                                                   \
            return CUSPARSE_STATUS_INVALID_VALUE;                                                            \
        *value = it->member;                                                                                 \
        return CUSPARSE_STATUS_SUCCESS;                                                                      \
    }
#define GET_VALUE(name, Type, T, member)                                                                     \
    extern "C" T cusparse##name(Type it)                                                                     \
    {                                                                                                        \
        return it->member;                                                                                   \
    }
SET(SetStream, cusparseHandle_t, cudaStream_t, stream)
GET(GetStream, cusparseHandle_t, cudaStream_t, stream)
SET(SetPointerMode, cusparseHandle_t, cusparsePointerMode_t, pointer_mode)
GET(GetPointerMode, cusparseHandle_t, cusparsePointerMode_t, pointer_mode)
SET(SetMatType, cusparseMatDescr_t, cusparseMatrixType_t, type)
SET(SetMatFillMode, cusparseMatDescr_t, cusparseFillMode_t, fill)
SET(SetMatDiagType, cusparseMatDescr_t, cusparseDiagType_t, diagonal)
SET(SetMatIndexBase, cusparseMatDescr_t, cusparseIndexBase_t, base)
GET_VALUE(GetMatType, const cusparseMatDescr_t, cusparseMatrixType_t, type)
GET_VALUE(GetMatFillMode, const cusparseMatDescr_t, cusparseFillMode_t, fill)
GET_VALUE(GetMatDiagType, const cusparseMatDescr_t, cusparseDiagType_t, diagonal)
GET_VALUE(GetMatIndexBase, const cusparseMatDescr_t, cusparseIndexBase_t, base)
SET(SpVecSetValues, cusparseSpVecDescr_t, void *, values)
GET(SpVecGetValues, cusparseSpVecDescr_t, void *, values)
GET(ConstSpVecGetValues, cusparseConstSpVecDescr_t, const void *, values)
GET(SpVecGetIndexBase, cusparseConstSpVecDescr_t, cusparseIndexBase_t, base)
SET(DnVecSetValues, cusparseDnVecDescr_t, void *, values)
GET(DnVecGetValues, cusparseDnVecDescr_t, void *, values)
GET(ConstDnVecGetValues, cusparseConstDnVecDescr_t, const void *, values)
SET(SpMatSetValues, cusparseSpMatDescr_t, void *, values)
GET(SpMatGetValues, cusparseSpMatDescr_t, void *, values)
GET(ConstSpMatGetValues, cusparseConstSpMatDescr_t, const void *, values)
GET(SpMatGetFormat, cusparseConstSpMatDescr_t, cusparseFormat_t, format)
GET(SpMatGetIndexBase, cusparseConstSpMatDescr_t, cusparseIndexBase_t, base)
SET(DnMatSetValues, cusparseDnMatDescr_t, void *, values)
GET(DnMatGetValues, cusparseDnMatDescr_t, void *, values)
GET(ConstDnMatGetValues, cusparseConstDnMatDescr_t, const void *, values)

extern "C" cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *place)
{
    if (!place)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *place = new cusparseMatDescr();
    return CUSPARSE_STATUS_SUCCESS;
}

#define DESTROY(name, Type)                                                                                  \
    extern "C" cusparseStatus_t cusparseDestroy##name(Type it)                                               \
    {                                                                                                        \
        delete it;                                                                                           \
        return CUSPARSE_STATUS_SUCCESS;                                                                      \
    }
DESTROY(MatDescr, cusparseMatDescr_t)
DESTROY(SpVec, cusparseConstSpVecDescr_t)
DESTROY(DnVec, cusparseConstDnVecDescr_t)
DESTROY(SpMat, cusparseConstSpMatDescr_t)
DESTROY(DnMat, cusparseConstDnMatDescr_t)

static bool is_index(cusparseIndexType_t type)
{
    return type == CUSPARSE_INDEX_32I || type == CUSPARSE_INDEX_64I;
}

template <class Type, class T>
static cusparseStatus_t made(Type **place, bool valid, bool provided, const T &value)
{
    if (!place || !valid)
        return CUSPARSE_STATUS_INVALID_VALUE;
    if (!provided)
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    *place = new T(value);
    return CUSPARSE_STATUS_SUCCESS;
}

/* Twice: for arrays that are written, and for those that are only read. */
#define CREATE(Const, C)                                                                                     \
    extern "C" cusparseStatus_t cusparseCreate##Const##SpVec(                                                \
        cusparse##Const##SpVecDescr_t *place, int64_t size, int64_t nnz, C void *indices, C void *values,    \
        cusparseIndexType_t index, cusparseIndexBase_t base, cudaDataType type)                              \
    {                                                                                                        \
        return made(place, size >= 0 && nnz >= 0 && nnz <= size, is_index(index),                            \
                    cusparseSpVecDescr{size, nnz, (void *)indices, (void *)values, index, base, type});      \
    }                                                                                                        \
    extern "C" cusparseStatus_t cusparseCreate##Const##DnVec(                                                \
        cusparse##Const##DnVecDescr_t *place, int64_t size, C void *values, cudaDataType type)               \
    {                                                                                                        \
        return made(place, size >= 0, true, cusparseDnVecDescr{size, (void *)values, type});                 \
    }                                                                                                        \
    COMPRESSED(Const, C, Csr, CUSPARSE_FORMAT_CSR)                                                           \
    COMPRESSED(Const, C, Csc, CUSPARSE_FORMAT_CSC)                                                           \
    extern "C" cusparseStatus_t cusparseCreate##Const##Coo(                                                  \
        cusparse##Const##SpMatDescr_t *place, int64_t rows, int64_t cols, int64_t nnz, C void *row,          \
        C void *column, C void *values, cusparseIndexType_t index, cusparseIndexBase_t base,                 \
        cudaDataType type)                                                                                   \
    {                                                                                                        \
        return made(place, rows >= 0 && cols >= 0 && nnz >= 0, is_index(index),                              \
                    cusparseSpMatDescr{CUSPARSE_FORMAT_COO, rows, cols, nnz, (void *)row, (void *)column,    \
                                       (void *)values, index, index, base, type, CUSPARSE_FILL_MODE_LOWER,   \
                                       CUSPARSE_DIAG_TYPE_NON_UNIT});                                        \
    }                                                                                                        \
    extern "C" cusparseStatus_t cusparseCreate##Const##DnMat(                                                \
        cusparse##Const##DnMatDescr_t *place, int64_t rows, int64_t cols, int64_t ld, C void *values,        \
        cudaDataType type, cusparseOrder_t order)                                                            \
    {                                                                                                        \
        return made(place, rows >= 0 && cols >= 0 && ld >= (order == CUSPARSE_ORDER_ROW ? cols : rows),      \
                    true, cusparseDnMatDescr{rows, cols, ld, (void *)values, type, order});                  \
    }
#define COMPRESSED(Const, C, name, format)                                                                   \
    extern "C" cusparseStatus_t cusparseCreate##Const##name(                                                 \
        cusparse##Const##SpMatDescr_t *place, int64_t rows, int64_t cols, int64_t nnz, C void *offsets,      \
        C void *indices, C void *values, cusparseIndexType_t offset, cusparseIndexType_t index,              \
        cusparseIndexBase_t base, cudaDataType type)                                                         \
    {                                                                                                        \
        return made(place, rows >= 0 && cols >= 0 && nnz >= 0, is_index(offset) && is_index(index),          \
                    cusparseSpMatDescr{format, rows, cols, nnz, (void *)offsets, (void *)indices,            \
                                       (void *)values, offset, index, base, type, CUSPARSE_FILL_MODE_LOWER,  \
                                       CUSPARSE_DIAG_TYPE_NON_UNIT});                                        \
    }
CREATE(, )
CREATE(Const, const)

/* All that a descriptor holds. */
#define GET_ALL(Const, C)                                                                                    \
    extern "C" cusparseStatus_t cusparse##Const##SpVecGet(                                                   \
        cusparse##Const##SpVecDescr_t it, int64_t *size, int64_t *nnz, C void **indices, C void **values,    \
        cusparseIndexType_t *index, cusparseIndexBase_t *base, cudaDataType *type)                           \
    {                                                                                                        \
        if (!it)                                                                                             \
            return CUSPARSE_STATUS_INVALID_VALUE;                                                            \
        *size = it->size, *nnz = it->nnz, *indices = it->indices, *values = it->values,                      \
        *index = it->index_type, *base = it->base, *type = it->type;                                         \
        return CUSPARSE_STATUS_SUCCESS;                                                                      \
    }                                                                                                        \
    extern "C" cusparseStatus_t cusparse##Const##DnVecGet(cusparse##Const##DnVecDescr_t it, int64_t *size,   \
                                                          C void **values, cudaDataType *type)               \
    {                                                                                                        \
        if (!it)                                                                                             \
            return CUSPARSE_STATUS_INVALID_VALUE;                                                            \
        *size = it->size, *values = it->values, *type = it->type;                                            \
        return CUSPARSE_STATUS_SUCCESS;                                                                      \
    }                                                                                                        \
    GET_COMPRESSED(Const, C, Csr)                                                                            \
    GET_COMPRESSED(Const, C, Csc)                                                                            \
    extern "C" cusparseStatus_t cusparse##Const##CooGet(                                                     \
        cusparse##Const##SpMatDescr_t it, int64_t *rows, int64_t *cols, int64_t *nnz, C void **row,          \
        C void **column, C void **values, cusparseIndexType_t *index, cusparseIndexBase_t *base,             \
        cudaDataType *type)                                                                                  \
    {                                                                                                        \
        if (!it)                                                                                             \
            return CUSPARSE_STATUS_INVALID_VALUE;                                                            \
        *rows = it->rows, *cols = it->columns, *nnz = it->nnz, *row = it->offsets, *column = it->indices,    \
        *values = it->values, *index = it->index_type, *base = it->base, *type = it->type;                   \
        return CUSPARSE_STATUS_SUCCESS;                                                                      \
    }                                                                                                        \
    extern "C" cusparseStatus_t cusparse##Const##DnMatGet(cusparse##Const##DnMatDescr_t it, int64_t *rows,   \
                                                          int64_t *cols, int64_t *ld, C void **values,       \
                                                          cudaDataType *type, cusparseOrder_t *order)        \
    {                                                                                                        \
        if (!it)                                                                                             \
            return CUSPARSE_STATUS_INVALID_VALUE;                                                            \
        *rows = it->rows, *cols = it->columns, *ld = it->leading, *values = it->values, *type = it->type,    \
        *order = it->order;                                                                                  \
        return CUSPARSE_STATUS_SUCCESS;                                                                      \
    }
#define GET_COMPRESSED(Const, C, name)                                                                       \
    extern "C" cusparseStatus_t cusparse##Const##name##Get(                                                  \
        cusparse##Const##SpMatDescr_t it, int64_t *rows, int64_t *cols, int64_t *nnz, C void **offsets,      \
        C void **indices, C void **values, cusparseIndexType_t *offset, cusparseIndexType_t *index,          \
        cusparseIndexBase_t *base, cudaDataType *type)                                                       \
    {                                                                                                        \
        if (!it)                                                                                             \
            return CUSPARSE_STATUS_INVALID_VALUE;                                                            \
        *rows = it->rows, *cols = it->columns, *nnz = it->nnz, *offsets = it->offsets,                       \
        *indices = it->indices, *values = it->values, *offset = it->offset_type, *index = it->index_type,    \
        *base = it->base, *type = it->type;                                                                  \
        return CUSPARSE_STATUS_SUCCESS;                                                                      \
    }
GET_ALL(, )
GET_ALL(Const, const)

extern "C" cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t it, int64_t *rows, int64_t *cols,
                                                 int64_t *nnz)
{
    if (!it || !rows || !cols || !nnz)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *rows = it->rows, *cols = it->columns, *nnz = it->nnz;
    return CUSPARSE_STATUS_SUCCESS;
}

#define SET_POINTERS(name)                                                                                   \
    extern "C" cusparseStatus_t cusparse##name##SetPointers(cusparseSpMatDescr_t it, void *offsets,          \
                                                            void *indices, void *values)                     \
    {                                                                                                        \
        if (!it)                                                                                             \
            return CUSPARSE_STATUS_INVALID_VALUE;                                                            \
        it->offsets = offsets, it->indices = indices, it->values = values;                                   \
        return CUSPARSE_STATUS_SUCCESS;                                                                      \
    }
SET_POINTERS(Csr)
SET_POINTERS(Csc)
SET_POINTERS(Coo)

extern "C" cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t it, cusparseSpMatAttribute_t which,
                                                      void *data, size_t size)
{
    if (!it || !data || size != sizeof(int))
        return CUSPARSE_STATUS_INVALID_VALUE;
    if (which == CUSPARSE_SPMAT_FILL_MODE)
        it->fill = *(cusparseFillMode_t *)data;
    else
        it->diagonal = *(cusparseDiagType_t *)data;
    return CUSPARSE_STATUS_SUCCESS;
}

extern "C" cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t it,
                                                      cusparseSpMatAttribute_t which, void *data, size_t size)
{
    if (!it || !data || size != sizeof(int))
        return CUSPARSE_STATUS_INVALID_VALUE;
    *(int *)data = which == CUSPARSE_SPMAT_FILL_MODE ? (int)it->fill : (int)it->diagonal;
    return CUSPARSE_STATUS_SUCCESS;
}

/* Nothing is logged. */
#define ACCEPTED(name, ...)                                                                                  \
    extern "C" cusparseStatus_t name(__VA_ARGS__)                                                            \
    {                                                                                                        \
        return CUSPARSE_STATUS_SUCCESS;                                                                      \
    }
ACCEPTED(cusparseLoggerSetCallback, cusparseLoggerCallback_t)
ACCEPTED(cusparseLoggerSetFile, FILE *)
ACCEPTED(cusparseLoggerOpenFile, const char *)
ACCEPTED(cusparseLoggerSetLevel, int)
ACCEPTED(cusparseLoggerSetMask, int)
ACCEPTED(cusparseLoggerForceDisable, void)
