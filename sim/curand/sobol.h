/**
 * @file sobol.h
 * @brief The direction vectors of Sobol's sequences, of 20,000 dimensions.
 */
#ifndef UMSIM_CURAND_SOBOL_H
#define UMSIM_CURAND_SOBOL_H

#include "../include/curand.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SOBOL_DIMENSIONS 20000

/** The table of all dimensions, made at the first call, in memory that stays; NULL: not enough memory. */
curandDirectionVectors32_t *sobol_vectors32(void);
curandDirectionVectors64_t *sobol_vectors64(void);

#ifdef __cplusplus
}
#endif
#endif
