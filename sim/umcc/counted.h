/**
 * @file counted.h
 * @brief The form of a file's kernels that counts what they do, beside the form that is fast
 * (docs/counting.md).
 */
#ifndef UMCC_COUNTED_H
#define UMCC_COUNTED_H

#include "machine.h"

/**
 * Makes one assembler file of two: `fast` with the counting form of its kernels.
 * @param machine whose assembly both are
 * @param counting NULL: there is none
 * @param relocatable functions of other files may have a counting form, too
 * @return false where the two cannot be one program; `out` is unchanged then
 */
bool umcc_add_counting(const struct umcc_machine *machine, const struct umcc_text *fast,
                       const struct umcc_text *counting, bool relocatable, struct umcc_text *out);

/** @return whether a symbol is the function by which the simulator runs a counting form. */
bool umcc_is_counting_run(const char *name, size_t length);

#endif
