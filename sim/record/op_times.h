/**
 * @file op_times.h
 * @brief What is recorded of a stream's operation once its times are known.
 */
#ifndef UMSIM_OP_TIMES_H
#define UMSIM_OP_TIMES_H

#include <stdint.h>

struct umsim_op_times {
    const char *what;        /* "kernel", "memcpy", ... */
    const char *detail;      /* a kernel's name, a copy's direction; or NULL */
    uint64_t stream, number; /* the stream's number, the operation's number */
    unsigned device, engine; /* enum umsim_engine */
    unsigned reads, writes;  /* of a copy: 1 + the device whose memory it reads, writes; 0: no device's */
    uint64_t bytes;
    uint64_t issue_ns, start_ns, end_ns;
};

#endif
