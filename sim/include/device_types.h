/**
 * @file device_types.h
 * @brief Rounding modes, which some CUDA programs name.
 */
#ifndef UMSIM_DEVICE_TYPES_H
#define UMSIM_DEVICE_TYPES_H

#include "host_defines.h"

/** How a result is rounded. */
enum cudaRoundMode {
    cudaRoundNearest, /**< to the nearest, ties to even */
    cudaRoundZero,    /**< towards zero */
    cudaRoundPosInf,  /**< upwards */
    cudaRoundMinInf   /**< downwards */
};

#endif
