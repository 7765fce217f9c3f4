/**
 * @file shuffle.h
 * @brief thrust::shuffle(), shuffle_copy().
 */
#ifndef UMSIM_THRUST_SHUFFLE_H
#define UMSIM_THRUST_SHUFFLE_H

#include "detail/shuffling.h"

#endif
