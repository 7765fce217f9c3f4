/**
 * @file partition.h
 * @brief The algorithms of Thrust's partition.h.
 */
#ifndef UMSIM_THRUST_PARTITION_H
#define UMSIM_THRUST_PARTITION_H

#include "detail/selecting.h"

#endif
