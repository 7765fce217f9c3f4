/**
 * @file grading.h
 * @brief The parts of grading mode (include/umsim_grading.h) that the rest of the library calls.
 */
#ifndef UMSIM_GRADING_MODE_H
#define UMSIM_GRADING_MODE_H

#include "../include/umsim_grading.h"

/**
 * Shrinks the arenas to the grading limits. Called before the arenas are reserved.
 * @return how many of the `device_bytes` bytes the device arena is to have
 */
size_t umsim_grading_limit_arenas(size_t device_bytes);

#endif
