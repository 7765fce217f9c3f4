/**
 * @file um_cupti.h
 * @brief Reads the UVM driver's counters on a real GPU through CUPTI; private to common/.
 *
 * The simulator has no such counters. CUPTI is opened at run time: on a machine without it, or with a driver
 * that forbids it, there are no counters and the columns say n/a. It has to be started before the program's
 * first managed allocation; um_device_ready() does that.
 */
#ifndef UM_CUPTI_H
#define UM_CUPTI_H

#include <stdbool.h>

#include "um_counters.h"

/**
 * Opens CUPTI and switches its unified-memory counters on. @return false: there are no counters, and
 * um_cupti_why() says why.
 */
bool um_cupti_start(void);

/** One line on why there are no counters; "" when there are. Lives as long as the program. */
const char *um_cupti_why(void);

/**
 * Waits for the counters of the work that has been synchronised. @return the totals; UM_NONE where CUPTI has
 * none.
 */
struct um_counters um_cupti_counters(void);

#endif
