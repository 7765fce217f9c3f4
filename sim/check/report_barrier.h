/**
 * @file report_barrier.h
 * @brief The text of what was found of barriers and masks (barrier.h).
 *
 * Host process only.
 */
#ifndef UMSIM_CHECK_REPORT_BARRIER_H
#define UMSIM_CHECK_REPORT_BARRIER_H

#include "finding.h"
#include "lines.h"

/** Threads that others wait for in vain; lanes of a mask. @return what to do */
const char *umsim_report_passed_by(struct umsim_lines *text, const struct umsim_finding *finding);
const char *umsim_report_absent_lanes(struct umsim_lines *text, const struct umsim_finding *finding);

#endif
