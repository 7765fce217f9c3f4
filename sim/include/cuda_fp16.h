/**
 * @file cuda_fp16.h
 * @brief For programs that include it and do without: half precision is not part of the simulator.
 */
#ifndef CUDA_FP16_H
#define CUDA_FP16_H
#endif
