/**
 * @file device_launch_parameters.h
 * @brief For programs that include this header, as Visual Studio's template does.
 *
 * threadIdx and the like need no header: umcc provides them in kernels.
 */
#ifndef UMSIM_DEVICE_LAUNCH_PARAMETERS_H
#define UMSIM_DEVICE_LAUNCH_PARAMETERS_H

#include "host_defines.h"
#include "vector_types.h"

#ifndef __UMCC__
#ifdef __cplusplus
extern "C" {
#endif
/** @name Declared, so that an editor knows them; no code outside of a kernel can use them. @{ */
extern const uint3 threadIdx;
extern const uint3 blockIdx;
extern const dim3 blockDim;
extern const dim3 gridDim;
extern const int warpSize;
/** @} */
#ifdef __cplusplus
}
#endif
#endif

#endif
