/*
 * gpu_fault.h: signals in the GPU process: pages that are opened on first touch, and kernels that fail. GPU process
 * only; async-signal-safe.
 */
#ifndef UMSIM_GPU_FAULT_H
#define UMSIM_GPU_FAULT_H

struct umsim_worker;

/** Installs the handlers, once, before the workers start. */
void umsim_gpu_handlers_install(void);

/** A GPU thread used more stack than it has: fails the kernel. Does not return. */
__attribute__((noreturn)) void umsim_gpu_fail_stack_overflow(struct umsim_worker *worker);

/** A block's static __shared__ variables are more than 48 KiB, or more than 64 of them: fails the kernel. */
__attribute__((noreturn)) void umsim_gpu_fail_shared_memory(struct umsim_worker *worker);

/** The signal by which the host stops a kernel that runs too long; the error is in the shared fault record. */
#define UMSIM_SIGNAL_INTERRUPT SIGUSR2

#endif
