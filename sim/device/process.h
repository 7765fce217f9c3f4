/**
 * @file process.h
 * @brief The GPU process: how it starts, how one knows that it lives, how it ends.
 *
 * Host process, except where noted.
 *
 * The GPU process is a fork that never execs, so that kernels are at the same addresses in it. It can be
 * started anew at any time when no kernel runs (a library with kernels was opened later): device memory
 * outlives it.
 */
#ifndef UMSIM_PROCESS_H
#define UMSIM_PROCESS_H

#include "shared.h"

#include <stdbool.h>
#include <sys/types.h>

/** Starts the GPU process and waits until it takes work. @return NULL, or why not (a static text). */
const char *umsim_gpu_start(void);

/** Called by the thread that lives as long as the program does: with its end the GPU process ends, too. */
void umsim_host_lives(void);

/** Ends it and waits for its end. Harmless when none runs. */
void umsim_gpu_stop(void);

/** Whether it still runs; once it is gone it stays gone until umsim_gpu_start(). */
bool umsim_gpu_alive(void);

/** Its process id, 0 when none was started. */
pid_t umsim_gpu_process_id(void);

/** Stops the kernel that runs now: its workers fail it with `error` (a cudaError_t), for a reason (a static
 * text). */
void umsim_gpu_interrupt(int error, const char *kernel, const char *reason);

#endif
