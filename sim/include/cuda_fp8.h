/**
 * @file cuda_fp8.h
 * @brief Says that numbers of 8 bits are not there, before NVIDIA's own header, where one is installed, says
 * it in a hundred lines.
 */
#error "cuda_fp8.h: FP8 is not part of the simulator"
