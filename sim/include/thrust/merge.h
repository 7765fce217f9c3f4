/**
 * @file merge.h
 * @brief The algorithms of Thrust's merge.h.
 */
#ifndef UMSIM_THRUST_MERGE_H
#define UMSIM_THRUST_MERGE_H

#include "detail/sorting.h"

#endif
