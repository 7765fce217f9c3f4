/**
 * @file declared.h
 * @brief What a launch declares to move (umsim_kernel_reads() and its kind), as the cost model takes it.
 */
#ifndef UMSIM_DECLARED_H
#define UMSIM_DECLARED_H

#include "kernel_op.h"
#include "../model/cost.h"

#include <stddef.h>

/**
 * The traffic of one declaration, by the kind of memory in which its bytes lie after paging.
 * @param device that runs the kernel
 * @param[out] traffic two entries: the second one is for what the cache serves of a chain of accesses
 * @return how many of them it has filled
 */
size_t umsim_declared_traffic(const struct umsim_declared *declared, unsigned device,
                              struct umsim_traffic traffic[2]);

#endif
