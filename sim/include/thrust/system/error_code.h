/**
 * @file error_code.h
 * @brief thrust::error_code.
 */
#ifndef UMSIM_THRUST_SYSTEM_ERROR_CODE_H
#define UMSIM_THRUST_SYSTEM_ERROR_CODE_H

#include "system_error.h"

#include "../detail/brought.h"

#endif
