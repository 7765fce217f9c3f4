/**
 * @file processes.h
 * @brief The host process and the GPU process: which one this is, and what each knows of the other.
 *
 * Both processes share one structure, mapped before the first fork. The GPU process is started and ended by
 * device/process.h; whoever only asks whether it lives needs nothing above this file.
 */
#ifndef UMSIM_PROCESSES_H
#define UMSIM_PROCESSES_H

#include <linux/futex.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

#define UMSIM_WORKERS_MAX 64

/** The signal by which the host stops a kernel that runs too long. */
#define UMSIM_SIGNAL_INTERRUPT SIGUSR2

/**
 * The host process's life, as others see it: a robust futex that a thread of the host holds and never lets
 * go. The kernel sets FUTEX_OWNER_DIED when that thread ends: at the end of the process, however it comes
 * about, and at an exec(), which ends all threads but one. What the host forks has no part in it.
 */
struct umsim_life {
    struct robust_list_head held; /* of that thread: set_robust_list(2) */
    struct robust_list entry;
    atomic_uint holder; /* futex: 0 until it is held, then its thread and FUTEX_WAITERS */
};

/** What the two processes share about themselves. */
struct umsim_processes {
    atomic_uint checked_in;  /* threads of the GPU process that stand ready */
    atomic_uint ready;       /* futex: 1 when the GPU process takes work */
    atomic_uint main_sleeps; /* the first thread has left the C world */
    struct umsim_life host;  /* the sleeping first thread waits for its end */
    int worker_tid[UMSIM_WORKERS_MAX];
    unsigned sealed, maps; /* for tests: mappings closed, mappings seen */

    /* launches: the host raises `submitted`, the GPU process runs them in order and raises `completed` */
    atomic_uint submitted; /* futex: the GPU process sleeps on it */
    atomic_uint completed; /* futex: the host sleeps on it */
    atomic_uint gpu_sleeps, host_sleeps;
    atomic_uint host_wants; /* the value of `completed` at which a sleeping host is woken */
};

/** Mapped before the first fork, for good. */
extern struct umsim_processes *umsim_processes;

/** Whether this is the GPU process. */
extern bool umsim_in_gpu;

/** Number of workers; the same before and after the fork. */
extern unsigned umsim_workers;

/** @name Host process @{ */

/** Called by the thread that lives as long as the program does: with its end the GPU process ends, too. */
void umsim_host_lives(void);

/** The GPU process was forked. */
void umsim_gpu_born(pid_t process);

/** Ends it and waits for its end. Harmless when none runs. */
void umsim_gpu_stop(void);

/** Whether it still runs; once it is gone it stays gone until it is started anew. */
bool umsim_gpu_alive(void);

/** It has been waited for, by waitpid(): there is none any more. */
void umsim_gpu_died(void);

/** Its process id, 0 when none was started. */
pid_t umsim_gpu_process_id(void);
/** @} */

#endif
