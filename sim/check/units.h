/**
 * @file units.h
 * @brief The last launches: which numbers their thread blocks had in shadow words, and what puts launches in
 * order.
 *
 * GPU process, but for the questions that the host asks of shadow words (race.h).
 */
#ifndef UMSIM_CHECK_UNITS_H
#define UMSIM_CHECK_UNITS_H

#include "shadow_word.h"

#include <stdbool.h>
#include <stdint.h>

/** The thread blocks of a launch: from `first` to before `end`. */
struct umsim_units {
    unsigned slot; /* the launch's number */
    uint32_t first, end;
    bool listens;    /* it has looked at memory of the host's as at a flag */
    bool polls;      /* likewise, at any memory, or written such a flag where the host can see it */
    bool talks;      /* it has made atomic or volatile accesses */
    uint64_t issued; /* the launch's number in umsim_unordered; 0: a kernel launched it */
    dim3 grid, block;
    unsigned device;
    const void *launched;
};

/** The launch that runs. */
extern struct umsim_units *umsim_units_now;

/** Host process: reserves memory. Whether that was done. */
void umsim_units_start(void);
bool umsim_units_started(void);

/** A launch begins, whose blocks have these numbers. */
struct umsim_command;
void umsim_units_launch(const struct umsim_command *command, uint32_t first, uint32_t end);

/** Blocks' numbers are given out again from 1 on. */
void umsim_units_forget(void);

/** Whether there are launches before that nothing puts in order with this one; which one of them an access
 * was made by, or NULL. Launches that both make atomic or volatile accesses may order themselves. */
bool umsim_units_any_unordered(void);
const struct umsim_units *umsim_units_unordered(const struct shadow_word *before);

#endif
