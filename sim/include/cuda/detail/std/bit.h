/**
 * @file cuda/detail/std/bit.h
 * @brief <cuda/std/bit>: queries about bits.
 */
#ifndef UMSIM_CUDA_STD_BIT_H
#define UMSIM_CUDA_STD_BIT_H

#include "../bit.h"

#endif
