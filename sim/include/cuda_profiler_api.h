/**
 * @file cuda_profiler_api.h
 * @brief Calls that tell a profiler what to record.
 */
#ifndef UMSIM_CUDA_PROFILER_API_H
#define UMSIM_CUDA_PROFILER_API_H

#include "driver_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A profiler records from here on. Nothing happens without one. */
cudaError_t cudaProfilerStart(void);
/** A profiler stops recording. */
cudaError_t cudaProfilerStop(void);

#ifdef __cplusplus
}
#endif

#endif
