/**
 * @file grading.h
 * @brief Grading mode (include/umsim_grading.h), as the rest of the library asks about it.
 */
#ifndef UMSIM_GRADING_MODE_H
#define UMSIM_GRADING_MODE_H

#include "../include/umsim_grading.h"

/** Before the arenas are reserved: in grading mode they become as small as the limits.
 *  @return the bytes that the device arena is to have, of `device_bytes` */
size_t umsim_grading_limit_arenas(size_t device_bytes);

#endif
