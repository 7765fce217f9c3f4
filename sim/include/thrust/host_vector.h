/**
 * @file host_vector.h
 * @brief thrust::host_vector.
 */
#ifndef UMSIM_THRUST_HOST_VECTOR_H
#define UMSIM_THRUST_HOST_VECTOR_H

#include "detail/vector_base.h"

namespace thrust
{
/** The host's own memory, as std::vector. */
UMSIM_THRUST_VECTOR(host_vector, host_space);
} // namespace thrust

#endif
