/**
 * @file pretest.h
 * @brief Tells plain reads of __shared__ memory that only guard an atomic from those that race with it.
 *
 * `if (d < *best) atomicMin(best, d)` reads what other threads change. It is right, because the atomic looks
 * again. A read of a histogram that others still add to is wrong. What tells them apart is what the reader
 * does next: if any thread that has read at this place then makes an atomic access to the same address, the
 * place guards atomics, also for the threads that do not make one. That is known when the launch has ended,
 * so races are kept until then. A wrong place at which some thread goes on in the same way is missed. GPU
 * process only; one worker runs all.
 */
#ifndef UMSIM_CHECK_PRETEST_H
#define UMSIM_CHECK_PRETEST_H

#include "finding.h"
#include "../worker/worker.h"

/** A thread's last reads. */
#define UMSIM_PRETEST_READS 4 /* between a read that guards and its atomic there may be others */
struct umsim_pretest_reads {
    uint64_t of;    /* the thread: its number, and above that its block's */
    unsigned count; /* that it has made */
    struct {
        uintptr_t address;
        const void *pc;
    } last[UMSIM_PRETEST_READS];
};

/** A launch begins. */
void umsim_pretest_launch(bool by_thread);

/** Thread `thread` of block `unit` makes an atomic access. @param place_of the number of a place in the
 * program */
void umsim_pretest_atomic(unsigned thread, uint32_t unit, uintptr_t address,
                          unsigned (*place_of)(const void *pc));

/** Of each thread of a block the plain reads that it has made last. */
extern struct umsim_pretest_reads umsim_pretest_reads[UMSIM_BLOCK_THREADS_MAX];

/** Whether threads come again after others have run. Those that run one after another need one place. */
extern bool umsim_pretest_by_thread;

/** Where those of the current thread are kept, which is `thread` of block `unit`. */
static inline struct umsim_pretest_reads *umsim_pretest_reads_of(unsigned thread, uint32_t unit)
{
    struct umsim_pretest_reads *const it = &umsim_pretest_reads[umsim_pretest_by_thread ? thread : 0];
    const uint64_t of = (uint64_t)unit << 32 | thread;
    if (it->of != of) {
        it->of = of;
        it->count = 0;
    }
    return it;
}

/** Adds one to them: at `pc` the thread reads plainly. */
static inline void umsim_pretest_note(struct umsim_pretest_reads *reads, uintptr_t address, const void *pc)
{
    const unsigned at = reads->count++ % UMSIM_PRETEST_READS;
    reads->last[at].address = address;
    reads->last[at].pc = pc;
}

/** What threads of a block have read last, noted for all of them at once: thread `first + n` has read at each
 * `address + n * step`, in this order; `all` says how many reads each has made. At most UMSIM_PRETEST_READS.
 */
struct umsim_pretest_rows {
    uint32_t unit;
    unsigned first, threads, all, some;
    struct {
        uintptr_t address;
        uint64_t step;
        const void *pc;
    } last[UMSIM_PRETEST_READS];
};

/** Notes that. It is kept as it is until a thread makes an access of its own (umsim_pretest_settle()). */
void umsim_pretest_note_rows(const struct umsim_pretest_rows *rows);

/** Some such rows are still kept: to be called before a thread's own accesses. */
extern unsigned umsim_pretest_rows_kept;
void umsim_pretest_settle(void);

/** A plain read at `place` races with an atomic, if the place does not guard atomics. */
void umsim_pretest_suspect(const struct umsim_finding *finding, unsigned place);

/** A launch has ended: notes the races at places that guard nothing. */
void umsim_pretest_launched(void);

#endif
