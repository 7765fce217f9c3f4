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

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "detail/constant_iterator.h"
#include "detail/counting_iterator.h"
#include "detail/brought.h"
#include "detail/discard_iterator.h"
#include "detail/distance.h"
#include "detail/permutation_iterator.h"
#include "detail/reducing.h"
#include "detail/reverse_iterator.h"
#include "detail/scanning.h"
#include "detail/selecting.h"
#include "detail/transform_iterator.h"
#include "detail/zip_iterator.h"

#endif
