/**
 * @file device_delete.h
 * @brief thrust::device_delete().
 */
#ifndef UMSIM_THRUST_DEVICE_DELETE_H
#define UMSIM_THRUST_DEVICE_DELETE_H

#include "memory.h"

#endif
