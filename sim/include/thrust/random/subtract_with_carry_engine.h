/**
 * @file subtract_with_carry_engine.h
 * @brief thrust::random::subtract_with_carry_engine.
 */
#ifndef UMSIM_THRUST_RANDOM_SUBTRACT_WITH_CARRY_ENGINE_H
#define UMSIM_THRUST_RANDOM_SUBTRACT_WITH_CARRY_ENGINE_H

#include "../random.h"

#include "../detail/brought_lightly.h"

#endif
