/**
 * @file util_cpp_dialect.cuh
 * @brief CUB's macros.
 */
#ifndef UMSIM_CUB_UTIL_CPP_DIALECT_CUH
#define UMSIM_CUB_UTIL_CPP_DIALECT_CUH

#include "config.cuh"

#endif
