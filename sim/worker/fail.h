/**
 * @file fail.h
 * @brief Makes the kernel that runs fail, with an error and a reason.
 *
 * GPU process only, except for umsim_gpu_interrupt(); async-signal-safe.
 */
#ifndef UMSIM_FAIL_H
#define UMSIM_FAIL_H

#include "../base/access.h"

#include <stdbool.h>

struct umsim_worker;
struct uint3;

/** Fails the kernel in hand for a reason of the simulator's own, said as `kernel NAME ` + reason. */
__attribute__((noreturn)) void umsim_gpu_fail(struct umsim_worker *worker, int error, const char *reason);

/** The same for the thread in hand, which the caller knows; error of the launch is that of its lowest block.
 */
__attribute__((noreturn)) void umsim_gpu_fail_in(struct umsim_worker *worker, int error, const char *reason,
                                                 const struct uint3 *block, const struct uint3 *thread);

/** Fails it as an access to an address that it cannot reach. */
__attribute__((noreturn)) void umsim_gpu_fail_access(struct umsim_worker *worker, void *address,
                                                     const struct umsim_access *access);
/** The same of the calling worker, which knows what kind of access it was. */
__attribute__((noreturn)) void umsim_gpu_refuse(void *address, bool is_write);

/** Host process: stops the kernel that runs now. Its workers fail it with `error` (a cudaError_t), for a
 * reason (a static text). */
void umsim_gpu_interrupt(int error, const char *kernel, const char *reason);

#endif
