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
#include "../../cuda_runtime_api.h"
#include "std/array.h"
#include "std/bit.h"
#include "../std/cassert"
#include "../std/cfloat"
#include "../std/climits"
#include "std/cmath.h"
#include "std/cstddef.h"
#include "../std/cstdint"
#include "std/cstdlib.h"
#include "../std/cstring"
#include "std/functional.h"
#include "../std/initializer_list"
#include "std/iterator.h"
#include "std/limits.h"
#include "std/memory.h"
#include "std/numeric.h"
#include "std/optional.h"
#include "std/span.h"
#include "std/tuple.h"
#include "std/type_traits.h"
#include "std/utility.h"
#include "std/variant.h"
#include "../std/version"

#include <string>
#include <stdexcept>

#endif
