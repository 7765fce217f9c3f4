/**
 * @file gpu_fault.h
 * @brief Signals in the GPU process: pages that are opened on first touch, and accesses that fail a kernel.
 *
 * GPU process only; async-signal-safe.
 */
#ifndef UMSIM_GPU_FAULT_H
#define UMSIM_GPU_FAULT_H

/** Installs the handlers, once, before the workers start. */
void umsim_gpu_handlers_install(void);

#endif
