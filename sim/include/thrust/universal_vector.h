/**
 * @file universal_vector.h
 * @brief thrust::universal_vector.
 */
#ifndef UMSIM_THRUST_UNIVERSAL_VECTOR_H
#define UMSIM_THRUST_UNIVERSAL_VECTOR_H

#include "detail/vector_base.h"

namespace thrust
{
/** Managed memory: both sides reach the elements, algorithms run on the device. */
UMSIM_THRUST_VECTOR(universal_vector, universal_space);
} // namespace thrust

#endif
