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
