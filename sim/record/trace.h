/**
 * @file trace.h
 * @brief UMSIM_TRACE=FILE: what happened and when, one JSON object a line.
 *
 * An operation of a stream is written when its times are known, so lines are not in order of time:
 *
 *     {"event":"kernel","stream":0,"number":3,
 *      "issue_ns":..,"start_ns":..,"end_ns":..,"bytes":..,"detail":"add_one"}
 *
 * Paging is written as it is charged, in the UVM driver's terms:
 *
 *     {"event":"CpuFault","time_ns":..,"processor":"CPU","cause":null,
 *      "allocation":"0x7c0000000000","address":"0x7c0000001000","bytes":4096,"access":"read"}
 *
 * Other lines say what the host does: calls of the API and their ends, allocations, and the phases that a
 * program names (umsim_trace_phase(), include/umsim.h). docs/trace.md lists all events. Several threads may
 * write; each line is one write. Without UMSIM_TRACE each of these functions checks one variable and returns.
 */
#ifndef UMSIM_TRACE_H
#define UMSIM_TRACE_H

#include "op_times.h"
#include "../uvm/uvm.h"

#include <stdbool.h>

/** Opens the file. Ends the program when the file cannot be written. */
void umsim_trace_open(const char *path);

/** Writes the first line: which program, on which machine. */
void umsim_trace_begin(const char *profile);

/** Whether there is a trace. Ask before collecting what only the trace needs. */
bool umsim_tracing(void);

/** @name The host @{ */

/**
 * The calling thread calls `name` (a string that lives as long as the program), and returns from it. Calls
 * that only ask for something that never changes are left out.
 */
void umsim_trace_call(const char *name);
void umsim_trace_return(int error);

/**
 * Memory of any kind was allocated, or released.
 * @param device whose memory it is; negative: no device's
 * @param kind   as docs/trace.md names it
 * @param call   that allocated it
 */
void umsim_trace_allocation(const void *base, size_t bytes, int device, const char *kind, const char *call);
void umsim_trace_release(const void *base, size_t bytes, int device, const char *kind, const char *call);
/** @} */

/** @name Operations @{ */

/** The calling thread has issued the operation with this number, in its current call. */
void umsim_trace_issued(uint64_t number);

/**
 * From now on the calling thread carries out an operation, to which paging events belong. 0: no operation.
 */
void umsim_trace_carry_out(uint64_t number);

/** The times of an operation are known. */
void umsim_trace_op(const struct umsim_op_times *op);
/** @} */

/**
 * An event of the policy, on pages of the allocation that begins at `base` (NULL: of none).
 * Async-signal-safe.
 */
void umsim_trace_paging(const void *base, const struct uvm_event *event);

/**
 * What the policy does without an event: a range is created; a range is destroyed, with all of its pages; or
 * everything of a range that `processor`, a GPU, had mapped in others' memory is unmapped.
 * @param processor UVM_NO_PROCESSOR: of the range itself
 */
enum umsim_trace_range { UMSIM_RANGE_CREATED, UMSIM_RANGE_DESTROYED, UMSIM_RANGE_UNMAPPED };
void umsim_trace_range(enum umsim_trace_range what, uintptr_t address, size_t bytes,
                       enum uvm_processor processor);

#endif
