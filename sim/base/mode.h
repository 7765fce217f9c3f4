/**
 * @file mode.h
 * @brief How this program runs: graded, checked.
 *
 * The mode is set at the start, by api/grading.c and api/checked.c; every layer may ask for it.
 */
#ifndef UMSIM_MODE_H
#define UMSIM_MODE_H

#include <stdbool.h>

/** Whether this process serves a graded program, which is another process (server/channel.h), or is the GPU
 * process of one that does. */
bool umsim_is_grading(void);
void umsim_grading_set(void);

/** What `umcc --check` looks for (enum umsim_check, check/check.h); 0 when the program is not checked. */
extern unsigned umsim_checks;

#endif
