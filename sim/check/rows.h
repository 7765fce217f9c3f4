/**
 * @file rows.h
 * @brief All accesses of a loop, judged before it begins.
 *
 * g++, with umcc's plugin (sim/umcc/rows/), asks umsim_rows() in front of a loop whose accesses are at evenly
 * spaced addresses. If the short way (quick.h) is sure to pass each of them, their effects are stored here,
 * and the loop runs without hooks. Else it runs with them, as if nobody had asked.
 *
 * What is sure is told from what is known before the loop. So it has to stay sure while the loop's own
 * accesses are made. It does (quick_may_read(), quick_may_write()) where
 *  - one thread makes all of them;
 *  - each pass is another thread's, and what one writes no other one touches.
 * Anything else is not sure. What is stored is what the passes would have stored, one after another: in their
 * order, unless the order makes no difference.
 *
 * A place in the program is known to the short way from its last access by the long way. So the first passes
 * of a launch are made with hooks. These write down where they are, because reports name the place behind the
 * call, and the loop without hooks has none.
 *
 * GPU process; in the host's the answer is always no.
 */
#ifndef UMSIM_CHECK_ROWS_H
#define UMSIM_CHECK_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** An access of a loop, as the plugin writes it down (sim/umcc/rows/loops.cpp), is one number, which lies
 * where the program may only read: its bytes (4, 8, 16), and UMSIM_ROWS_WRITE. Its address stands for it. */
#define UMSIM_ROWS_WRITE 256
#define UMSIM_ROWS_MAX 64   /**< of a loop */
#define UMSIM_ROWS_LEAST 64 /**< in all passes of one thread: the question costs as much as some hooks */

/** Where accesses were made with a hook, by the last bits of the addresses that stand for them. */
#define UMSIM_ROWS_PLACES 8192
extern struct umsim_rows_place {
    const uint64_t *access;
    const void *pc; /**< NULL: g++ has made several calls of this one */
} umsim_rows_places[UMSIM_ROWS_PLACES];

static inline struct umsim_rows_place *umsim_rows_place_of(const uint64_t *access)
{
    return &umsim_rows_places[(uintptr_t)access / sizeof *access % UMSIM_ROWS_PLACES];
}

/** Such an access is made with a hook, at `pc`. */
static inline void umsim_rows_note(const uint64_t *access, const void *pc)
{
    struct umsim_rows_place *const place = umsim_rows_place_of(access);
    if (__builtin_expect(place->access == access && place->pc == pc, 1))
        return;
    place->pc = place->access == access ? NULL : pc;
    place->access = access;
}

/** Where an access is in the first pass, and what each pass adds, modulo 2 to the power of 64. In each pass
 * it is made `inner` times, each `inner_step` further on, by a loop inside; `loop` is that one's number, 0:
 * it is in none. */
struct umsim_row {
    uint64_t first, step, inner, inner_step, loop;
};

/** Of a loop over threads: a number that has to be below 0 (UMSIM_ROWS_BELOW), or not (UMSIM_ROWS_NOT_BELOW),
 * in each pass that makes the accesses. It has a sign, and lies far from where 64 bits end. */
struct umsim_rows_condition {
    int64_t first, step;
    uint64_t kind;
};
enum { UMSIM_ROWS_BELOW, UMSIM_ROWS_NOT_BELOW };

/** What the plugin makes loops ask. */
struct umsim_rows_question {
    uint64_t count; /**< of accesses */
    uint64_t passes;
    uint64_t ok;         /**< 0: the rows are not these */
    uint64_t threads;    /**< all ones: all passes are the current thread's; else each is the next thread's of
                            the block, which run alone, from this one on */
    uint64_t conditions; /**< how many there are */
};

/** @return how many passes' accesses have been made, as far as checks go: from the first on, and either none
 * or, in a loop of one thread, all. The last of these passes' threads is the current one. Behind them, or
 * where there are none behind the passes of which it is clear that they need hooks, the loop over threads is
 * to be left, and comes back (umsim_rows_cut) */
uint64_t umsim_rows(const uint64_t *access, const struct umsim_rows_question *question,
                    const struct umsim_row *row, const struct umsim_rows_condition *condition);

/** How many passes of a loop over threads are left for its next part. */
extern unsigned umsim_rows_cut;
/** No pass that is left makes an access. */
extern bool umsim_rows_idle;

#endif
