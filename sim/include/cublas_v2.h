/**
 * @file cublas_v2.h
 * @brief Says that this library of CUDA's is not there, before NVIDIA's own header, where one is installed, says it in a
 * hundred lines.
 */
#error "cublas_v2.h: cuBLAS is not part of the simulator"
