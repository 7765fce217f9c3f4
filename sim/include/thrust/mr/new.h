/**
 * @file new.h
 * @brief thrust::mr::new_delete_resource.
 */
#ifndef UMSIM_THRUST_MR_NEW_H
#define UMSIM_THRUST_MR_NEW_H

#include "memory_resource.h"

#include "../detail/brought_lightly.h"

#endif
