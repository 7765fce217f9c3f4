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
