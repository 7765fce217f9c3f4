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

/** A thread's last reads. */
#define UMSIM_PRETEST_READS 4 /* between a read that guards and its atomic there may be others */
struct umsim_pretest_reads {
    uint32_t unit;
    unsigned next;
    uintptr_t address[UMSIM_PRETEST_READS];
    unsigned place[UMSIM_PRETEST_READS];
};

/** A launch begins. */
void umsim_pretest_launch(void);

/** Thread `thread` of block `unit` reads plainly at a place (race.c numbers them), or makes an atomic
 * access. */
void umsim_pretest_read(unsigned thread, uint32_t unit, uintptr_t address, unsigned place);
void umsim_pretest_atomic(unsigned thread, uint32_t unit, uintptr_t address);

/** Where the reads of a thread of block `unit` are kept. Adds one to them. */
struct umsim_pretest_reads *umsim_pretest_reads_of(unsigned thread, uint32_t unit);
static inline void umsim_pretest_note(struct umsim_pretest_reads *reads, uintptr_t address, unsigned place)
{
    reads->address[reads->next] = address;
    reads->place[reads->next] = place;
    reads->next = (reads->next + 1) % UMSIM_PRETEST_READS;
}

/** A plain read at `place` races with an atomic, if the place does not guard atomics. */
void umsim_pretest_suspect(const struct umsim_finding *finding, unsigned place);

/** A launch has ended: notes the races at places that guard nothing. */
void umsim_pretest_launched(void);

#endif
