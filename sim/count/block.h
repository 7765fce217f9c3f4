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

#include <stddef.h>

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
    uint8_t joined : 7;         /* shared memory: so many requests before it are read together with it */
    uint8_t is_late : 1;        /* it was made when little of what a thread does is counted any more */
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
    uint32_t settled;         /* its request that the lanes in hand made last */
    uint64_t lowest, end;     /* what was accessed, in a block of which no more is noted */
} __attribute__((aligned(64)));

/** So many sites have their threads' visits beside each other: a thread that goes from one to the next finds
 * them in one line of the host's cache. */
#define UMSIM_COUNT_ABREAST 16
#define UMSIM_COUNT_GROUPS (UMSIM_COUNT_SITES / UMSIM_COUNT_ABREAST)

/** A thread's last visit to a site. */
struct umsim_count_visit {
    uint32_t request : 31; /* 0: none yet */
    uint32_t failed : 1;   /* it was a comparison in vain */
};

/** A thread's visits to sites that are abreast. */
struct umsim_count_visits {
    struct umsim_count_visit of[UMSIM_COUNT_ABREAST];
};

/** The lanes of a warp mostly do the same, one after another: the way of one lane between two barriers tells
 * what the next one's becomes. A step of it is an access or a segment, or the access that begins one. */
struct umsim_count_step {
    uintptr_t begin; /* memory in which an access is alike */
    size_t bytes;
    struct umsim_count_site *site; /* NULL: accesses of this memory are not counted; or it is a segment */
    struct umsim_count_request *request;
    struct umsim_count_rest *rest;       /* of an access for which there is no space */
    uint32_t number;                     /* of the request; 0: none */
    uint16_t abreast;                    /* the site's place among those that are */
    bool is_first;                       /* of its site on this way */
    bool is_first_of_segment;            /* on this way */
    struct umsim_count_visits *visits;   /* of the block's threads */
    const struct umsim_segment *segment; /* NULL: it is in the midst of one */
};
#define UMSIM_COUNT_WAY 8192

struct umsim_count_way {
    unsigned warp;   /* whose lanes went it last */
    unsigned length; /* steps that the latest of them made */
    unsigned known;  /* steps that are known, as others made more */
    unsigned noted;  /* steps that have been in use in this block: any warp's */
    unsigned latest; /* the thread that went it last */
    /* Threads count what they did by histories: those of one history have done the same so far, but for
     * addresses. These are what the latest thread's was before the way and behind it. */
    uint32_t before, after;
    unsigned in_vain; /* so many lanes do not try to go on in a row */
    bool in_rows;     /* two lanes in a row went it: the strides are known, and the next one's addresses */
    uint32_t pending; /* lanes that went it behind these, as was to be expected; not counted yet */
    struct umsim_count_noted last[UMSIM_COUNT_WAY];    /* what the latest noted */
    struct umsim_count_noted stride[UMSIM_COUNT_WAY];  /* from lane to lane; of keys none */
    struct umsim_count_step step[UMSIM_COUNT_WAY + 1]; /* and what is elsewhere */
};

/** Lines that lanes in a row may note, one behind the other. */
#define UMSIM_COUNT_ROW 512

/** What a thread has read atomically: nothing, if it is part of an operation that is one on a GPU. */
struct umsim_count_loaded {
    uintptr_t p;
    uint32_t request; /* 0: none */
};

/** An instruction that threads came by beyond the lines of which all is counted (rest.c), or for which there
 * was no space. */
struct umsim_count_rest {
    const void *pc; /* NULL: none */
    uint32_t left;  /* so many more accesses of the current thread are counted */
    uint64_t skipped;
    uintptr_t lowest, end; /* of those that are not counted */
};
/** So many of a block's requests may be made by warps that have been to the instruction before: others may
 * make their first one beyond. */
#define UMSIM_COUNT_REPEATED (UMSIM_COUNTS_REQUESTS - ((uint32_t)1 << 12))
/** Of a thread's interval so many lines are counted, or more in a block that comes to no more than so many.
 */
#define UMSIM_COUNT_THREAD_LINES 512
#define UMSIM_COUNT_BLOCK_LINES ((uint32_t)1 << 17)
/** Beyond these, of each instruction so many accesses. */
#define UMSIM_COUNT_REST_EACH 16

#define UMSIM_COUNT_LINES 2048 /* of a cache; a power of 2 */
#define UMSIM_COUNT_WAYS 8

