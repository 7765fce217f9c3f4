/**
 * @file cuda_awbarrier.h
 * @brief The primitives of barriers; cuda::barrier is in <cuda/barrier>.
 */
#ifndef UMSIM_CUDA_AWBARRIER_H
#define UMSIM_CUDA_AWBARRIER_H

#include "cuda_awbarrier_primitives.h"

#endif
