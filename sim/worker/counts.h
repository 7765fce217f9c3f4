/**
 * @file counts.h
 * @brief The counts of one launch: what the GPU process writes and the host reads (count/count.h).
 */
#ifndef UMSIM_COUNTS_H
#define UMSIM_COUNTS_H

#include "../include/umsim/abi.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define UMSIM_SECTOR 32
#define UMSIM_LINE 128
#define UMSIM_GRANULE 64
#define UMSIM_NEIGHBOURS 512

/** Memory by its kind, as an address tells. */
enum umsim_counts_kind {
    UMSIM_COUNTS_DEVICE,
    UMSIM_COUNTS_HOST,
    UMSIM_COUNTS_MANAGED,
    UMSIM_COUNTS_PEER, /* another device's memory */
    UMSIM_COUNTS_SHARED,
    UMSIM_COUNTS_OTHER /* stacks, parameters: not counted */
};

enum umsim_counts_how {
    UMSIM_COUNTS_READ,
    UMSIM_COUNTS_WRITE,
    UMSIM_COUNTS_ATOMIC,
    UMSIM_COUNTS_SUM,     /* atomic, of floating-point numbers */
    UMSIM_COUNTS_EXCHANGE /* atomic, by comparison */
};

/** An instruction that accesses one kind of memory. */
struct umsim_counts_site {
    const void *pc;
    uint8_t kind, how;
    uint64_t lowest, end; /* the addresses that the counted blocks asked for */
    /* of all blocks, as far as the counted ones tell */
    uint64_t requests; /* of warps */
    uint64_t lanes;    /* of these requests */
    uint64_t bytes;    /* that they asked for */
    uint64_t passes;   /* lines of requests; of shared memory: times that it is gone over */
    uint64_t sectors;  /* sectors of requests */
    uint64_t runs;     /* of requests: runs of sectors in a line that are read, of bytes that are written */
    uint64_t fetched;  /* sectors that the first level did not have */
    uint64_t waited;   /* requests that had to wait for at least one of these */
    uint64_t beside;   /* ... but for none that memory had not brought along with another one */
    uint64_t packets;  /* atomic: what goes to a sector at once, each address once */
    uint64_t granules; /* what memory fetches for them, UMSIM_GRANULE each */
    uint64_t places;   /* the pieces of UMSIM_NEIGHBOURS that these lie in */
};

/** What the lanes of a warp do together. */
enum umsim_counts_meeting {
    UMSIM_COUNTS_SHUFFLES, /**< ... and matches */
    UMSIM_COUNTS_VOTES,    /**< ... and waits for each other */
    UMSIM_COUNTS_SUMS,
    UMSIM_COUNTS_PRODUCTS, /**< of matrices: multiplications, in 4096 */
    UMSIM_COUNTS_MEETINGS
};

/** Of a grid of no more blocks the first and the last one are not looked at: what lies between the addresses
 * that its blocks ask for, which are not many bytes, is taken to be all of the allocation. */
#define UMSIM_COUNTS_FEW 32

/** More instructions of one kernel have no line of their own. */
#define UMSIM_COUNTS_SITES 128

struct umsim_counts {
    atomic_flag lock;
    bool crowded;    /* some instructions had no line, and their accesses are missing */
    uint64_t rounds; /* of each block: how often its warps wait for what they read, 1024 for each time */
    uint64_t missed; /* those for which the first level did not have it */
    uint64_t missed_of_host, missed_of_managed, missed_of_peer; /* ... of memory of these kinds */
    uint64_t beside;                   /* ... for which memory had brought it along with what is beside it */
    uint64_t skipped;                  /* accesses for which there was no space, in counted blocks */
    uint64_t work[UMSIM_WORK_CLASSES]; /* of all warps (UMSIM_WORK_CHAIN: of each block's longest), in
                                          sixteenths */
    uint64_t lanes;                    /* instructions of all lanes, in sixteenths */
    uint64_t barriers;                 /* of all blocks */
    uint64_t met[UMSIM_COUNTS_MEETINGS];
    unsigned sites;
    struct umsim_counts_site site[UMSIM_COUNTS_SITES];
};

#endif
