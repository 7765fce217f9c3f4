/**
 * @file cuda_fp8.h
 * @brief Says in one line that 8-bit floating-point numbers are not provided.
 *
 * Without this file, NVIDIA's own header, where one is installed, would fail with a hundred lines of
 * errors.
 */
#error "cuda_fp8.h: FP8 is not part of the simulator"
