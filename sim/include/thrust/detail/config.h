/**
 * @file config.h
 * @brief Thrust's macros.
 */
#ifndef UMSIM_THRUST_DETAIL_CONFIG_H
#define UMSIM_THRUST_DETAIL_CONFIG_H

#include "system.h"

#define THRUST_NAMESPACE_BEGIN                                                                               \
    namespace thrust                                                                                         \
    {
#define THRUST_NAMESPACE_END }
#define THRUST_NS_QUALIFIER ::thrust
#define THRUST_HOST_SYSTEM_CPP 1
#define THRUST_HOST_SYSTEM_OMP 2
#define THRUST_HOST_SYSTEM_TBB 3
#define THRUST_DEVICE_SYSTEM_CUDA 1
#define THRUST_DEVICE_SYSTEM_OMP 2
#define THRUST_DEVICE_SYSTEM_TBB 3
#define THRUST_DEVICE_SYSTEM_CPP 4
#ifndef THRUST_HOST_SYSTEM
#define THRUST_HOST_SYSTEM THRUST_HOST_SYSTEM_CPP
#endif
#ifndef THRUST_DEVICE_SYSTEM
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_CUDA
#elif THRUST_DEVICE_SYSTEM != THRUST_DEVICE_SYSTEM_CUDA
#error "Thrust: thrust::device is the simulated GPU; other device systems are not provided"
#endif

#endif
