/*
 * trace.h: UMSIM_TRACE=FILE: what happened and when, one JSON object a line.
 *
 * Operations of streams are written when their times are settled, so lines are not in order of time:
 *
 *     {"event":"kernel","stream":0,"number":3,"issue_ns":..,"start_ns":..,"end_ns":..,"bytes":..}
 *
 * Paging is written as it is charged, with the UVM driver's words:
 *
 *     {"event":"CpuFault","time_ns":..,"processor":"CPU","cause":null,
 *      "allocation":"0x7c0000000000","address":"0x7c0000001000","bytes":4096}
 *
 * docs/trace.md lists all events. Several threads may write; a line is one write.
 */
#ifndef UMSIM_TRACE_H
#define UMSIM_TRACE_H

#include "../gpu/queue.h"
#include "../uvm/uvm.h"

#include <stdbool.h>

/** Opens the file. Ends the program when it cannot be written. */
void umsim_trace_open(const char *path);

/** Whether there is a trace: ask before collecting what only it needs. */
bool umsim_tracing(void);

/** An operation has its times. */
void umsim_trace_op(const struct umsim_op *op);

/** struct uvm_delta's observer. Async-signal-safe. */
void umsim_trace_paging(void *context, const struct uvm_event *event);

#endif
