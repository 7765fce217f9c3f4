/**
 * @file config.h
 * @brief thrust's macros.
 */
#ifndef UMSIM_THRUST_SYSTEM_CUDA_CONFIG_H
#define UMSIM_THRUST_SYSTEM_CUDA_CONFIG_H

#include "../../detail/config.h"

#include "../../detail/brought.h"

#endif
