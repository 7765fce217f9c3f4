/**
 * @file brought.h
 * @brief What any of libcu++'s headers brings, as NVIDIA's do: programs include one and use the others'
 * names.
 *
 * Included last, by each of them. tests/parity/brings.py compares what is visible.
 */
#ifndef UMSIM_CUDA_BROUGHT_H
#define UMSIM_CUDA_BROUGHT_H

#include "../../cuda_bf16.h"
#include "../../cuda_fp16.h"
#include "../std/array"
#include "../std/bit"
#include "../std/cassert"
#include "../std/cfloat"
#include "../std/climits"
#include "../std/cmath"
#include "../std/cstddef"
#include "../std/cstdint"
#include "../std/cstdlib"
#include "../std/cstring"
#include "../std/functional"
#include "../std/initializer_list"
#include "../std/iterator"
#include "../std/limits"
#include "../std/memory"
#include "../std/numeric"
#include "../std/optional"
#include "../std/span"
#include "../std/tuple"
#include "../std/type_traits"
#include "../std/utility"
#include "../std/variant"
#include "../std/version"

#include <string>
#include <stdexcept>

#endif
