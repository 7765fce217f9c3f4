/**
 * @file mma.h
 * @brief Says that this library of CUDA's is not there, before NVIDIA's own header, where one is installed, says it in a
 * hundred lines.
 */
#error "mma.h: tensor cores (WMMA) is not part of the simulator"
