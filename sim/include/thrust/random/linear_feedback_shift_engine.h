/**
 * @file linear_feedback_shift_engine.h
 * @brief thrust::random::linear_feedback_shift_engine.
 */
#ifndef UMSIM_THRUST_RANDOM_LINEAR_FEEDBACK_SHIFT_ENGINE_H
#define UMSIM_THRUST_RANDOM_LINEAR_FEEDBACK_SHIFT_ENGINE_H

#include "../random.h"

#include "../detail/brought_lightly.h"

#endif
