/**
 * @file util_macro.cuh
 * @brief CUB's macros.
 */
#ifndef UMSIM_CUB_UTIL_MACRO_CUH
#define UMSIM_CUB_UTIL_MACRO_CUH

#include "config.cuh"

#endif
