/**
 * @file cudaProfiler.h
 * @brief The driver API's calls to a profiler, of which there is none: they succeed.
 */
#ifndef UMSIM_CUDAPROFILER_H
#define UMSIM_CUDAPROFILER_H

#include "cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Form of a profiler's output. */
typedef enum CUoutput_mode_enum { CU_OUT_KEY_VALUE_PAIR = 0, CU_OUT_CSV = 1 } CUoutput_mode;

/** Nothing to set up. */
CUresult cuProfilerInitialize(const char *__configFile, const char *__outputFile, CUoutput_mode __outputMode);
/** Nothing to start. */
CUresult cuProfilerStart(void);
/** Nothing to stop. */
CUresult cuProfilerStop(void);

#ifdef __cplusplus
}
#endif
#endif
