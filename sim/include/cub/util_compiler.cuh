/**
 * @file util_compiler.cuh
 * @brief CUB's macros.
 */
#ifndef UMSIM_CUB_UTIL_COMPILER_CUH
#define UMSIM_CUB_UTIL_COMPILER_CUH

#include "config.cuh"

#endif
