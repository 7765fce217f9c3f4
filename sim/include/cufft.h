/**
 * @file cufft.h
 * @brief Says that this library of CUDA's is not there, before NVIDIA's own header, where one is installed,
 * says it in a hundred lines.
 */
#error "cufft.h: cuFFT is not part of the simulator"
