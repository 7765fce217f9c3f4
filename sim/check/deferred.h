/**
 * @file deferred.h
 * @brief Rows of accesses (rows.h) that are noted as such, and not in shadow words.
 *
 * Most accesses touch what nobody else touches in the launch, or read what all only read. Then their shadow
 * words matter to nobody, and to write them, 16 bytes for each 4, costs more than all else. So a question's
 * rows go into a log. Bits for each 4 bytes say whether the launch (of `__shared__` memory: the block since
 * its last barrier) has written them, or read them. As long as these show that
 *  - what a row reads has not been written,
 *  - what it writes has been neither read nor written,
 * it is in order with all of them, without a look at shadow words.
 *
 * A third bit says that it is the log that knows. Before shadow words of such 4 bytes are used, all that is
 * in the log is stored in shadow words, one row after another as the accesses were made, with the stamps that
 * they had: the same words as if there had been no log.
 *
 * What was accessed before a barrier of the block comes before all that follows, and so does what was
 * accessed before a launch that is in order with all launches before. So `__shared__` memory's log is emptied
 * at a barrier, and the other one when a launch begins. Then only the host may still ask what an earlier
 * launch has used (beside.h): it settles the log before it asks, and a launch that begins before the host has
 * waited for the one before does so, too.
 *
 * Only memory of cudaMalloc() and the like, which the host cannot touch, and `__shared__` memory.
 */
#ifndef UMSIM_CHECK_DEFERRED_H
#define UMSIM_CHECK_DEFERRED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UMSIM_CHUNK_BYTES 256 /* 64 words of 4 bytes, as a number has bits */

struct umsim_chunk {
    uint64_t written, read, logged; /**< a bit for each word; hold for these numbers: */
    uint32_t since;                 /**< of the first two: umsim_deferred_since[] */
    uint32_t log;                   /**< of the third: umsim_deferred_log[] */
    uint32_t full;  /**< of `__shared__` memory: the block (umsim_quick.block) that has written all of it */
    uint32_t split; /**< likewise: the block's number that has used parts of words */
};

/** Of all memory; of `__shared__` memory: the launch, or the interval between barriers; the log. */
extern uint32_t umsim_deferred_since[2], umsim_deferred_log[2];

/** Where the chunk of address 0 would be, of memory at `p`; 0: it has none. */
uintptr_t umsim_deferred_chunks(uintptr_t p);
/** The same of a worker's `__shared__` memory, which begins at `start`. */
uintptr_t umsim_deferred_shared_chunks(uintptr_t start);

static inline struct umsim_chunk *umsim_chunk_of(uintptr_t chunks, uintptr_t p)
{
    return (struct umsim_chunk *)(chunks + p / UMSIM_CHUNK_BYTES * sizeof(struct umsim_chunk));
}

/** Host process, before the fork: reserves memory, sparse. */
void umsim_deferred_start(void);
/** Host process: what ended launches have used is in shadow words now. */
void umsim_deferred_settle(void);
/** Host process: the GPU process is about to be started anew, whose numbers begin again. */
void umsim_deferred_anew(void);

/** @name GPU process @{ */
/** A launch begins. @param number of the host's launches; 0: another one. @param waited_for when it was
 * issued, the host had waited for all up to this number. It has ended. */
void umsim_deferred_launch(uint64_t number, uint64_t waited_for);
void umsim_deferred_launched(void);
/** A block begins, or all of its threads are at a barrier. */
void umsim_deferred_barrier(void);

/** Shadow words are about to be used for an access to [p, p + bytes). */
void umsim_deferred_use(uintptr_t chunks, uintptr_t p, size_t bytes, bool is_write, bool is_shared);

/** The same of an aligned access, if the log knows nothing of it. @return false: nothing was done */
static inline __attribute__((always_inline)) bool
umsim_deferred_may_use(uintptr_t chunks, uintptr_t p, size_t bytes, bool is_write, bool is_shared)
{
    struct umsim_chunk *const it = umsim_chunk_of(chunks, p);
    const unsigned at = p / 4 % 64, words = bytes > 4 ? (unsigned)(bytes / 4) : 1;
    const uint64_t bits = ((UINT64_C(1) << words) - 1) << at;
    if (it->since != umsim_deferred_since[is_shared] || at + words > 64 ||
        (it->log == umsim_deferred_log[is_shared] && it->logged & bits))
        return false;
    if (is_write)
        it->written |= bits;
    else
        it->read |= bits;
    return true;
}

/** A part of a word of `__shared__` memory has shadow words of its own (race_memory.h). */
void umsim_deferred_split(size_t offset, uint32_t unit);

struct rows;
/** Notes all rows. @return false: nothing was done, as some are not in order by what is known here */
bool umsim_deferred_take(const struct rows *r);
/** Shadow words are about to be used for all rows. */
void umsim_deferred_use_rows(const struct rows *r);
/** @} */

#endif
