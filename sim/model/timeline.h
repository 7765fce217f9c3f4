/**
 * @file timeline.h
 * @brief Virtual time of the devices' engines: which operation starts when.
 *
 * To use it:
 *  1. Call umsim_timeline_init().
 *  2. Collect the operations that have been issued and not yet settled into an array of struct umsim_item.
 *  3. Call umsim_timeline_settle(), which writes the start and end of each.
 *
 * The caller keeps the streams' tails (the end of a stream's last settled operation) and puts them into
 * `ready_ns`.
 *
 * Each engine does one operation at a time. Earlier settling may have left a gap between two operations; a
 * later operation that fits takes it, as a copy issued on another stream would have done. The same calls give
 * the same times: nothing here depends on addresses, on real time or on threads. It allocates nothing, and is
 * not thread-safe: the caller holds its clock's lock.
 */
#ifndef UMSIM_TIMELINE_H
#define UMSIM_TIMELINE_H

#include "profile.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The device's engines. */
enum umsim_engine {
    UMSIM_ENGINE_NONE,      /**< occupies nothing: event records, waits, host functions */
    UMSIM_ENGINE_COMPUTE,   /**< kernels, memset, device-to-device copies */
    UMSIM_ENGINE_COPY_HTOD, /**< host-to-device copies */
    UMSIM_ENGINE_COPY_DTOH, /**< device-to-host copies */
    UMSIM_ENGINE_PEER,      /**< copies to a peer, over the link between devices */
    UMSIM_LINK_IN,  /**< no engine, but what several engines share: what comes to a device from others */
    UMSIM_LINK_OUT, /**< ... and what goes from it to them */
    UMSIM_ENGINES   /**< how many */
};

/** The engines of several devices lie one behind the other: what does an operation is its line. With one
 * device a line is the engine's number. */
#define UMSIM_LINES (UMSIM_ENGINES * UMSIM_DEVICES_MAX)

static inline unsigned umsim_line(unsigned device, enum umsim_engine engine)
{
    return device * UMSIM_ENGINES + (unsigned)engine;
}

/** Whether the line is an engine, and not UMSIM_ENGINE_NONE of a device. */
static inline int umsim_line_is_engine(unsigned line)
{
    return line % UMSIM_ENGINES != UMSIM_ENGINE_NONE;
}

/** Busy intervals remembered for each engine. When one more does not fit, the oldest gaps are given up (they
 * count as busy). */
#define UMSIM_TIMELINE_INTERVALS 1024

/** An interval of time in which an engine is busy, nanoseconds: from `start` up to, not including, `end`. */
struct umsim_interval {
    uint64_t start, end;
};

/** One engine's past and planned work: disjoint intervals, not touching each other, in rising order. */
struct umsim_engine_line {
    size_t count;
    struct umsim_interval busy[UMSIM_TIMELINE_INTERVALS];
    uint64_t tail_ns; /**< end of the last interval there ever was */
    uint64_t busy_ns; /**< sum of all durations ever placed */
};

/** All engines: about 80 KiB of plain data for each device, which may be in shared memory. */
struct umsim_timeline {
    unsigned devices; /**< how many; 0 is 1 */
    struct umsim_engine_line engines[UMSIM_LINES];
    uint64_t floor_ns; /**< no later operation may start before this */
};

/** Empties the timeline of one device: every engine is free from time 0. */
void umsim_timeline_init(struct umsim_timeline *timeline);

/**
 * Occupies the engine for `duration_ns` as early as possible, but not before `ready_ns` (nor the floor): in
 * the first gap that is long enough, else after everything. Duration 0 occupies nothing, and starts when the
 * engine is next free.
 * @return the start. For UMSIM_ENGINE_NONE that is max(ready, floor).
 */
uint64_t umsim_timeline_place(struct umsim_timeline *timeline, unsigned line, uint64_t ready_ns,
                              uint64_t duration_ns);

/** The start that umsim_timeline_place() would give now. Changes nothing. */
uint64_t umsim_timeline_peek(const struct umsim_timeline *timeline, unsigned line, uint64_t ready_ns,
                             uint64_t duration_ns);

/**
 * Forgets what lies before `floor_ns`. No later item may be ready before that time, so it is the least of all
 * host threads' virtual times and of the issue times still waiting. Gaps before it can no longer be used.
 * Never lowers the floor. Calling it is optional, and cheap.
 */
void umsim_timeline_prune(struct umsim_timeline *timeline, uint64_t floor_ns);

/** When the engine's last planned operation ends; 0 when it never had one. */
uint64_t umsim_timeline_tail(const struct umsim_timeline *timeline, unsigned line);

/** How many lines the timeline has. */
unsigned umsim_timeline_lines(const struct umsim_timeline *timeline);

/** A line that an operation takes beside its own, from its start on, for as long as this: what is on a
 * device's link is in nobody else's way but there. */
struct umsim_share {
    unsigned line;
    uint64_t duration_ns;
};
enum { UMSIM_SHARES_MAX = 4 };

/** One operation to be settled. The caller fills the first part; settling writes `start_ns` and `end_ns`. */
struct umsim_item {
    unsigned line; /**< umsim_line() */
    uint64_t duration_ns;
    uint64_t issue_ns; /**< host's virtual time when the operation was issued: it never starts earlier */
    uint64_t ready_ns; /**< earliest start for reasons outside the set: settled stream tail, settled events */
    uint64_t issue_number; /**< the order of issue, unique; breaks ties */
    /** indices, in the same array, of the items that must have ended; NULL if none */
    const uint32_t *dependencies;
    uint32_t dependency_count;
    uint64_t start_ns;               /**< result */
    uint64_t end_ns;                 /**< result: start + duration */
    const struct umsim_share *share; /**< all are free when it starts; NULL if none */
    unsigned share_count;
};

/** The same as umsim_timeline_place() and its kind for an operation with all that it takes. @{ */
uint64_t umsim_timeline_peek_item(const struct umsim_timeline *timeline, const struct umsim_item *item,
                                  uint64_t ready_ns);
uint64_t umsim_timeline_place_item(struct umsim_timeline *timeline, const struct umsim_item *item,
                                   uint64_t ready_ns);
/** @} */

/** The results of umsim_timeline_settle(). */
enum umsim_settle {
    UMSIM_SETTLED = 0,
    UMSIM_SETTLE_CYCLE,     /**< items wait for each other: those not placed keep start = end = UINT64_MAX */
    UMSIM_SETTLE_BAD_INDEX, /**< a dependency is not in the set; nothing was placed */
    UMSIM_SETTLE_SCRATCH    /**< scratch memory too small; nothing was placed */
};

/** Bytes of scratch memory that settling these items needs (about 24 an item and 4 a dependency). */
size_t umsim_timeline_scratch(const struct umsim_item *items, size_t count);

/**
 * Schedules a set of operations. Of all whose dependencies have been placed, it places the one with the least
 * (start, ready, issue number), again and again. Here ready = max(issue, ready_ns, ends of its dependencies),
 * and start is the first time at which its engine, and each line of which it has a share, can take it. This
 * takes O((n + dependencies) log n) when no gaps are left over; each gap costs one examination of each item
 * that could fill it.
 *
 * @param scratch       memory aligned to 8 bytes, contents irrelevant before and after
 * @param scratch_bytes at least umsim_timeline_scratch(items, count)
 */
enum umsim_settle umsim_timeline_settle(struct umsim_timeline *timeline, struct umsim_item *items,
                                        size_t count, void *scratch, size_t scratch_bytes);

#ifdef __cplusplus
}
#endif
#endif
