/**
 * @file gpu_fault.c
 * @brief Implementation of gpu_fault.h: handlers for SIGSEGV, SIGBUS, SIGFPE, SIGILL and the interrupt of a
 * kernel.
 */
#include "gpu_fault.h"
#include "instruction.h"
#include "../base/mode.h"
#include "../worker/fail.h"
#include "../base/access.h"
#include "../worker/stacks.h"
#include "../worker/worker.h"
#include "../include/umsim/types_error.h"
#include "../space/protection.h"
#include "../base/processes.h"

#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The processor refuses some instructions for 16 bytes and more (x86-64), or atomic ones (arm64). */
static bool is_misaligned(int signal_number, const siginfo_t *info, const void *context)
{
    if (signal_number == SIGBUS)
        return info->si_code == BUS_ADRALN;
    return info->si_code == SI_KERNEL && umsim_access_is_misaligned(context);
}

static enum umsim_touch touch_of(const struct umsim_access *access, const void *context)
{
    if (access->known && !access->is_write)
        return UMSIM_TOUCH_READ;
    return access->known && umsim_access_is_update(context) ? UMSIM_TOUCH_UPDATE : UMSIM_TOUCH_WRITE;
}

static void on_access(int signal_number, siginfo_t *info, void *context)
{
    struct umsim_access access = umsim_access_of(context);
    struct umsim_worker *worker = umsim_this_worker;
    if (info->si_code <= 0)
        return; /* sent to the program's whole group: the host decides what becomes of it */
    if (worker && umsim_stack_touched(worker, (uintptr_t)info->si_addr, umsim_access_stack(context)))
        return;
    if (is_misaligned(signal_number, info, context)) {
        if (!worker || !worker->in_kernel)
            _exit(70);
        umsim_gpu_fail(
            worker, cudaErrorMisalignedAddress,
            "accessed memory at an address that is not a multiple of the value's size.\n"
            "  instead  access values of n bytes at multiples of n; umcc --check says where it is");
    }
    if (signal_number == SIGSEGV && umsim_gpu_open(info->si_addr, touch_of(&access, context)))
        return;
    if (!worker || !worker->in_kernel)
        _exit(70); /* the simulator's own mistake: the host sees the death and says so */
    umsim_gpu_fail_access(worker, info->si_addr, &access);
}

static void on_trap(int signal_number, siginfo_t *info, void *context)
{
    struct umsim_worker *worker = umsim_this_worker;
    if (info->si_code <= 0)
        return;
    if (!worker || !worker->in_kernel)
        _exit(70);
    if (signal_number == SIGFPE && !umsim_checks && umsim_divide_as_a_GPU(context))
        return;
    if (signal_number == SIGILL)
        umsim_gpu_fail(worker, cudaErrorIllegalInstruction, "ran an illegal instruction");
    umsim_gpu_fail(
        worker, cudaErrorLaunchFailure,
        "divided an integer by zero, or the least one by -1 (a GPU goes on with a number that means "
        "nothing)");
}

static void on_interrupt(int signal_number)
{
    (void)signal_number;
    if (umsim_this_worker && umsim_this_worker->in_kernel)
        umsim_worker_escape(umsim_this_worker);
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
