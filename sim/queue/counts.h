/**
 * @file counts.h
 * @brief What the counts of a launch come to, in the terms by which launches are priced.
 *
 * Host process; in the GPU process for kernels that kernels launch.
 */
#ifndef UMSIM_QUEUE_COUNTS_H
#define UMSIM_QUEUE_COUNTS_H

#include "../space/managed.h"
#include "../worker/launches.h"

/** Whether a launch that is to be measured is counted instead of measured by its pages. */
bool umsim_counts_can(const struct umsim_kernel *kernel);

/** Where these bytes of managed memory are, as a device sees it. */
typedef struct umsim_whereabouts (*umsim_whereabouts_fn)(unsigned device, const void *p, size_t bytes);

/**
 * Fills `command->measured` from the launch's counts, when its managed pages are where it has left them.
 * @param where NULL: not known here, all of managed memory counts as on the device
 */
void umsim_counts_take(struct umsim_command *command, umsim_whereabouts_fn where);

/** How many touches of managed memory were counted. */
uint64_t umsim_counts_touches(const struct umsim_command *command);

#endif
