/**
 * @file gpu_fault.c
 * @brief See gpu_fault.h.
 */
#include "gpu_fault.h"
#include "access.h"
#include "../device/worker.h"
#include "../include/umsim_types_error.h"
#include "../space/mapping.h"

#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* An interrupt may not lead out of a handler that holds the lock of what is open; this way out is not taken
 * by a return that would admit it again. */
static void admit_interrupt(void)
{
    uint64_t interrupt = UINT64_C(1) << (UMSIM_SIGNAL_INTERRUPT - 1);
    syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, &interrupt, NULL, sizeof interrupt);
}

/* Where the thread in hand is, as far as it is known. */
struct position {
    bool known;
    uint3 block, thread;
};

static struct position position_of(const struct umsim_worker *worker)
{
    if (!worker->current)
        return (struct position){.known = false};
    return (struct position){true, worker->block_index, worker->current->index};
}

static bool is_before(const uint3 *a, const uint3 *b)
{
    return a->z != b->z ? a->z < b->z : a->y != b->y ? a->y < b->y : a->x < b->x;
}

/* Of a launch's faults the first is reported; where the blocks are known that of the lowest one, which is the
 * same in every run: blocks are given out in order, and each one that was given out runs. */
__attribute__((noreturn)) static void fail(struct umsim_worker *worker, int error, const char *reason,
                                           void *address, const struct umsim_access *access,
                                           const struct position *at)
{
    struct umsim_kernel_fault *fault = &umsim_shared_state->fault;
    static atomic_bool claimed;
    bool mine;
    do
        mine = !atomic_exchange(&claimed, true);
    while (!mine && (at->known || !atomic_load(&fault->set)));
    if (mine && (!atomic_load(&fault->set) ||
                 (at->known && fault->thread_known && is_before(&at->block, &fault->block_index)))) {
        fault->error = error;
        strncpy(fault->reason, reason ? reason : "", sizeof fault->reason - 1);
        fault->address = address;
        fault->access_known = access && access->known;
        fault->is_write = access && access->is_write;
        fault->thread_known = at->known;
        fault->block_index = at->block;
        fault->thread_index = at->thread;
        strncpy(fault->kernel, worker->command->kernel.name, sizeof fault->kernel - 1);
        atomic_store(&fault->set, true);
    }
    if (mine)
        atomic_store(&claimed, false);
    admit_interrupt();
    umsim_worker_escape(worker);
}

static void on_access(int signal_number, siginfo_t *info, void *context)
{
    struct umsim_access access = umsim_access_of(context);
    struct umsim_worker *worker = umsim_this_worker;
    if (signal_number == SIGSEGV &&
        umsim_gpu_open(info->si_addr, access.known && !access.is_write ? false : true))
        return;
    if (!worker || !worker->in_kernel)
        _exit(70); /* the simulator's own mistake: the host sees the death and says so */
    const struct position at = position_of(worker);
    fail(worker, cudaErrorIllegalAddress, NULL, info->si_addr, &access, &at);
}

static void on_trap(int signal_number, siginfo_t *info, void *context)
{
    (void)info, (void)context;
    struct umsim_worker *worker = umsim_this_worker;
    if (!worker || !worker->in_kernel)
        _exit(70);
    const struct position at = position_of(worker);
    if (signal_number == SIGILL)
        fail(worker, cudaErrorIllegalInstruction, "ran an illegal instruction", NULL, NULL, &at);
    fail(worker, cudaErrorLaunchFailure,
         "divided an integer by zero (on a GPU the result would be undefined)", NULL, NULL, &at);
}

static void on_interrupt(int signal_number)
{
    (void)signal_number;
    if (umsim_this_worker && umsim_this_worker->in_kernel)
        umsim_worker_escape(umsim_this_worker);
}

void umsim_gpu_fail(struct umsim_worker *worker, int error, const char *reason)
{
    const struct position at = position_of(worker);
    fail(worker, error, reason, NULL, NULL, &at);
}

void umsim_gpu_fail_in(struct umsim_worker *worker, int error, const char *reason, const uint3 *block,
                       const uint3 *thread)
{
    const struct position at = {true, *block, *thread};
    fail(worker, error, reason, NULL, NULL, &at);
}

void umsim_gpu_refuse(void *address, bool is_write)
{
    const struct umsim_access access = {.known = true, .is_write = is_write};
    const struct position at = position_of(umsim_this_worker);
    fail(umsim_this_worker, cudaErrorIllegalAddress, NULL, address, &access, &at);
}

void umsim_gpu_handlers_install(void)
{
    struct sigaction access = {.sa_sigaction = on_access, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    struct sigaction trap = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    struct sigaction interrupt = {.sa_handler = on_interrupt, .sa_flags = SA_ONSTACK | SA_NODEFER};
    sigaddset(&access.sa_mask, UMSIM_SIGNAL_INTERRUPT);
    sigaction(SIGSEGV, &access, NULL);
    sigaction(SIGBUS, &access, NULL);
    sigaction(SIGFPE, &trap, NULL);
    sigaction(SIGILL, &trap, NULL);
    sigaction(UMSIM_SIGNAL_INTERRUPT, &interrupt, NULL);
}
