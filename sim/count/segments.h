/**
 * @file segments.h
 * @brief What a block's warps do beside their accesses: instructions by class, and how lanes part.
 *
 * Where a segment of instructions begins, the counting form calls umsim_hook_segment() (umcc/segments.h), or
 * the first access of the segment says which it is in. That is noted with the thread's accesses, and later
 * (way.c) adds one to the counter that the lane has for the segment. On a GPU a warp runs a segment once for
 * all lanes that come to it together. How often that is follows from the lanes' counters when the block has
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
#include "arena.h"

/** A segment's place is what the lowest 16 bits of its entry's address say. So of one file's segments so
 * many have places of their own, and a launch comes to few. */
#define UMSIM_SEGMENTS (65536 / sizeof(struct umsim_segment))
#define UMSIM_SEGMENT_MARKS 256
#define UMSIM_SEGMENT_WARPS (UMSIM_BLOCK_THREADS_MAX / UMSIM_WARP_LANES)

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

/** What the lanes of a warp have at a segment's place. */
struct umsim_segment_lanes {
    uint32_t counter[UMSIM_WARP_LANES];
    uint32_t mark[UMSIM_SEGMENT_MARKS / 32]; /* a bit each */
};

/** The counters of a block. */
struct umsim_segment_counts {
    const struct umsim_segment *list[UMSIM_SEGMENTS]; /* those that threads came by */
    const struct umsim_segment **list_end;
    struct umsim_segment_visits visits[UMSIM_SEGMENTS];          /* of the warp in hand */
    uint32_t stamp;                                              /* of that warp */
    const struct umsim_segment *latest[UMSIM_BLOCK_THREADS_MAX]; /* that each thread came by */
    bool one_by_one; /* a warp ends before the next one begins: all use the first one's counters */
    struct umsim_segment_sum sum; /* of warps that have ended */
    size_t warps;
    struct umsim_segment_lanes *lanes[UMSIM_SEGMENTS]; /* at a place that was seen: of each warp */
    struct umsim_count_arena *memory;                  /* where they are */
};
/** The most that it takes from there. */
#define UMSIM_SEGMENT_BYTES (UMSIM_SEGMENTS * UMSIM_SEGMENT_WARPS * sizeof(struct umsim_segment_lanes))

/** What the current thread did, as the hooks note it: an access, or a segment that it came by (address 0). */
struct umsim_count_noted {
    uint64_t p;
    uint64_t key; /* UMSIM_COUNT_KEY: of accesses with one key all but the address is alike */
} __attribute__((aligned(16)));

/** The instruction or the segment, and of accesses how many bytes, and how. */
#define UMSIM_COUNT_KEY(what, bytes, how)                                                                    \
    ((uint64_t)(uintptr_t)(what) | (uint64_t)(bytes) << 48 | (uint64_t)(how) << 56)
#define UMSIM_COUNT_KEY_OF(key) ((key) & ((UINT64_C(1) << 48) - 1))
#define UMSIM_COUNT_KEY_BYTES(key) ((key) >> 48 & 0xff) /* 0: a segment */
#define UMSIM_COUNT_KEY_HOW(key) ((key) >> 56 & 0x3f)
/** A segment that was counted before its place in the log was reached. */
#define UMSIM_COUNT_KEY_DONE (UINT64_C(1) << 62)
/** An access that begins a segment, too, which umsim_segment_behind() the call finds. */
#define UMSIM_COUNT_KEY_FIRST (UINT64_C(1) << 63)

/** Lines of the log. Accesses leave half of it to segments. */
#define UMSIM_COUNT_LOG 1024
#define UMSIM_COUNT_LOG_BYTES ((intptr_t)(UMSIM_COUNT_LOG * sizeof(struct umsim_count_noted)))
#define UMSIM_COUNT_ACCESSES_END (-UMSIM_COUNT_LOG_BYTES / 2)

struct umsim_count_memory {
    uintptr_t begin;
    size_t bytes;
};

