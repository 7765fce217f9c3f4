/**
 * @file explain_launch.h
 * @brief `UMSIM_EXPLAIN=launch`: says in words what bounds a launch, and what else its time is made of.
 *
 * A kernel's launch is told when its shape, or what bounds it, is another one than the last time. Host
 * process only.
 */
#ifndef UMSIM_EXPLAIN_LAUNCH_H
#define UMSIM_EXPLAIN_LAUNCH_H

#include "price.h"

/** From now on launches are told. */
void umsim_explain_start(void);

/** A launch was priced. @param counted whether `command`'s own accesses were counted
 * @param by_pages whether they cannot be, so that only what pages were touched is known */
void umsim_explain_launch(const struct umsim_command *command, const struct umsim_price *price, uint64_t ns,
                          bool counted, bool by_pages);

#endif
