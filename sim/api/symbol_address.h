/**
 * @file symbol_address.h
 * @brief Under --check: whether the host can know a __device__ variable's address.
 *
 * In host code `&variable` is the address of something else, which CUDA's copies refuse. Here both sides have
 * the variable at one address, so the mistake would go unseen. The host may know the address by
 * cudaGetSymbolAddress(), or from a kernel: then a copy has brought it, or managed or pinned memory. Wherever
 * that is possible, nothing is refused.
 *
 * Callers hold the lock.
 */
#ifndef UMSIM_API_SYMBOL_ADDRESS_H
#define UMSIM_API_SYMBOL_ADDRESS_H

#include "../queue/copy_op.h"

/** The program asked for a variable's address. */
void umsim_symbol_address_given(void);

/** A copy has succeeded: it may have brought a variable's address to the host. */
void umsim_symbol_address_copied(const struct umsim_copy *copy);

/** Whether `p` is in a __device__ variable, and the host cannot know its address. */
bool umsim_symbol_address_is_unknown(const void *p);

#endif
