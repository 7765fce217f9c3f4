/**
 * @file error_names.h
 * @brief The names of CUDA's errors: of a number, and read from text.
 */
#ifndef UMSIM_ERROR_NAMES_H
#define UMSIM_ERROR_NAMES_H

#include "../include/driver_types.h"

#include <stdbool.h>

/**
 * Finds an error by its name ("cudaErrorInvalidValue") or its number in decimal ("1").
 * @param[out] error unchanged when there is no such error; cudaSuccess is one too
 * @return whether there is
 */
bool umsim_error_by_name(const char *name_or_number, cudaError_t *error);

/** An error's name, and what it means in words: cudaGetErrorName() and cudaGetErrorString(). */
const char *umsim_error_name(cudaError_t error);
const char *umsim_error_words(cudaError_t error);

#endif
