/**
 * @file mixed.cu
 * @brief cuBLAS's products whose types are told at run time (cublasGemmEx and its batches), and those of
 * half.
 *
 * Half, bfloat16 and 8-bit numbers are multiplied and summed in float (with CUBLAS_COMPUTE_32I in int), and
 * each result is rounded once. On a GPU, CUBLAS_COMPUTE_16F may round its sums to half on the way.
 */
#include "product.h"

#include <cstdio>

namespace
{
using namespace blas;

/* A product of any types. */
struct any_matrix {
    const void *p;
    const void *const *batch;
    cudaDataType type;
    i64 leading, stride;
};
struct any_product {
    const char *call;
    cublasOperation_t op_a, op_b;
    i64 m, n, k;
    const void *alpha;
    any_matrix a, b;
    const void *beta;
    any_matrix c;
    i64 batches;
    cublasComputeType_t compute;
};

template <class W> scalar<W> read_scalar(cublasHandle_t handle, const void *p, bool is_half)
{
    return is_half ? scalar_from<W>(handle->pointer_mode, (const __half *)p, STORED_HALF)
                   : scalar_from<W>(handle->pointer_mode, (const W *)p, STORED_SAME);
}

template <class A, class C, class W>
cublasStatus_t run(cublasHandle_t handle, const any_product &p, umsim_unit unit)
{
    const bool ta = p.op_a != CUBLAS_OP_N, tb = p.op_b != CUBLAS_OP_N;
    const bool is_half = p.compute == CUBLAS_COMPUTE_16F || p.compute == CUBLAS_COMPUTE_16F_PEDANTIC;
    const size_t scalar_bytes = is_half ? sizeof(__half) : sizeof(W);
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE &&
        (!umsim_reaches(p.call, "alpha", p.alpha, 1, scalar_bytes) ||
         !umsim_reaches(p.call, "beta", p.beta, 1, scalar_bytes)))
        return CUBLAS_STATUS_EXECUTION_FAILED;
    const result_matrix<C> out = {(C *)const_cast<void *>(p.c.p), (C *const *)p.c.batch, p.c.leading,
                                  p.c.stride};
    const product<A, C, W> made = {p.m,
                                   p.n,
                                   p.k,
                                   p.batches,
                                   {dense(op_of(p.op_a), ta ? p.k : p.m, ta ? p.m : p.k, p.a.leading),
                                    (const A *)p.a.p, (const A *const *)p.a.batch, p.a.stride},
                                   {dense(op_of(p.op_b), tb ? p.n : p.k, tb ? p.k : p.n, p.b.leading),
                                    (const A *)p.b.p, (const A *const *)p.b.batch, p.b.stride},
                                   out,
                                   out,
                                   read_scalar<W>(handle, p.alpha, is_half),
                                   read_scalar<W>(handle, p.beta, is_half),
                                   WHOLE,
                                   false,
                                   NONE,
                                   nullptr,
                                   false,
                                   0,
                                   false};
    static const char *const names[3] = {"A", "B", "C"};
    const cublasStatus_t status = check_product(p.call, made, names);
    return status != CUBLAS_STATUS_SUCCESS ? status : launch_product(made, unit, handle->stream);
}

using runner = cublasStatus_t (*)(cublasHandle_t, const any_product &, umsim_unit);

/* The types that cuBLAS documents for cublasGemmEx. `compute` without its _PEDANTIC: the same sums. */
const struct combination {
    cublasComputeType_t compute;
    cudaDataType ab, c;
    runner run;
    umsim_unit unit;
} combinations[] = {
    {CUBLAS_COMPUTE_16F, CUDA_R_16F, CUDA_R_16F, run<__half, __half, float>, UMSIM_UNIT_TENSOR_HALF},
    {CUBLAS_COMPUTE_32I, CUDA_R_8I, CUDA_R_32I, run<int8_t, int, int>, UMSIM_UNIT_TENSOR_INT8},
    {CUBLAS_COMPUTE_32F, CUDA_R_16F, CUDA_R_16F, run<__half, __half, float>, UMSIM_UNIT_TENSOR_HALF},
    {CUBLAS_COMPUTE_32F, CUDA_R_16BF, CUDA_R_16BF, run<__nv_bfloat16, __nv_bfloat16, float>,
     UMSIM_UNIT_TENSOR_HALF},
    {CUBLAS_COMPUTE_32F, CUDA_R_16F, CUDA_R_32F, run<__half, float, float>, UMSIM_UNIT_TENSOR_HALF},
    {CUBLAS_COMPUTE_32F, CUDA_R_16BF, CUDA_R_32F, run<__nv_bfloat16, float, float>, UMSIM_UNIT_TENSOR_HALF},
    {CUBLAS_COMPUTE_32F, CUDA_R_8I, CUDA_R_32F, run<int8_t, float, float>, UMSIM_UNIT_TENSOR_INT8},
    {CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, run<float, float, float>, UMSIM_UNIT_SINGLE},
    {CUBLAS_COMPUTE_32F, CUDA_C_32F, CUDA_C_32F, run<complex<float>, complex<float>, complex<float>>,
     UMSIM_UNIT_SINGLE},
    {CUBLAS_COMPUTE_64F, CUDA_R_64F, CUDA_R_64F, run<double, double, double>, UMSIM_UNIT_TENSOR_DOUBLE},
    {CUBLAS_COMPUTE_64F, CUDA_C_64F, CUDA_C_64F, run<complex<double>, complex<double>, complex<double>>,
     UMSIM_UNIT_TENSOR_DOUBLE},
};

