/**
 * @file block.h
 * @brief The accesses of one block: put together to requests of warps, and replayed through a cache.
 *
 * GPU process only. Each block that is counted has a table of its own while it runs, in memory that a worker
 * takes when it needs one more.
 */
#ifndef UMSIM_COUNT_BLOCK_H
#define UMSIM_COUNT_BLOCK_H

#include "../worker/counts.h"
#include "count.h"
#include "segments.h"

#define UMSIM_COUNT_SITES 512 /* of one block; a power of 2 */
#define UMSIM_COUNT_SPILLS ((uint32_t)1 << 14)

/** Addresses at the same distance from lane to lane: that of a lane is base + lane * stride. */
struct umsim_count_row {
    uint64_t base;
    int64_t stride;
};

/** The accesses of a warp that belong together: each half of the warp in a row, as blocks are often 16
 * threads wide, or at any addresses. */
struct umsim_count_request {
    struct umsim_count_row row[2];
    uint32_t lanes;
    uint32_t next_at_site, next_of_warp; /* indices; 0: none */
    uint32_t spill;                      /* index of its addresses one by one; 0: the rows tell */
    uint16_t site;
    uint8_t size;
    uint8_t joined;             /* shared memory: so many requests before it are read together with it */
    uint8_t known;              /* bit h: of half h two lanes or more are there, all in its row */
} __attribute__((aligned(64))); /* a line of the host's cache */

#define UMSIM_COUNT_HALF (UMSIM_WARP_LANES / 2)

/** The lanes of a half. */
static inline uint32_t umsim_count_half(const struct umsim_count_request *request, unsigned half)
{
    return request->lanes >> half * UMSIM_COUNT_HALF & ((UINT32_C(1) << UMSIM_COUNT_HALF) - 1);
}

/** A lane's address, if the request's rows tell. */
static inline uint64_t umsim_count_in_row(const struct umsim_count_request *request, unsigned lane)
{
    const struct umsim_count_row *row = &request->row[lane / UMSIM_COUNT_HALF];
    return row->base + (uint64_t)(row->stride * (int)lane);
}

/** An instruction. */
struct umsim_count_site {
    const void *pc;
    uintptr_t begin; /* memory of this kind, where the latest access was */
    size_t bytes;
    struct umsim_count_site *next;
    uint32_t stamp; /* the block that it was last used in */
    uint8_t kind, how;
    uint16_t index, unrolled; /* the passes of its loop that are made side by side */
    uint16_t first_step;      /* of the way: where it may be there first */
    uint64_t lowest, end;     /* what was accessed, in a block of which no more is noted */
} __attribute__((aligned(64)));

/** So many sites have their threads' visits beside each other: a thread that goes from one to the next finds
 * them in one line of the host's cache. */
#define UMSIM_COUNT_ABREAST 16

/** A thread's last visit to a site. */
struct umsim_count_visit {
    uint32_t request : 31; /* 0: none yet */
    uint32_t failed : 1;   /* it was a comparison in vain */
};

/** The visits of a block to sites that are abreast. */
struct umsim_count_visits {
    struct umsim_count_visit of[UMSIM_BLOCK_THREADS_MAX][UMSIM_COUNT_ABREAST];
};

/** An access that the current thread has noted, and that is counted when another thread goes on. */
struct umsim_count_noted {
    uintptr_t p;
    const void *pc;
    const struct umsim_segment *latest; /* that the thread came by */
    uint32_t bytes, how;
};
#define UMSIM_COUNT_LOG 256

/** The lanes of a warp mostly make the same accesses, one after another: the way of one lane between two
 * barriers tells what the next one's become. */
struct umsim_count_step {
    const void *pc;
    uintptr_t begin; /* memory in which an access is alike */
    size_t bytes;
    struct umsim_count_site *site; /* NULL: accesses of this memory are not counted */
    struct umsim_count_request *request;
    uint32_t number; /* of the request */
    uint32_t visit;  /* place of the first thread's visit in all */
    bool is_first;   /* of its site on this way */
};
#define UMSIM_COUNT_WAY 4096

/** What a thread has read atomically: nothing, if it is part of an operation that is one on a GPU. */
struct umsim_count_loaded {
    uintptr_t p;
    uint32_t request; /* 0: none */
};

#define UMSIM_COUNT_LINES 2048 /* of a cache; a power of 2 */
#define UMSIM_COUNT_WAYS 8

/** Lines that may take each other's place. */
struct umsim_count_set {
    uint64_t line[UMSIM_COUNT_WAYS]; /* and whose block it is of */
    uint32_t used[UMSIM_COUNT_WAYS];
    uint8_t sectors[UMSIM_COUNT_WAYS]; /* bit i: sector i is there */
};

/** A cache of sectors. What is in it of another block counts as nothing, and goes first. */
struct umsim_count_cache {
    uint64_t block;
    uint32_t clock;
    unsigned sets; /* in use */
    struct umsim_count_set set[UMSIM_COUNT_LINES / UMSIM_COUNT_WAYS];
};

#define UMSIM_COUNT_CONFLICTS 64 /* a power of 2 */

/** How often shared memory is gone over for a request, as for any one that lies so to its banks. */
struct umsim_count_conflicts {
    int64_t stride[2], apart; /* of the rows; their bases, from one to the other */
    uint32_t lanes, place;    /* where the first base is in the banks */
    uint8_t size;
    uint8_t passes; /* 0: not known */
};

/** Numbers that a request has had, by hash. */
struct umsim_count_seen {
    uint64_t number[128];
    uint32_t when[128]; /* 0: never */
    uint32_t now;       /* the request */
};

