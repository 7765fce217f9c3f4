/**
 * @file settings.h
 * @brief What the environment variables set (docs/interfaces.md).
 *
 * An invalid value ends the program with status 2.
 */
#ifndef UMSIM_SETTINGS_H
#define UMSIM_SETTINGS_H

#include "../queue/executor.h"
#include "../queue/recall.h"
#include "../include/driver_types.h"

struct umsim_settings {
    const char *profile; /* UMSIM_PROFILE: a name or a path */
    enum umsim_schedule schedule;
    uint64_t seed;
    const char *trace;  /* UMSIM_TRACE: a file, or NULL */
    char fail_call[64]; /* UMSIM_FAIL: empty for none */
    uint64_t fail_at;
    cudaError_t fail_error; /* cudaSuccess: the error depends on the kind of call */
    double kernel_timeout_s;
    unsigned threads;
    enum umsim_recall_mode recall; /* UMSIM_RECALL */
    bool explain;                  /* UMSIM_EXPLAIN: what bounds each launch */
    bool full_capacity;            /* UMSIM_CAPACITY=profile */
    bool few_addresses;            /* UMSIM_ADDRESSES=39 */
    bool tell;                     /* UMSIM_TELL: at the end, of an error that nobody has asked for */
};

/** Reads all environment variables. */
struct umsim_settings umsim_settings_read(void);

#endif
