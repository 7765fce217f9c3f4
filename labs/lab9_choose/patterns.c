/**
 * @file patterns.c
 * @brief Implementation of patterns.h: sizes and workloads of lab 9's patterns.
 */
#include "patterns.h"

struct lab9_workload pattern_work(const struct pattern *pattern, size_t bytes, size_t device_bytes)
{
    return (struct lab9_workload){.bytes = bytes,
                                  .stride = pattern->stride,
                                  .read_only = pattern->read_only,
                                  .passes = pattern->passes,
                                  .rounds = pattern->rounds,
                                  .jobs = 1,
                                  .device_bytes = device_bytes};
}
