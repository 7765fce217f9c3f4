/**
 * @file util_arch.cuh
 * @brief CUB's numbers of a GPU's architecture.
 */
#ifndef UMSIM_CUB_UTIL_ARCH_CUH
#define UMSIM_CUB_UTIL_ARCH_CUH

#include "config.cuh"

/** @cond internal */
namespace cub
{
}
/** @endcond */

#endif
