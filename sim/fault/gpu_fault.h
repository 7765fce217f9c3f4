/**
 * @file gpu_fault.h
 * @brief Signal handlers of the GPU process: they open pages on first touch, and turn a bad access into the
 * kernel's failure.
 *
 * GPU process only; async-signal-safe.
 */
#ifndef UMSIM_GPU_FAULT_H
#define UMSIM_GPU_FAULT_H

/** Installs the handlers, once, before the workers start. */
void umsim_gpu_handlers_install(void);

#endif
