/**
 * @file cufftXt.h
 * @brief cuFFT's extended calls: plans by the types of numbers. Callbacks, several GPUs and half precision
 * are refused with a line.
 */
#ifndef _CUFFTXT_H_
#define _CUFFTXT_H_

#include "cuda_runtime.h"
#include "cufft.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a callback does; none is provided. */
typedef enum cufftXtCallbackType_t {
    CUFFT_CB_LD_COMPLEX = 0,
    CUFFT_CB_LD_COMPLEX_DOUBLE = 1,
    CUFFT_CB_LD_REAL = 2,
    CUFFT_CB_LD_REAL_DOUBLE = 3,
    CUFFT_CB_ST_COMPLEX = 4,
    CUFFT_CB_ST_COMPLEX_DOUBLE = 5,
    CUFFT_CB_ST_REAL = 6,
    CUFFT_CB_ST_REAL_DOUBLE = 7,
    CUFFT_CB_UNDEFINED = 8
} cufftXtCallbackType;

/** As cufftMakePlanMany64(). INVALID_TYPE, and a line: the types are not those of a cufftType. */
cufftResult cufftXtMakePlanMany(cufftHandle __plan, int __rank, long long int *__n, long long int *__inembed,
                                long long int __istride, long long int __idist, cudaDataType __inputtype,
                                long long int *__onembed, long long int __ostride, long long int __odist,
                                cudaDataType __outputtype, long long int __batch, size_t *__workSize,
                                cudaDataType __executiontype);
/** Transforms as the plan's type says; `__direction` counts for complex ones. */
cufftResult cufftXtExec(cufftHandle __plan, void *__input, void *__output, int __direction);
/** @name Not provided: CUFFT_NOT_SUPPORTED, and a line
 * @{ */
cufftResult cufftXtSetCallback(cufftHandle __plan, void **__callback_routine, cufftXtCallbackType __cbType,
                               void **__caller_info);
cufftResult cufftXtSetGPUs(cufftHandle __handle, int __nGPUs, int *__whichGPUs);
/** @} */

#ifdef __cplusplus
}
#endif
#endif
