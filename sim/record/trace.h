/**
 * @file trace.h
 * @brief UMSIM_TRACE=FILE: what happened and when, one JSON object a line.
 *
 * Operations of streams are written when their times are settled, so lines are not in order of time:
 *
 *     {"event":"kernel","stream":0,"number":3,
 *      "issue_ns":..,"start_ns":..,"end_ns":..,"bytes":..,"detail":"add_one"}
 *
 * Paging is written as it is charged, with the UVM driver's words:
 *
 *     {"event":"CpuFault","time_ns":..,"processor":"CPU","cause":null,
 *      "allocation":"0x7c0000000000","address":"0x7c0000001000","bytes":4096,"access":"read"}
 *
 * What the host does stands around it: calls of the API and their ends, allocations, and the phases that a
 * program names (umsim_trace_phase(), include/umsim.h). docs/trace.md lists all events. Several threads may
 * write; a line is one write. Without UMSIM_TRACE each of these functions looks at one variable and returns.
 */
#ifndef UMSIM_TRACE_H
#define UMSIM_TRACE_H

#include "op_times.h"
#include "../uvm/uvm.h"

#include <stdbool.h>

/** Opens the file. Ends the program when it cannot be written. */
void umsim_trace_open(const char *path);

/** Its first line: which program, on which machine. */
void umsim_trace_begin(const char *profile);

/** Whether there is a trace: ask before collecting what only it needs. */
bool umsim_tracing(void);

/** @name The host @{ */

/** The calling thread calls `name` (which lives as long as the program), and returns from it. Calls that only
 * ask for something that never changes are left out. */
void umsim_trace_call(const char *name);
void umsim_trace_return(int error);

/** Memory of any kind comes to life, or ends. @param kind as docs/trace.md names it @param call that made it
 */
void umsim_trace_allocation(const void *base, size_t bytes, const char *kind, const char *call);
void umsim_trace_release(const void *base, size_t bytes, const char *kind, const char *call);
/** @} */

/** @name Operations @{ */

/** The calling thread has issued the operation of this number, in the call that it is in. */
void umsim_trace_issued(uint64_t number);

/** The calling thread carries out an operation from now on: paging events are its. 0: no operation. */
void umsim_trace_carry_out(uint64_t number);

/** An operation has its times. */
void umsim_trace_op(const struct umsim_op_times *op);
/** @} */

/** An event of the policy, on the pages of the allocation that begins at `base` (NULL: of none).
 * Async-signal-safe. */
void umsim_trace_paging(const void *base, const struct uvm_event *event);

/** What the policy does without an event: a range comes to life; it ends, and all of its pages with it;
 * whatever of a range the GPU had mapped in host memory is mapped no longer. */
enum umsim_trace_range { UMSIM_RANGE_CREATED, UMSIM_RANGE_DESTROYED, UMSIM_RANGE_UNMAPPED };
void umsim_trace_range(enum umsim_trace_range what, uintptr_t address, size_t bytes);

#endif
