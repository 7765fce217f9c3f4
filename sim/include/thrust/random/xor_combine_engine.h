/**
 * @file xor_combine_engine.h
 * @brief thrust::random::xor_combine_engine.
 */
#ifndef UMSIM_THRUST_RANDOM_XOR_COMBINE_ENGINE_H
#define UMSIM_THRUST_RANDOM_XOR_COMBINE_ENGINE_H

#include "../random.h"

#include "../detail/brought_lightly.h"

#endif
