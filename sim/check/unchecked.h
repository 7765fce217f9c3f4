/**
 * @file unchecked.h
 * @brief Kernels of a checked program that were not compiled by `umcc --check`: a library's.
 *
 * Nothing is known of what they do. What they may have written counts as written: the allocations that their
 * arguments lead to, and those to which pointers in one of these lead (batched calls take arrays of
 * pointers). So reads of what such a kernel has left unwritten there are missed.
 */
#ifndef UMSIM_CHECK_UNCHECKED_H
#define UMSIM_CHECK_UNCHECKED_H

struct umsim_command;

/** GPU process: such a kernel is about to run. */
void umsim_unchecked_launch(const struct umsim_command *command);

#endif
