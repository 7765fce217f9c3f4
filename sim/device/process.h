/**
 * @file process.h
 * @brief How the GPU process starts (base/processes.h: whether it lives, how it ends).
 *
 * Host process, except where noted.
 *
 * The GPU process is a fork that never execs, so that kernels are at the same addresses in it. It can be
 * started anew at any time when no kernel runs (a library with kernels was opened later): device memory
 * outlives it.
 */
#ifndef UMSIM_PROCESS_H
#define UMSIM_PROCESS_H

/** Starts the GPU process and waits until it takes work. @return NULL, or why not (a static text). */
const char *umsim_gpu_start(void);

#endif
