/**
 * @file advance.h
 * @brief thrust::advance().
 */
#ifndef UMSIM_THRUST_ADVANCE_H
#define UMSIM_THRUST_ADVANCE_H

#include "distance.h"

#endif
