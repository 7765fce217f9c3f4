/**
 * @file device_vector.h
 * @brief thrust::device_vector.
 */
#ifndef UMSIM_THRUST_DEVICE_VECTOR_H
#define UMSIM_THRUST_DEVICE_VECTOR_H

#include "detail/vector_base.h"

namespace thrust
{
/** Memory of cudaMalloc(). The host reads and writes elements by a transfer each; raw_pointer_cast(v.data())
 * is what kernels take. */
UMSIM_THRUST_VECTOR(device_vector, device_space);
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