/** Where the current thread notes. */
struct umsim_count_here {
    char *log_end;     /* NULL while no block is counted */
    intptr_t at;       /* the next line, from there, in bytes; 0: the log is full */
    uint64_t segments; /* whether segments are noted */
    /* accesses are noted as they come while `at` is below this; beyond it umsim_count_access_now() sees */
    intptr_t accesses_end;
    /* Lanes that follow others: as long as each notes as much as is to be expected, one's notes are behind
     * the other's, and only later compared with what was. The log moves along with them. */
    intptr_t row_next;   /* `at` where the current one has done so; UMSIM_COUNT_NO_ROW: there is no row */
    intptr_t row_bytes;  /* what each notes, but for what all have in common */
    unsigned row_thread; /* the current one */
    unsigned row_end;    /* as far as there is space */
    /* memory whose accesses are counted; and whose are not: stacks, parameters, and what else is of no
     * account in this block */
    struct umsim_count_memory counted[2], uncounted[3];
    unsigned latest_counted, latest_uncounted;
};
#define UMSIM_COUNT_NO_ROW 1 /* where no line of the log is */
extern __thread struct umsim_count_here umsim_count_here __attribute__((tls_model("initial-exec")));

static inline __attribute__((always_inline)) size_t umsim_segment_place(const struct umsim_segment *it)
{
    return (uintptr_t)it % 65536 / sizeof *it;
}

/** The segment whose first access made the call that returns to `pc`. What stands there says how far from it
 * the segment is (umcc_machine.first): the constant of an instruction whose result nobody uses, or a word
 * that is jumped over. */
static inline __attribute__((always_inline)) const struct umsim_segment *umsim_segment_behind(uintptr_t pc)
{
#ifdef __x86_64__
    const uintptr_t word = pc + 3, from = word + 4;
#else
    const uintptr_t word = pc + 4, from = word;
#endif
    int32_t distance;
    __builtin_memcpy(&distance, (const void *)word, sizeof distance);
    return (const struct umsim_segment *)(from + (uintptr_t)(intptr_t)distance);
}

/** The counters that a thread's warp has at a place that was seen. */
static inline __attribute__((always_inline)) uint32_t *
umsim_segment_counter(const struct umsim_segment_counts *counts, size_t thread, size_t place)
{
    return counts->lanes[place][counts->one_by_one ? 0 : thread / UMSIM_WARP_LANES].counter;
}

/** A thread comes by a segment. */
static inline __attribute__((always_inline)) void
umsim_segment_visit(struct umsim_segment_counts *counts, size_t thread, const struct umsim_segment *it)
{
    const size_t place = umsim_segment_place(it),
                 loop = umsim_segment_place((const struct umsim_segment *)((const char *)it + it->loop)),
                 lane = thread % UMSIM_WARP_LANES, warp = counts->one_by_one ? 0 : thread / UMSIM_WARP_LANES;
    if (__builtin_expect(!counts->lanes[place], 0)) {
        counts->lanes[place] = umsim_count_take(counts->memory, counts->warps * sizeof *counts->lanes[0]);
        *counts->list_end++ = it;
    }
    struct umsim_segment_lanes *lanes = &counts->lanes[place][warp];
    if (it->loop) {
        const uint32_t pass = counts->lanes[loop] ? counts->lanes[loop][warp].counter[lane] : 0;
        lanes->mark[pass % UMSIM_SEGMENT_MARKS / 32] |= UINT32_C(1) << pass % 32;
    }
    lanes->counter[lane]++;
}

/** The block begins, and its arena is empty. @param one_by_one the threads of a warp end before the next
 * one's begin; then umsim_segments_warp_ends() follows each but the last */
void umsim_segments_begin(struct umsim_segment_counts *counts, size_t threads, bool one_by_one);
void umsim_segments_warp_ends(struct umsim_segment_counts *counts);

/** The block has ended: adds up what its warps did. */
struct umsim_segment_sum umsim_segments_sum(struct umsim_segment_counts *counts, size_t threads);

#endif
