/**
 * @file loops.h
 * @brief Where the segments of a function lead, and which loops they make (segments.h).
 */
#ifndef UMCC_LOOPS_H
#define UMCC_LOOPS_H

#include "segments.h"

#define UMCC_NONE (-1)

/** A segment, and where it leads. */
struct umcc_segment {
    int first, last; /* lines, from its first instruction to its last */
    int next[2], above, order;
    int header;  /* the innermost loop that it is in: that loop's first segment */
    int latch;   /* of a loop's first segment: the last one of a pass */
    int told_by; /* a segment that each way comes by as often, and first: one note tells of both; or itself */
    bool is_header, is_guard;
    enum umcc_share { UMCC_GOES_ON, UMCC_TO_LOOP, UMCC_TO_THREAD, UMCC_TO_BLOCK } share; /* who goes on */
    enum umcc_owner {
        UMCC_AS_BEFORE,
        UMCC_KERNEL, /* what it does is the kernel's */
        UMCC_LOOP    /* it belongs to the loop over a block's threads, which a GPU does not have */
    } owner;
    unsigned work[UMSIM_WORK_CLASSES], unrolled;
};

/** The segments of a function; the first is where it begins. */
struct umcc_flow {
    struct umcc_arena *arena;
    struct umcc_segment *segment;
    int segments;
    bool is_left; /* jumps to what lies elsewhere, and may come back */
};

/** Finds loops: all that a segment has but its lines and where it leads. */
void umcc_find_loops(const struct umcc_flow *flow);

/** @return whether the only way out of the loop is behind its last segment, so that its passes can be
 * reckoned */
bool umcc_ends_at_latch(const struct umcc_flow *flow, int header);

/** Finds which segments tell of others: both are in one loop, and between them nothing tells whose they are.
 */
void umcc_find_tellers(const struct umcc_flow *flow);

/** @return the segment from which the loop is come to; UMCC_NONE if there are several */
int umcc_entry_of(const struct umcc_flow *flow, int header);

#endif
