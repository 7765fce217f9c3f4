/**
 * @file cublas_overloads.h
 * @brief cublasGemmEx and its batches as they were before CUDA 11, in C++: what is computed in was told by a
 * type.
 */
#ifndef UMSIM_CUBLAS_OVERLOADS_H
#define UMSIM_CUBLAS_OVERLOADS_H

/** What computing in that type is called now. */
static inline cublasStatus_t cublasMigrateComputeType(cublasHandle_t __handle, cudaDataType_t __type,
                                                      cublasComputeType_t *__compute)
{
    cublasMath_t __math = CUBLAS_DEFAULT_MATH;
    cublasStatus_t __status = cublasGetMathMode(__handle, &__math);
    if (__status != CUBLAS_STATUS_SUCCESS)
        return __status;
    const bool __pedantic = (__math & 15) == CUBLAS_PEDANTIC_MATH;
    switch (__type) {
    case CUDA_R_32F:
    case CUDA_C_32F:
        *__compute = __pedantic ? CUBLAS_COMPUTE_32F_PEDANTIC : CUBLAS_COMPUTE_32F;
        return CUBLAS_STATUS_SUCCESS;
    case CUDA_R_64F:
    case CUDA_C_64F:
        *__compute = __pedantic ? CUBLAS_COMPUTE_64F_PEDANTIC : CUBLAS_COMPUTE_64F;
        return CUBLAS_STATUS_SUCCESS;
    case CUDA_R_16F:
        *__compute = __pedantic ? CUBLAS_COMPUTE_16F_PEDANTIC : CUBLAS_COMPUTE_16F;
        return CUBLAS_STATUS_SUCCESS;
    case CUDA_R_32I:
        *__compute = __pedantic ? CUBLAS_COMPUTE_32I_PEDANTIC : CUBLAS_COMPUTE_32I;
        return CUBLAS_STATUS_SUCCESS;
    default:
        return CUBLAS_STATUS_NOT_SUPPORTED;
    }
}

static inline cublasStatus_t cublasGemmEx(cublasHandle_t __handle, cublasOperation_t __transa,
                                          cublasOperation_t __transb, int __m, int __n, int __k,
                                          const void *__alpha, const void *__A, cudaDataType __Atype,
                                          int __lda, const void *__B, cudaDataType __Btype, int __ldb,
                                          const void *__beta, void *__C, cudaDataType __Ctype, int __ldc,
                                          cudaDataType __computeType, cublasGemmAlgo_t __algo)
{
    cublasComputeType_t __compute = CUBLAS_COMPUTE_32F;
    cublasStatus_t __status = cublasMigrateComputeType(__handle, __computeType, &__compute);
    if (__status != CUBLAS_STATUS_SUCCESS)
        return __status;
    return cublasGemmEx(__handle, __transa, __transb, __m, __n, __k, __alpha, __A, __Atype, __lda, __B,
                        __Btype, __ldb, __beta, __C, __Ctype, __ldc, __compute, __algo);
}

static inline cublasStatus_t
cublasGemmBatchedEx(cublasHandle_t __handle, cublasOperation_t __transa, cublasOperation_t __transb, int __m,
                    int __n, int __k, const void *__alpha, const void *const __Aarray[], cudaDataType __Atype,
                    int __lda, const void *const __Barray[], cudaDataType __Btype, int __ldb,
                    const void *__beta, void *const __Carray[], cudaDataType __Ctype, int __ldc,
                    int __batchCount, cudaDataType __computeType, cublasGemmAlgo_t __algo)
{
    cublasComputeType_t __compute = CUBLAS_COMPUTE_32F;
    cublasStatus_t __status = cublasMigrateComputeType(__handle, __computeType, &__compute);
    if (__status != CUBLAS_STATUS_SUCCESS)
        return __status;
    return cublasGemmBatchedEx(__handle, __transa, __transb, __m, __n, __k, __alpha, __Aarray, __Atype, __lda,
                               __Barray, __Btype, __ldb, __beta, __Carray, __Ctype, __ldc, __batchCount,
                               __compute, __algo);
}

static inline cublasStatus_t
cublasGemmStridedBatchedEx(cublasHandle_t __handle, cublasOperation_t __transa, cublasOperation_t __transb,
                           int __m, int __n, int __k, const void *__alpha, const void *__A,
                           cudaDataType __Atype, int __lda, long long int __strideA, const void *__B,
                           cudaDataType __Btype, int __ldb, long long int __strideB, const void *__beta,
                           void *__C, cudaDataType __Ctype, int __ldc, long long int __strideC,
                           int __batchCount, cudaDataType __computeType, cublasGemmAlgo_t __algo)
{
    cublasComputeType_t __compute = CUBLAS_COMPUTE_32F;
    cublasStatus_t __status = cublasMigrateComputeType(__handle, __computeType, &__compute);
    if (__status != CUBLAS_STATUS_SUCCESS)
        return __status;
    return cublasGemmStridedBatchedEx(__handle, __transa, __transb, __m, __n, __k, __alpha, __A, __Atype,
                                      __lda, __strideA, __B, __Btype, __ldb, __strideB, __beta, __C, __Ctype,
                                      __ldc, __strideC, __batchCount, __compute, __algo);
}

#endif
