/**
 * @file cuda_pipeline.h
 * @brief The primitives of pipelines; cuda::pipeline is in <cuda/pipeline>.
 */
#ifndef UMSIM_CUDA_PIPELINE_H_
#define UMSIM_CUDA_PIPELINE_H_

#include "cuda_pipeline_primitives.h"

#endif
