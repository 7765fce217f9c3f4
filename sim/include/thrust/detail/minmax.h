/**
 * @file minmax.h
 * @brief thrust::min() and thrust::max().
 */
#ifndef UMSIM_THRUST_DETAIL_MINMAX_H
#define UMSIM_THRUST_DETAIL_MINMAX_H

#include "../extrema.h"

#endif
