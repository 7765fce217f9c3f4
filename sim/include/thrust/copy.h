/**
 * @file copy.h
 * @brief thrust::copy(), copy_n(), copy_if().
 */
#ifndef UMSIM_THRUST_COPY_H
#define UMSIM_THRUST_COPY_H

#include "detail/selecting.h"

#endif
