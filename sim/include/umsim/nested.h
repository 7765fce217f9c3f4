/**
 * @file umsim/nested.h
 * @brief The library's functions behind CUDA's runtime in device code.
 *
 * Part of cuda_device_runtime_api.h; students do not include this file.
 *
 * Only threads of a kernel may call them (umsim_in_kernel()). Errors are cudaError_t.
 */
#ifndef UMSIM_NESTED_H_INCLUDED
#define UMSIM_NESTED_H_INCLUDED

/** The values of the per-grid streams. @{ */
#define UMSIM_STREAM_TAIL_LAUNCH ((void *)3)
#define UMSIM_STREAM_FIRE_AND_FORGET ((void *)4)
/** @} */

#ifdef __cplusplus
extern "C" {
#endif

/** The calling thread's last error. @param __clear whether to reset it */
int umsim_nested_error(int __clear);

/** Stores it as the last error, unless it is success. @return `__error` */
int umsim_nested_fail(int __error);

/** A new stream or event of the grid: no two are equal. */
void *umsim_nested_handle(void);

/** Whether a stream or event was made by the grid of the calling thread. */
int umsim_nested_is_handle(const void *__handle);

#ifdef __cplusplus
}
#endif
#endif
