/**
 * @file processes.h
 * @brief The host process and the GPU process: which one this is, and what each knows of the other.
 *
 * Both processes share one structure, which is mapped before the first fork. device/process.h starts the GPU
 * process; code that only asks whether it lives, or ends it, needs nothing above this file. Where there are
 * several devices, each has a GPU process, and all are started, live and end together.
 */
#ifndef UMSIM_PROCESSES_H
#define UMSIM_PROCESSES_H

#include "devices.h"

#include <linux/futex.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define UMSIM_WORKERS_MAX 64

/** The signal by which the host stops a kernel that runs for too long. */
#define UMSIM_SIGNAL_INTERRUPT SIGUSR2

/**
 * Lets other processes see whether the host process lives: a robust futex that a thread of the host holds and
 * never releases. The kernel sets FUTEX_OWNER_DIED when that thread ends. That happens at the end of the
 * process, whatever its cause, and at an exec(), which ends all threads but one. Processes that the host
 * forks do not inherit the futex.
 */
struct umsim_life {
    struct robust_list_head held; /* that thread's list: set_robust_list(2) */
    struct robust_list entry;
    atomic_uint holder; /* futex: 0 until it is held, then the thread's id and FUTEX_WAITERS */
};

/** What the two processes share about themselves. */
struct umsim_processes {
    atomic_uint checked_in;  /* number of threads of the GPU process that are ready */
    atomic_uint ready;       /* futex: 1 when the GPU process accepts work */
    atomic_uint main_sleeps; /* the first thread has left all C code and sleeps */
    struct umsim_life host;  /* the sleeping first thread waits for the host's end */
    int worker_tid[UMSIM_DEVICES_MAX][UMSIM_WORKERS_MAX];
    unsigned sealed, maps; /* for tests: numbers of mappings closed and mappings seen */

    /* launches: the host raises `submitted`; the GPU process runs them in order and raises `completed` */
    atomic_uint submitted; /* futex: the GPU process sleeps on it */
    atomic_uint completed; /* futex: the host sleeps on it */
    atomic_uint recalled;  /* launches beside these that did not run, as what they leave was known */
    atomic_uint gpu_sleeps, host_sleeps;
    atomic_uint
        leads_sleep;        /* where there are several devices: how many of their processes sleep on either */
    atomic_uint host_wants; /* the value of `completed` at which a sleeping host is woken */

    /* how often blocks were put aside because what they poll did not change; perhaps a thread of the host
     * will */
    atomic_uint polls_in_vain;
};

/** Mapped before the first fork, for good. */
extern struct umsim_processes *umsim_processes;

/** Whether this process is the GPU process. */
extern bool umsim_in_gpu;

/**
 * Whether this process is a child that the program has forked from the host process. It has no GPU, and none
 * of the memory that the host shares with the GPU process may change through it. Async-signal-safe.
 */
bool umsim_in_child(void);

/** Host process, at the start: its children are known as such from now on. */
void umsim_mark_host(void);
/** In a child, where the system did not mark it by itself (it has no MADV_WIPEONFORK). */
void umsim_mark_child(void);

/** The number of workers; the same before and after the fork. */
extern unsigned umsim_workers;

/** @name Host process @{ */

/**
 * Ties the GPU process to the calling thread: when this thread ends, the GPU process ends too. Call it from a
 * thread that lives as long as the program.
 */
void umsim_host_lives(void);

/** Whether the calling thread is the process's last one: the first thread has called pthread_exit(), and all
 * others have ended. */
bool umsim_is_last_thread(void);

/** Reports that the GPU process of a device was forked. */
void umsim_gpu_born(unsigned device, pid_t process);

/** Ends a device's GPU process, which did not come up. */
void umsim_gpu_give_up(unsigned device);

/** Ends the GPU process and waits for its end. Does nothing when none runs. */
void umsim_gpu_stop(void);

/** Whether the GPU process still runs. Once it has ended, the answer stays false until it is started anew. */
bool umsim_gpu_alive(void);

/** How the GPU process ended, which runs no more: the end of a sentence. A static text. */
const char *umsim_gpu_end(void);

/** Reports that waitpid() has collected a device's GPU process, so that there is none any more. */
void umsim_gpu_died(unsigned device);

/** Gives a descriptor up for a moment, for a program that has no other one left; the caller holds the
 * simulator's lock. @return whether there was one */
bool umsim_gpu_lend_descriptor(void);
/** The moment is over. */
void umsim_gpu_descriptor_back(void);

/** The calling thread is in exit(), and stops the GPU process. Other threads that meet its end wait a moment.
 */
void umsim_process_ends(void);

/** The id of a device's GPU process, or 0 when none was started. */
pid_t umsim_gpu_process_id(unsigned device);

/** The processor time that the GPU process's threads have used, in all; real time where the system does not
 * tell it. */
uint64_t umsim_gpu_processor_ns(void);
/** @} */

#endif
