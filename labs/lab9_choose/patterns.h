/**
 * @file patterns.h
 * @brief Lab 9: the access patterns of its rows, as workloads, and the sizes at which they run.
 */
#ifndef LAB9_PATTERNS_H
#define LAB9_PATTERNS_H

#include "workload.h"

/** A workload without its size. */
struct pattern {
    const char *name;
    size_t stride;
    bool read_only;
    unsigned passes, rounds;
    bool largest_only; /**< run only at the largest size: only the map of reuse has it */
};

static const struct pattern patterns[] = {
    {"dense", 1, false, 1, 1, false},        {"strided", 1024, false, 1, 1, false},
    {"random", 1024, true, 1, 1, false},     {"reuse x2", 1, false, 2, 1, true},
    {"reuse x4", 1, false, 4, 1, true},      {"reuse x16", 1, false, 16, 1, false},
    {"ping-pong x4", 1, false, 1, 4, false}, {"shared x4", 1, true, 1, 4, false},
};
#define PATTERNS ((int)(sizeof patterns / sizeof patterns[0]))

/** Sizes of the map: --size, a 16th of it, and a 256th; whole pages. */
#define MAP_SIZES 3
static inline size_t pattern_size(size_t size, int i)
{
    const size_t part = i == 0 ? size / 256 : i == 1 ? size / 16 : size;

    return part < 4096 ? 4096 : part / 4096 * 4096;
}

/** The workload as the rows have it: one job. */
struct lab9_workload pattern_work(const struct pattern *pattern, size_t bytes, size_t device_bytes);

#endif
