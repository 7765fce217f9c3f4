/**
 * @file device_launch_parameters.h
 * @brief For programs that include this header, as Visual Studio's template does.
 *
 * threadIdx and the like need no header: umcc provides them in kernels.
 */
#ifndef UMSIM_DEVICE_LAUNCH_PARAMETERS_H
#define UMSIM_DEVICE_LAUNCH_PARAMETERS_H

#include "vector_types.h"

#endif
