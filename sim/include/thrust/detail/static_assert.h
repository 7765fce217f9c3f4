/**
 * @file static_assert.h
 * @brief THRUST_STATIC_ASSERT.
 */
#ifndef UMSIM_THRUST_DETAIL_STATIC_ASSERT_H
#define UMSIM_THRUST_DETAIL_STATIC_ASSERT_H

#include "config.h"

#define THRUST_STATIC_ASSERT(condition) static_assert(condition, #condition)
#define THRUST_STATIC_ASSERT_MSG(condition, message) static_assert(condition, message)

#endif
