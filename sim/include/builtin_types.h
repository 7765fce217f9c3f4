/**
 * @file builtin_types.h
 * @brief All types of the runtime API, for programs that include them by this name.
 */
#ifndef UMSIM_BUILTIN_TYPES_H
#define UMSIM_BUILTIN_TYPES_H

#include "device_types.h"
#include "driver_types.h"
#include "surface_types.h"
#include "texture_types.h"
#include "vector_types.h"

#endif
