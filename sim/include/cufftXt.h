/**
 * @file cufftXt.h
 * @brief cuFFT's extended calls: plans by the types of numbers. Callbacks, several GPUs and half precision
 * are refused with a line.
 */
#ifndef _CUFFTXT_H_
#define _CUFFTXT_H_

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
cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long int *n, long long int *inembed,
                                long long int istride, long long int idist, cudaDataType inputtype,
                                long long int *onembed, long long int ostride, long long int odist,
                                cudaDataType outputtype, long long int batch, size_t *workSize,
                                cudaDataType executiontype);
/** Transforms as the plan's type says; `direction` counts for complex ones. */
cufftResult cufftXtExec(cufftHandle plan, void *input, void *output, int direction);
/** @name Not provided: CUFFT_NOT_SUPPORTED, and a line
 * @{ */
cufftResult cufftXtSetCallback(cufftHandle plan, void **callback_routine, cufftXtCallbackType cbType,
                               void **caller_info);
cufftResult cufftXtSetGPUs(cufftHandle handle, int nGPUs, int *whichGPUs);
/** @} */

#ifdef __cplusplus
}
#endif
#endif