/** Lines that may take each other's place. */
struct umsim_count_set {
    uint64_t line[UMSIM_COUNT_WAYS]; /* and whose block it is of */
    uint32_t used[UMSIM_COUNT_WAYS];
    uint8_t sectors[UMSIM_COUNT_WAYS]; /* bit i: sector i is there */
};

/** A cache of sectors. What is in it of another block counts as nothing, and goes first. New pages are a part
 * of what it takes to count a short launch: so sets lie in the order in which they were first asked for. */
struct umsim_count_cache {
    uint64_t block;
    uint32_t clock;
    unsigned sets;                                        /* in use */
    uint16_t made;                                        /* so many hold something */
    uint16_t place[UMSIM_COUNT_LINES / UMSIM_COUNT_WAYS]; /* from 1; 0: it is empty */
    struct umsim_count_set set[UMSIM_COUNT_LINES / UMSIM_COUNT_WAYS];
};

/** Of what a block that was cut at its barriers does between two loops over its threads, so much is counted
 * for each thread. */
#define UMSIM_COUNT_COMMON 256

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
    unsigned thread; /* the current one */
    /* what it does until it waits or ends */
    unsigned at;         /* steps of the way that it has gone; UMSIM_COUNT_WAY: it is elsewhere */
    bool made;           /* anything */
    bool follows;        /* all as was to be expected; nothing of it is counted */
    bool left;           /* the way, or was never on it */
    bool left_row;       /* did not do all that was to be expected */
    bool strayed;        /* it did what is not in the log, so that its way is no other one's */
    bool segments_done;  /* its steps' segments are counted, though it follows */
    bool in_rest;        /* it has done so much that little of the rest is counted */
    bool is_common;      /* what is noted is the block's, not yet a thread's (cut.c) */
    uint32_t lines;      /* that it has noted */
    uint32_t lines_each; /* as many as each thread of the block notes */
    uint32_t histories;  /* so many are told apart */
    uint64_t launch;     /* that the sites are of */
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
    struct umsim_count_visits *visits[UMSIM_COUNT_GROUPS]; /* of each thread; NULL: none yet */
    struct umsim_count_arena memory;
    struct umsim_count_conflicts conflicts[UMSIM_COUNT_CONFLICTS];
    struct umsim_count_rest rest[UMSIM_COUNT_SITES]; /* by hash of the instruction */
    uint16_t rest_list[UMSIM_COUNT_SITES];           /* which of them are in use */
    unsigned rests;
    struct umsim_counts_site count[UMSIM_COUNT_SITES];              /* of this block, by site */
    struct umsim_counts_site late[UMSIM_COUNT_SITES];               /* of late requests alone */
    struct umsim_count_cache reads, writes, granules[2], places[2]; /* of what is read; of what is written */
    struct umsim_count_seen seen;
    uint64_t rounds, missed, beside;
    enum umsim_counts_kind missed_of; /* the memory that those are for */
    uint64_t met[UMSIM_COUNTS_MEETINGS];
    struct umsim_count_loaded loaded[UMSIM_BLOCK_THREADS_MAX];
    uint32_t history[UMSIM_BLOCK_THREADS_MAX];
    uint16_t first_step[UMSIM_SEGMENTS]; /* of the way: where a segment may be there first */
    struct umsim_count_noted log[UMSIM_COUNT_LOG];
    struct umsim_count_noted common[UMSIM_COUNT_COMMON]; /* what each thread begins with */
    unsigned commons;
    struct umsim_count_noted row[UMSIM_COUNT_ROW + UMSIM_COUNT_LOG]; /* and where the last of them notes */
    struct umsim_count_way way;
    struct umsim_segment_counts segments;
    /* So far, and with as many requests as most blocks make, it is private memory (launch.c). */
    char first_part[(size_t)384 << 10] __attribute__((aligned(64)));
    struct umsim_count_request request[UMSIM_COUNTS_REQUESTS];
    uint64_t spill[UMSIM_COUNT_SPILLS][UMSIM_WARP_LANES];
    char second_part[UMSIM_SEGMENT_BYTES +
                     UMSIM_COUNT_GROUPS * UMSIM_BLOCK_THREADS_MAX * sizeof(struct umsim_count_visits)];
};
#define UMSIM_COUNT_PRIVATE ((size_t)2 << 20)
_Static_assert(offsetof(struct umsim_counting, request) + ((size_t)256 << 10) < UMSIM_COUNT_PRIVATE,
               "some thousand requests are private");

