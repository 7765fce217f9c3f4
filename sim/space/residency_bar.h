/**
 * @file residency_bar.h
 * @brief Draws where the pages of managed memory are, as a line of text.
 *
 * It changes no state. The caller holds the managed lock.
 */
#ifndef UMSIM_RESIDENCY_BAR_H
#define UMSIM_RESIDENCY_BAR_H

#include "../uvm/uvm.h"

/** Draws a range as described for umsim_residency() (umsim.h), in `characters` characters. Of these it writes
 * the ones from number `skip` on into `part`, at most `capacity`, without a '\0'. @return the number of
 * characters written; 0 when there are none from `skip` on */
size_t umsim_draw_residency(const struct uvm_space *space, uintptr_t address, size_t bytes, size_t characters,
                            size_t skip, char *part, size_t capacity);

#endif
