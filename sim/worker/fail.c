/**
 * @file fail.c
 * @brief Implementation of fail.h: the first fault is recorded once, then the worker leaves the kernel.
 */
#include "fail.h"
#include "../base/processes.h"
#include "../include/umsim/types_error.h"
#include "worker.h"
#include "launches.h"

#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The interrupt is blocked while a handler holds the lock of what is open, so that it cannot lead out of
 * there. This way out of a handler does not return from the signal, so it has to unblock the interrupt
 * itself. */
static void admit_interrupt(void)
{
    uint64_t interrupt = UINT64_C(1) << (UMSIM_SIGNAL_INTERRUPT - 1);
    syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, &interrupt, NULL, sizeof interrupt);
}

/* Where the current thread is, as far as that is known. */
struct position {
    bool known;
    uint3 block, thread;
};

static struct position position_of(const struct umsim_worker *worker)
{
    const struct umsim_fiber *thread = umsim_worker_thread(worker);
    if (!thread)
        return (struct position){.known = false};
    return (struct position){true, worker->block_index, thread->index};
}

static bool is_before(const uint3 *a, const uint3 *b)
{
    return a->z != b->z ? a->z < b->z : a->y != b->y ? a->y < b->y : a->x < b->x;
}

/* What goes into struct umsim_kernel_fault. */
struct cause {
    int error;
    const char *reason; /* NULL: a bad address, or an operation */
    const void *address;
    struct umsim_access access;
    enum umsim_operation operation;
    uint64_t values[2];
};

static void record(struct umsim_kernel_fault *fault, const struct umsim_worker *worker,
                   const struct cause *cause, const struct position *at)
{
    fault->error = cause->error;
    strncpy(fault->reason, cause->reason ? cause->reason : "", sizeof fault->reason - 1);
    fault->address = (void *)cause->address;
    fault->operation = cause->operation;
    fault->values[0] = cause->values[0];
    fault->values[1] = cause->values[1];
    fault->access_known = cause->access.known;
    fault->is_write = cause->access.is_write;
    fault->thread_known = at->known;
    fault->block_index = at->block;
    fault->thread_index = at->thread;
    strncpy(fault->kernel, worker->command->kernel.name, sizeof fault->kernel - 1);
    fault->launched = worker->command->launched;
    fault->device = umsim_own_device; /* a kernel's own launches have no number of a device */
    atomic_store(&fault->set, true);
}

/* Of a launch's faults, the first is reported. Where the blocks are known, it is the fault of the lowest
 * block, which is the same in every run: blocks are given out in order, and each one that was given out
 * runs. */
__attribute__((noreturn)) static void fail(struct umsim_worker *worker, const struct cause *cause,
                                           const struct position *at)
{
    struct umsim_kernel_fault *fault = &umsim_launches->fault;
    static atomic_bool fault_locked;
    bool mine;
    do
        mine = !atomic_exchange(&fault_locked, true);
    while (!mine && (at->known || !atomic_load(&fault->set)));
    if (mine && (!atomic_load(&fault->set) ||
                 (at->known && fault->thread_known && is_before(&at->block, &fault->block_index))))
        record(fault, worker, cause, at);
    if (mine)
        atomic_store(&fault_locked, false);
    admit_interrupt();
    umsim_worker_escape(worker);
}

void umsim_gpu_fail(struct umsim_worker *worker, int error, const char *reason)
{
    const struct position at = position_of(worker);
    fail(worker, &(struct cause){.error = error, .reason = reason}, &at);
}

void umsim_gpu_fail_in(struct umsim_worker *worker, int error, const char *reason, const uint3 *block,
                       const uint3 *thread)
{
    const struct position at = {true, *block, *thread};
    fail(worker, &(struct cause){.error = error, .reason = reason}, &at);
}

void umsim_gpu_fail_access(struct umsim_worker *worker, void *address, const struct umsim_access *access)
{
    const struct position at = position_of(worker);
    fail(worker, &(struct cause){.error = cudaErrorIllegalAddress, .address = address, .access = *access},
         &at);
}

void umsim_gpu_fail_operation(struct umsim_worker *worker, enum umsim_operation operation,
                              const void *description, uint64_t first, uint64_t second)
{
    const struct position at = position_of(worker);
    fail(worker,
         &(struct cause){.error = cudaErrorLaunchFailure,
                         .address = description,
                         .operation = operation,
                         .values = {first, second}},
         &at);
}

void umsim_gpu_refuse(void *address, bool is_write)
{
    const struct umsim_access access = {.known = true, .is_write = is_write};
    umsim_gpu_fail_access(umsim_this_worker, address, &access);
}

void umsim_gpu_interrupt(int error, const char *kernel, const char *reason)
{
    struct umsim_kernel_fault *fault = &umsim_launches->fault;
    if (!atomic_load(&fault->set)) {
        fault->error = error;
        strncpy(fault->reason, reason, sizeof fault->reason - 1);
        fault->address = NULL;
        fault->operation = UMSIM_NO_OPERATION;
        strncpy(fault->kernel, kernel, sizeof fault->kernel - 1);
        fault->launched = NULL;
        fault->access_known = fault->thread_known = false;
        atomic_store(&fault->set, true);
    }
    for (unsigned device = 0; device < umsim_devices; device++)
        for (unsigned i = 0; i < umsim_workers; i++)
            syscall(SYS_tgkill, umsim_gpu_process_id(device), umsim_processes->worker_tid[device][i],
                    UMSIM_SIGNAL_INTERRUPT);
}
