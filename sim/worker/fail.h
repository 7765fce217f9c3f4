/**
 * @file fail.h
 * @brief Makes the kernel that runs fail, with an error and a reason.
 *
 * GPU process only, except for umsim_gpu_interrupt(); async-signal-safe.
 */
#ifndef UMSIM_FAIL_H
#define UMSIM_FAIL_H

#include "../base/access.h"
#include "launches.h"

#include <stdbool.h>
#include <stdint.h>

struct umsim_worker;
struct uint3;

/** Fails the current kernel for a reason of the simulator's own, reported as `kernel NAME ` + reason. */
__attribute__((noreturn)) void umsim_gpu_fail(struct umsim_worker *worker, int error, const char *reason);

/** The same for the current thread, which the caller knows. The launch's error is that of its lowest
 * block. */
__attribute__((noreturn)) void umsim_gpu_fail_in(struct umsim_worker *worker, int error, const char *reason,
                                                 const struct uint3 *block, const struct uint3 *thread);

/** Fails the current kernel for an access to an address that it cannot reach. */
__attribute__((noreturn)) void umsim_gpu_fail_access(struct umsim_worker *worker, void *address,
                                                     const struct umsim_access *access);
/** The same for the calling worker, where the kind of the access is known. */
__attribute__((noreturn)) void umsim_gpu_refuse(void *address, bool is_write);

/** Fails the current kernel for an operation that C++ leaves undefined.
 * @param description g++'s, which only the host can read
 * @param first,second the operation's values, as g++ hands them over */
__attribute__((noreturn)) void umsim_gpu_fail_operation(struct umsim_worker *worker,
                                                        enum umsim_operation operation,
                                                        const void *description, uint64_t first,
                                                        uint64_t second);

/** Host process: stops the kernel that runs now. Its workers fail it with `error` (a cudaError_t), for
 * `reason` (a static text). */
void umsim_gpu_interrupt(int error, const char *kernel, const char *reason);

#endif
