/**
 * @file workload.h
 * @brief Lab 9: what a program knows of its work before it runs, and the ways to give the GPU its data.
 *
 * The data is one array of floats, which the host has written. In a round, kernels first go over the array,
 * `passes` of them. Then it is the host's turn: it accesses one float in each 4 KiB. `stride` and
 * `read_only` decide what a kernel and the host do to the floats that they use:
 *
 * | stride | read_only | a kernel | the host's turn |
 * |---|---|---|---|
 * | 1 | no | adds one to each float | adds one to each float that it looks at |
 * | more | no | adds one to each stride-th float | likewise |
 * | 1 | yes | adds all floats up | reads |
 * | more | yes | reads n / stride floats, at places in no order, all over the array | reads |
 */
#ifndef LAB9_WORKLOAD_H
#define LAB9_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Which memory the array is in, and how the GPU gets its data. */
enum lab9_kind {
    /** malloc's memory, copied by cudaMemcpy to device memory, and back when it was changed */
    LAB9_PAGEABLE,
    LAB9_PINNED,   /**< the same, of cudaMallocHost's memory */
    LAB9_MAPPED,   /**< cudaHostAllocMapped: kernels use the host's memory in place, over the bus */
    LAB9_MANAGED,  /**< cudaMallocManaged, and the driver finds out by page faults */
    LAB9_PREFETCH, /**< managed, prefetched to each side before its turn */
    LAB9_ADVISED,  /**< managed, with the advice of lab9_advice() */
    LAB9_KINDS
};

/** What a program knows of its work before it runs. */
struct lab9_workload {
    size_t bytes;    /**< of the array; a multiple of 4096 */
    size_t stride;   /**< a kernel uses one float in this many; see above */
    bool read_only;  /**< neither side changes the array */
    unsigned passes; /**< kernels in a round, one after another: how often data is used again; 1 or more */
    unsigned rounds; /**< how often host and GPU take turns; 1 or more */
    /** jobs, each of all rounds with new data, that use the memory before it is freed */
    unsigned jobs;
    size_t device_bytes; /**< of device memory that are free */
};

/** The kinds of advice that lab9_advice() chooses from. */
enum lab9_advice {
    /** PreferredLocation host and AccessedBy GPU: pages stay, the GPU reaches them over the bus */
    LAB9_IN_PLACE,
    LAB9_DUPLICATE, /**< ReadMostly, and one prefetch: each side has its own copy */
    LAB9_STAY, /**< PreferredLocation GPU, and prefetches each way: pages that are used again move there */
};

/**
 * Which advice LAB9_ADVISED gives. The function is inline because a submission may call it, and consists of
 * exercise.c and calls.c alone.
 */
static inline enum lab9_advice lab9_advice(const struct lab9_workload *workload)
{
    if (workload->stride > 1 || workload->bytes > workload->device_bytes)
        return LAB9_IN_PLACE;
    if (workload->read_only)
        return workload->passes * workload->rounds > 1 ? LAB9_DUPLICATE : LAB9_IN_PLACE;
    return workload->passes > 2 ? LAB9_STAY : LAB9_IN_PLACE;
}

/** "pageable", ...; as the lab's strategies are called. */
static inline const char *lab9_kind_name(int kind)
{
    static const char *const names[LAB9_KINDS] = {"pageable", "pinned",   "mapped",
                                                  "managed",  "prefetch", "advised"};

    return kind >= 0 && kind < LAB9_KINDS ? names[kind] : "none of them";
}

/** The host accesses one float in this many: one in each page. */
#define LAB9_HOST_STRIDE (4096 / sizeof(float))

#endif
