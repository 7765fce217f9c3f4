/*
 * strip.h: where the pages of managed memory are, as a line of text. Pure: the caller holds the managed lock.
 */
#ifndef UMSIM_STRIP_H
#define UMSIM_STRIP_H

#include "../uvm/uvm.h"

/** Draws a stretch as umsim_residency() (umsim.h) says. @return the characters written */
size_t umsim_draw_residency(const struct uvm_space *space, uintptr_t address, size_t bytes, char *strip,
                            size_t cells);

#endif