umsim_unit unit_for(cublasHandle_t handle, cublasComputeType_t compute, const combination &c)
{
    const bool fast = compute == CUBLAS_COMPUTE_32F_FAST_TF32 || compute == CUBLAS_COMPUTE_32F_FAST_16F ||
                      compute == CUBLAS_COMPUTE_32F_FAST_16BF ||
                      (compute == CUBLAS_COMPUTE_32F &&
                       (handle->math == CUBLAS_TF32_TENSOR_OP_MATH || handle->math == CUBLAS_TENSOR_OP_MATH));
    return fast && c.unit == UMSIM_UNIT_SINGLE ? UMSIM_UNIT_TENSOR_TF32 : c.unit;
}

cublasStatus_t run_any(cublasHandle_t handle, const any_product &p)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!is_operation(p.op_a) || !is_operation(p.op_b) || p.m < 0 || p.n < 0 || p.k < 0 || p.batches < 0 ||
        !is_leading(p.a.leading, p.op_a != CUBLAS_OP_N ? p.k : p.m) ||
        !is_leading(p.b.leading, p.op_b != CUBLAS_OP_N ? p.n : p.k) || !is_leading(p.c.leading, p.m))
        return CUBLAS_STATUS_INVALID_VALUE;
    const cublasComputeType_t compute = plain_compute(p.compute);
    for (const combination &c : combinations)
        if (c.compute == compute && c.ab == p.a.type && c.ab == p.b.type && c.c == p.c.type) {
            if (p.m == 0 || p.n == 0 || p.batches == 0)
                return CUBLAS_STATUS_SUCCESS;
            if (!p.alpha || !p.beta)
                return CUBLAS_STATUS_INVALID_VALUE;
            return c.run(handle, p, unit_for(handle, p.compute, c));
        }
    fprintf(
        stderr,
        "%s: there is no product of types %d and %d into %d that is computed as %d (cublasComputeType_t): "
        "choose one of those in NVIDIA's table of cublasGemmEx; of 8-bit floats and complex 8-bit numbers "
        "the "
        "simulator has none\n",
        p.call, p.a.type, p.b.type, p.c.type, p.compute);
    return CUBLAS_STATUS_NOT_SUPPORTED;
}

} // namespace

