/**
 * @file instruction.h
 * @brief The x86-64 instruction that a signal interrupted: its operand in memory, and what a GPU's division
 * gives instead of a trap.
 *
 * GPU process only; async-signal-safe. Elsewhere than on x86-64 nothing is known of an instruction: there
 * division does not trap, and a misaligned access is told by the signal itself.
 */
#ifndef UMSIM_INSTRUCTION_H
#define UMSIM_INSTRUCTION_H

#include <stdbool.h>

/**
 * Carries out the integer division that trapped as an H200 does it, and lets the thread go on behind it.
 * @param context of the signal   @return false when it is no division, and nothing was changed
 */
bool umsim_divide_as_a_GPU(void *context);

/** Whether the access of a general protection fault was refused for its alignment: its address is one that a
 * pointer can have. */
bool umsim_access_is_misaligned(const void *context);

/**
 * Whether the access of a page fault reads its operand before it writes it, as `add %eax, (%rdx)` does. An
 * atomic instruction is none: it is one access on a GPU, too.
 * @param context of a fault that was a write
 */
bool umsim_access_is_update(const void *context);

#endif
