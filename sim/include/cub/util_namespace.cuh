/**
 * @file util_namespace.cuh
 * @brief CUB's macros that open and close its namespace.
 */
#ifndef UMSIM_CUB_UTIL_NAMESPACE_CUH
#define UMSIM_CUB_UTIL_NAMESPACE_CUH

#include "config.cuh"

#endif
