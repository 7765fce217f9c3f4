/**
 * @file discard_block_engine.h
 * @brief thrust::random::discard_block_engine.
 */
#ifndef UMSIM_THRUST_RANDOM_DISCARD_BLOCK_ENGINE_H
#define UMSIM_THRUST_RANDOM_DISCARD_BLOCK_ENGINE_H

#include "../random.h"

#include "../detail/brought_lightly.h"

#endif
