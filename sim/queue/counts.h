/**
 * @file counts.h
 * @brief What the counts of a launch come to, in the terms by which launches are priced.
 *
 * Host process only.
 */
#ifndef UMSIM_QUEUE_COUNTS_H
#define UMSIM_QUEUE_COUNTS_H

#include "../worker/launches.h"

/** Whether a launch that is to be measured is counted instead of measured by its pages. */
bool umsim_counts_can(const struct umsim_kernel *kernel, bool cooperative);

/** Fills `command->measured` from the launch's counts, when its managed pages are where it has left them. */
void umsim_counts_take(struct umsim_command *command);

#endif
