/**
 * @file version.cuh
 * @brief CUB's version.
 */
#ifndef UMSIM_CUB_VERSION_CUH
#define UMSIM_CUB_VERSION_CUH

#include "config.cuh"

#endif
