/**
 * @file race.h
 * @brief Finds two accesses to one place that nothing puts in order.
 *
 * GPU process only.
 *
 * For each 4 bytes of memory that kernels may write (of __shared__ memory for each byte, where a block uses
 * parts of the 4) there are two shadow words: the last writer, and the first reader since then. Two accesses
 * of which at least one writes are a race, unless
 *  - one thread made both, or they belong to different launches that something puts in order
 *    (queue/unordered.h), or both of which make atomic or volatile accesses;
 *  - within a block, a barrier of the block lies between them or, for lanes of one warp, a barrier of the
 *    warp;
 *  - both are atomic, or one is and the other reads: in __shared__ memory only if the read's place guards
 *    atomics, `if (d < *best) atomicMin(...)` (pretest.h);
 *  - in __shared__ memory, one writes a volatile variable and the other polls it (elsewhere all volatile
 *    accesses count as atomic; here lanes of a warp hand their data on in this way, which is wrong);
 *  - a release of the earlier one's thread, or block, has been acquired by the later one's (order.h). Locks,
 *    flags and "the last block sums up" are written in this way;
 *  - within a block, the threads have waited for each other at an object of libcu++;
 *  - both write, and the later one writes the value that is there already (a flag that many threads set).
 *
 * What it misses:
 *  - A shadow word knows one writer and one reader, so of several accesses that race only the first is
 *    reported.
 *  - Different threads may use different bytes of one 4-byte word of global memory. These are kept apart only
 *    as long as their uses do not overlap in time.
 *  - Of launches that nothing puts in order 16 are compared with each.
 */
#ifndef UMSIM_CHECK_RACE_H
#define UMSIM_CHECK_RACE_H

#include "../include/umsim/abi.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Shadow words for 4 bytes (of __shared__ memory also for 1): the last writer, a reader. */
#define UMSIM_SHADOW_WORDS 2
#define UMSIM_SHADOWED_BYTES 4

/** One access, as far as races go. */
struct umsim_race_access {
    uintptr_t address;
    size_t bytes;
    const void *pc;
    bool is_write, is_atomic;
    bool is_shared; /* __shared__ memory */
    bool is_flags;  /* there: a volatile write, or a volatile read in a loop that waits for others */
};

/** Host process: reserves memory for the shadow words of the arenas and of __shared__ memory, sparse. */
bool umsim_race_start(void);
/** Host process: the GPU process is about to be started anew; what ran in the last one comes before all. */
void umsim_race_anew(void);
/** The shadow words of the memory at `p`, or NULL if it is in no arena. */
uint64_t *umsim_race_shadow(const void *p);
/** An atomic or volatile read: if the host can write there, it may tell the kernel in this way what is ready.
 * Nothing that host and kernel share counts as unordered then. */
void umsim_race_flag_read(uintptr_t p);
/** Host process, of shadow words: whether the last write is the launch's that ended as number `slot`, and
 * neither atomic nor volatile; whether the reader is that launch's. */
bool umsim_race_is_write_of(const uint64_t *shadow, unsigned slot);
/** The same, and it may be atomic or volatile. */
bool umsim_race_is_any_write_of(const uint64_t *shadow, unsigned slot);
bool umsim_race_is_read_of(const uint64_t *shadow, unsigned slot);
/** Whether the launch has written it, or (`by_reads`) read it, and has looked at no memory as at a flag. */
bool umsim_race_is_beside(const uint64_t *shadow, unsigned slot, bool by_reads);
/** Memory at [p, p + bytes) has become another allocation. */
void umsim_race_forget(const void *p, size_t bytes);

/** A launch begins; its block `index` begins. */
struct umsim_command;
void umsim_race_launch(const struct umsim_command *command);
void umsim_race_block(uint64_t index, bool goes_on);
/** The block that runs is put aside for another one. */
void umsim_race_put_aside(void);

/** Checks an access, and notes it.
 * @param shadow the shadow words of the access's first word */
void umsim_race_check(const struct umsim_race_access *access, uint64_t *shadow);

/** The same in __shared__ memory, at an offset in a worker's. */
void umsim_race_check_shared(const struct umsim_race_access *access, size_t offset);

/** How an access of the current thread would be compared now. */
struct umsim_race_standing {
    uint64_t stamp; /* what it would leave in a shadow word, but for its place */
    uint32_t unit, first_unit;
    unsigned barrier; /* the clock at the thread's last one */
    bool is_ordered;  /* all launches before are in order with this one */
    bool is_uniform;  /* another thread of the block would have the same, but for its number */
};
/** @return false: not by these alone, or the access before is not yet settled */
bool umsim_race_stands(struct umsim_race_standing *out);

/** What a place in the program adds to such a shadow word. */
uint64_t umsim_race_site(const void *pc);

/** All threads of the block are at a barrier. Lanes of a warp have met, for whatever. */
void umsim_race_barrier(void);
void umsim_race_met(unsigned first_thread, unsigned lanes);
/** The current thread has met lanes of its warp at a barrier. */
void umsim_race_warp_barrier(void);
/** The current thread has waited for others at an object of the library: for its whole block, or for some of
 * it. The next two: it has made a fence, which releases or only acquires; it is about to make an atomic or
 * volatile access. */
void umsim_race_synchronised(bool whole_block);
void umsim_race_fence(bool releases);
void umsim_race_atomic(uintptr_t p, bool is_write, bool is_shared);

/** What the current thread does from now on, atomics and fences, holds for its block only; or for all again.
 */
void umsim_race_block_scope(bool is_begun);

/** Checks what was put off until the access was made: see "both write" above. */
void umsim_race_settle(void);

#endif
