/**
 * @file warps.h
 * @brief A launch as the fault buffer sees it: which of its warps wait for which pages, and whose faults come
 * first.
 *
 * All that is known of a kernel is its geometry and the set of pages that it touches. So the model assumes
 * what holds for most kernels:
 *  - Threads side by side touch memory side by side, each allocation from its start.
 *  - A launch with fewer threads than that needs goes on in strides of the whole grid.
 *  - Where there are far fewer touches than bytes, each thread touches one word of its share.
 *
 * Two things are in no source and were measured on an H200 (driver 580, CUDA 13.0;
 * tests/unit/measured/h200-groups.txt): how many faults a multiprocessor has under way, and in what disorder
 * they arrive. The disorder is pseudo-random and depends only on the number of the round and of the warps, so
 * that two runs are alike.
 */
#ifndef UMSIM_UVM_WARPS_H
#define UMSIM_UVM_WARPS_H

#include "internal.h"

/** Allocations that a launch walks at the same pace; further ones are walked when those are done. */
#define UVM_STREAMS 64
/** Faults under way at once, of all warps. */
#define UVM_FAULTS_UNDER_WAY 4096

/** One allocation that a launch touches: pages [first, end), counted from the space's base. */
struct uvm_stream {
    uint64_t first, end;
};

/** Returns the page at or after `page`, before `end`, that faults next; UINT64_MAX if none does. */
typedef uint64_t uvm_next_fault(const void *context, uint64_t page, uint64_t end);

/** What the faults of a round are like. */
enum uvm_round {
    UVM_ROUND_FULL,     /**< the driver came late: all faults that can be under way are */
    UVM_ROUND_EARLY,    /**< just after a replay: warps have sent their first faults */
    UVM_ROUND_UPGRADES, /**< only warps that lack write permission */
};

/** Starts a launch's walk of its `count` allocations. `launch` and `stream` must stay unchanged until its
 * end. Only one launch can be walked at a time: the state is static, and callers of the policy hold a lock.
 */
void uvm_warps_start(const struct uvm_launch *launch, bool writes, const struct uvm_stream *stream,
                     unsigned count, uvm_next_fault *next_fault, const void *context);

/**
 * Runs all warps until each waits for a page or has ended, and returns the faults that are then under way.
 * @param[out] page in the order of arrival, several times where several warps wait for it
 * @return how many, at most UVM_FAULTS_UNDER_WAY; 0: all have ended
 */
unsigned uvm_warps_fault(enum uvm_round round, uint32_t number, uint64_t page[UVM_FAULTS_UNDER_WAY]);

/** Whether the threads of the launch touch single words of their shares. */
bool uvm_warps_sparse(void);

#endif
