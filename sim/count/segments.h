/**
 * @file segments.h
 * @brief What a block's warps do beside their accesses: instructions by class, and how lanes part.
 *
 * The counting form calls umsim_hook_segment() where a segment of instructions begins (umcc/segments.h).
 * That adds one to the counter that the lane has for the segment. On a GPU a warp runs a segment once for all
 * lanes that come to it together. How often that is follows from the lanes' counters when the block has
 * ended:
 *
 * - Outside of loops, as often as the lane that runs it most often.
 * - Within a loop, in as many of its passes as at least one lane runs it. Each lane marks these passes, by
 *   their number's lowest 8 bits; with more passes than that, the marked part of them counts for all.
 * - A loop within a loop takes as many passes as the lane that needs most, and that as often as the loop is
 *   begun, which is the same question about the segment in front of it.
 *
 * It is never less than what one lane does, and never more than what all lanes do one after another. What is
 * left out: lanes that need different numbers of passes each time that an inner loop begins.
 *
 * GPU process only.
 */
#ifndef UMSIM_COUNT_SEGMENTS_H
#define UMSIM_COUNT_SEGMENTS_H

#include "../worker/counts.h"
#include "../worker/worker.h"

/** A segment's place is what the lowest 16 bits of its entry's address say. So of one file's segments so
 * many have places of their own, and a launch comes to few. */
#define UMSIM_SEGMENTS (65536 / sizeof(struct umsim_segment))
#define UMSIM_SEGMENT_MARKS 256

/** The counters of a warp. */
struct umsim_segment_warp {
    uint32_t counter[UMSIM_SEGMENTS][UMSIM_WARP_LANES];
    uint8_t mark[UMSIM_SEGMENTS][UMSIM_SEGMENT_MARKS];
};

/** How often lanes of a warp came to a segment. */
struct umsim_segment_visits {
    double together;    /* of the warp */
    uint64_t most, all; /* of one lane, of all */
    unsigned marked;
    uint32_t known; /* the stamp of the warp that it is of */
};

/** What a block did, in sixteenths of an instruction (UMSIM_WORK_ONE). */
struct umsim_segment_sum {
    uint64_t work[UMSIM_WORK_CLASSES]; /* of all warps; of UMSIM_WORK_CHAIN that of the warp that has most */
    uint64_t lanes;                    /* instructions of all lanes, as if each were alone */
};

/** The counters of a block. */
struct umsim_segment_counts {
    union {
        const struct umsim_segment *segment; /* NULL: no thread came by */
        char place[sizeof(struct umsim_segment)];
    } seen[UMSIM_SEGMENTS];
    const struct umsim_segment *list[UMSIM_SEGMENTS];            /* those that were seen */
    struct umsim_segment_visits visits[UMSIM_SEGMENTS];          /* of the warp in hand */
    uint32_t stamp;                                              /* of that warp */
    const struct umsim_segment *latest[UMSIM_BLOCK_THREADS_MAX]; /* of threads that are not running */
    size_t running;
    const struct umsim_segment **list_end; /* while another block runs */
    bool one_by_one; /* a warp ends before the next one begins: all use the first one's counters */
    struct umsim_segment_sum sum; /* of warps that have ended */
    struct umsim_segment_warp warp[UMSIM_BLOCK_THREADS_MAX / UMSIM_WARP_LANES];
};

struct umsim_count_noted;

/** Where the current thread notes: what the hooks need, those of segments and those of accesses (block.h). */
struct umsim_count_here {
    void *counters, *marks, *seen;
    const struct umsim_segment *latest;   /* that the thread came by */
    struct umsim_count_noted *next, *end; /* of accesses; NULL while no block is counted */
    uintptr_t uncounted;                  /* memory whose accesses are not: stacks, mostly */
    size_t uncounted_bytes;
    const struct umsim_segment **list; /* the end of the list of segments that were seen */
};
extern __thread struct umsim_count_here umsim_count_here __attribute__((tls_model("initial-exec")));

/** The thread `thread` of the block goes on. */
static inline void umsim_segments_enter(struct umsim_segment_counts *counts, size_t thread)
{
    struct umsim_segment_warp *warp = &counts->warp[counts->one_by_one ? 0 : thread / UMSIM_WARP_LANES];
    if (!counts->one_by_one)
        counts->latest[counts->running] = umsim_count_here.latest;
    counts->running = thread;
    umsim_count_here.latest = counts->one_by_one ? NULL : counts->latest[thread];
    umsim_count_here.counters = &warp->counter[0][thread % UMSIM_WARP_LANES];
    umsim_count_here.marks = warp->mark;
    umsim_count_here.seen = counts->seen;
}

/** The block begins. @param one_by_one the threads of a warp end before the next one's begin; then
 * umsim_segments_warp_ends() follows each */
void umsim_segments_begin(struct umsim_segment_counts *counts, size_t threads, bool one_by_one);
void umsim_segments_warp_ends(struct umsim_segment_counts *counts);

/** The block ended in the middle, with its kernel. */
void umsim_segments_forget(struct umsim_segment_counts *counts);

/** No block is counted: what the counting form notes is lost. */
void umsim_segments_leave(void);

/** The block has ended: adds up what its warps did, and clears the counters. */
struct umsim_segment_sum umsim_segments_sum(struct umsim_segment_counts *counts, size_t threads);

#endif
