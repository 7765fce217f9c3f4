/**
 * @file function.h
 * @brief What the calls about functions and launches share.
 *
 * A CUfunction and a CUkernel are one object here (api/function.h). With several devices a kernel of a
 * library's, which is for all, and its function on one of them are two.
 */
#ifndef UMSIM_DRIVER_FUNCTION_H
#define UMSIM_DRIVER_FUNCTION_H

#include "driver.h"
#include "../api/function.h"

/** The live function behind a handle of either kind, or NULL. */
struct CUfunc_st *umsim_driver_function(const void *handle);

/** Whether it may be launched there; else that is CUDA_ERROR_INVALID_HANDLE. */
static inline bool umsim_function_runs_on(const struct CUfunc_st *function, unsigned device)
{
    return function->device == UMSIM_ANY_DEVICE || function->device == (int)device;
}

/** The device that a call means: the function's own, or the current one. */
static inline unsigned umsim_function_device(const struct CUfunc_st *function)
{
    return function->device == UMSIM_ANY_DEVICE ? umsim_device() : (unsigned)function->device;
}

/** Where parameter number `index` lies in a packed buffer: behind the ones before it, at its own alignment.
 * @return false: there is no such parameter */
bool umsim_parameter_at(const struct CUfunc_st *function, unsigned index, size_t *offset, size_t *bytes);

#endif
