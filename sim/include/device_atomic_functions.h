/**
 * @file device_atomic_functions.h
 * @brief For programs that still include this header; cuda_runtime.h has all of it, and CUDA has not
 * required it in years.
 */
#ifndef UMSIM_DEVICE_ATOMIC_FUNCTIONS_H
#define UMSIM_DEVICE_ATOMIC_FUNCTIONS_H

#include "cuda_runtime.h"

#endif
