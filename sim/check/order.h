/**
 * @file order.h
 * @brief What puts the threads of one launch in order: barriers, and releases with the acquires that see
 * them.
 *
 * Each block has a clock. It goes on at a barrier of the block and at a thread's fence, if something was
 * accessed since; shadow words hold its value. So a fence of a thread is a moment: what the thread accessed
 * before has a smaller number. What other threads had accessed before their last barrier with it, or meeting
 * of lanes, belongs to it, too.
 *
 * A release is an atomic or volatile write behind a fence, to an address. It is kept with the fence's moment.
 * An acquire is an atomic or volatile access to that address later, and then a fence, or a barrier, or a
 * meeting of the warp; volatile and atomic accesses behind it need no fence to see what was released. What a
 * block knows is, for each address, up to when it has seen its releases; a release hands that on to the
 * address, and an acquire takes it from there. So order goes on from block to block by different addresses.
 *
 * Where this is not exact, it takes accesses as ordered:
 *  - addresses share OBJECTS places by a remainder;
 *  - what one thread of a block acquires from another block, all its threads know;
 *  - within a block only moments count, not addresses;
 *  - a compare-and-swap that fails counts as a write;
 *  - behind a barrier of libcu++ that not all threads of the block use, the thread's accesses are no longer
 *    compared within the block;
 *  - beyond EPOCH_MAX moments of a block, or RECORDS releases of a launch, nothing is compared.
 *
 * GPU process only; one worker runs all.
 */
#ifndef UMSIM_CHECK_ORDER_H
#define UMSIM_CHECK_ORDER_H

#include "shadow_word.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Host process: reserves memory. */
void umsim_order_start(void);
/** Host process: the GPU process is about to be started anew, and knows nothing of what the last one kept. */
void umsim_order_anew(void);

/** A launch begins, whose blocks are numbered from `first_unit`; one of its blocks begins, or goes on; the
 * block that runs is put aside for another one. */
void umsim_order_launch(uint32_t first_unit);
void umsim_order_block(uint32_t unit, size_t threads, bool goes_on);
void umsim_order_put_aside(void);

/** Goes on whenever a stamp that was given may have become another one. Then quick.h has no thread's. */
extern unsigned umsim_order_version;

/** Whether all threads of the block would have the same stamp now, but for their numbers: they have passed
 * the same barriers, and no lanes have met since. */
bool umsim_order_is_uniform(void);

/** What an access of thread `me` that is made now has in its shadow word, but for its place.
 * @param barrier becomes the block's clock at the thread's last barrier */
struct shadow_word umsim_order_stamp(unsigned me, uint16_t *barrier);

/** Whether nothing but fences lies between an earlier access of this block and one of a thread now. */
static inline bool umsim_order_same_interval(const struct shadow_word *before, uint16_t barrier)
{
    return before->epoch >= barrier && before->epoch != EPOCH_MAX;
}

/** Whether that is so, and no fence at all: no release can put them in order. */
bool umsim_order_nothing_between(const struct shadow_word *before, unsigned me);

/** Whether the access in `before`, of this launch, comes before what thread `me` does now.
 * @param is_flag that is an atomic or volatile access, for which no fence is asked */
bool umsim_order_knows(const struct shadow_word *before, unsigned me, bool is_flag);

/** After that said no: whether its block has made an atomic write since then that this block has seen, so
 * that a fence is missing on one of the two sides. */
bool umsim_order_lacks_fence(const struct shadow_word *before);

/** All threads of the block are at a barrier; lanes of a warp have met. */
void umsim_order_barrier(void);
void umsim_order_met(unsigned first_thread, unsigned lanes);

/** Thread `me` has passed a barrier of its warp; has waited for its whole block, or others, in other ways. */
void umsim_order_warp_barrier(unsigned me);
void umsim_order_synchronised(unsigned me, bool whole_block);

/** Thread `me` makes a fence, which releases or only acquires; makes an atomic or volatile access, which
 * other blocks may see or only its own. */
void umsim_order_fence(unsigned me, bool releases, bool of_block);
void umsim_order_atomic(unsigned me, uintptr_t p, bool is_write, bool for_all);

#endif
