/**
 * @file system_error.h
 * @brief thrust::system_error.
 */
#ifndef UMSIM_THRUST_SYSTEM_SYSTEM_ERROR_H
#define UMSIM_THRUST_SYSTEM_SYSTEM_ERROR_H

#include "../system_error.h"

#endif
