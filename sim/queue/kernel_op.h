/**
 * @file kernel_op.h
 * @brief Launches as operations of a stream.
 */
#ifndef UMSIM_KERNEL_OP_H
#define UMSIM_KERNEL_OP_H

#include "queue.h"
#include "../model/cost.h"
#include "../include/umsim/abi.h"
#include "../include/umsim/reach.h"

/** What a kernel declared that it does to one allocation (umsim.h). */
struct umsim_declared {
    const void *p;
    uint64_t bytes_read, bytes_written, dependent_accesses;
};
#define UMSIM_DECLARED_MAX 16

/** What is launched. It need not outlive the call. */
struct umsim_launch_request {
    const struct umsim_kernel *kernel;
    struct umsim_geometry geometry;
    size_t dynamic_shared;
    const void *closure;
    size_t closure_bytes;
    const struct umsim_declared *declared;
    size_t declared_count;
    unsigned device;                    /* of a launch that was issued: where it runs */
    struct umsim_stands_for stands_for; /* as which grid it is priced; 0 blocks: as itself */
    bool cooperative;   /* all blocks fit on the device at once, and may wait for each other */
    bool in_graph;      /* the host pays for the graph, not for this launch */
    const void *caller; /* where the program launches it; NULL: the call under way is known (check/check.h) */
};

/** The driver's handler of GPU faults. Its times are those at which work that faults was issued. */
extern struct umsim_handler umsim_fault_handler;

/** Issues a launch that has been checked. @return false when there is no memory */
bool umsim_launch_issue(const struct umsim_launch_request *request, struct umsim_stream *stream);

/** The last kernel whose output was fetched; "" before the first. */
const char *umsim_kernel_that_printed(void);

#endif