struct umsim_counting {
    struct umsim_counting *next_unused, *next;
    bool is_in_use;                  /* by a block that has not ended */
    unsigned thread;                 /* the current one */
    unsigned way_of_warp, known, at; /* the warp that last went the way; steps; where the thread is */
    uint64_t launch;                 /* that the sites are of */
    uint64_t weight; /* blocks that it stands for; 0: only what instructions access is noted, first to last */
    uint64_t skipped;
    uint32_t stamp;
    uint32_t requests, spills; /* in use, from 1 */
    unsigned sites;
    uint32_t first_of_warp[UMSIM_BLOCK_THREADS_MAX / UMSIM_WARP_LANES],
        last_of_warp[UMSIM_BLOCK_THREADS_MAX / UMSIM_WARP_LANES];
    struct umsim_count_site *by_pc[UMSIM_COUNT_SITES];
    struct umsim_count_site site[UMSIM_COUNT_SITES];
    uint32_t first[UMSIM_COUNT_SITES][UMSIM_BLOCK_THREADS_MAX / UMSIM_WARP_LANES]; /* requests, by warp */
    uint32_t visits_stamp[UMSIM_COUNT_SITES / UMSIM_COUNT_ABREAST]; /* the block that they are of */
    struct umsim_count_visits visits[UMSIM_COUNT_SITES / UMSIM_COUNT_ABREAST];
    struct umsim_count_conflicts conflicts[UMSIM_COUNT_CONFLICTS];
    struct umsim_counts_site count[UMSIM_COUNT_SITES];              /* of this block, by site */
    struct umsim_count_cache reads, writes, granules[2], places[2]; /* of what is read; of what is written */
    struct umsim_count_seen seen;
    uint64_t rounds, missed, beside;
    enum umsim_counts_kind missed_of; /* the memory that those are for */
    uint64_t spill[UMSIM_COUNT_SPILLS][UMSIM_WARP_LANES];
    struct umsim_count_request request[UMSIM_COUNTS_REQUESTS];
    uint64_t met[UMSIM_COUNTS_MEETINGS];
    struct umsim_count_loaded loaded[UMSIM_BLOCK_THREADS_MAX];
    struct umsim_count_noted log[UMSIM_COUNT_LOG];
    struct umsim_count_step way[UMSIM_COUNT_WAY];
    struct umsim_segment_counts segments;
};

/** Whether it is already known that no access to this address is counted. */
static inline bool umsim_count_passes_by(uintptr_t p)
{
    return p - umsim_count_here.uncounted < umsim_count_here.uncounted_bytes;
}

/** The most that one lane asks for in one request. */
#define UMSIM_COUNT_PIECE 16

/** The same as umsim_count_access(), where that is no matter of a line in the log. */
void umsim_count_access_now(uintptr_t p, size_t bytes, enum umsim_counts_how how, const void *pc);

/** The current thread makes an access. */
static inline __attribute__((always_inline)) void
umsim_count_access(uintptr_t p, size_t bytes, enum umsim_counts_how how, const void *pc)
{
    struct umsim_count_noted *noted = umsim_count_here.next;
    if (umsim_count_passes_by(p))
        return;
    if (__builtin_expect(noted == umsim_count_here.end || bytes > UMSIM_COUNT_PIECE, 0)) {
        umsim_count_access_now(p, bytes, how, pc);
        return;
    }
    *noted = (struct umsim_count_noted){p, pc, umsim_count_here.latest, (uint32_t)bytes, how};
    umsim_count_here.next = noted + 1;
}

/** The current thread goes on noting, from the beginning of its way. */
void umsim_count_log_begin(struct umsim_counting *it);

/** Counts what the current thread has noted. */
void umsim_count_log_end(struct umsim_counting *it);

/** The worker's current block is counted no more, or for a while not. */
void umsim_count_log_leave(void);

/** Counts an access by itself. @param[out] step what the next lane's like it becomes
 * @return false if that tells nothing of it */
bool umsim_count_one(struct umsim_counting *it, const struct umsim_count_noted *noted,
                     struct umsim_count_step *step);

/** Notes that a site, of a block of which only from where to where is noted, accesses this. */
static inline void umsim_count_add_to_extent(struct umsim_count_site *site, uintptr_t p, size_t bytes)
{
    site->lowest = p < site->lowest ? p : site->lowest;
    site->end = p + bytes > site->end ? p + bytes : site->end;
}

/** Adds a lane whose address is to be expected, as most are. @return false if it is not */
static inline bool umsim_count_add_expected(struct umsim_count_request *request, unsigned lane, uint64_t p,
                                            size_t bytes)
{
    if (!(request->known >> lane / UMSIM_COUNT_HALF & 1) || umsim_count_in_row(request, lane) != p)
        return false;
    request->lanes |= 1U << lane;
    request->size = (uint8_t)bytes > request->size ? (uint8_t)bytes : request->size;
    return true;
}

/** The request of the current thread's next visit to a site, if there is one already; 0: none. */
uint32_t umsim_count_next_request(const struct umsim_counting *it, const struct umsim_count_site *site);

/** Adds a lane to a request. */
void umsim_count_add_lane(struct umsim_counting *it, struct umsim_count_request *request, unsigned lane,
                          uint64_t p, size_t bytes);

/** The current thread has compared and exchanged, or failed to. Who tries again at the same address makes no
 * new access: how often it has to depends on when other blocks run. */
void umsim_count_exchange(uintptr_t p, size_t bytes, bool failed, enum umsim_counts_how how, const void *pc);

/** The current thread reads atomically. If it exchanges there next, both are one operation. */
void umsim_count_load(uintptr_t p, size_t bytes, const void *pc);

/** The block has ended: counts its requests. */
void umsim_count_replay(struct umsim_worker *worker);

#endif