/** Whether it is already known that no access to this address is counted. */
static inline bool umsim_count_passes_by(uintptr_t p)
{
    const struct umsim_count_memory *memory = umsim_count_here.uncounted;
    return p - memory[0].begin < memory[0].bytes || p - memory[1].begin < memory[1].bytes ||
           p - memory[2].begin < memory[2].bytes;
}

/** Whether it is already known that they are. */
static inline bool umsim_count_is_counted(uintptr_t p)
{
    const struct umsim_count_memory *memory = umsim_count_here.counted;
    return p - memory[0].begin < memory[0].bytes || p - memory[1].begin < memory[1].bytes;
}

/** The most that one lane asks for in one request. */
#define UMSIM_COUNT_PIECE 16

static inline size_t umsim_count_rest_hash(const void *pc)
{
    return (uintptr_t)pc * UINT64_C(0x9e3779b97f4a7c15) >> 55;
}
_Static_assert(UMSIM_COUNT_SITES == 1 << (64 - 55), "the hash is a place");

static inline void umsim_count_rest_widen(struct umsim_count_rest *rest, uintptr_t p, size_t bytes)
{
    rest->lowest = p < rest->lowest ? p : rest->lowest;
    rest->end = p + bytes > rest->end ? p + bytes : rest->end;
}

static inline void umsim_count_rest_skip(struct umsim_count_rest *rest, uintptr_t p, size_t bytes)
{
    rest->skipped++;
    umsim_count_rest_widen(rest, p, bytes);
}

/** The same as umsim_count_access(), where that is no matter of a line in the log. */
void umsim_count_access_now(uintptr_t p, size_t bytes, enum umsim_counts_how how, const void *pc);

/** The current thread makes an access. */
static inline __attribute__((always_inline)) void
umsim_count_access(uintptr_t p, size_t bytes, enum umsim_counts_how how, const void *pc)
{
    const intptr_t at = umsim_count_here.at;
    if (__builtin_expect(at >= umsim_count_here.accesses_end || bytes - 1 >= UMSIM_COUNT_PIECE, 0)) {
        umsim_count_access_now(p, bytes, how, pc);
        return;
    }
    if (!umsim_count_is_counted(p) && umsim_count_passes_by(p))
        return;
    struct umsim_count_noted *noted = (struct umsim_count_noted *)(umsim_count_here.log_end + at);
    noted->p = p;
    noted->key = UMSIM_COUNT_KEY(pc, bytes, how);
    umsim_count_here.at = at + (intptr_t)sizeof *noted;
}

/** The same for what umsim_count_first_access() does not note by itself. */
void umsim_count_first_access_now(uintptr_t p, size_t bytes, enum umsim_counts_how how, const void *pc);

/** The current thread makes the first access of a segment, and no note tells of that: this one does. An
 * access that is not counted leaves a note of the segment alone. */
static inline __attribute__((always_inline)) void
umsim_count_first_access(uintptr_t p, size_t bytes, enum umsim_counts_how how, const void *pc)
{
    const intptr_t at = umsim_count_here.at;
    if (__builtin_expect(at >= umsim_count_here.accesses_end, 0) ||
        (!umsim_count_is_counted(p) && umsim_count_passes_by(p))) {
        umsim_count_first_access_now(p, bytes, how, pc);
        return;
    }
    struct umsim_count_noted *noted = (struct umsim_count_noted *)(umsim_count_here.log_end + at);
    noted->p = p;
    noted->key = UMSIM_COUNT_KEY(pc, bytes, how) | UMSIM_COUNT_KEY_FIRST;
    umsim_count_here.at = at + (intptr_t)sizeof *noted;
}

/** Of what is noted: whether it is a segment and no access. */
static inline bool umsim_count_is_segment(const struct umsim_count_noted *noted)
{
    return UMSIM_COUNT_KEY_BYTES(noted->key) == 0;
}

/** @return the segment that it tells of; NULL if it is an access in the midst of one */
static inline const struct umsim_segment *umsim_count_segment_of(const struct umsim_count_noted *noted)
{
    const uintptr_t what = (uintptr_t)UMSIM_COUNT_KEY_OF(noted->key);
    if (umsim_count_is_segment(noted))
        return (const struct umsim_segment *)what;
    return noted->key & UMSIM_COUNT_KEY_FIRST ? umsim_segment_behind(what) : NULL;
}

/** The current thread comes by a segment. */
static inline void umsim_count_segment(struct umsim_counting *it, const struct umsim_segment *segment)
{
    umsim_segment_visit(&it->segments, it->thread, segment);
}

/** @name The current thread (way.c)
 * @{ */
