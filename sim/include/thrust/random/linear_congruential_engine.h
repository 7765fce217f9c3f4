/**
 * @file linear_congruential_engine.h
 * @brief thrust::linear_congruential_engine.
 */
#ifndef UMSIM_THRUST_RANDOM_LINEAR_CONGRUENTIAL_ENGINE_H
#define UMSIM_THRUST_RANDOM_LINEAR_CONGRUENTIAL_ENGINE_H

#include "../random.h"

#include "../detail/brought_lightly.h"

#endif
