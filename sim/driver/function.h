/**
 * @file function.h
 * @brief What the calls about functions and launches share.
 *
 * A CUfunction and a CUkernel are one object here (api/function.h): there is one device, so a kernel is
 * compiled for it from the start.
 */
#ifndef UMSIM_DRIVER_FUNCTION_H
#define UMSIM_DRIVER_FUNCTION_H

#include "driver.h"
#include "../api/function.h"

/** The live function behind a handle of either kind, or NULL. */
struct CUfunc_st *umsim_driver_function(const void *handle);

/** Where parameter number `index` lies in a packed buffer: behind the ones before it, at its own alignment.
 * @return false: there is no such parameter */
bool umsim_parameter_at(const struct CUfunc_st *function, unsigned index, size_t *offset, size_t *bytes);

#endif
