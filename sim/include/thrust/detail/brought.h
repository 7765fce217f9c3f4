/**
 * @file brought.h
 * @brief What headers of algorithms and vectors bring beside their own names: tests/parity/brings.py
 * compares.
 */
#ifndef UMSIM_THRUST_DETAIL_BROUGHT_H
#define UMSIM_THRUST_DETAIL_BROUGHT_H

#include "../iterator/iterator_adaptor.h"
#include "../iterator/iterator_categories.h"
#include "../iterator/iterator_facade.h"
#include "../iterator/iterator_traits.h"
#include "../mr/memory_resource.h"
#include "../type_traits/is_contiguous_iterator.h"
#include "../type_traits/is_trivially_relocatable.h"
#include "../type_traits/unwrap_contiguous_iterator.h"

#ifdef __CUDACC__
#include "../../cub/util_device.cuh"
#include "../../cub/util_math.cuh"
#include "../../cub/util_type.cuh"
#include "../iterator/tabulate_output_iterator.h"
#endif

#endif
