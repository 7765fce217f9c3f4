/**
 * @file kiss.h
 * @brief Transforms of one line of complex numbers, by KissFFT, in memory that kernels may use.
 *
 * A length is prepared once, by a kernel, in device memory (line_make()); then kernels transform lines with
 * it (line_run()). Lengths that have no prime factors but 2, 3 and 5 are KissFFT's; others are a convolution
 * of such a length (L. Bluestein, A linear filtering approach to the computation of discrete Fourier
 * transform, 1970), because KissFFT's butterflies of other factors take memory from the heap, which a kernel
 * has not.
 */
#ifndef UMSIM_CUFFT_KISS_H
#define UMSIM_CUFFT_KISS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A complex number, as cuFFT's cufftDoubleComplex. */
struct line_number {
    double re, im;
};

/** Bytes that a length's preparation takes, and the numbers of scratch memory that each transform needs. */
size_t line_bytes(size_t n);
size_t line_scratch(size_t n);
/** Prepares length `n` in `memory`, which has line_bytes(n). One thread of the process at a time. */
void line_make(void *memory, size_t n);
/** The forward transform of `in`, of that length, which is used up. `scratch` has line_scratch() numbers. */
void line_run(const void *memory, struct line_number *in, struct line_number *out,
              struct line_number *scratch);

#ifdef __cplusplus
}
#endif
#endif
