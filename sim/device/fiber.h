/**
 * @file fiber.h
 * @brief One GPU thread of a kernel whose threads wait for each other, and the order in which threads go on.
 *
 * GPU process only.
 *
 * A worker runs one thread of its block at a time. Threads that can go on, and those that stand at a barrier
 * of the block, form a ring; a wait switches to the next in it. Threads that wait for lanes of their warp are
 * outside the ring (blocked) until these have come; then they are put in where the last of them stands. So
 * nobody asks twice whether he may go on, and when the turn comes back to a thread at a barrier, all of the
 * ring have reached that barrier.
 */
#ifndef UMSIM_FIBER_H
#define UMSIM_FIBER_H

#include "nested.h"
#include "../include/umsim_abi.h"

#include <stdbool.h>

#define UMSIM_WARP_LANES 32
/** Of 64, 128, 256 and 512 threads, in a block of 1024: 16 + 8 + 4 + 2. */
#define UMSIM_WIDE_TILES 30
/** So many times the threads of a block ask in vain before another block has its turn: 20 to 50 us. Fewer of
 * one that has asked in vain before. */
#define UMSIM_PATIENCE 1000
#define UMSIM_PATIENCE_LATER 50

struct umsim_worker;

/** Where in the program a thread waits: the line of the call. */
struct umsim_place_in_source {
    const char *file;
    int line;
};

/** Why a thread is outside the ring. */
enum umsim_blocked {
    UMSIM_NOT_BLOCKED,
    UMSIM_IN_MEETING, /**< until the lanes of a mask have come */
    UMSIM_GATHERING,  /**< __activemask(), a loop that waits: until no other thread of the block can go on */
};

/** Why a block's turn is over. */
enum umsim_block_rests {
    UMSIM_BLOCK_ENDED,
    UMSIM_BLOCK_AT_GRID, /**< all of it stands at the grid's barrier */
    UMSIM_BLOCK_SPINS,   /**< its threads wait for what another block has to do, as far as can be told */
};

struct umsim_fiber {
    void *stack_pointer;
    struct umsim_fiber *next, *previous; /* the ring */
    uint3 index;
    unsigned generation; /* barriers reached */
    struct umsim_warp *warp;
    unsigned lane;
    enum umsim_blocked blocked;
    uint64_t result; /* of the thread's last operation of its warp */
    uint64_t cycles; /* of its clock (cycles.c) */
    struct umsim_caller caller;
    uint64_t brought;                    /* to its tile (umsim_tile_wait()) */
    const struct umsim_awaited *awaited; /* on its stack: what it waits for (turn.c), or NULL */
};

/** What is known of a block's threads that wait by asking again and again (turn.c). */
struct umsim_waits {
    unsigned asking;  /* how many wait now to be let go, to ask again */
    unsigned in_vain; /* ... of these have asked twice or more for what only this block can do */
    unsigned asked;   /* how many there were the last time */
    struct {
        unsigned phase, arrived;
    } tile[UMSIM_WIDE_TILES]; /* tiles of more than a warp */
};

/** Lanes that have come to one operation of their warp, with one mask. */
struct umsim_meeting {
    unsigned mask, arrived;
    enum umsim_warp_operation operation;
    struct umsim_place_in_source place; /* of the first to come */
};

struct umsim_warp {
    unsigned alive; /* lanes that exist and have not ended */
    unsigned open;  /* bit i: meeting[i] waits for lanes */
    unsigned gathering;
    /* what a lane brings: a value, or at a gathering the address of the call */
    uint64_t value[UMSIM_WARP_LANES];
    unsigned char source[UMSIM_WARP_LANES];
    struct umsim_meeting meeting[UMSIM_WARP_LANES];
    struct umsim_fiber *lanes; /* the warp's first thread */
};

/** Takes a thread out of the ring. */
static inline void umsim_ring_leave(struct umsim_fiber *it)
{
    it->previous->next = it->next;
    it->next->previous = it->previous;
}

/** Puts a thread into the ring behind another. */
static inline void umsim_ring_enter(struct umsim_fiber *it, struct umsim_fiber *after)
{
    it->previous = after;
    it->next = after->next;
    it->next->previous = it;
    after->next = it;
}

/** Goes on with `next`, and returns when the turn is this thread's (`me`) again. */
void umsim_fiber_switch(struct umsim_worker *worker, struct umsim_fiber *me, struct umsim_fiber *next);

/** @name One block on fibers
 * @{ */
/** Makes all threads of the block ready to run. */
void umsim_fibers_start_block(struct umsim_worker *worker);
/** Lets them run until all have ended, or wait for other blocks. */
enum umsim_block_rests umsim_fibers_go_on(struct umsim_worker *worker);
/** The turn goes back to the worker: the running thread (which is in the ring) waits for another block.
 * Returns when the block goes on. */
void umsim_fibers_leave_block(struct umsim_worker *worker, enum umsim_block_rests why);
/** All lanes of the block are alive and none waits. */
void umsim_fibers_prepare_warps(struct umsim_worker *worker);
/** The part of a waiting thread's stack that is in use. */
char *umsim_fiber_stack_low(const struct umsim_worker *worker, size_t thread);
char *umsim_fiber_stack_high(const struct umsim_worker *worker, size_t thread);
/** @} */

/** Before a thread's turn is given up for good: its warp no longer waits for it. It is still in the ring. */
void umsim_warp_lane_ends(struct umsim_worker *worker, struct umsim_fiber *me);

/** Waits until nobody else in the block can go on. @return which lanes of its warp that do so brought the
 * same key */
uint64_t umsim_gather(uint64_t key);

/** Before those who gather go on: whether it was in vain. Fails the kernel if so. */
void umsim_judge_waits(struct umsim_worker *worker);

/**
 * Nobody in the ring can go on, but somebody is blocked: lets those go on that asked who else is there,
 * behind `after` in the ring. @return the first of them. Where there are none the kernel fails: it would
 * hang.
 */
struct umsim_fiber *umsim_release_gathering(struct umsim_worker *worker, struct umsim_fiber *after);

#endif
