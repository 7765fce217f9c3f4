/**
 * @file counts.h
 * @brief The counts of one launch: what the GPU process writes and the host reads (count/count.h).
 */
#ifndef UMSIM_COUNTS_H
#define UMSIM_COUNTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define UMSIM_SECTOR 32
#define UMSIM_LINE 128

/** Memory by its kind, as an address tells. */
enum umsim_counts_kind {
    UMSIM_COUNTS_DEVICE,
    UMSIM_COUNTS_HOST,
    UMSIM_COUNTS_MANAGED,
    UMSIM_COUNTS_SHARED,
    UMSIM_COUNTS_OTHER /* stacks, parameters: not counted */
};

enum umsim_counts_how { UMSIM_COUNTS_READ, UMSIM_COUNTS_WRITE, UMSIM_COUNTS_ATOMIC };

/** An instruction that accesses one kind of memory. */
struct umsim_counts_site {
    const void *pc;
    uint8_t kind, how;
    uint64_t lowest, highest; /* the first and the last sector that any counted block asked for */
    /* of all blocks, as far as the counted ones tell */
    uint64_t requests; /* of warps */
    uint64_t bytes;    /* that threads asked for */
    uint64_t lines;    /* lines of requests; of shared memory: passes */
    uint64_t sectors;  /* sectors of requests */
    uint64_t fetched;  /* those of them that the first level did not have */
};

/** More instructions of one kernel have no line of their own. */
#define UMSIM_COUNTS_SITES 128

struct umsim_counts {
    atomic_flag lock;
    bool crowded;     /* some instructions had no line, and their accesses are missing */
    uint64_t skipped; /* accesses for which there was no space, in counted blocks */
    unsigned sites;
    struct umsim_counts_site site[UMSIM_COUNTS_SITES];
};

#endif
