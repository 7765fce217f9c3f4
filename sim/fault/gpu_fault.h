/**
 * @file gpu_fault.h
 * @brief Signals in the GPU process: pages that are opened on first touch, and kernels that fail.
 *
 * GPU process only; async-signal-safe.
 */
#ifndef UMSIM_GPU_FAULT_H
#define UMSIM_GPU_FAULT_H

#include <stdbool.h>

struct umsim_worker;

/** Installs the handlers, once, before the workers start. */
void umsim_gpu_handlers_install(void);

/** Fails the kernel in hand for a reason of the simulator's own, said as `kernel NAME ` + reason. */
__attribute__((noreturn)) void umsim_gpu_fail(struct umsim_worker *worker, int error, const char *reason);

/** The same for the thread in hand, which the caller knows; error of the launch is that of its lowest block.
 */
struct uint3;
__attribute__((noreturn)) void umsim_gpu_fail_in(struct umsim_worker *worker, int error, const char *reason,
                                                 const struct uint3 *block, const struct uint3 *thread);

/** Fails it as an access to an address that it cannot reach. */
__attribute__((noreturn)) void umsim_gpu_refuse(void *address, bool is_write);

/** The signal by which the host stops a kernel that runs too long; the error is in the shared fault record.
 */
#define UMSIM_SIGNAL_INTERRUPT SIGUSR2

#endif