/** It begins to do something, or goes on behind a wait. */
void umsim_count_interval_begin(struct umsim_counting *it);
/** It waits or has ended, or is about to begin: counts what it did, or notes that it is what was expected. */
void umsim_count_interval_end(struct umsim_counting *it);
/** The log is to be used anew: goes over what it has. */
void umsim_count_log_end(struct umsim_counting *it);
/** The thread has gone the way, or made another one. */
void umsim_count_way_end(struct umsim_counting *it);
/** A row ends (row.c): what is in the log is the current thread's alone then, and begins at its beginning. */
void umsim_count_row_through(struct umsim_counting *it);
static inline void umsim_count_row_end(struct umsim_counting *it)
{
    if (umsim_count_here.row_next != UMSIM_COUNT_NO_ROW)
        umsim_count_row_through(it);
}
/** It is full, and the hook of segments needs a line. */
void umsim_count_log_full(void);
/** The same, before something is counted that is not in the log. */
void umsim_count_stray(struct umsim_counting *it);
/** Counts what was only known to be as expected. */
void umsim_count_settle(struct umsim_counting *it);
/** The worker's current block is counted no more, or for a while not. */
void umsim_count_log_leave(void);
/** @} */

/** How long each warp of a block waits (rounds.c): as if it had to have what one request of an instruction
 * reads before it makes the instruction's next one, and instructions did not wait for each other: the one
 * counts that waits longest. */
void umsim_count_rounds(struct umsim_counting *it, unsigned warps);

/** The address of a request's first lane; 0 if it has none. */
static inline uint64_t umsim_count_first_address(const struct umsim_counting *it,
                                                 const struct umsim_count_request *request)
{
    const unsigned lane = request->lanes ? (unsigned)__builtin_ctz(request->lanes) : 0;
    if (!request->lanes)
        return 0;
    return request->spill ? it->spill[request->spill][lane] : umsim_count_in_row(request, lane);
}

/** @name Blocks that were cut at their barriers (cut.c)
 * @{ */
/** What is noted is what each thread that follows begins with. */
void umsim_count_take_common(struct umsim_counting *it);
/** What is noted was the block's: more of it than UMSIM_COUNT_COMMON is forgotten. */
void umsim_count_common_full(struct umsim_counting *it);
/** The block has ended: what it did behind its last thread is forgotten. */
void umsim_count_common_end(struct umsim_counting *it);
/** @} */

/** @name Beyond what is counted whole (rest.c)
 * @{ */
/** The current thread has noted UMSIM_COUNT_THREAD_LINES, or what its block allows: the rest of its interval
 * is the same again, mostly. Of each instruction UMSIM_COUNT_REST_EACH more accesses are counted, of the
 * others only how many they are, and from where to where. Segments are all counted. */
void umsim_count_rest_begin(struct umsim_counting *it);
void umsim_count_rest_access(struct umsim_counting *it, uintptr_t p, size_t bytes, enum umsim_counts_how how,
                             const void *pc);
/** What the log has, which are segments. */
void umsim_count_rest_log(struct umsim_counting *it, size_t count);
/** An access of an instruction finds no space.
 * @return where it is counted; NULL: nowhere, as there are too many instructions */
struct umsim_count_rest *umsim_count_skip(struct umsim_counting *it, const struct umsim_count_noted *noted);
/** The block has ended, or begins. */
void umsim_count_rest_forget(struct umsim_counting *it);
/** Takes what was not counted to be like what was, instruction by instruction. */
void umsim_count_rest_scale(struct umsim_counting *it);
/** @} */

/** A thread's visit that a step is of. */
static inline struct umsim_count_visit *umsim_count_visit_of_step(const struct umsim_count_step *step,
                                                                  size_t thread)
{
    return &step->visits[thread].of[step->abreast];
}

/** Counts an access by itself. @param[out] step what the next lane's like it becomes
 * @return false if that tells nothing of it */
bool umsim_count_one(struct umsim_counting *it, const struct umsim_count_noted *noted,
                     struct umsim_count_step *step);

/** The same, of the step of another way that is for the same instruction and memory. */
bool umsim_count_alike(struct umsim_counting *it, const struct umsim_count_noted *noted,
                       struct umsim_count_step *step);

/** Whether a thread is noted of a block of which only from where to where it accesses is asked: of each half
 * of a warp the first and the last lane, between which the others mostly are. */
static inline bool umsim_count_is_outer(size_t thread, size_t threads)
{
    const size_t lane = thread % UMSIM_COUNT_HALF;
    return lane == 0 || lane == UMSIM_COUNT_HALF - 1 || thread == threads - 1;
}

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
