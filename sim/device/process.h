/**
 * @file process.h
 * @brief How the GPU process starts, or those of several devices (base/processes.h: whether it lives, and how
 * it ends).
 *
 * Host process, except where noted.
 *
 * The GPU process is a fork that never calls exec(), so that kernels have the same addresses in it. It can be
 * started anew whenever no kernel runs (when a library with kernels is opened later); device memory outlives
 * it.
 */
#ifndef UMSIM_PROCESS_H
#define UMSIM_PROCESS_H

/** Starts the GPU process of each device and waits until all take work. @return NULL, or why not (a static
 * text). */
const char *umsim_gpu_start(void);

#endif
