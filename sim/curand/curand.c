/**
 * @file curand.c
 * @brief libcurand.so.10: what PyCUDA's module of random numbers is linked with (curand.h).
 */
#include "../include/curand.h"

#include <stdio.h>

/* cuRAND's version in CUDA 13.0. */
curandStatus_t curandGetVersion(int *version)
{
    if (!version)
        return CURAND_STATUS_TYPE_ERROR;
    *version = 10400;
    return CURAND_STATUS_SUCCESS;
}

static curandStatus_t refuse(void)
{
    fputs("umsim: cuRAND's tables of quasi-random numbers (Sobol) are not provided: take a generator of "
          "pseudo-random ones (XORWOW)\n",
          stderr);
    return CURAND_STATUS_INTERNAL_ERROR;
}

curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t *vectors[],
                                           curandDirectionVectorSet_t set)
{
    (void)vectors, (void)set;
    return refuse();
}

curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t *vectors[],
                                           curandDirectionVectorSet_t set)
{
    (void)vectors, (void)set;
    return refuse();
}

curandStatus_t curandGetScrambleConstants32(unsigned int **constants)
{
    (void)constants;
    return refuse();
}

curandStatus_t curandGetScrambleConstants64(unsigned long long **constants)
{
    (void)constants;
    return refuse();
}
