/**
 * @file device_atomic_functions.h
 * @brief For programs that include it, which CUDA has not asked for in years: cuda_runtime.h has all of it.
 */
#ifndef UMSIM_DEVICE_ATOMIC_FUNCTIONS_H
#define UMSIM_DEVICE_ATOMIC_FUNCTIONS_H

#include "cuda_runtime.h"

#endif
