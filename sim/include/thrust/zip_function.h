/**
 * @file zip_function.h
 * @brief thrust::zip_function.
 */
#ifndef UMSIM_THRUST_ZIP_FUNCTION_H
#define UMSIM_THRUST_ZIP_FUNCTION_H

#include "iterator/zip_iterator.h"

#include "detail/brought_lightly.h"

#endif
