/**
 * @file old_launch.h
 * @brief What the deprecated calls set before a launch: PyCUDA and programs before CUDA 4 still make them.
 */
#ifndef UMSIM_DRIVER_OLD_LAUNCH_H
#define UMSIM_DRIVER_OLD_LAUNCH_H

#include "function.h"

struct umsim_old_launch {
    unsigned block[3], shared, bytes;
    char parameters[UMSIM_CLOSURE_MAX];
};

/** Points each of a function's parameters to its place in a packed buffer. */
CUresult umsim_unpack(const struct CUfunc_st *function, char *buffer, size_t bytes, void **parameters);

/** The same for a launch's list that ends with CU_LAUNCH_PARAM_END. `parameters` has room for each. */
CUresult umsim_unpack_extra(const struct CUfunc_st *function, void **extra, void **parameters);

#endif
