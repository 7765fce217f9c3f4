/**
 * @file cuda/detail/std/span.h
 * @brief <cuda/std/span>: a pointer and a number of elements.
 */
#ifndef UMSIM_CUDA_STD_SPAN_H
#define UMSIM_CUDA_STD_SPAN_H

#include "../span.h"

#endif
