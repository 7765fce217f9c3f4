/**
 * @file recall.h
 * @brief Launches that are not run, because what they leave is known.
 *
 * A program that repeats its work, until ten seconds have passed or to take the best of many times, launches
 * the same kernel with the same arguments on the same memory. What a kernel does follows from these (on a
 * GPU, and here). So where such a launch has run once, from the same contents of the device's memory, it need
 * not run again: what it left there is put there, or mostly nothing is to be done, as it leaves what it
 * found. In virtual time it takes what it takes: it is priced, and counted where it is its turn, as if it had
 * run.
 *
 *  - Launches are the same if kernel, geometry, shared memory and arguments are, byte for byte.
 *  - Contents are compared as numbers (space/contents.h): before a launch that may be known, and after it has
 *    run. What has changed is kept, up to some MiB; a kernel that changes more is recalled where it leaves
 *    what it found.
 *  - No launch is recalled that has done anything else than to change memory: printed, read a clock, asked
 *    the heap, launched kernels, failed, set a graph's condition. Nor any while kernels may reach what
 *    changes without a call, or is not compared: host and managed memory, textures; nor launches of graphs.
 *  - A kernel whose result depends on the order of its threads could leave something else the next time; what
 *    it left once is one of the things that it may leave.
 *
 * To compare costs real time, so only launches that take long are tried, from the second on, and all in all
 * for an eighth of the time that kernels take, or that was saved. So whether a launch is recalled depends on
 * the machine; nothing that a program sees does.
 *
 * Not for several devices, graded and checked programs, and with UMSIM_CLOCK=real, which asks what the
 * simulator takes. Host process only, with the simulator's lock.
 */
#ifndef UMSIM_RECALL_H
#define UMSIM_RECALL_H

#include "kernel_op.h"
#include "../worker/launches.h"

/** NEVER: all launches run. ALWAYS: also what takes no time, at any cost (for tests). */
enum umsim_recall_mode { UMSIM_RECALL_AUTO, UMSIM_RECALL_NEVER, UMSIM_RECALL_ALWAYS };

void umsim_recall_set(enum umsim_recall_mode mode);

/** A launch, as far as recall.c has to do with it. */
struct umsim_recall {
    uint64_t key[2]; /* 0: not known yet */
    bool waits;      /* it is not handed over before its turn */
    bool learns;     /* it runs, and what it changes is to be kept */
    bool recalled;
};

/**
 * A launch could be handed over now, ahead of its turn.
 * @return whether it has to wait for its turn: when all before it has run. umsim_recall_due() follows then.
 */
bool umsim_recall_waits(const struct umsim_launch_request *launch, struct umsim_recall *it);

/**
 * The turn of a launch that has waited.
 * @param measure whether it is to be measured (traffic.h)
 * @param command the launch: if it is known, gets what was measured
 * @return whether it is done: it is not to be run
 */
bool umsim_recall_due(struct umsim_recall *it, bool measure, struct umsim_command *command);

/**
 * A launch has run; before its counts are used.
 * @param ns how long the host waited for it, in real time
 * @param clean whether it neither failed nor printed
 */
void umsim_recall_ran(const struct umsim_launch_request *launch, struct umsim_recall *it,
                      const struct umsim_command *command, uint64_t ns, bool clean);

/** Forgets all launches: a library is gone, and other kernels may come to lie where its own were. */
void umsim_recall_forget(void);

#endif
