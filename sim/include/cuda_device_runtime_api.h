/**
 * @file cuda_device_runtime_api.h
 * @brief For programs that include it. Kernels that launch kernels are not provided: this brings the host's
 * API only.
 */
#ifndef UMSIM_CUDA_DEVICE_RUNTIME_API_H
#define UMSIM_CUDA_DEVICE_RUNTIME_API_H

#include "cuda_runtime_api.h"

#endif