#define OPS cublasOperation_t transa, cublasOperation_t transb
#define START(name) name, transa, transb, m, n, k
#define EX(N, X)                                                                                             \
    extern "C" cublasStatus_t cublasGemmEx##X(HANDLE, OPS, N m, N n, N k, const void *alpha, const void *A,  \
                                              cudaDataType Atype, N lda, const void *B, cudaDataType Btype,  \
                                              N ldb, const void *beta, void *C, cudaDataType Ctype, N ldc,   \
                                              cublasComputeType_t compute, cublasGemmAlgo_t)                 \
    {                                                                                                        \
        return run_any(handle, {START("cublasGemmEx" #X),                                                    \
                                alpha,                                                                       \
                                {A, nullptr, Atype, lda, 0},                                                 \
                                {B, nullptr, Btype, ldb, 0},                                                 \
                                beta,                                                                        \
                                {C, nullptr, Ctype, ldc, 0},                                                 \
                                1,                                                                           \
                                compute});                                                                   \
    }                                                                                                        \
    extern "C" cublasStatus_t cublasGemmBatchedEx##X(                                                        \
        HANDLE, OPS, N m, N n, N k, const void *alpha, const void *const Aarray[], cudaDataType Atype,       \
        N lda, const void *const Barray[], cudaDataType Btype, N ldb, const void *beta,                      \
        void *const Carray[], cudaDataType Ctype, N ldc, N batchCount, cublasComputeType_t compute,          \
        cublasGemmAlgo_t)                                                                                    \
    {                                                                                                        \
        return run_any(handle, {START("cublasGemmBatchedEx" #X),                                             \
                                alpha,                                                                       \
                                {nullptr, Aarray, Atype, lda, 0},                                            \
                                {nullptr, Barray, Btype, ldb, 0},                                            \
                                beta,                                                                        \
                                {nullptr, Carray, Ctype, ldc, 0},                                            \
                                batchCount,                                                                  \
                                compute});                                                                   \
    }                                                                                                        \
    extern "C" cublasStatus_t cublasGemmStridedBatchedEx##X(                                                 \
        HANDLE, OPS, N m, N n, N k, const void *alpha, const void *A, cudaDataType Atype, N lda,             \
        long long int strideA, const void *B, cudaDataType Btype, N ldb, long long int strideB,              \
        const void *beta, void *C, cudaDataType Ctype, N ldc, long long int strideC, N batchCount,           \
        cublasComputeType_t compute, cublasGemmAlgo_t)                                                       \
    {                                                                                                        \
        return run_any(handle, {START("cublasGemmStridedBatchedEx" #X),                                      \
                                alpha,                                                                       \
                                {A, nullptr, Atype, lda, strideA},                                           \
                                {B, nullptr, Btype, ldb, strideB},                                           \
                                beta,                                                                        \
                                {C, nullptr, Ctype, ldc, strideC},                                           \
                                batchCount,                                                                  \
                                compute});                                                                   \
    }                                                                                                        \
    HALF(N, X)                                                                                               \
    WITH_TYPES(S, float, N, X)                                                                               \
    WITH_TYPES(C, cuComplex, N, X)
#define HALF(N, X)                                                                                           \
    extern "C" cublasStatus_t cublasHgemm##X(HANDLE, OPS, N m, N n, N k, const __half *alpha,                \
                                             const __half *A, N lda, const __half *B, N ldb,                 \
                                             const __half *beta, __half *C, N ldc)                           \
    {                                                                                                        \
        return run_any(handle, {START("cublasHgemm" #X),                                                     \
                                alpha,                                                                       \
                                {A, nullptr, CUDA_R_16F, lda, 0},                                            \
                                {B, nullptr, CUDA_R_16F, ldb, 0},                                            \
                                beta,                                                                        \
                                {C, nullptr, CUDA_R_16F, ldc, 0},                                            \
                                1,                                                                           \
                                CUBLAS_COMPUTE_16F});                                                        \
    }                                                                                                        \
    extern "C" cublasStatus_t cublasHgemmBatched##X(HANDLE, OPS, N m, N n, N k, const __half *alpha,         \
                                                    const __half *const Aarray[], N lda,                     \
                                                    const __half *const Barray[], N ldb, const __half *beta, \
                                                    __half *const Carray[], N ldc, N batchCount)             \
    {                                                                                                        \
        return run_any(handle, {START("cublasHgemmBatched" #X),                                              \
                                alpha,                                                                       \
                                {nullptr, (const void *const *)Aarray, CUDA_R_16F, lda, 0},                  \
                                {nullptr, (const void *const *)Barray, CUDA_R_16F, ldb, 0},                  \
                                beta,                                                                        \
                                {nullptr, (const void *const *)Carray, CUDA_R_16F, ldc, 0},                  \
                                batchCount,                                                                  \
                                CUBLAS_COMPUTE_16F});                                                        \
    }                                                                                                        \
    extern "C" cublasStatus_t cublasHgemmStridedBatched##X(                                                  \
        HANDLE, OPS, N m, N n, N k, const __half *alpha, const __half *A, N lda, long long int strideA,      \
        const __half *B, N ldb, long long int strideB, const __half *beta, __half *C, N ldc,                 \
        long long int strideC, N batchCount)                                                                 \
    {                                                                                                        \
        return run_any(handle, {START("cublasHgemmStridedBatched" #X),                                       \
                                alpha,                                                                       \
                                {A, nullptr, CUDA_R_16F, lda, strideA},                                      \
                                {B, nullptr, CUDA_R_16F, ldb, strideB},                                      \
                                beta,                                                                        \
                                {C, nullptr, CUDA_R_16F, ldc, strideC},                                      \
                                batchCount,                                                                  \
                                CUBLAS_COMPUTE_16F});                                                        \
    }
#define WITH_TYPES(P, T, N, X)                                                                               \
    extern "C" cublasStatus_t cublas##P##gemmEx##X(                                                          \
        HANDLE, OPS, N m, N n, N k, const T *alpha, const void *A, cudaDataType Atype, N lda, const void *B, \
        cudaDataType Btype, N ldb, const T *beta, void *C, cudaDataType Ctype, N ldc)                        \
    {                                                                                                        \
        return run_any(handle, {START("cublas" #P "gemmEx" #X),                                              \
                                alpha,                                                                       \
                                {A, nullptr, Atype, lda, 0},                                                 \
                                {B, nullptr, Btype, ldb, 0},                                                 \
                                beta,                                                                        \
                                {C, nullptr, Ctype, ldc, 0},                                                 \
                                1,                                                                           \
                                CUBLAS_COMPUTE_32F});                                                        \
    }
EX(int, )
EX(int64_t, _64)
