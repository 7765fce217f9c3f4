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
#include "advance.h"
#include "copy.h"
#include "count.h"
#include "iterator/constant_iterator.h"
#include "iterator/counting_iterator.h"
#include "iterator/discard_iterator.h"
#include "iterator/permutation_iterator.h"
#include "iterator/reverse_iterator.h"
#include "iterator/transform_iterator.h"
#include "iterator/zip_iterator.h"
#include "reduce.h"

#endif
