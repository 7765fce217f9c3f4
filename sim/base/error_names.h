/**
 * @file error_names.h
 * @brief Looks up CUDA errors by name, and gives the name and the description of each.
 */
#ifndef UMSIM_ERROR_NAMES_H
#define UMSIM_ERROR_NAMES_H

#include "../include/driver_types.h"

#include <stdbool.h>

/**
 * Finds an error by its name ("cudaErrorInvalidValue") or by its number in decimal ("1").
 * @param[out] error the error, which may be cudaSuccess; unchanged when there is no such error
 * @return whether there is such an error
 */
bool umsim_error_by_name(const char *name_or_number, cudaError_t *error);

/** An error's name, and its description: what cudaGetErrorName() and cudaGetErrorString() return. */
const char *umsim_error_name(cudaError_t error);
const char *umsim_error_words(cudaError_t error);

#endif
