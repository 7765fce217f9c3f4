/**
 * @file ask.h
 * @brief One row of lab 2's table: what CUDA says about a pointer, whether the host can read it, whether a
 * kernel can.
 *
 * good_pointer() is for a pointer that kernels may follow, bad_pointer() for one that they may not. Each
 * compares what it finds with the rule for that kind of memory; the comparison is the row's verdict.
 */
#ifndef LAB2_ASK_H
#define LAB2_ASK_H

#include <signal.h>

#include "trial.h"

/** What one pointer should answer, by CUDA's rules. */
struct rule {
    enum cudaMemoryType type;
    bool host_reads, kernel_reads;
    bool undefined; /**< the program is wrong to follow it: the row shows what happens, and judges it only
                       where that is known */
};

extern const struct rule host_rule;
extern const struct rule device_rule;
extern const struct rule pinned_rule;
extern const struct rule managed_rule;
extern const struct rule nobody_rule;

/**
 * AddressSanitizer's notes on memory are private to each process. So the simulator leaves host memory as the
 * fork made it: old values to read, and blocks that the GPU process's notes do not know.
 */
bool skip_sanitized(struct um_row *row);

/**
 * A kernel tries to read memory that it must be able to read, in this process. It has to see what a copy
 * sees.
 */
bool kernel_reads(const void *p);

void show_kernel(struct um_row *row, cudaError_t error);

/** The columns of one pointer except the last. @return whether they are what the rule says */
bool show_pointer(struct um_row *row, const void *p, const struct rule *rule);

/** A pointer that a kernel must be able to follow. */
void good_pointer(struct um_row *row, const void *p, size_t bytes, const struct rule *rule);

/**
 * A pointer that a kernel must not follow. Where the device shares the host's memory (pageableMemoryAccess),
 * it may follow it. Where nothing is allocated, it may find what lies nearby.
 */
void bad_pointer(struct um_row *row, const void *p, size_t bytes, enum trial_memory memory,
                 const struct rule *rule);

#endif
