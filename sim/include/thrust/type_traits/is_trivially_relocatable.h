/**
 * @file is_trivially_relocatable.h
 * @brief thrust::is_trivially_relocatable.
 */
#ifndef UMSIM_THRUST_TYPE_TRAITS_IS_TRIVIALLY_RELOCATABLE_H
#define UMSIM_THRUST_TYPE_TRAITS_IS_TRIVIALLY_RELOCATABLE_H

#include "../detail/relocatable.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "../detail/brought_lightly.h"

#endif
