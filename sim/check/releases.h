/**
 * @file releases.h
 * @brief The releases of a launch (order.h says what one is): which accesses each one covers, and who has
 * seen it.
 *
 * GPU process only.
 */
#ifndef UMSIM_CHECK_RELEASES_H
#define UMSIM_CHECK_RELEASES_H

#include "shadow_word.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A fence. What its thread accessed before `clock` belongs to it, and what the block accessed before
 * `barrier`, and lanes of the warp before meeting `warp` since then. */
struct umsim_moment {
    uint16_t clock, barrier;
    uint8_t warp;
    bool is_made;
};

/** Places of addresses. A prime number, so that few arrays of locks share one. */
#define UMSIM_OBJECTS 61

/** What a block knows: for each place the tick up to which it has seen its releases; and, of that, what a
 * fence stands behind. */
struct umsim_knowledge {
    uint32_t seen[UMSIM_OBJECTS], knows[UMSIM_OBJECTS];
    bool waits; /* for such a fence */
    uint32_t tick;
};

struct umsim_release {
    uint32_t next; /* the block's one before this; 0: none */
    uint32_t tick;
    struct umsim_moment fence, fence_all; /* the last one; the last one that holds for all blocks */
    uint16_t thread, at;                  /* the block's clock */
    uint8_t object;
};

/** Host process: reserves memory. */
void umsim_releases_start(void);
/** As umsim_order_anew(). */
void umsim_releases_anew(void);
/** A launch begins. */
void umsim_releases_launch(uint32_t first_unit);

/** The time of the launch: it counts atomic writes. */
uint32_t umsim_releases_tick(void);

/** A block makes an atomic access to `p`; makes a fence after some. */
void umsim_releases_see(struct umsim_knowledge *block, uintptr_t p);
void umsim_releases_acquire(struct umsim_knowledge *block);

/** A thread makes an atomic write to `p`. It is a release if one of its fences was made.
 * @param last the thread's last release
 * @return the tick of it */
uint32_t umsim_releases_add(uint32_t unit, const struct umsim_release *release, uintptr_t p,
                            struct umsim_knowledge *block, uint32_t *last);

/** The same, without any fence. */
void umsim_releases_none(uint32_t unit);

/** Whether an access is covered by a release of its own block up to a tick; by one that another block knows,
 * with its fence, or (`seen`) without. */
bool umsim_releases_within(const struct shadow_word *before, uint32_t tick);
bool umsim_releases_between(const struct shadow_word *before, const struct umsim_knowledge *block, bool seen);

/** Whether the access's block has made an atomic write since then that `block` has seen. */
bool umsim_releases_without_fence(const struct shadow_word *before, const struct umsim_knowledge *block);

#endif
