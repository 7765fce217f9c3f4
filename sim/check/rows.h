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

#include <stddef.h>
#include <stdint.h>

/** An access of a loop, as the plugin writes it down (sim/umcc/rows/loops.cpp), is one number, which lies
 * where the program may only read: its bytes (4, 8, 16), and UMSIM_ROWS_WRITE. Its address stands for it. */
#define UMSIM_ROWS_WRITE 256
#define UMSIM_ROWS_MAX 16   /**< of a loop */
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

/** Where it is in the first pass, and what each pass adds, modulo 2 to the power of 64. */
struct umsim_row {
    uint64_t first, step;
};

/** What the plugin makes loops ask.
 * @param threads -1: all passes are the current thread's; else each is the next thread's of the block, which
 * run alone, from the block's first on (0) or not (1)
 * @param ok 0: the rows are not these
 * @return whether the accesses have been made, as far as checks go; the last pass's thread is the current one
 */
int umsim_rows(const uint64_t *access, uint64_t count, uint64_t passes, const struct umsim_row *row, int ok,
               int threads);

#endif
