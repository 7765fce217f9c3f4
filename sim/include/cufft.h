/**
 * @file cufft.h
 * @brief Says in one line that cuFFT is not provided.
 *
 * Without this file, NVIDIA's own header, where one is installed, would fail with a hundred lines of
 * errors.
 */
#error "cufft.h: cuFFT is not part of the simulator"
