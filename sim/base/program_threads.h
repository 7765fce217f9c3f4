/**
 * @file program_threads.h
 * @brief The threads of the program: which of them run, and for how long they have had a processor.
 *
 * The program's clock (program_clock.h) stops while the simulator works and no thread of the program runs.
 * Whether one runs is not asked of what it waits for, because programs wait in very many ways. It is seen by
 * the processor time that the thread has used: one that waits uses none.
 *
 * A thread says of itself that it idles where it only spins until there is something to do (a team of
 * OpenMP's between two regions), and while it waits for another thread's end.
 */
#ifndef UMSIM_PROGRAM_THREADS_H
#define UMSIM_PROGRAM_THREADS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum umsim_thread_state {
    UMSIM_THREAD_NONE, /* a free line of the table */
    UMSIM_THREAD_RUNS,
    UMSIM_THREAD_IDLES,
    UMSIM_THREAD_CALLS, /* is inside a call of CUDA's */
};

struct umsim_program_thread {
    atomic_int state;
    clockid_t cpu;
    /* When the program's clock stopped, or the thread came back to the program after that: what the clock
     * showed, and the processor time that the thread had used. */
    atomic_ullong base_ns, base_cpu_ns;
    pthread_cond_t *waits_at; /* a wait with a deadline, which the clock may reach by a leap */
    int64_t ends_ns;          /* its deadline, in nanoseconds of the program's CLOCK_MONOTONIC */
};

/** The calling thread's line; NULL: it has none. */
extern __thread struct umsim_program_thread *umsim_program_thread __attribute__((tls_model("initial-exec")));

/** Gives the calling thread a line. Without one in a full table, the thread counts as unseen. */
struct umsim_program_thread *umsim_program_thread_begin(void);
/** Gives the calling thread's line back. */
void umsim_program_thread_end(void);
/** In a child of fork(): the calling thread is the only one. */
void umsim_program_threads_forked(void);
/** Whether the calling thread is none of the program's, but one of the simulator's own. */
void umsim_program_thread_is_own(bool is);
bool umsim_program_thread_is_own_one(void);
/** Processor time of the simulator's own thread. */
uint64_t umsim_program_threads_own_cpu_ns(void);
/** Whether the calling thread found no line. */
bool umsim_program_thread_is_unseen(void);

/** Changes a line's state. */
void umsim_program_thread_set(struct umsim_program_thread *it, enum umsim_thread_state state);

/** Another thread is about to be made. */
void umsim_program_threads_come(void);
/** Whether there has ever been another one. */
bool umsim_program_threads_are_several(void);
/** How many threads are not idle: 1, if only the caller is there. */
unsigned umsim_program_threads_busy(void);
/** Whether there are threads that the table does not know. */
bool umsim_program_threads_unseen(void);

/** Processor time of a thread, nanoseconds. Async-signal-safe. */
uint64_t umsim_program_thread_cpu_ns(const struct umsim_program_thread *it);

/** Calls `visit` for each line but the calling thread's own. */
void umsim_program_threads_visit(void (*visit)(struct umsim_program_thread *it, void *data), void *data);

#endif
