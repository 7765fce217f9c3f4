/**
 * @file mode.h
 * @brief How this program runs: graded, supervised, checked.
 *
 * The mode is set at the start, by api/grading.c and api/checked.c; every layer may ask for it.
 */
#ifndef UMSIM_MODE_H
#define UMSIM_MODE_H

#include <stdbool.h>

/** Whether the program is graded (include/umsim_grading.h). */
bool umsim_is_grading(void);
void umsim_grading_set(void);

/** Whether this process serves a graded program that is another process (server/channel.h). It is graded
 * itself, and owns the state as an ordinary program does. */
bool umsim_is_server(void);
void umsim_server_set(void);

/** Whether the GPU process owns the state, because the program is in this process (grading/broker.h). */
bool umsim_has_broker(void);

/** Whether the kernel asks the GPU process before a graded program opens a page (grading/supervisor.h). */
bool umsim_supervisor_stands(void);
void umsim_supervisor_set(bool stands);

/** What `umcc --check` looks for (enum umsim_check, check/check.h); 0 when the program is not checked. */
extern unsigned umsim_checks;

#endif
